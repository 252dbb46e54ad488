"""Do two sentences speak of the same thing, and do they agree?

Their values (amounts with unit and scale, dates as far as both are known) are written alike where they agree, and
their words aligned (the longest common stretches first: Ratcliff and Obershelp, 1988). Where words or a date differ
beside an amount each sentence holds for its own year, part or region, and nothing is contradicted. Of what else
differs the judge of statements tells whether it is a contradiction.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from engine.answer.check.reading import Token, alike, names, plain, same, tokens_of
from engine.answer.understand.terms import weight
from engine.index.tokenize import tokens
from engine.providers.entailment import EntailmentJudge
from engine.providers.reading import Passage

Verdict = Literal["agree", "number", "date", "entity", "scope", "negation", "not_comparable"]
# What stands for each other in two sentences.
_Texts = tuple[str, str] | None
# Which share of the words of the sentence with fewer of its own, and with more, is common, and their least weight.
_SHARED, _SHARED_OF_LONGER, _LEAST, _LEAST_OF_PARTS = 0.5, 0.34, 1.0, 1.5
# Of so many words in common, one may be said in another.
_REWORDED = 0.34
_CLEARLY, _CLEARLY_WORTH, _NEARLY_ALL = 0.75, 3.0, 0.9
# Of statements that differ in nothing else this much is enough: 项目预算为520万元, 项目预算为450万元.
_ALL, _ALL_WORTH = 0.99, 1.9
# So many words at most are one thing put for another in a sentence this alike; so few, or a character, are a word.
_LONGEST_SWAP, _LIKE, _A_WORD, _IN_ORDER = 6, 0.75, 2, 0.8
# So much is measured rather than counted on one's fingers.
_MANY = 100
_MOST_CHARACTERS = 600
# A text that says so much more of what another sentence has in place of this one's words is about that.
_RATHER = 0.5
# Words of the phrase that a sentence opens with ("In Germany, …"), and of a name.
_OPENING, _LONGEST_NAME = 12, 12
_COMMAS = frozenset(",，:：;；")
_PREPOSITIONS = frozenset({"in", "for", "as", "at", "on", "by", "from", "截", "在", "于", "自", "到"})
# A label has so many letters at most: B, 七条.
_LONGEST_LABEL = 3
# A judge that takes one sentence for contradicting the other is at least so sure, both ways in the mean.
_LIKELY = 0.42


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on two statements. ``a_differs`` and ``b_differs`` are what differs, as written.

    ``shared`` (0..1) is the share of the words that both have. ``clear`` says that the statements surely speak of the
    same thing and that what differs is no mere wording, ``plain`` that they are short and differ in nothing else: of
    one thing, if a question asks for that.
    """

    verdict: Verdict
    a_differs: str = ""
    b_differs: str = ""
    shared: float = 0.0
    clear: bool = False
    plain: bool = False

    @property
    def contradicts(self) -> bool:
        """True when both cannot hold."""
        return self.verdict in ("number", "date", "entity", "negation")


class _Word(NamedTuple):
    """A token with what it is worth as a word; those of one ``key`` say the same."""

    token: Token
    key: str
    worth: float = 0.0


class _Change(NamedTuple):
    """What stands at one place of two sentences; ``first`` where they begin with it, ``opens`` up to their commas."""

    sides: tuple[list[_Word], list[_Word]]
    first: bool
    opens: bool

    @property
    def replaced(self) -> bool:
        """True where words stand for others."""
        return all(any(word.worth for word in side) for side in self.sides)

    @property
    def named(self) -> bool:
        """True where words name something: with capitals, or short runs of Chinese characters."""
        telling = [word for side in self.sides for word in side if word.worth]
        capitals = (word.token.text[0].isupper() or word.token.kind == "character" for word in telling)
        return bool(telling) and max(map(len, self.sides)) <= _LONGEST_NAME and all(capitals)

    @property
    def texts(self) -> tuple[str, str]:
        """What stands there in each sentence."""
        first, second = (_joined(word.token for word in side) for side in self.sides)
        return first, second

    @property
    def labelled(self) -> bool:
        """True where a number or letter that names a thing stands there: 3 in "Table 3"."""
        coded = (word.token for side in self.sides for word in side if word.worth)
        return any(one.text[0].isdigit() or (one.code and len(one.code) <= _LONGEST_LABEL) for one in coded)


@dataclass(slots=True)
class _Aligned:
    """What two sentences have in common and what not.

    ``texts`` are their tokens, in the second with the values that both have written as in the first; ``left`` are the
    values of each that the other lacks. ``matched`` is what the common words weigh, ``apart`` what the others weigh.
    """

    texts: tuple[list[Token], list[Token]]
    left: tuple[list[Token], list[Token]]
    changes: list[_Change] = field(default_factory=list)
    matched: float = 0.0
    apart: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def share(self, apart: float) -> float:
        """The share of a sentence's words that are common."""
        return self.matched / (self.matched + apart) if self.matched else 0.0


def compare(
    a: str, b: str, context_a: str = "", context_b: str = "", judge: EntailmentJudge | None = None
) -> Comparison:
    """Return the verdict on two sentences. Raises ProviderError.

    The contexts are the titles above them: "The budget is 5" under "The move" is the budget of the move. Without a
    judge whatever stands for something else is told for contradicting it, and no denial.
    """
    found = _aligned(a, b, (context_a, context_b))
    shared, least = found.share(min(found.apart)), found.share(max(found.apart))
    if found.matched < _LEAST or shared < _SHARED or least < _SHARED_OF_LONGER:
        return Comparison("not_comparable", shared=round(shared, 3))
    numbers, dates = _pair(found, "amount"), _pair(found, "when")
    if apart := _lettered_apart(context_a, context_b):
        return Comparison("scope", *apart, round(shared, 3))
    if parts := _parts(found, numbers, dates):
        enough = dates or found.matched >= _LEAST_OF_PARTS
        return Comparison("scope" if enough else "not_comparable", *parts, round(shared, 3))
    replaced = [change for change in found.changes if change.replaced]
    named = bool(replaced) and all(change.named for change in replaced)
    values = numbers or dates
    sure = bool(values or named)
    if judge is not None and found.changes:
        sure = _contradicted(found.texts, (context_a, context_b), judge) >= _LIKELY
    if not (sure or values or named):
        agree: Verdict = "not_comparable" if len(replaced) > _REWORDED * found.matched else "agree"
        return Comparison(agree, shared=round(shared, 3), clear=shared >= _CLEARLY)
    verdict: Verdict = "number" if numbers else "date" if dates else "entity" if named else "negation"
    differ = values or (replaced or found.changes)[0].texts
    # What a sentence begins with is what it speaks of.
    clear = sure and len(replaced) <= (not values) and not any(one.first for one in replaced)
    same = least >= (0.5 if values or named else _NEARLY_ALL)
    enough = found.matched >= _CLEARLY_WORTH and shared >= _CLEARLY and same
    all_of_it = found.matched >= _ALL_WORTH and least >= _ALL
    return Comparison(verdict, *differ, round(shared, 3), clear and enough, clear and all_of_it)


def swapped(a: str, b: str) -> Comparison | None:
    """Return the one thing put for another in a sentence that else is as another, ``clear`` where it is but a word.

    Where only words are left out they agree.
    """
    found = _aligned(a, b)
    changes = [change for change in found.changes if any(word.worth for word in change.sides[0])]
    if found.left[0] or not found.matched or not all(change.replaced for change in changes):
        return None
    if len(changes) != 1:
        return None if changes else Comparison("agree")
    sides, inside = changes[0].sides, any(side[0].token.kind == "character" for side in changes[0].sides)
    size, share = max(map(len, sides)), found.share(sum(word.worth for word in sides[0]))
    if size > _LONGEST_SWAP or share < _LIKE:
        return None
    starts = (text.index(side[0].token) for text, side in zip(found.texts, sides, strict=True))
    parts = zip(found.texts, starts, sides, strict=True)  # of a Chinese word with the character before it
    here, there = (_joined(text[max(0, at - inside) : at + len(side)]) for text, at, side in parts)
    return Comparison("entity", here, there, share, share >= _IN_ORDER and size <= (1 if inside else _A_WORD))


def rather_of(said: str, here: Sequence[str], there: Sequence[str]) -> bool:
    """True where a text speaks of what ``there`` stands in the place of what ``here``, else much alike, is of.

    "Party A pays 5 % a month" is said of the clause on Party A, whatever another one on Party B tells. Each is a
    sentence behind the titles above it; of these those count that differ.
    """
    spoken, found = _tokens(said), _aligned(_titled(here, there), _titled(there, here))
    both = found, _aligned(here[-1], there[-1])  # long titles make no sentences alike
    if found.matched < _LEAST or any(one.share(max(_changed(one, 0), _changed(one, 1))) < _SHARED for one in both):
        return False
    keys = frozenset(_word(token).key for token in spoken)
    dated = [any(same(one, other) for one in spoken for other in side if other.when) for side in found.left]
    rather = _changed(found, 1, keys) - _changed(found, 0, keys) + (dated == [False, True])
    if not rather and _changed(found, 1, keys):  # who pays whom, the order tells
        rather = _aligned(said, _titled(there, here)).matched - _aligned(said, _titled(here, there)).matched
    return rather >= _RATHER


def _lettered_apart(a: str, b: str) -> _Texts:
    """Return the letters by which two titles name two things of a kind, project C and project D; else None."""
    sides = [{_word(token).key: token.text for token in _tokens(title) if token.kind != "mark"} for title in (a, b)]
    own = [[text for key, text in one.items() if key not in other] for one, other in (sides, sides[::-1])]
    lettered = all(len(one) == 1 and len(one[0]) == 1 and one[0].isupper() for one in own)
    return (own[0][0], own[1][0]) if lettered else None


def _titled(one: Sequence[str], other: Sequence[str]) -> str:
    return " ".join([*(title for title in one[:-1] if title not in other), one[-1]])


def _changed(found: _Aligned, side: Literal[0, 1], said: frozenset[str] | None = None) -> float:
    """Return what the words weigh that differ on one side; with ``said`` those in it, where half of a change is."""
    changes = [change.sides[side] for change in found.changes if said is None or change.replaced]
    told = [(words, [word for word in words if said is None or word.key in said]) for words in changes]
    worths = [(sum(word.worth for word in words), sum(word.worth for word in held)) for words, held in told]
    return sum(held for whole, held in worths if held * 2 >= whole)


def _parts(found: _Aligned, numbers: _Texts, dates: _Texts) -> _Texts:
    """Return what each sentence holds for alone: its year, its part of a whole; None where that is the same."""
    first, second = ("; ".join(one.text for one in side if one.when) for side in found.left)
    if numbers and (first or second):
        return first, second
    counted = all(any(token.amount for token in text) for text in found.texts)
    opening = [change for change in found.changes if change.opens]
    if opening and counted and (numbers or len(opening) == len(found.changes)):  # "In Germany, …"
        return opening[0].texts
    for change in found.changes:
        if change.replaced and (numbers or dates or change.labelled):
            return change.texts
    bare = [[one for one in side if one.amount and not one.amount.measured] for side in found.left]
    if numbers and all(bare) and all(len(side) > len(own) for side, own in zip(found.left, bare, strict=True)):
        return bare[0][0].text, bare[1][0].text  # grade 3 has 105 euros, grade 7 has 245
    return dates if dates and _of_a_year(found.texts[0], found.left[0]) else None


def _of_a_year(text: Sequence[Token], left: Sequence[Token]) -> bool:
    """True where a year that differs stands in one clause with a measured amount: that holds for the year."""
    ends = [-1, *(i for i, one in enumerate(text) if one.text in _COMMAS), len(text)]
    for clause in (text[before + 1 : end] for before, end in pairwise(ends)):
        amounts = [one.amount for one in clause if one.amount]
        if any(one.measured or abs(one.value) >= _MANY for one in amounts):
            return any(one.when and one.when.year_only for one in clause if one in left)
    return False


def _contradicted(texts: Sequence[Sequence[Token]], titles: tuple[str, str], judge: EntailmentJudge) -> float:
    """Return how likely (0..1) one sentence contradicts the other."""
    first, second = map(_joined, texts)
    pairs = (first, Passage(titles[1], second)), (second, Passage(titles[0], first))
    return sum(judge.judge(said, [there])[0].contradicted for said, there in pairs) / 2


@lru_cache(maxsize=1024)
def _tokens(sentence: str) -> list[Token]:
    """Read the first characters of a sentence; a number that names a thing is a word of it."""
    text = " ".join(re.sub(r"[#|]+", " ", plain(sentence)).split())[:_MOST_CHARACTERS]
    return [_labelled(token, text) for token in tokens_of(text)]


def _labelled(token: Token, text: str) -> Token:
    """Return a number or a single capital letter that names a thing as the code it is: Table 3, Party A, 第三条."""
    before = text[max(0, token.start - 2) : max(0, token.start - 1)]
    lettered = len(token.text) == 1 and token.text.isupper() and before.isalpha()
    return replace(token, amount=None, code=token.text) if lettered or names(token, text) else token


def _paired(a: list[Token], b: list[Token]) -> _Aligned:
    free = [one for one in a if one.amount or one.when]
    known: dict[int, Token] = {}
    left = []
    for place, value in enumerate(b):
        mine = next((one for one in free if _agree(one, value)), None)
        if mine is not None:
            free.remove(mine)
            known[place] = mine
        elif value.amount or value.when:
            left.append(value)
    return _Aligned((a, [known.get(place, value) for place, value in enumerate(b)]), (free, left))


def _agree(one: Token, other: Token) -> bool:
    """True where two values may be the same; a number is rounded in one of them at most."""
    a, b = one.amount, other.amount
    apart = a and b and a.rounded and b.rounded and a.value != b.value
    return not apart and (same(one, other) or same(other, one))


def _aligned(a: str, b: str, titles: tuple[str, str] = ("", "")) -> _Aligned:
    """Align the words of two sentences; those of one that the titles of the other say are common, too."""
    found = _paired(_tokens(a), _tokens(b))
    sides = [[_word(token) for token in text] for text in found.texts]
    above = [{_word(token).key for token in tokens_of(plain(title))} for title in reversed(titles)]
    keys = [[word.key for word in side] for side in sides]
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        stretches = sides[0][a0:a1], sides[1][b0:b1]
        worth = [sum(word.worth for word in side) for side in stretches]
        if tag == "equal":
            found.matched += worth[0]
            continue
        if not all(worth):
            for side, words in enumerate(stretches):
                titled = sum(word.worth for word in words if word.key in above[side])
                found.matched += titled
                worth[side] -= titled
        change = _Change(stretches, a0 == 0 or b0 == 0, _opens(sides, ((a0, a1), (b0, b1)), worth))
        found.changes.append(change)
        if not (change.named and all(worth)):
            found.apart = [before + own for before, own in zip(found.apart, worth, strict=True)]
    return found


def _word(token: Token) -> _Word:
    if token.amount or token.when or token.kind == "mark":
        return _Word(token, token.text)
    if token.kind == "character":
        return _Word(token, token.text, 0.5 * min(1.0, weight(token.text) / 0.6))
    stems = tokens(token.text)
    worth = min(1.5, max(sum(map(weight, stems)), float(bool(token.code))))
    return _Word(token, token.code or " ".join(stems) or token.text.lower(), worth)


def _opens(sides: Sequence[Sequence[_Word]], at: Sequence[tuple[int, int]], worth: Sequence[float]) -> bool:
    """True for a change of words or a year in the phrases that sentences open with, up to the first comma."""
    for side, (start, end) in zip(sides, at, strict=True):
        comma = next((i for i, word in enumerate(side[:_OPENING]) if word.token.text in _COMMAS), -1)
        if start < end and end > comma + 1:
            return False
    first = [side[start].token for side, (start, end) in zip(sides, at, strict=True) if start < end]
    years = all(one.when is not None and one.when.year_only for one in first)
    begins = sides[0][0].token
    of_year = years and (begins.when is not None or begins.text.lower() in _PREPOSITIONS)
    return all(worth) or of_year or (any(worth) and any(start == 0 for start, _ in at))


def _pair(found: _Aligned, kind: Literal["amount", "when"]) -> _Texts:
    """Return two values of a kind that stand for each other: of one unit, or the only amounts."""
    first, second = ([one for one in side if getattr(one, kind)] for side in found.left)
    pairs = [(one, other) for one in first for other in second]
    likely = [one for one in pairs if alike(*one)] or (pairs if kind == "amount" and len(pairs) == 1 else [])
    return (likely[0][0].text, likely[0][1].text) if likely else None


def _joined(tokens: Iterable[Token]) -> str:
    """Return tokens as a text, as near as may be to how they are written."""
    text = ""
    for one in tokens:
        apart = text and text[-1].isascii() and one.text[0].isascii() and one.kind != "mark"
        text += f" {one.text}" if apart else one.text
    return text
