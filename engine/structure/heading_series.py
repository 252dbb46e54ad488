"""Headings that the model missed beside others that it found: a sequence has all its members, and what looks alike is.

Where 7., 9. and 11. are headings, 8. and 10. between them are, and 1. to 6. before them, of their size and weight;
where 5.3 is one, 5.3.1 and 5.3.2 are, when each of them may be; and so is the rest of what stands there in the same
words and look, most of which is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from engine.structure.look import Style
from engine.structure.numbering import Numbering, by_series

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
    missing = set(_of_series(numbers, styles, known | {n for n, odd in odds.items() if odd > LEAST_MISSING}, known))
    alike = {n for n, odd in odds.items() if odd > LEAST_ALIKE} | known | missing
    missing |= set(_below(numbers, alike, known | missing))
    printed = [(text.casefold(), style) for text, style in zip(texts, styles, strict=True)]
    times, taken = Counter(printed), Counter(printed[index] for index in known)
    return missing | {index for index in alike if times[printed[index]] <= 2 * taken[printed[index]]}


def _of_series(numbers: Numbers, styles: Sequence[Style | None], likely: set[int], known: set[int]) -> Iterator[int]:
    """Yield the likely ones whose numbers lack among headings of their size and weight."""
    looks = {index: style[:2] for index, style in enumerate(styles) if style}
    for group in by_series(numbers).values():
        have = [member for member in group if member[0] in known]
        own = {looks[index] for index, _ in have}
        rest = [member for member in group if member[0] in likely and looks[member[0]] in own]
        yield from _lacking(have, rest, len(numbers))


def _lacking(have: list[tuple[int, int]], others: list[tuple[int, int]], end: int) -> Iterator[int]:
    """Yield the others that alone have a number that lacks between two of a series, or, where it has some, before and
    after all of them; lists number their items anew."""
    if len(have) >= FEWEST:
        have = [(-1, 0), *have, (end, have[-1][1] + len(others) + 1)]
    for (start, low), (stop, high) in pairwise(have):
        for value in range(low + 1, high):
            same = [index for index, own in others if own == value and start < index < stop]
            if len(same) == 1:
                yield (start := same[0])


def _below(numbers: Numbers, alike: set[int], found: set[int]) -> Iterator[int]:
    """Yield the decimal numbers below that of a heading, where all that count on there may be headings."""
    above = {number.values for index in found if (number := numbers[index])}
    for (kind, _, values), group in by_series(numbers).items():
        indexes = {index for index, _ in group}
        if kind == "decimal" and values in above and len(group) > 1 and indexes <= alike:
            above |= {(*values, value) for _, value in group}
            yield from indexes
