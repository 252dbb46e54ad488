"""Do two statements speak of the same thing, and do they agree? Decided by typed slots, without a model.

The words of both are aligned (the longest common stretches first: Ratcliff and Obershelp, 1988). Where
enough of them agree the statements are comparable, and what stands at the same place is held against each
other: amounts with unit and scale, dates as far as both are known, names, scope words, negations. What the
statements hold for goes first: of another year, region or set of accounts, different numbers are no
contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal

from engine.answer.check.contradictions.negation import opposite
from engine.answer.check.contradictions.reading import (
    OPENING_TOKENS,
    PART_WORDS,
    PLAIN_GROUPS,
    Read,
    Token,
    negates,
    read,
)
from engine.index import tokenize

Verdict = Literal["agree", "number", "date", "entity", "scope", "negation", "not_comparable"]
CONTRADICTIONS: frozenset[Verdict] = frozenset({"number", "date", "entity", "negation"})
# Which share of the shorter and of the longer statement's words must be common, and their least weight.
_SHARED, _SHARED_OF_LONGER, _LEAST = 0.6, 0.34, 1.0
_CLEARLY, _CLEARLY_WORTH = 0.75, 3.0
# Of statements that differ in nothing else this much is enough: 项目预算为520万元, 项目预算为450万元.
_ALL, _ALL_WORTH = 0.99, 1.9
_OTHER_WORDS = 0.34
_LONGEST_NAME = 12
_PREPOSITIONS = frozenset({"in", "for", "across", "within", "from", "at", "在", "于", "对"})
_SURE_NAME = re.compile(
    r"[A-Z]|[省市县區区镇村国國州岛山河湖港路街院校馆厅局部所社会队公司银行大学集团基金协会医院先生女士教授博士]$|·"
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on two statements. ``a`` and ``b`` are what differs, as written.

    ``shared`` (0..1) is the share of the shorter one's words that both have. ``clear`` says that the
    statements surely speak of the same thing and that what differs is no mere wording, ``plain`` that they are short
    and differ in nothing else: of one thing, if a question asks for that.
    """

    verdict: Verdict
    a: str = ""
    b: str = ""
    shared: float = 0.0
    clear: bool = False
    plain: bool = False

    @property
    def contradicts(self) -> bool:
        """True when both cannot hold."""
        return self.verdict in CONTRADICTIONS


@dataclass(frozen=True, slots=True)
class _Difference:
    verdict: Verdict
    a: str
    b: str
    clear: bool = True


@dataclass(slots=True)
class _Found:
    """What an alignment brought to light."""

    matched: float = 0.0
    # What the words weigh that differ and are told, of the one and of the other statement.
    told_a: float = 0.0
    told_b: float = 0.0
    differences: list[_Difference] = field(default_factory=list)
    replaced: float = 0.0
    # True when both name a thing by another number: Version 2.1, Version 3.0.
    labelled: bool = False
    # Stretches of words that only the one, or the other, statement has.
    only_a: list[Sequence[Token]] = field(default_factory=list)
    only_b: list[Sequence[Token]] = field(default_factory=list)
    left_a: list[Token] = field(default_factory=list)
    left_b: list[Token] = field(default_factory=list)

    def add(self, verdict: Verdict, a: str, b: str, clear: bool = True) -> None:
        self.differences.append(_Difference(verdict, a, b, clear))

    def of(self, verdict: Verdict) -> list[_Difference]:
        return [difference for difference in self.differences if difference.verdict == verdict]


def compare(a: str, b: str, context_a: str = "", context_b: str = "") -> Comparison:
    """Return the verdict on two sentences.

    The contexts are the titles above them: "The budget is 5" under "The move" is the budget of the move.
    """
    first, second = read(a), read(b)
    found = _aligned(first, second)
    said_above_b, said_above_a = _said_in(found.only_a, context_b), _said_in(found.only_b, context_a)
    found.matched += said_above_a + said_above_b
    worth_a, worth_b = first.worth + said_above_a, second.worth + said_above_b
    shorter, longer = sorted((worth_a - found.told_a, worth_b - found.told_b))
    shared = found.matched / shorter if shorter else 0.0
    if shared < _SHARED or found.matched < _LEAST or found.matched < _SHARED_OF_LONGER * longer:
        return Comparison("not_comparable", shared=round(shared, 3))
    _pair_leftovers(found, first.measured and second.measured)
    return _judged(found, min(1.0, shared), longer)


def _said_in(stretches: Sequence[Sequence[Token]], context: str) -> float:
    """Return what those words weigh that only one statement has and the titles above the other say."""
    if not context or not stretches:
        return 0.0
    terms = frozenset(tokenize.tokens(context))
    worth = 0.0
    for stretch in stretches:
        for at, token in enumerate(stretch):
            beside = "".join(t.text for t in stretch[max(0, at - 1) : at + 2])
            if token.key in terms if token.kind == "word" else not terms.isdisjoint(tokenize.tokens(beside)):
                worth += token.worth
    return worth


def _judged(found: _Found, shared: float, longer: float) -> Comparison:
    numbers, dates, names = found.of("number"), found.of("date"), found.of("entity")
    # Two turns cancel: what is not switched on is switched off.
    scopes, negations = found.of("scope"), turned if len(turned := found.of("negation")) % 2 else []
    other = found.replaced > _OTHER_WORDS * found.matched

    def told(difference: _Difference, verdict: Verdict | None = None, surely: bool = True) -> Comparison:
        enough = found.matched >= _CLEARLY_WORTH and shared >= _CLEARLY and found.matched >= 0.5 * longer
        clear = surely and difference.clear and enough and not found.replaced
        plain = (
            surely
            and difference.clear
            and found.matched >= max(_ALL_WORTH, _ALL * longer)
            and not found.replaced
        )
        return Comparison(
            verdict or difference.verdict, difference.a, difference.b, round(shared, 3), clear, plain
        )

    if scopes:
        return told(scopes[0])
    if dates and numbers:  # other things at another time
        return told(dates[0], "scope")
    if found.labelled and len(numbers) > 1:
        return told(numbers[0], "scope")
    if names and (numbers or dates):  # other things of another one
        return Comparison("not_comparable", names[0].a, names[0].b, round(shared, 3))
    if other:
        return Comparison("not_comparable", shared=round(shared, 3))
    for kind in (numbers, dates, negations, names):
        if kind:
            return told(kind[0], surely=len(names) < 2)
    return Comparison("agree", shared=round(shared, 3), clear=shared >= _CLEARLY)


def _aligned(first: Read, second: Read) -> _Found:
    a, b = first.tokens, second.tokens
    matcher = SequenceMatcher(None, [t.key for t in a], [t.key for t in b], autojunk=False)
    found = _Found()
    measured, counted = first.measured and second.measured, first.counted and second.counted
    for same, a0, a1, b0, b1 in _merged(matcher.get_opcodes(), a):
        if same:
            _hold_equal(a[a0:a1], b[b0:b1], found)
        else:
            _hold_different(a, b, (a0, a1), (b0, b1), found, measured, counted)
    return found


def _merged(
    opcodes: Sequence[tuple[str, int, int, int, int]], a: Sequence[Token]
) -> list[tuple[bool, int, int, int, int]]:
    """Join differences that only one Chinese character or mark keeps apart: 李明 and 王明华 differ as one."""
    merged: list[tuple[bool, int, int, int, int]] = []
    for number, (tag, a0, a1, b0, b1) in enumerate(opcodes):
        same = tag == "equal"
        between = same and 0 < number < len(opcodes) - 1
        if between and a1 - a0 == 1 and a[a0].kind == "character":
            same = False
        if merged and not merged[-1][0] and not same:
            _, c0, _, d0, _ = merged[-1]
            merged[-1] = (False, c0, a1, d0, b1)
        else:
            merged.append((same, a0, a1, b0, b1))
    return merged


def _hold_equal(a: Sequence[Token], b: Sequence[Token], found: _Found) -> None:
    for at, (x, y) in enumerate(zip(a, b, strict=True)):
        beside = [t.kind for t in a[max(0, at - 1) : at + 2]].count("character") > 1
        if x.slot:
            _hold_slots(x, y, found)
        elif x.kind == "word" or beside:  # a single character in common says nothing
            found.matched += x.worth


def _hold_slots(x: Token, y: Token, found: _Found) -> None:
    """Hold two slots of one kind against each other."""
    if x.amount and y.amount:
        if not x.amount.agrees(y.amount):
            found.add("number", x.text, y.text, not x.label and not y.label)
            found.labelled |= x.label and y.label
    elif x.when and y.when:
        if not x.when.agrees(y.when):
            period = x.period and y.period
            found.add("scope" if period else "date", x.text, y.text)
    elif x.scope != y.scope:
        if x.period and y.period:
            found.add("scope", x.text, y.text)
        else:
            found.add("entity", x.text, y.text)


def _hold_different(
    a: Sequence[Token],
    b: Sequence[Token],
    at_a: tuple[int, int],
    at_b: tuple[int, int],
    found: _Found,
    measured: bool,
    counted: bool,
) -> None:
    mine, theirs = a[slice(*at_a)], b[slice(*at_b)]
    found.left_a += [token for token in mine if token.slot]
    found.left_b += [token for token in theirs if token.slot]
    words_a = tuple(t for t in mine if t.kind in ("word", "character"))
    words_b = tuple(t for t in theirs if t.kind in ("word", "character"))
    text_a, text_b = _joined(words_a), _joined(words_b)
    content_a, content_b = (sum(t.worth for t in words) for words in (words_a, words_b))
    if not content_b:
        found.only_a.append(words_a)
    if not content_a:
        found.only_b.append(words_b)
    known = len(found.differences)
    denied = negates(words_a) != negates(words_b) and (content_a < 1 or content_b < 1)
    if denied or opposite(text_a.lower(), text_b.lower()):
        found.add("negation", text_a, text_b)
    elif content_a and content_b:
        _hold_words(a, b, at_a, at_b, (words_a, words_b), found, measured, counted)
    elif counted and (_front(a, at_a, b, at_b) or _front(b, at_b, a, at_a)):
        found.add("scope", text_a, text_b)
    if len(found.differences) > known:
        found.told_a += content_a
        found.told_b += content_b


def _hold_words(
    a: Sequence[Token],
    b: Sequence[Token],
    at_a: tuple[int, int],
    at_b: tuple[int, int],
    words: tuple[tuple[Token, ...], tuple[Token, ...]],
    found: _Found,
    measured: bool,
    counted: bool,
) -> None:
    """Hold different words at one place against each other: names of parts, of things, or mere wording."""
    text_a, text_b = _joined(words[0]), _joined(words[1])
    short = max(len(side) for side in words) <= _LONGEST_NAME
    part = _part(a, at_a) or _part(b, at_b)
    opens = _opens(a, at_a) and _opens(b, at_b)
    if short and ((part and (measured or opens)) or (counted and opens)):
        found.add("scope", text_a, text_b)
    elif short and _name(words[0]) and _name(words[1]):
        # What a sentence begins with is what it speaks of.
        subject = any(token.first for side in words for token in side)
        sure = not subject and all(_SURE_NAME.search(text) for text in (text_a, text_b))
        found.add("entity", text_a, text_b, sure)
    elif len(words[0]) == len(words[1]) == 1 and not found.differences:
        found.add("entity", text_a, text_b, clear=False)
    else:
        found.replaced += min(sum(t.worth for t in side) for side in words)


def _pair_leftovers(found: _Found, measured: bool) -> None:
    """Pair the slots that stand at different places of the statements, where only one pairing is possible."""
    for kind in ("number", "date", "scope"):
        mine = [t for t in found.left_a if t.kind == kind and not t.label]
        theirs = [t for t in found.left_b if t.kind == kind and not t.label]
        if kind == "scope":
            _hold_scopes(mine, theirs, found, measured)
        elif len(mine) == len(theirs) == 1 and _alike(mine[0], theirs[0]):
            _hold_slots(mine[0], theirs[0], found)
        elif kind == "date" and measured and bool(mine) != bool(theirs):
            period = next((t for t in [*mine, *theirs] if t.period), None)
            if period is not None:
                found.add("scope", *((period.text, "") if mine else ("", period.text)))


def _hold_scopes(mine: list[Token], theirs: list[Token], found: _Found, measured: bool) -> None:
    values_a, values_b = {t.scope: t.text for t in mine}, {t.scope: t.text for t in theirs}
    only_a = [t for t in mine if t.scope not in values_b]
    only_b = [t for t in theirs if t.scope not in values_a]
    counts = [t for t in [*only_a, *only_b] if measured or t.key[1:] in PLAIN_GROUPS]
    if counts:
        found.add("scope", _joined(tuple(only_a)), _joined(tuple(only_b)))
    elif only_a and only_b:
        found.add("entity", _joined(tuple(only_a)), _joined(tuple(only_b)))


def _alike(x: Token, y: Token) -> bool:
    if x.amount and y.amount:
        return x.amount.unit == y.amount.unit
    return bool(x.when and y.when and x.when.comparable(y.when))


def _name(words: Sequence[Token]) -> bool:
    """True for words that name something: with capitals, or a short run of Chinese characters."""
    content = [t for t in words if t.worth]
    if not content:
        return False
    return all(t.kind == "character" or t.text[0].isupper() or t.text[-1].isdigit() for t in content)


def _part(tokens: Sequence[Token], at: tuple[int, int]) -> bool:
    """True when a word beside a stretch, or the end of it, says that it names a part of a whole."""
    after = tokens[at[1] : at[1] + 3]
    behind = "".join(t.text for t in after if t.kind == "character")
    inside = "".join(t.text for t in tokens[slice(*at)] if t.kind == "character")
    beside = [t.text.lower() for t in after[:2]] + [t.text.lower() for t in tokens[max(0, at[0] - 1) : at[0]]]
    if any(word in PART_WORDS for word in beside):
        return True
    return any(behind.startswith(w) or inside.endswith(w) for w in PART_WORDS if not w.isascii())


def _opens(tokens: Sequence[Token], at: tuple[int, int]) -> bool:
    """True within the phrase that a sentence opens with: "In Germany, …", "For the cloud segment, …"."""
    comma = next((i for i, t in enumerate(tokens[:OPENING_TOKENS]) if t.text in ",:，："), -1)
    return at[1] <= comma and (tokens[0].text.lower() in _PREPOSITIONS or _part(tokens, (0, comma)))


def _front(
    tokens: Sequence[Token], at: tuple[int, int], others: Sequence[Token], other: tuple[int, int]
) -> bool:
    """True for a short phrase with a comma or colon that only one statement opens with."""
    only = all(t.kind == "mark" for t in others[slice(*other)])
    return (
        only
        and at[0] == 0 < at[1] <= OPENING_TOKENS
        and (_closed(tokens, at[1]) or _closed(tokens, at[1] - 1))
    )


def _closed(tokens: Sequence[Token], end: int) -> bool:
    return end < len(tokens) and tokens[end].text in (",", ":", "，", "：")


def _joined(tokens: Sequence[Token]) -> str:
    text = ""
    for token in tokens:
        space = text and text[-1].isascii() and token.text[0].isascii()
        text += (" " if space else "") + token.text
    return text
