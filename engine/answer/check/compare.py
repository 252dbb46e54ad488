"""Do two statements speak of the same thing, and do they agree? Decided by typed slots, without a model.

The words of both are aligned (the longest common stretches first: Ratcliff and Obershelp, 1988). Where
enough of them agree the statements are comparable, and what stands at the same place is held against each
other: amounts with unit and scale, dates as far as both are known, names, scope words, denials. What the
statements hold for goes first: of another year, region or set of accounts, different numbers are no
contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

from engine.answer.check.reading import Token, plain, same, tokens_of
from engine.answer.check.wording import contrary, denied, turns
from engine.answer.understand.terms import weight
from engine.index.tokenize import tokens
from engine.language import patterns

Verdict = Literal["agree", "number", "date", "entity", "scope", "negation", "not_comparable"]
# Which share of the shorter and of the longer statement's words must be common, and their least weight.
_SHARED, _SHARED_OF_LONGER, _LEAST = 0.6, 0.34, 1.0
_CLEARLY, _CLEARLY_WORTH = 0.75, 3.0
# Of statements that differ in nothing else this much is enough: 项目预算为520万元, 项目预算为450万元.
_ALL, _ALL_WORTH = 0.99, 1.9
_OTHER_WORDS = 0.34
_LONGEST_NAME = 12
_MOST_CHARACTERS = 600
# The phrase that a sentence opens with, up to its comma: "In Germany, …".
_OPENING = 12
# A bare number behind such a word names a thing, it counts nothing: "Table 3", "Version 2.1", 第三条.
_LABEL = re.compile(r"(?:\b[A-Z][a-z]+\.?|§|[第表图本录])\s?[(（]?$")
# Something happened at a date behind this: "opened in", "was born on", 成立于.
_EVENT = re.compile(r"(?:[a-z]{2}ed|\b(?:born|built|held|won|sold))\b(?:\s(?:in|on|at))?\s?$|于\s?$")
_PREPOSITIONS = frozenset({"in", "for", "across", "within", "from", "at", "在", "于", "对"})
# So much is measured rather than counted on one's fingers.
_MANY = 100


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on two statements. ``a_differs`` and ``b_differs`` are what differs, as written.

    ``shared`` (0..1) is the share of the shorter one's words that both have. ``clear`` says that the
    statements surely speak of the same thing and that what differs is no mere wording, ``plain`` that they are short
    and differ in nothing else: of one thing, if a question asks for that.
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


@dataclass(frozen=True, slots=True)
class _Item:
    """A token of a statement; those of one ``key`` stand at the same place of two statements.

    ``slot`` is the kind of what carries a value of its own; ``holds_for`` says that what is stated holds for it alone,
    ``label`` that it is a number that names a thing.
    """

    token: Token
    key: str
    worth: float = 0.0
    slot: Verdict | Literal[""] = ""
    label: bool = False
    holds_for: bool = False

    @property
    def text(self) -> str:
        return self.token.text

    def same(self, other: _Item) -> bool:
        """True where two slots may have the same value; a number is rounded in one of them at most."""
        mine, theirs = self.token.amount, other.token.amount
        if mine and theirs and mine.rounded and theirs.rounded and mine.value != theirs.value:
            return False
        return same(self.token, other.token) or same(other.token, self.token)


@dataclass(frozen=True, slots=True)
class _Row:
    """A statement as a row of items; ``measured`` tells of an amount in it, ``counted`` of any number."""

    items: tuple[_Item, ...]
    measured: bool
    counted: bool

    @property
    def worth(self) -> float:
        return sum(item.worth for item in self.items)

    def opening(self, end: int) -> bool:
        """True up to the end of the phrase that a sentence opens with: "In Germany, …", "For the year, …"."""
        comma = next((i for i, one in enumerate(self.items[:_OPENING]) if one.text in ",:，："), -1)
        return end <= comma and self.items[0].text.lower() in _PREPOSITIONS


@lru_cache(maxsize=1)
def _scopes() -> tuple[re.Pattern[str], tuple[tuple[str, str], ...]]:
    """Return the pattern of words that say what an amount is of, with the group and name of each of its groups."""
    groups = patterns("statements")["scopes"]
    named = [(group, name, pattern) for group, members in groups.items() for name, pattern in members.items()]
    pattern = re.compile("|".join(f"({pattern})" for *_, pattern in named), re.I)
    return pattern, tuple((group, name) for group, name, _ in named)


@lru_cache(maxsize=1024)
def _row(sentence: str) -> _Row:
    """Read the first characters of a sentence."""
    text = " ".join(re.sub(r"[#|]+", " ", plain(sentence)).split())[:_MOST_CHARACTERS]
    pattern, names = _scopes()
    spans = {match.start(): match for match in pattern.finditer(text)}
    items: list[_Item] = []
    behind = 0
    for token in tokens_of(text):
        match = spans.get(token.start) if token.kind != "value" else None
        if token.start < behind:
            continue
        if match is not None:
            group, name = names[(match.lastindex or 1) - 1]
            behind = match.end()
            said = replace(token, text=match[0], end=behind, code=name)
            items.append(_Item(said, f"@{group}", slot="scope"))
        else:
            items.append(_item(token, text))
    numbers = [one.token.amount for one in items if one.token.amount and not one.label]
    measured = any(one.measured or abs(one.value) >= _MANY for one in numbers)
    for at, one in enumerate(items):
        happened = _EVENT.search(text, max(0, one.token.start - 20), one.token.start)
        if measured and one.token.when is not None and one.token.when.year_only and not happened:
            items[at] = replace(one, holds_for=True)
    return _Row(tuple(items), measured, bool(numbers))


def _item(token: Token, text: str) -> _Item:
    if token.when is not None:
        return _Item(token, "@date", slot="date")
    if token.amount is not None:
        bare = token.amount.unit is None and token.amount.scale == 1
        label = bare and _LABEL.search(text, max(0, token.start - 14), token.start)
        return _Item(token, "@number", slot="number", label=bool(label))
    if token.kind == "character":
        return _Item(token, token.text, 0.5 * min(1.0, weight(token.text) / 0.6))
    stems = tokens(token.text) if token.kind != "mark" else []
    worth = min(1.5, sum(weight(stem) for stem in stems))
    return _Item(token, token.code or " ".join(stems) or token.text.lower(), worth)


@dataclass(slots=True)
class _Found:
    """What an alignment brought to light; ``above`` are the terms of the titles above each statement."""

    rows: tuple[_Row, _Row]
    above: tuple[frozenset[str], frozenset[str]]
    # What the words weigh that both say; that differ and are told; and that one says and the titles above the other.
    matched: float = 0.0
    told: list[float] = field(default_factory=lambda: [0.0, 0.0])
    titled: list[float] = field(default_factory=lambda: [0.0, 0.0])
    differences: list[Comparison] = field(default_factory=list)
    replaced: float = 0.0
    # True when both name a thing by another number: Version 2.1, Version 3.0.
    labelled: bool = False
    # Slots that stand at no common place.
    left: tuple[list[_Item], list[_Item]] = field(default_factory=lambda: ([], []))

    def add(self, verdict: Verdict, a: str, b: str, clear: bool = True) -> None:
        self.differences.append(Comparison(verdict, a, b, clear=clear))

    def of(self, verdict: Verdict) -> list[Comparison]:
        return [difference for difference in self.differences if difference.verdict == verdict]

    @property
    def counted(self) -> bool:
        """True where both hold a number."""
        return all(row.counted for row in self.rows)


def compare(a: str, b: str, context_a: str = "", context_b: str = "") -> Comparison:
    """Return the verdict on two sentences.

    The contexts are the titles above them: "The budget is 5" under "The move" is the budget of the move.
    """
    found = _Found((_row(a), _row(b)), (frozenset(tokens(context_a)), frozenset(tokens(context_b))))
    _align(found)
    matched = found.matched = found.matched + sum(found.titled)
    sides = zip(found.rows, reversed(found.titled), found.told, strict=True)
    shorter, longer = sorted(row.worth + titled - told for row, titled, told in sides)
    shared = matched / shorter if shorter else 0.0
    if shared < _SHARED or matched < max(_LEAST, _SHARED_OF_LONGER * longer):
        return Comparison("not_comparable", shared=round(shared, 3))
    if denied(a, b, b):
        found.add("negation", a, b)
    _pair_leftovers(found)
    return _judged(found, min(1.0, shared), longer)


def _judged(found: _Found, shared: float, longer: float) -> Comparison:
    numbers, dates, names = found.of("number"), found.of("date"), found.of("entity")

    def told(difference: Comparison, verdict: Verdict | None = None, surely: bool = True) -> Comparison:
        enough = found.matched >= _CLEARLY_WORTH and shared >= _CLEARLY and found.matched >= 0.5 * longer
        all_of_it = found.matched >= max(_ALL_WORTH, _ALL * longer)
        sure = surely and difference.clear and not found.replaced
        return replace(
            difference, verdict=verdict or difference.verdict, shared=round(shared, 3), clear=sure and enough,
            plain=sure and all_of_it,
        )  # fmt: skip

    if scopes := found.of("scope"):
        return told(scopes[0])
    # Other things are told of another time, or of another thing of the kind.
    if numbers and (dates or (found.labelled and len(numbers) > 1)):
        return told((dates or numbers)[0], "scope")
    if (names and (numbers or dates)) or found.replaced > _OTHER_WORDS * found.matched:
        return Comparison("not_comparable", shared=round(shared, 3))
    for kind in (numbers, dates, found.of("negation"), names):
        if kind:
            return told(kind[0], surely=len(names) < 2)
    return Comparison("agree", shared=round(shared, 3), clear=shared >= _CLEARLY)


def _align(found: _Found) -> None:
    a, b = (row.items for row in found.rows)
    matcher = SequenceMatcher(None, [one.key for one in a], [one.key for one in b], autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag != "equal":
            _hold_different(((a0, a1), (b0, b1)), found)
            continue
        for x, y in zip(a[a0:a1], b[b0:b1], strict=True):
            if x.slot:
                _hold_slots(x, y, found)
            else:
                found.matched += x.worth


def _hold_slots(x: _Item, y: _Item, found: _Found) -> None:
    """Hold two slots of one kind against each other."""
    if x.same(y):
        return
    if x.slot == "number":
        found.add("number", x.text, y.text, not x.label and not y.label)
        found.labelled |= x.label and y.label
    elif x.slot == "scope" or (x.holds_for and y.holds_for):
        found.add("scope", x.text, y.text)
    else:
        found.add("date", x.text, y.text)


def _hold_different(at: tuple[tuple[int, int], tuple[int, int]], found: _Found) -> None:
    """Hold what stands at one place of two statements against each other."""
    stretches = [row.items[slice(*place)] for row, place in zip(found.rows, at, strict=True)]
    words = [[one for one in side if not one.slot and one.token.kind != "mark"] for side in stretches]
    content = [sum(one.worth for one in side) for side in words]
    for side in (0, 1):
        found.left[side].extend(one for one in stretches[side] if one.slot)
        if not content[1 - side]:
            found.titled[side] += _said_in(words[side], found.above[1 - side])
    known = len(found.differences)
    text_a, text_b = _joined(words[0]), _joined(words[1])
    # What is denied is told by the statements as a whole: "prohibited" and "not permitted" say the same.
    denial = turns(text_a) or turns(text_b) or contrary(tokens(text_a), tokens(text_b))
    if all(content) and not denial:
        _hold_words(at, words, found)
    elif any(content) and found.counted:  # "In Germany, …" stands in only one of them
        side = 0 if content[0] else 1
        start, end = at[side]
        if start == 0 and found.rows[side].opening(end - 1):
            found.add("scope", text_a, text_b)
    if denial or len(found.differences) > known:
        found.told = [told + own for told, own in zip(found.told, content, strict=True)]


def _said_in(words: Sequence[_Item], terms: frozenset[str]) -> float:
    """Return what those of the words weigh that the terms hold, Chinese characters by their neighbours."""
    worth = 0.0
    for at, item in enumerate(words if terms else ()):
        beside = "".join(one.text for one in words[max(0, at - 1) : at + 2])
        said = {item.key} if item.token.kind == "word" else set(tokens(beside))
        worth += 0.0 if terms.isdisjoint(said) else item.worth
    return worth


def _hold_words(
    at: tuple[tuple[int, int], tuple[int, int]], words: Sequence[Sequence[_Item]], found: _Found
) -> None:
    """Hold different words at one place against each other: names of places, of things, or mere wording."""
    text_a, text_b = _joined(words[0]), _joined(words[1])
    short = max(map(len, words)) <= _LONGEST_NAME
    opens = all(row.opening(end) for row, (_, end) in zip(found.rows, at, strict=True))
    if short and opens and found.counted:
        found.add("scope", text_a, text_b)
    elif short and all(map(_name, words)):
        # What a sentence begins with is what it speaks of.
        found.add("entity", text_a, text_b, all(start > 0 for start, _ in at))
    elif len(words[0]) == len(words[1]) == 1 and not found.differences:
        found.add("entity", text_a, text_b, clear=False)
    else:
        found.replaced += min(sum(item.worth for item in side) for side in words)


def _pair_leftovers(found: _Found) -> None:
    """Pair the slots that stand at different places of the statements, where only one pairing is possible."""
    measured = all(row.measured for row in found.rows)
    for kind in ("number", "date", "scope"):
        mine, theirs = ([one for one in side if one.slot == kind and not one.label] for side in found.left)
        mine, theirs = (
            [one for one in own if kind != "scope" or not any(map(one.same, others))]
            for own, others in ((mine, theirs), (theirs, mine))
        )
        units = {one.token.amount.unit for one in (*mine, *theirs) if one.token.amount}
        if len(mine) == len(theirs) == 1 and len(units) < 2:
            _hold_slots(mine[0], theirs[0], found)
        elif measured and any(one.holds_for or kind == "scope" for one in (*mine, *theirs)):
            found.add("scope", _joined(mine), _joined(theirs))


def _name(words: Sequence[_Item]) -> bool:
    """True for words that name something: with capitals, or a short run of Chinese characters."""
    telling = [one for one in words if one.worth and one.token.kind != "character"]
    return all(one.text[0].isupper() or one.text[-1].isdigit() for one in telling)


def _joined(items: Sequence[_Item]) -> str:
    text = ""
    for one in items:
        text += " " if text and text[-1].isascii() and one.text[0].isascii() else ""
        text += one.text
    return text
