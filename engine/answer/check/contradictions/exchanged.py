"""Does a sentence give the part of one to another, whom the text names beside it?

"Small repairs are borne by the Landlord" has every word of a text that says "Small repairs are borne by the Tenant.
All other repairs are borne by the Landlord": the sentence that speaks of small repairs names another one. Told
only where the text shows that the two are not one and the same: it says something alike of both, or names both in
one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from engine.answer.check.contradictions.denial import clauses_of, stands_there
from engine.answer.check.locate import sentences_of
from engine.answer.terms import pieces_covered, pieces_of, weight
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

_ALIKE = 0.6
_NEARLY = 0.1
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_CAPITAL = re.compile(
    r"(?:(?<=[\w,;)”\"] )[\"“(]?|\b(?:Mr|Mrs|Ms|Dr|Prof)\.?\s)(?!(?:Mr|Mrs|Ms|Dr|Prof)\b)(?P<name>[A-Z][\w'’-]*)"
)
# Who does it, without a capital: The buyer pays, paid by the buyer.
_DOER = re.compile(
    r"^\W*(?:the|an?|each|every)\s(?P<first>[a-z]{3,})\b|\bby\s(?:the|an?)\s(?P<by>[a-z]{3,})\b", re.I
)
_TITLES = frozenset("mr mrs ms dr prof sir lord lady the".split())
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)\s(?:\w+\s)?\w+(?:ed|en|ne|t|d)\b", re.I)
_BY = re.compile(r"\bby\s(?:(?:the|an?|mr\.?|mrs\.?|ms\.?|dr\.?)\s)*$", re.I)
# What one does with another the other does, too.
_MUTUAL = frozenset(
    stem
    for word in "marry married meet met border borders equal equals agree agreed join joined differ resemble and or"
    .split() for stem in tokens(word)
)  # fmt: skip
_BEGINS = "由被把对向从给让于为是的和与及、，。；：,;:"
_NAME_LENGTHS = (2, 3)
_LONGEST_NAME = 2


def exchanges(claim: str, text: str, role: str = "paragraph") -> bool:
    """True when ``claim`` says of one what ``text`` says of another that it names, too.

    ``role`` is the text's role in its document. Other languages than the text's are not judged.
    """
    if is_cjk(claim) != is_cjk(text) or stands_there(claim, text):
        return False
    sentences = [sentence.text for sentence in sentences_of(text, role)]
    return _chinese(claim, sentences) if is_cjk(claim) else _english(claim, sentences)


def _english(claim: str, sentences: Sequence[str]) -> bool:
    named = {name for text in [claim, *sentences] for name in _named(text)}
    claimed = _names(claim, named)
    pieces = [piece for piece in pieces_of(claim) if not piece.terms & claimed]
    shares = [pieces_covered(pieces, frozenset(tokens(one))) for one in sentences]
    best = max(shares, default=0.0)
    if not claimed or best < _ALIKE:
        return False
    about = [at for at, share in enumerate(shares) if share >= best - _NEARLY]
    if any(claimed <= frozenset(tokens(sentences[at])) for at in about):
        return all(_turned_about(claim, sentences[at], claimed) for at in about)
    for at in about:
        missing = claimed - frozenset(tokens(sentences[at]))
        instead = _names(sentences[at], named) - frozenset(tokens(claim))
        beside = [one for other, one in enumerate(sentences) if other != at]
        if max(len(missing), len(instead)) > _LONGEST_NAME or not any(
            _part_of(claim, x) == _part_of(sentences[at], y) and _two(x, y, sentences[at], beside)
            for x in missing
            for y in instead
        ):
            return False
    return True


def _named(text: str) -> set[str]:
    """Return the stems of the words with a capital inside a sentence, and of who does it."""
    words = [match["name"] for match in _CAPITAL.finditer(text)]
    words += [match["first"] or match["by"] for match in _DOER.finditer(text)]
    return {
        stem
        for word in words
        if word.lower().rstrip(".") not in _TITLES
        for stem in tokens(_bare(word))
        if weight(stem) > 0
    }


def _names(text: str, named: set[str]) -> frozenset[str]:
    doers = {match["first"] or match["by"] for match in _DOER.finditer(text)}
    return frozenset(
        stem
        for word in _WORD.findall(text)
        if word[0].isupper() or word in doers
        for stem in tokens(_bare(word))
        if stem in named
    )


def _bare(word: str) -> str:
    """Return a name without what shows whose something is."""
    return re.sub(r"['’]s?$", "", word)


def _part_of(sentence: str, name: str) -> str:
    """Return what part a name has in a sentence: "does", or the word before it."""
    before = _before(sentence, name)
    passive = bool(_PASSIVE.search(sentence))
    return "does" if before == ("by" if passive else "") else before


def _two(x: str, y: str, sentence: str, beside: Sequence[str]) -> bool:
    """True when ``x`` and ``y`` are two: said to do alike things, or named apart in one sentence."""
    own = _predicate(sentence, y)
    for other in beside:
        terms = frozenset(tokens(other))
        if x in terms and y in terms:
            return not _beside_each_other(other, x, y)
        if x in terms and _part_of(other, x) == _part_of(sentence, y) and own & _predicate(other, x):
            return True
    return False


def _predicate(sentence: str, name: str) -> frozenset[str]:
    return frozenset(term for term in tokens(sentence) if weight(term) > 0 and term != name)


def _stems(sentence: str) -> list[str]:
    return [
        (tokens(_bare(word)) or [word.lower()])[0]
        for word in _WORD.findall(sentence)
        if word.lower().rstrip(".") not in _TITLES
    ]


def _before(sentence: str, name: str) -> str:
    """Return the word before a name, "" where it opens the sentence."""
    stems = ["", *_stems(sentence)]
    return next((before for before, stem in pairwise(stems) if stem == name), "?")


def _beside_each_other(sentence: str, x: str, y: str) -> bool:
    """True for a name and its apposition, as in: Harbour Estates Ltd ("Landlord")."""
    stems = _stems(sentence)
    places = {stem: at for at, stem in enumerate(stems)}
    return abs(places.get(x, 0) - places.get(y, 99)) <= 2


def _turned_about(claim: str, sentence: str, names: frozenset[str]) -> bool:
    """True when who does it and whom it is done to have changed places."""
    mine, theirs = _who_whom(claim, names), _who_whom(sentence, names)
    if mine is None or theirs is None or _MUTUAL & frozenset(tokens(claim)):
        return False
    return mine == theirs[::-1] and bool(_PASSIVE.search(claim) or _PASSIVE.search(sentence))


def _who_whom(sentence: str, names: frozenset[str]) -> tuple[str, str] | None:
    """Return (who does it, to whom) of a sentence with two names in it."""
    found = [
        (stem, match.start())
        for match in _WORD.finditer(sentence)
        for stem in tokens(_bare(match[0]))
        if stem in names
    ]
    if len(found) != 2 or found[0][0] == found[1][0]:
        return None
    (first, at_first), (second, at_second) = found
    done_by = [bool(_BY.search(sentence[:at])) for at in (at_first, at_second)]
    if _PASSIVE.search(sentence):
        return (second, first) if done_by[1] else None
    return (first, second)


def _chinese(claim: str, sentences: Sequence[str]) -> bool:
    clauses = [clause.text for sentence in sentences for clause in clauses_of(sentence)]
    return any(
        x not in clause and y not in claim and _other_one(claim.replace(x, " "), x, at, clauses)
        for at, clause in enumerate(clauses)
        for x, y in _in_the_place(claim, clause)
    )


def _other_one(rest: str, x: str, at: int, clauses: Sequence[str]) -> bool:
    """True when a clause says the rest of a claim, and those that name ``x`` do not say it as fully."""
    naming = [n for n, clause in enumerate(clauses) if x in clause]
    if not naming:
        return False
    pieces = pieces_of(rest)
    share = pieces_covered(pieces, frozenset(tokens(clauses[at])))
    others = max(pieces_covered(pieces, frozenset(tokens(clauses[n]))) for n in naming)
    return share >= _ALIKE and share > others + _NEARLY


def _in_the_place(claim: str, clause: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before the same words in a claim and in a clause: (出租方, 承租方) before 承担."""
    matcher = SequenceMatcher(None, claim, clause, autojunk=False)
    for i, j, size in matcher.get_matching_blocks():
        if size < 2:
            continue
        for length in _NAME_LENGTHS:
            for inside in range(length):  # names may end alike: 出租方, 承租方
                x = claim[max(0, i + inside - length) : i + inside]
                y = clause[max(0, j + inside - length) : j + inside]
                if (
                    len(x) == len(y) == length
                    and x != y
                    and len(pieces_of(x)) == len(pieces_of(y)) == length
                    and inside < size
                    and _begins(claim, i + inside - length)
                    and _begins(clause, j + inside - length)
                ):
                    yield x, y


def _begins(text: str, at: int) -> bool:
    """True where a word begins."""
    return at == 0 or text[at - 1] in _BEGINS or text[at - 1].isspace()
