"""What tells a heading from other short blocks, as numbers: its look, number, words, place, neighbours, and its style.

The order of :data:`NAMES` is that of the columns; ``heading_model.json`` was trained on it.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.model import Block
from engine.structure.look import Style, is_han, look_of, size_of
from engine.structure.numbering import Numbering, by_series, counted_by_word, numbering_of
from engine.structure.sequences import grouped, runs

NAMES = (
    "size bold others numbered unit order depth follows_on letters words last_stop capitals wordlike colon above below "
    "width left centred gap list_item top first late before_long before_stops before_alike after_kind after_long "
    "over after_valued stands repeats style_count style_short style_prose style_stops style_pages style_size "
    "style_alone front series series_apart series_ended"
).split()
SHORT, PROSE, LONG, FAR, SAID = 120, 100, 300, 6, 30
FEWEST_COUNTED = 3
STOPS = tuple(".。!?！？")
WORDS, DIGITS, VALUED = re.compile(r"[^\W\d_]+"), re.compile(r"\d+"), re.compile(r"[:：]\s*\S")
KINDS = ("", "paragraph", "list_item", "table", "image", "heading")
Group = tuple[Style, str]


class Features:
    """The features of the blocks of one document; ``styles`` and ``numbers`` are those of all blocks."""

    def __init__(
        self, blocks: Sequence[Block], styles: Sequence[Style | None], numbers: Sequence[Numbering | None]
    ) -> None:
        self._blocks, self._styles, self._numbers = blocks, styles, numbers
        self.look = look_of(blocks)
        # Han says in a letter about what others say in two.
        self._lengths = [len(block.text) * (1 + is_han(block.text)) for block in blocks]
        self._words = [DIGITS.sub("#", block.text.casefold()) for block in blocks]
        self._repeats = Counter(self._words)
        alike = zip(self._words, styles, styles[1:], strict=False)
        self._over = Counter(words for words, own, after in alike if own == after)
        self._height = max((block.bbox[3] for block in blocks if block.bbox), default=0.0) or 1.0
        self._pages = max((block.page or 0 for block in blocks), default=0) or 1
        self._front = next((n for n, length in enumerate(self._lengths) if length > 200), len(blocks))
        sizes = sorted({style[0] for style in styles if style})
        self._rank = {size: (len(sizes) - n) / len(sizes) for n, size in enumerate(sizes)}
        styled = ((n, style, number) for n, (style, number) in enumerate(zip(styles, numbers, strict=True)) if style)
        groups: dict[Group, list[int]] = grouped(((style, kind_of(number)), n) for n, style, number in styled)
        values = [(number.value or 0) if number else 0 for number in numbers]
        pairs = (pair for own in groups.values() for pair in pairwise(own))
        self._before = {n: values[before] for before, n in pairs}  # the number before it of its kind
        self._of_group = {group: self._style_of(group[0], own) for group, own in groups.items()}
        self._of_series = {n: told for series in series_of(numbers) for told in [self._series(series)] for n in series}

    def rows(self, indexes: Sequence[int]) -> NDArray[np.float32]:
        """Return a row for each of the blocks at ``indexes``."""
        rows = [self._row(index) for index in indexes]
        return np.array(rows, dtype=np.float32).reshape(len(rows), len(NAMES))

    def _row(self, index: int) -> list[float]:
        style, number = self._styles[index], self._numbers[index]
        assert style is not None
        return [
            *self._look_of(index, style), *self._number_of(index, number), *self._words_of(index),
            *self._place_of(index), *self._beside(index, style), *self._of_group[style, kind_of(number)],
            index < self._front, *self._of_series.get(index, (0.0, 0.0, 0.0)),
        ]  # fmt: skip

    def _look_of(self, index: int, style: Style) -> list[float]:
        block, look = self._blocks[index], self.look
        _, bold, slope, caps, font, color = style
        others = (font != look.font) + (color != look.color) + (bold > look.bold) + bool(slope) + caps
        return [size_of(block, caps) / look.size, bold - look.bold, others]

    def _number_of(self, index: int, number: Numbering | None) -> list[float]:
        if number is None:
            return [0.0] * 5
        follows = (number.value or 0) == self._before.get(index, 0) + 1
        return [1.0, bool(number.unit), number.order[0], number.depth, follows]

    def _words_of(self, index: int) -> list[float]:
        text = self._blocks[index].text
        words = WORDS.findall(text)
        signs = len(text.replace(" ", ""))
        real = sum(len(word) for word in words if len(word) > 2 or not word.isascii())
        return [
            self._lengths[index], len(words), text.endswith(STOPS),
            sum(word[0].isupper() for word in words) / max(1, len(words)), real / signs, bool(VALUED.search(text)),
        ]  # fmt: skip

    def _place_of(self, index: int) -> list[float]:
        block = self._blocks[index]
        before, after = self._beside_of(index - 1), self._beside_of(index + 1)
        evidence, box = block.evidence, block.bbox
        left, right = evidence["column"]
        across = [-1.0, -1.0, -1.0]
        if box and right > left:
            middle = abs(box[0] + box[2] - left - right) / 2
            across = [part / (right - left) for part in (box[2] - box[0], box[0] - left, middle)]
        below = after.evidence.get("above") if after and after.page == block.page else None
        return [
            self._gap(evidence.get("above")), self._gap(below), *across, evidence["gap"], block.kind == "list_item",
            box[1] / self._height if box else -1.0, not before or before.page != block.page,
            (block.page or 0) / self._pages,
        ]  # fmt: skip

    def _gap(self, distance: float | None) -> float:
        return -1.0 if distance is None else min(5.0, max(0.0, distance / self.look.leading))

    def _beside_of(self, index: int) -> Block | None:
        return self._blocks[index] if 0 <= index < len(self._blocks) else None

    def _beside(self, index: int, style: Style) -> list[float]:
        before, after = self._beside_of(index - 1), self._beside_of(index + 1)
        words = self._words[index]
        reach = range(index + 1, min(len(self._blocks), index + 1 + FAR))
        stands = (n for n in reach if self._lengths[n] > PROSE or self._blocks[n].kind == "table")
        return [
            min(LONG, self._lengths[index - 1]) if before else 0, bool(before and before.text.endswith(STOPS)),
            bool(before and self._styles[index - 1] == style),
            KINDS.index(after.kind) if after and after.kind in KINDS else 0,
            min(LONG, self._lengths[index + 1]) if after else 0, self._over[words] / self._repeats[words],
            bool(after and VALUED.search(after.text[:SAID])), next(stands, index + 1 + FAR) - index - 1,
            self._repeats[words],
        ]  # fmt: skip

    def _series(self, series: Sequence[int]) -> tuple[float, float, float]:
        """Return how many numbers follow each other, how much is said from one to the next, how many end a sentence."""
        apart = sum(self._lengths[series[0] : series[-1]]) / max(1, len(series) - 1)
        ended = sum(self._blocks[n].text.endswith(STOPS) for n in series) / len(series)
        return math.log(len(series)), math.log(1 + apart), ended

    def _style_of(self, style: Style, group: Sequence[int]) -> list[float]:
        """Return what the blocks of one style, and one kind of number, have in common."""
        lengths = [self._lengths[n] for n in group]
        followed = [n for n in group if n + 1 < len(self._blocks)]
        return [
            math.log(len(group)),
            sum(length for length in lengths if length < SHORT) / max(1, sum(lengths)),
            sum(self._lengths[n + 1] > PROSE for n in followed) / len(group),
            sum(self._blocks[n].text.endswith((*STOPS, ",", ";", "；", "，")) for n in group) / len(group),
            len({self._blocks[n].page for n in group}) / self._pages,
            self._rank[style[0]],
            sum(self._styles[n + 1] == style for n in followed) / len(group),
        ]


def numbers_of(texts: Sequence[str]) -> list[Numbering | None]:
    """Return the number that each text begins with; a word that the document counts with makes one: Pasal 1, 2."""
    counted = [counted_by_word(text) for text in texts]
    series = [counted[own[0]] for own in series_of(counted) if len(own) >= FEWEST_COUNTED]
    units = {first.unit: first for first in series if first and first.value == 1}
    words = (word and units.get(word.unit) and word for word in counted)
    return [numbering_of(text) or word for text, word in zip(texts, words, strict=True)]


def series_of(numbers: Sequence[Numbering | None]) -> list[list[int]]:
    """Return the indexes of numbers that count on, one list a series: 一、 and the next 二、, 2.1 and 2.2."""
    series = (runs(group, lambda run, one: one[1] == run[-1][1] + 1) for group in by_series(numbers).values())
    return [[index for index, _ in run] for parts in series for run in parts]


def kind_of(number: Numbering | None) -> str:
    """Return what numbers of one kind and depth have in common, "" for none."""
    return f"{number.family}:{number.depth}" if number else ""
