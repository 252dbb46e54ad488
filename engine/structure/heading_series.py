"""Headings that the model missed beside others that it found: a sequence has all its members, and what looks alike is.

Where 7., 9. and 11. are headings, 8. and 10. between them are, and 1. to 6. before them, of their size and weight;
where 5.3 is one, 5.3.1 and 5.3.2 are, when each of them may be; and so is the rest of what stands there in the same
words and look, most of which is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.structure.look import Style
from engine.structure.numbering import Numbering

# The least odds, as a logarithm, of a block that is to be a heading: one to seven for a number that lacks.
LEAST_MISSING, LEAST_ALIKE = -2.0, -1.0
FEWEST = 3
Key = tuple[str, int, str, tuple[int, ...]]


class _Member(NamedTuple):
    index: int
    value: int


def missing_headings(
    texts: Sequence[str],
    numbers: Sequence[Numbering | None],
    styles: Sequence[Style | None],
    odds: Mapping[int, float],
    found: Iterable[int],
) -> set[int]:
    """Return which blocks are headings because of the ``found`` ones; ``odds`` are of those that may be."""
    known = set(found)
    likely = {index for index, odd in odds.items() if odd > LEAST_MISSING} - known
    missing = set(_of_series(numbers, styles, sorted(likely), sorted(known)))
    alike = {index for index, odd in odds.items() if odd > LEAST_ALIKE} | known | missing
    missing |= set(_below(numbers, alike, known | missing))
    printed = [(text.casefold(), style) for text, style in zip(texts, styles, strict=True)]
    times, taken = Counter(printed), Counter(printed[index] for index in known)
    return missing | {index for index in alike if times[printed[index]] <= 2 * taken[printed[index]]}


def _of_series(
    numbers: Sequence[Numbering | None], styles: Sequence[Style | None], others: list[int], found: list[int]
) -> Iterator[int]:
    """Yield the others whose numbers lack among the headings that have their size and weight."""
    have: dict[Key, list[_Member]] = defaultdict(list)
    lack: dict[Key, list[_Member]] = defaultdict(list)
    for index in found:
        if (number := numbers[index]) and number.value:
            have[_key(number)].append(_Member(index, number.value))
    for index in others:
        if (number := numbers[index]) and number.value and (style := styles[index]):
            alike = (told for member in have[_key(number)] if (told := styles[member.index]))
            if any(told[:2] == style[:2] for told in alike):
                lack[_key(number)].append(_Member(index, number.value))
    for key, members in lack.items():
        yield from (member.index for member in _fitting(have[key], members))


def _key(number: Numbering) -> Key:
    return number.kind, number.depth, number.unit, number.values[:-1]


def _fitting(found: Sequence[_Member], others: Sequence[_Member]) -> Iterator[_Member]:
    """Yield the others that stand where their number lacks: between two found ones, before and after all of them."""
    for before, after in pairwise(found):
        if before.value < after.value:
            between = [member for member in others if before.index < member.index < after.index]
            yield from _lone(between, range(before.value + 1, after.value))
    if len(found) >= FEWEST:
        first, last = found[0], found[-1]
        yield from _lone([m for m in others if m.index < first.index], range(1, first.value))
        beyond = [m for m in others if m.index > last.index]
        yield from _lone(beyond, range(last.value + 1, last.value + len(beyond) + 1))


def _lone(others: Sequence[_Member], values: Iterable[int]) -> Iterator[_Member]:
    """Yield the members that alone have one of the values, in order; lists number their items over and over."""
    at = -1
    for value in values:
        same = [member for member in others if member.value == value]
        if len(same) == 1 and same[0].index > at:
            at = same[0].index
            yield same[0]


def _below(numbers: Sequence[Numbering | None], alike: set[int], found: set[int]) -> Iterator[int]:
    """Yield the decimal numbers below that of a heading, where all that count on there may be headings."""
    decimal = {
        index: number.values for index, number in enumerate(numbers) if number and number.family == "decimal"
    }
    above = {decimal[index] for index in found if index in decimal}
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for index, values in decimal.items():
        groups[values[:-1]].append(index)
    for values, group in sorted(groups.items(), key=lambda item: len(item[0])):
        if values in above and len(group) > 1 and alike.issuperset(group):
            above |= {decimal[index] for index in group}
            yield from group
