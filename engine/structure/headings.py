"""Headings inferred from how a text looks, where a format states none: a small model judges each short block.

The model sees a block's look, place, words, number and neighbours, and what all blocks of its style have in common
(``heading_features``). It is made of trees, each adding to the odds (gradient boosting), all full and of one depth: the
children of node n are 2n+1 and 2n+2, the first where the feature is at most the threshold.
``benchmarks/train_headings.py`` makes ``heading_model.json``. The title, and who signs, are left out afterwards.

What the model missed beside others that it found is added: a sequence has all its members, and what looks alike is.
Where 7., 9. and 11. are headings, 8. and 10. between them are, and 1. to 6. before them, of their size and weight;
where 5.3 is one, 5.3.1 and 5.3.2 are, when each of them may be; and so is the rest of what stands there in the same
words and look, or in one look larger than the text, most of which is. Slides have their titles on top, in a size of
their own.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import NamedTuple
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from engine.language import compiled, patterns
from engine.model import Block
from engine.structure.captions import caption_label
from engine.structure.heading_features import Features, numbers_of
from engine.structure.look import Style, style_of
from engine.structure.numbering import Numbering, by_series, numbering_of

FILE = Path(__file__).with_name("heading_model.json")
LONGEST, MOST_LINES = 220, 4
RUNNING = 50  # letters from which a text is more than a line of an address or under a signature
LEAST_ODDS = 0.5  # as a logarithm: five to three
OPENING = ("Ps", "Pi")  # brackets and quotation marks
CONTINUED = compiled(patterns("document_parts")["headings"]["continued"])
LETTERS = re.compile(r"[^\W\d_]")
ADDRESS = re.compile(r"://|\bwww\.|[\w.-]@[\w-]+\.\w")
# A name before a value; one that stands so often in a document is a field of its forms: "Email: …".
LABEL, FIELDS = re.compile(r"([^\W\d_][^:：]{0,30})[:：]\s*\S"), 3
# The least odds, as a logarithm, of a block that is to be a heading: one to seven for a number that lacks.
LEAST_MISSING, LEAST_ALIKE = -2.0, -1.0
FEWEST, SHARE, LARGER = 3, 0.75, 1.2
Numbers = Sequence[Numbering | None]


class Forest(NamedTuple):
    """The trees: ``features`` and ``thresholds`` of their nodes, ``values`` of their leaves, one row a tree."""

    start: float
    features: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    values: NDArray[np.float64]

    def odds(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each row of features the logarithm of the odds that the block is a heading."""
        total = np.full(len(rows), self.start)
        each = np.arange(len(rows))
        for features, thresholds, values in zip(self.features, self.thresholds, self.values, strict=True):
            node = np.zeros(len(rows), dtype=np.int64)
            while len(node) and node[0] < len(features):
                node = 2 * node + 1 + (rows[each, features[node]] > thresholds[node])
            total += values[node - len(features)]
        return total


@lru_cache(maxsize=1)
def forest() -> Forest:
    """Return the model that ships."""
    told = json.loads(FILE.read_text("utf-8"))
    parts = [np.array(told[name]) for name in ("features", "thresholds", "values")]
    return Forest(told["start"], *parts)


@dataclass(frozen=True, slots=True)
class Heading:
    """A block found to be a heading: its index among the blocks, its number, its style."""

    index: int
    number: Numbering | None
    style: Style


def find_headings(blocks: Sequence[Block]) -> list[Heading]:
    """Return the blocks that are headings, in reading order; those that the format states and have a look are."""
    possible, styles, numbers = look_like_headings(blocks)
    features = Features(blocks, styles, numbers)
    judged = forest().odds(features.rows(possible))
    odds = {index: float(odd) for index, odd in zip(possible, judged, strict=True)}
    likely = {index for index, odd in odds.items() if odd > LEAST_ODDS}
    likely -= marked_items(numbers, styles, likely)
    likely |= {n for n, block in enumerate(blocks) if block.kind == "heading" and styles[n]}
    likely |= missing_headings([block.text for block in blocks], numbers, styles, odds, likely, features.look.size)
    likely |= page_titles([block.page for block in blocks], styles, features.look.size) & odds.keys()
    fields = Counter(match[1] for block in blocks if (match := LABEL.match(block.text)))
    likely -= {n for n in odds if (match := LABEL.match(blocks[n].text)) and fields[match[1]] >= FIELDS}
    found = [Heading(index, numbers[index], style) for index in sorted(likely) if (style := styles[index])]
    return _over_text(blocks, _without_title(blocks, found))


def look_like_headings(blocks: Sequence[Block]) -> tuple[list[int], list[Style | None], list[Numbering | None]]:
    """Return the indexes of the blocks that the model is asked about, and the styles and numbers of all blocks."""
    looks = ["size" in block.evidence for block in blocks]
    styles = [style_of(block) if look else None for block, look in zip(blocks, looks, strict=True)]
    numbers = numbers_of([block.text if look else "" for block, look in zip(blocks, looks, strict=True)])
    return [n for n, block in enumerate(blocks) if looks[n] and may_be_heading(block)], styles, numbers


def may_be_heading(block: Block) -> bool:
    """Tell whether a block with a look is short, upright and of words, no caption, and goes on with nothing."""
    text, evidence = block.text, block.evidence
    if block.kind not in ("paragraph", "list_item", "heading"):
        return False
    if len(text) > LONGEST or evidence["lines"] > MOST_LINES or not evidence["upright"]:
        return False
    letters = len(LETTERS.findall(text))
    if letters < 2 or letters < 0.3 * len(text.replace(" ", "")) or CONTINUED.search(text):
        return False
    if caption_label(text) is not None or ADDRESS.search(text) or (text[-1] in "。；" and not numbering_of(text)):
        return False
    first, last = category(text[0]), category(text[-1])
    # Not a bullet, the rest of something, a remark in brackets, or what opens one and breaks off, as code does.
    return (text[0].isalnum() or first in OPENING) and last != "Ps" and (first, last) != ("Ps", "Pe")


def _without_title(blocks: Sequence[Block], headings: list[Heading]) -> list[Heading]:
    """Drop the document's own title: on the first page, or over headings that the format states, without a number,
    larger than all headings after it; a cover may have several such lines."""
    stated = any(blocks[heading.index].kind == "heading" for heading in headings[1:])
    while len(headings) > 1 and headings[0].number is None and blocks[headings[0].index].kind != "heading":
        first, *rest = headings
        if not (stated or blocks[first.index].page == 1) or first.style[0] <= max(one.style[0] for one in rest):
            break
        headings = rest
        if not stated:
            break
    return headings


def _over_text(blocks: Sequence[Block], headings: Sequence[Heading]) -> list[Heading]:
    """Drop what stands below the last running text: names and offices of those who sign."""
    short = ("paragraph", "heading")
    running = (
        n for n in reversed(range(len(blocks)))
        if blocks[n].kind not in short or len(blocks[n].text) > RUNNING or blocks[n].text[-1:] in ".。"
    )  # fmt: skip
    last = next(running, len(blocks))
    return [heading for heading in headings if heading.index < last]


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
