"""Headings that the model missed beside others that it found: a sequence has all its members, and what looks alike is.

Where 7., 9. and 11. are headings, 8. and 10. between them are, and 1. to 6. before them, of their size and weight;
where 5.3 is one, 5.3.1 and 5.3.2 are, when each of them may be; and so is the rest of what stands there in the same
words and look, or in one look larger than the text, most of which is. Slides have their titles on top, in a size of
their own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf

from engine.structure.look import Style
from engine.structure.numbering import Numbering, by_series

# The least odds, as a logarithm, of a block that is to be a heading: one to seven for a number that lacks.
LEAST_MISSING, LEAST_ALIKE = -2.0, -1.0
FEWEST, SHARE, LARGER = 3, 0.75, 1.2
Numbers = Sequence[Numbering | None]


def missing_headings(
    texts: Sequence[str], numbers: Numbers, styles: Sequence[Style | None], odds: Mapping[int, float],
    found: Iterable[int], size: float = inf,
) -> set[int]:  # fmt: skip
    """Return which blocks are headings because of the ``found`` ones; ``odds`` are of those that may be, ``size`` is
    that of most text."""
    known = set(found)
    missing = set(_of_series(numbers, styles, known | {n for n, odd in odds.items() if odd > LEAST_MISSING}, known))
    alike = {n for n, odd in odds.items() if odd > LEAST_ALIKE} | known | missing
    missing |= set(_below(numbers, alike, known | missing))
    printed = [(text.casefold(), style) for text, style in zip(texts, styles, strict=True)]
    large = [style if style and style[0] > size else None for style in styles]
    for looks, least, share in ((printed, 0, 0.5), (large, FEWEST, SHARE)):
        times, taken = Counter(looks), Counter(looks[index] for index in known)
        missing |= {n for n in alike if looks[n] and least <= taken[looks[n]] >= share * times[looks[n]]}
    return missing


def marked_items(numbers: Numbers, styles: Sequence[Style | None], found: set[int]) -> set[int]:
    """Return which of the ``found`` are underlined items of a list whose item before is not: the answer among some."""
    series = (pairwise(group) for group in by_series(numbers).values())
    counted = {n: before for pairs in series for (before, low), (n, high) in pairs if high == low + 1}
    underlined = {n for n in found if (style := styles[n]) and style[2] > 1 and not style[1]}
    return {n for n in underlined if (before := counted.get(n)) is not None and before not in found}


def page_titles(pages: Sequence[int | None], styles: Sequence[Style | None], size: float) -> set[int]:
    """Return which blocks are titles of slides: they begin most pages, larger than text of the ``size`` of most."""
    looks = [style[:2] if style and page else None for style, page in zip(styles, pages, strict=True)]
    first = {page: n for n, page in reversed(list(enumerate(pages))) if looks[n]}
    times, begun = Counter(looks), Counter(looks[n] for n in first.values())
    last = {page: n for n, page in enumerate(pages)}
    titles = {look for look, count in begun.items() if look and look[0] > LARGER * size and count >= FEWEST
              and count > 0.8 * times[look] and count > len(first) / 3}  # fmt: skip
    return {n for page, n in first.items() if looks[n] in titles and last[page] > n}


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
