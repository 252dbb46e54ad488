"""Tables in a grid of ruling lines: crossing rules to cells, merged cells, several rows of text in one ruled row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.parse.pdf_rules import Drawings, Rule
from engine.parse.pdf_table import Table, without_empty
from engine.parse.pdf_text import clean, rotate_box, spaced

TOUCH = 3.0
MOST_RULES = 1500
OVERHANG = 12.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its box in points as displayed."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


def words_from(raw: Sequence[Sequence[object]], matrix: object) -> list[Word]:
    """Return words from PyMuPDF's ``words`` output."""
    words = []
    for x0, y0, x1, y1, text, *_ in raw:
        box = (x0, y0, x1, y1) if matrix is None else rotate_box((x0, y0, x1, y1), matrix)  # type: ignore[arg-type]
        if text := clean(str(text)).strip():
            words.append(Word(text, *box))  # type: ignore[arg-type]
    return words


def grids_of(drawings: Drawings) -> list[tuple[list[Rule], list[Rule]]]:
    """Return groups of crossing rules, (horizontal, vertical), that may be the grid of a table."""
    across, down = drawings.horizontal, drawings.vertical
    if len(across) < 2 or len(down) < 2 or len(across) + len(down) > MOST_RULES:
        return []
    parent = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, h in enumerate(across):
        for j, v in enumerate(down, len(across)):
            if h.start - TOUCH <= v.at <= h.end + TOUCH and v.start - TOUCH <= h.at <= v.end + TOUCH:
                parent[root(i)] = root(j)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, h in enumerate(across):
        groups.setdefault(root(i), ([], []))[0].append(h)
    for j, v in enumerate(down, len(across)):
        groups.setdefault(root(j), ([], []))[1].append(v)
    return [(h, v) for h, v in groups.values() if len(h) >= 2 and len(v) >= 2 and len(h) + len(v) >= 5]


def grid_table(page: int, across: list[Rule], down: list[Rule], words: Sequence[Word]) -> Table | None:
    """Return the table that a grid holds, or None when it is a frame, a chart or empty."""
    xs, ys = _stops(rule.at for rule in down), _stops(rule.at for rule in across)
    left, right = min(rule.start for rule in across), max(rule.end for rule in across)
    if xs and left < xs[0] - OVERHANG:
        xs.insert(0, left)
    if xs and right > xs[-1] + OVERHANG:
        xs.append(right)
    if len(xs) < 3 or len(ys) < 3:
        return None
    box = (xs[0], ys[0], xs[-1], ys[-1])
    cells: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
        if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            cells.setdefault((_slot(ys, y), _slot(xs, x)), []).append(word)
    if len(cells) < 4 or len({row for row, _ in cells}) < 2 or len({column for _, column in cells}) < 2:
        return None
    stops, cells = _split_rows(ys, cells)
    between = [Rule(stop, xs[0], xs[-1]) for stop in stops if stop not in ys]
    ys = stops
    merged = _merged_cells(xs, ys, [*across, *between], down)
    texts: dict[tuple[int, int], list[Word]] = {}
    for cell, inside in cells.items():
        texts.setdefault(merged.get(cell, cell), []).extend(inside)
    rows = [[cell_text(texts.get((r, c), [])) for c in range(len(xs) - 1)] for r in range(len(ys) - 1)]
    rows = without_empty(rows)
    return Table(page, *box, rows) if len(rows) >= 2 and len(rows[0]) >= 2 else None


def _split_rows(
    ys: list[float], cells: dict[tuple[int, int], list[Word]]
) -> tuple[list[float], dict[tuple[int, int], list[Word]]]:
    """Cut grid rows that hold several rows of text: each of their lines fills two columns or more."""
    stops = [ys[0]]
    result: dict[tuple[int, int], list[Word]] = {}
    for row in range(len(ys) - 1):
        inside = {column: words for (r, column), words in cells.items() if r == row}
        lines = _text_lines([word for words in inside.values() for word in words])
        filled = [
            {c for c, words in inside.items() if any(low <= (w.y0 + w.y1) / 2 <= high for w in words)}
            for low, high in lines
        ]
        if len(lines) < 2 or min(map(len, filled)) < max(2, 0.6 * len(inside)):
            for column, words in inside.items():
                result[len(stops) - 1, column] = words
            stops.append(ys[row + 1])
            continue
        for index, (low, high) in enumerate(lines):
            for column, words in inside.items():
                if chosen := [w for w in words if low <= (w.y0 + w.y1) / 2 <= high]:
                    result[len(stops) - 1, column] = chosen
            last = index == len(lines) - 1
            stops.append(ys[row + 1] if last else (high + lines[index + 1][0]) / 2)
    return stops, result


def _text_lines(words: Sequence[Word]) -> list[tuple[float, float]]:
    """Return the (top, bottom) of the lines that words stand on, apart from each other, top to bottom."""
    lines: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda item: item.y0 + item.y1):
        middle = (word.y0 + word.y1) / 2
        if lines and middle <= lines[-1][1]:
            continue
        lines.append((max(word.y0, lines[-1][1] if lines else word.y0), word.y1))
    return lines


def _stops(values: object) -> list[float]:
    stops: list[float] = []
    for value in sorted(values):  # type: ignore[call-overload]
        if not stops or value - stops[-1] > 4:
            stops.append(value)
    return stops


def _slot(stops: list[float], value: float) -> int:
    for index in range(1, len(stops) - 1):
        if value < stops[index]:
            return index - 1
    return len(stops) - 2


def _merged_cells(
    xs: list[float], ys: list[float], across: list[Rule], down: list[Rule]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for each cell that no rule separates from its left or upper neighbour the cell it belongs to."""
    owner: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(len(ys) - 1):
        middle_y = (ys[row] + ys[row + 1]) / 2
        for column in range(len(xs) - 1):
            middle_x = (xs[column] + xs[column + 1]) / 2
            cell = (row, column)
            if column and not any(abs(v.at - xs[column]) < 4 and v.start <= middle_y <= v.end for v in down):
                owner[cell] = owner.get((row, column - 1), (row, column - 1))
            elif row and not any(abs(h.at - ys[row]) < 4 and h.start <= middle_x <= h.end for h in across):
                owner[cell] = owner.get((row - 1, column), (row - 1, column))
    return owner


def cell_text(words: list[Word]) -> str:
    """Return the words of one cell in reading order as one line of text."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda item: ((item.y0 + item.y1) / 2, item.x0)):
        middle = (word.y0 + word.y1) / 2
        if lines and lines[-1][0].y0 <= middle <= lines[-1][0].y1:
            lines[-1].append(word)
        else:
            lines.append([word])
    text = ""
    for line in lines:
        for word in sorted(line, key=lambda item: item.x0):
            text = spaced(text, word.text, True)
    return text
