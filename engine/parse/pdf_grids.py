"""Tables as they stand on a PDF page; those in a grid of ruling lines: cells, merged cells, rows in a row."""

import bisect
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.model import Block
from engine.parse.pdf_text import Boxed, clean, rotate_box, spaced
from engine.parse.table_text import Cell, cells_within, table_block
from engine.structure.sequences import grouped, runs

THIN, SHORTEST = 2.6, 8.0
SNAP, TOUCH, OVERHANG = 2.0, 3.0, 12.0
MOST_DRAWINGS, MOST_RULES = 20_000, 1500
# A path of more segments than this with curves among them is one shape (an outline, a glyph, a plotted line).
MANY_ITEMS = 6
MANY_LINES, TALLEST_TITLE, LONGEST_MEAN = 4, 40.0, 120
SIGNS = "$€£¥"
FIGURE = re.compile(r"[-–—(+$€£¥]*\s*\d[\d.,]*\s*[%)]*|[-–—]")
# Between double rules there is a strip that is no column and no row.
NARROW = 9.0
Place = tuple[int, int]


@dataclass(slots=True)
class Table(Boxed):
    """A table on a page: its box, its cells in reading order, and the edges of its columns and rows in points.

    The cell in row r and column c stands between ``xs[c]`` and ``xs[c + 1]``, ``ys[r]`` and ``ys[r + 1]``.
    """

    page: int
    cells: list[Cell]
    xs: list[float]
    ys: list[float]

    def block(self) -> Block | None:
        """Return the table as a block, with ``edges`` from which the box of every cell follows."""
        edges = {"x": [round(x, 1) for x in self.xs], "y": [round(y, 1) for y in self.ys]}
        return table_block(self.cells, edges=edges)


def slot(stops: Sequence[float], value: float) -> int:
    """Return between which two neighbouring edges a value lies (0-based); what lies outside is in the outermost."""
    return min(max(bisect.bisect_right(stops, value) - 1, 0), len(stops) - 2)


def merged_cells(texts: Mapping[Place, str], owner: Mapping[Place, Place], height: int, width: int) -> list[Cell]:
    """Return the cells of a grid; ``owner`` names for a place that has no cell of its own the place it belongs to.

    What does not make up a rectangle is not merged: its empty places become cells of their own.
    """
    places = itertools.product(range(height), range(width))
    groups = grouped((owner.get(place, place), place) for place in places)
    cells = []
    for (row, column), own in groups.items():
        high = max(r for r, _ in own) - row + 1
        wide = max(c for _, c in own) - column + 1
        if high * wide == len(own):
            cells.append(Cell(texts.get((row, column), ""), row, column, high, wide))
            continue
        cells += [Cell(texts.get((row, column), "") if p == (row, column) else "", *p) for p in own]
    return sorted(cells, key=lambda cell: (cell.row, cell.column))


def without_empty(
    cells: Sequence[Cell], xs: Sequence[float], ys: Sequence[float]
) -> tuple[list[Cell], list[float], list[float]]:
    """Leave out rows and columns in which nothing begins: at the table's edges, and strips between double rules."""
    filled = [cell for cell in cells if cell.text]
    across = _kept({cell.column for cell in filled}, xs)
    down = _kept({cell.row for cell in filled}, ys)
    return cells_within(cells, down, across), _edges(across, xs), _edges(down, ys)


def _kept(begun: set[int], stops: Sequence[float]) -> list[int]:
    inside = range(min(begun, default=0), max(begun, default=-1) + 1)
    return [at for at in inside if at in begun or stops[at + 1] - stops[at] > NARROW]


def _edges(kept: Sequence[int], stops: Sequence[float]) -> list[float]:
    return [*(stops[index] for index in kept), stops[kept[-1] + 1]] if kept else []


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal or vertical line: ``at`` is its y (or x), ``start`` to ``end`` its extent, in points."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Drawings:
    """The drawings of a page: ruling lines by direction, painted boxes, and boxes of everything else."""

    horizontal: list[Rule] = field(default_factory=list)
    vertical: list[Rule] = field(default_factory=list)
    panels: list[Boxed] = field(default_factory=list)
    shapes: list[Boxed] = field(default_factory=list)


@dataclass(slots=True)
class Word(Boxed):
    """A word with its box in points as displayed."""

    text: str


def read_drawings(paths: Sequence[dict[str, Any]], size: tuple[float, float], matrix: Any) -> Drawings:
    """Sort PyMuPDF's drawings on the page; white fills are left out, and absurdly many give none."""
    drawings = Drawings()
    if len(paths) > MOST_DRAWINGS:
        return drawings
    for path in paths:
        if path["type"] in ("clip", "group"):
            continue
        filled = path.get("fill")
        stroked = path.get("color") is not None and "s" in path["type"]
        if not stroked and (filled is None or min(filled) > 0.98 or path.get("fill_opacity") == 0):
            continue
        items = path["items"]
        if len(items) > MANY_ITEMS and any(item[0] == "c" for item in items):
            items = [("c", path["rect"][:2], path["rect"][2:])]
        for item in items:
            _add(drawings, item, stroked, filled, size, matrix)
    drawings.horizontal = merged(drawings.horizontal)
    drawings.vertical = merged(drawings.vertical)
    return drawings


def _add(
    drawings: Drawings, item: Sequence[Any], stroked: bool, filled: Any, size: tuple[float, float], matrix: Any
) -> None:
    kind = item[0]
    box = tuple(item[1])
    if kind != "re":
        points = item[1] if kind == "qu" else [point for point in item[1:] if isinstance(point, tuple)]
        xs, ys = zip(*points, strict=True)
        box = (min(xs), min(ys), max(xs), max(ys))
    x0, y0, x1, y1 = rotate_box(box, matrix)
    x0, y0, x1, y1 = max(x0, 0.0), max(y0, 0.0), min(x1, size[0]), min(y1, size[1])
    if x1 < x0 or y1 < y0:
        return
    thin, long = sorted((x1 - x0, y1 - y0))
    if kind in ("l", "re", "qu") and thin <= THIN and long >= SHORTEST:
        if x1 - x0 > y1 - y0:
            drawings.horizontal.append(Rule((y0 + y1) / 2, x0, x1))
        else:
            drawings.vertical.append(Rule((x0 + x1) / 2, y0, y1))
    elif kind not in ("re", "qu"):
        drawings.shapes.append(Boxed(x0, y0, x1, y1))
    else:
        if stroked and long >= SHORTEST:
            drawings.horizontal += [Rule(y0, x0, x1), Rule(y1, x0, x1)]
            drawings.vertical += [Rule(x0, y0, y1), Rule(x1, y0, y1)]
        if filled is not None and min(filled) <= 0.98:
            drawings.panels.append(Boxed(x0, y0, x1, y1))


def merged(rules: Iterable[Rule]) -> list[Rule]:
    """Join pieces that lie on one line and touch."""
    rows = runs(sorted(rules, key=lambda rule: rule.at), lambda row, rule: rule.at - row[0].at <= SNAP)
    lines = (runs(sorted(row, key=lambda rule: rule.start), _touches) for row in rows)
    return [Rule(run[0].at, run[0].start, max(rule.end for rule in run)) for line in lines for run in line]


def _touches(run: Sequence[Rule], rule: Rule) -> bool:
    return rule.start <= max(one.end for one in run) + 3


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
    return [(h, v) for h, v in grids if len(h) >= 2 and (len(h) + len(v) >= 5 if len(v) > 1 else _halves(h, v[0]))]


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
    middles = (((word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2, word) for word in words)
    within = (one for one in middles if box[0] <= one[0] <= box[2] and box[1] <= one[1] <= box[3])
    inside = grouped(((slot(ys, y), slot(xs, x)), word) for x, y, word in within)
    if len(inside) < 4 or min(len({place[axis] for place in inside}) for axis in (0, 1)) < 2:
        return None
    owner = _merged(xs, ys, across, down)
    gathered = grouped((owner.get(place, place), word) for place, found in inside.items() for word in found)
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
        for column, words in inside.items():
            for word in words:
                index = 0 if column in tall or not lines else _nearest(lines, (word.y0 + word.y1) / 2)
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
        if not lines or (word.y0 + word.y1) / 2 > lines[-1][1]:
            lines.append((max(word.y0, lines[-1][1] if lines else word.y0), word.y1))
    return lines


def _stops(values: Iterable[float]) -> list[float]:
    return [run[0] for run in runs(sorted(values), lambda run, value: value - run[0] <= 4)]


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
