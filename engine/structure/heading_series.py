"""Headings that the model missed beside others that it found: a sequence has all its members, and what looks alike is.

Where 7., 9. and 11. are headings, 8. and 10. between them are, and 1. to 6. before them, of their size and weight;
where 5.3 is one, 5.3.1 and 5.3.2 are, when each of them may be; and so is the rest of what stands there in the same
words and look, most of which is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from engine.structure.look import Style
from engine.structure.numbering import Numbering, Series

# The least odds, as a logarithm, of a block that is to be a heading: one to seven for a number that lacks.
LEAST_MISSING, LEAST_ALIKE = -2.0, -1.0
FEWEST = 3
Numbers = Sequence[Numbering | None]


def missing_headings(
    texts: Sequence[str],
    numbers: Numbers,
    styles: Sequence[Style | None],
    odds: Mapping[int, float],
    found: Iterable[int],
) -> set[int]:
    """Return which blocks are headings because of the ``found`` ones; ``odds`` are of those that may be."""
    known = set(found)
    missing = set(
        _of_series(numbers, styles, known | {n for n, odd in odds.items() if odd > LEAST_MISSING}, known)
    )
    alike = {n for n, odd in odds.items() if odd > LEAST_ALIKE} | known | missing
    missing |= set(_below(numbers, alike, known | missing))
    printed = [(text.casefold(), style) for text, style in zip(texts, styles, strict=True)]
    times, taken = Counter(printed), Counter(printed[index] for index in known)
    return missing | {index for index in alike if times[printed[index]] <= 2 * taken[printed[index]]}


def _of_series(
    numbers: Numbers, styles: Sequence[Style | None], likely: set[int], known: set[int]
) -> Iterator[int]:
    """Yield the likely ones whose numbers lack between headings of their size and weight, or, where there are some,
    before and after all of them."""
    series: dict[Series, list[tuple[int, int]]] = defaultdict(list)
    for index in sorted(likely):
        if (number := numbers[index]) and number.value:
            series[number.series].append((index, number.value))
    for members in series.values():
        have = [member for member in members if member[0] in known]
        looks = {(styles[index] or ())[:2] for index, _ in have}
        rest = [member for member in members if (styles[member[0]] or ())[:2] in looks]
        if len(have) >= FEWEST:
            have = [(-1, 0), *have, (len(numbers), have[-1][1] + len(rest) + 1)]
        for before, after in pairwise(have):
            yield from _between(before, after, rest)


def _between(
    before: tuple[int, int], after: tuple[int, int], members: list[tuple[int, int]]
) -> Iterator[int]:
    """Yield the members that alone have a number that lacks there, in order; lists number their items anew."""
    (start, low), (end, high) = before, after
    for value in range(low + 1, high):
        same = [index for index, own in members if own == value and start < index < end]
        if len(same) == 1:
            yield (start := same[0])


def _below(numbers: Numbers, alike: set[int], found: set[int]) -> Iterator[int]:
    """Yield the decimal numbers below that of a heading, where all that count on there may be headings."""
    above: set[tuple[int, ...]] = set()
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for index, number in enumerate(numbers):
        if number and number.family == "decimal":
            groups[number.values[:-1]].append(index)
            above |= {number.values} if index in found else set()
    for values, group in sorted(groups.items(), key=lambda item: len(item[0])):
        if values in above and len(group) > 1 and alike.issuperset(group):
            above |= {number.values for index in group if (number := numbers[index])}
            yield from group
