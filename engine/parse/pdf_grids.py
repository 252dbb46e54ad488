"""Tables in a grid of ruling lines: crossing rules to cells, merged cells, several rows of text in one ruled row."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.parse.pdf_rules import Drawings, Rule
from engine.parse.pdf_table import Place, Table, merged_cells, slot, without_empty
from engine.parse.pdf_text import Boxed, clean, rotate_box, spaced

TOUCH = 3.0
MOST_RULES = 1500
OVERHANG = 12.0
MANY_LINES = 4
TALLEST_TITLE = 40.0
LONGEST_MEAN = 120
SIGNS = "$€£¥"
FIGURE = re.compile(r"[-–—(+$€£¥]*\s*\d[\d.,]*\s*[%)]*|[-–—]")


@dataclass(slots=True)
class Word(Boxed):
    """A word with its box in points as displayed."""

    text: str


def words_from(raw: Iterable[Sequence[Any]], matrix: Sequence[float] | None) -> list[Word]:
    """Return words from PyMuPDF's ``words`` output."""
    shown = ((box, clean(str(text)).strip()) for *box, text, _, _, _ in raw)
    return [Word(*rotate_box(box, matrix), text) for box, text in shown if text]


def grids_of(drawings: Drawings) -> list[tuple[list[Rule], list[Rule]]]:
    """Return groups of crossing rules, (horizontal, vertical), that may be the grid of a table."""
    across, down = drawings.horizontal, drawings.vertical
    if len(across) < 2 or not down or len(across) + len(down) > MOST_RULES:
        return []
    groups: list[tuple[set[int], list[Rule]]] = []
    for v in down:
        own = {
            i for i, h in enumerate(across)
            if h.start - TOUCH <= v.at <= h.end + TOUCH and v.start - TOUCH <= h.at <= v.end + TOUCH
        }  # fmt: skip
        met = [group for group in groups if group[0] & own]
        groups = [group for group in groups if not group[0] & own]
        groups.append((own.union(*(h for h, _ in met)), [v, *(other for _, vs in met for other in vs)]))
    crossing = {i for h, _ in groups for i in h}
    lone = [h for i, h in enumerate(across) if i not in crossing]
    grids = [(_with_neighbours([across[i] for i in sorted(h)], lone), v) for h, v in groups if h]
    return [
        (h, v) for h, v in grids if len(h) >= 2 and (len(h) + len(v) >= 5 if len(v) > 1 else _halves(h, v[0]))
    ]


def _halves(across: list[Rule], down: Rule) -> bool:
    """Tell whether a single vertical rule parts two columns: it runs along most of three or more rules."""
    return len(across) >= 3 and down.end - down.start > 0.7 * (across[-1].at - across[0].at)


def _with_neighbours(across: list[Rule], lone: Sequence[Rule]) -> list[Rule]:
    """Add the rules of the same extent close above and below a grid: rows of one merged cell, open at the sides."""
    left, right = min(rule.start for rule in across), max(rule.end for rule in across)
    near = [r for r in lone if abs(r.start - left) < TOUCH and abs(r.end - right) < TOUCH]
    result = sorted(across, key=lambda rule: rule.at)
    while above := [r for r in near if 0 < result[0].at - r.at < TALLEST_TITLE]:
        result.insert(0, max(above, key=lambda rule: rule.at))
    while below := [r for r in near if 0 < r.at - result[-1].at < TALLEST_TITLE]:
        result.append(min(below, key=lambda rule: rule.at))
    return result


def grid_table(page: int, across: list[Rule], down: list[Rule], words: Sequence[Word]) -> Table | None:
    """Return the table that a grid holds, or None when it is a frame, a chart, a single row or empty."""
    xs, ys = _stops(rule.at for rule in down), _stops(rule.at for rule in across)
    left, right = min(rule.start for rule in across), max(rule.end for rule in across)
    if xs and left < xs[0] - OVERHANG:
        xs.insert(0, left)
    if xs and right > xs[-1] + OVERHANG:
        xs.append(right)
    if len(xs) < 3 or len(ys) < 3:
        return None
    box = (xs[0], ys[0], xs[-1], ys[-1])
    inside: dict[Place, list[Word]] = {}
    for word in words:
        x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
        if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            inside.setdefault((slot(ys, y), slot(xs, x)), []).append(word)
    if len(inside) < 4 or min(len({place[axis] for place in inside}) for axis in (0, 1)) < 2:
        return None
    owner = _merged(xs, ys, across, down)
    gathered: dict[Place, list[Word]] = {}
    for place, found in inside.items():
        gathered.setdefault(owner.get(place, place), []).extend(found)
    if _is_frame(gathered, owner):
        return None
    stops, gathered, owner = _split_rows(ys, gathered, owner, len(xs) - 1)
    texts = {place: cell_text(found) for place, found in gathered.items()}
    if len(down) == 1 and sum(map(len, texts.values())) > LONGEST_MEAN * len(texts):
        return None  # a page laid out in two parts
    cells, xs, ys = without_empty(merged_cells(texts, owner, len(stops) - 1, len(xs) - 1), xs, stops)
    return Table(*box, page, cells, xs, ys) if len(ys) > 2 and len(xs) > 2 else None


def _is_frame(cells: dict[Place, list[Word]], owner: dict[Place, Place]) -> bool:
    """Tell whether most words stand in merged cells of many lines: the rules frame texts or other tables."""
    wide = {place for other, place in owner.items() if other[1] != place[1]}
    merged = [(words, len(text_lines(words))) for place, words in cells.items() if place in wide]
    framed = [(words, lines) for words, lines in merged if lines >= MANY_LINES]
    most = 2 * sum(len(words) for words, _ in framed) > sum(map(len, cells.values()))
    return most and sum(lines for _, lines in framed) >= 2 * MANY_LINES


def _split_rows(
    ys: list[float], cells: dict[Place, list[Word]], owner: dict[Place, Place], width: int
) -> tuple[list[float], dict[Place, list[Word]], dict[Place, Place]]:
    """Cut grid rows that hold several rows of text, see :func:`_rows_in`; merged cells go with their first row."""
    stops = [ys[0]]
    first: dict[int, int] = {}
    result: dict[Place, list[Word]] = {}
    owners: dict[Place, Place] = {}
    for row in range(len(ys) - 1):
        first[row] = start = len(stops) - 1
        inside = {column: words for (r, column), words in cells.items() if r == row}
        merged = [(at, owner.get((at, c), (at, c))) for at in (row, row + 1) for c in range(width)]
        joined = any(place[0] <= row and place[0] < at and place in cells for at, place in merged)
        lines = [] if joined else _rows_in(inside)
        tall = {c for c, words in inside.items() if len(lines) > 1 and len(text_lines(words)) == 1}
        for column in range(width):
            top, left = owner.get((row, column), (row, column))
            for index in range(max(1, len(lines))):
                here = (first[top] if top < row else start if left in tall else start + index, left)
                if here != (start + index, column):
                    owners[start + index, column] = here
        if not lines:
            result |= {(start, column): words for column, words in inside.items()}
            stops.append(ys[row + 1])
            continue
        for column, words in inside.items():
            for word in words:
                index = 0 if column in tall else _nearest(lines, (word.y0 + word.y1) / 2)
                result.setdefault((start + index, column), []).append(word)
        stops += [(high + low) / 2 for (_, high), (low, _) in itertools.pairwise(lines)]
        stops.append(ys[row + 1])
    return stops, result, owners


def _rows_in(inside: dict[int, list[Word]]) -> list[tuple[float, float]]:
    """Return the (top, bottom) of the rows of text in one ruled row, none when its cells just have wrapped lines.

    Columns of figures tell the rows when two of them have as many lines, or most columns nearly as many.
    """
    own = {column: text_lines(words) for column, words in inside.items()}
    counted = [column for column, lines in own.items() if len(lines) > 1 and _figures(inside[column], lines)]
    if not counted:
        return []
    most = max(len(own[column]) for column in counted)
    alike = sum(len(lines) >= 0.6 * most for lines in own.values())
    several = sum(len(own[column]) == most for column in counted) > 1
    words = [word for column in counted if len(own[column]) == most for word in inside[column]]
    return text_lines(words) if several or alike >= max(2, 0.6 * len(own)) else []


def _figures(words: Sequence[Word], lines: Sequence[tuple[float, float]]) -> bool:
    texts = [""] * len(lines)
    for word in words:
        texts[_nearest(lines, (word.y0 + word.y1) / 2)] += word.text
    return all(FIGURE.fullmatch(text.strip(SIGNS)) for text in texts)


def _nearest(lines: Sequence[tuple[float, float]], y: float) -> int:
    return min(range(len(lines)), key=lambda index: abs(sum(lines[index]) / 2 - y))


def text_lines(words: Sequence[Word]) -> list[tuple[float, float]]:
    """Return the (top, bottom) of the lines that words stand on, apart from each other, top to bottom."""
    lines: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda item: item.y0 + item.y1):
        middle = (word.y0 + word.y1) / 2
        if lines and middle <= lines[-1][1]:
            continue
        lines.append((max(word.y0, lines[-1][1] if lines else word.y0), word.y1))
    return lines


def _stops(values: Iterable[float]) -> list[float]:
    stops: list[float] = []
    for value in sorted(values):
        if not stops or value - stops[-1] > 4:
            stops.append(value)
    return stops


def _merged(xs: list[float], ys: list[float], across: list[Rule], down: list[Rule]) -> dict[Place, Place]:
    """Return for each place that no rule separates from its left or upper neighbour the place it belongs to."""
    owner: dict[Place, Place] = {}
    for row in range(len(ys) - 1):
        middle_y = (ys[row] + ys[row + 1]) / 2
        for column in range(len(xs) - 1):
            middle_x = (xs[column] + xs[column + 1]) / 2
            place = (row, column)
            if column and not any(abs(v.at - xs[column]) < 4 and v.start <= middle_y <= v.end for v in down):
                owner[place] = owner.get((row, column - 1), (row, column - 1))
            elif row and not any(abs(h.at - ys[row]) < 4 and h.start <= middle_x <= h.end for h in across):
                owner[place] = owner.get((row - 1, column), (row - 1, column))
    return owner


def cell_text(words: list[Word]) -> str:
    """Return the words of one cell in reading order as one line of text."""
    lines = text_lines(words)
    text = ""
    for word in sorted(words, key=lambda item: (_nearest(lines, (item.y0 + item.y1) / 2), item.x0)):
        text = spaced(text, word.text, True)
    return text
