"""Numbered headings that the model missed among others of their series: a sequence has all its members.

Where 7., 9. and 11. are headings, 8. and 10. between them are, and 1. to 6. before them, of their size and weight.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.structure.look import Style
from engine.structure.numbering import Numbering

FEWEST = 3
Key = tuple[str, int, str, tuple[int, ...]]


class _Member(NamedTuple):
    index: int
    value: int


def missing_headings(
    numbers: Sequence[Numbering | None],
    styles: Sequence[Style | None],
    possible: Iterable[int],
    found: Iterable[int],
) -> list[int]:
    """Return of the ``possible`` blocks those whose numbers lack among the ``found`` headings that look like them."""
    have: dict[Key, list[_Member]] = defaultdict(list)
    known = sorted(found)
    for index in known:
        if (number := numbers[index]) and number.value:
            have[_key(number)].append(_Member(index, number.value))
    others: dict[Key, list[_Member]] = defaultdict(list)
    for index in sorted(set(possible) - set(known)):
        if (number := numbers[index]) and number.value:
            alike = (told for member in have[_key(number)] if (told := styles[member.index]))
            if (style := styles[index]) and any(told[:2] == style[:2] for told in alike):
                others[_key(number)].append(_Member(index, number.value))
    return [member.index for key, more in others.items() for member in _fitting(have[key], more)]


def _key(number: Numbering) -> Key:
    return number.kind, number.depth, number.unit, number.values[:-1]


def _fitting(found: Sequence[_Member], others: Sequence[_Member]) -> Iterator[_Member]:
    """Yield those of the others that stand where their number lacks: between two found ones, before and after them."""
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
