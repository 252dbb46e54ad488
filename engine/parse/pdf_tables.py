"""Tables on a PDF page: grids of ruling lines, tables between horizontal rules, and aligned columns of text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.parse.pdf_rules import Box, Drawings, Rule
from engine.parse.pdf_text import Line, clean, is_cjk, rotate_box, spaced

TOUCH = 3.0
MOST_RULES = 1500
NUMBER = re.compile(r"^[($€£¥\-–—+]*\s*[\d.,]+\s*[%)x]*$|^[-–—]+$|^n/?[am]\.?$", re.IGNORECASE)
SIGN_AFTER = re.compile(r"^([$€£¥]?\s*\(?[\d.,]+\)?|[-–—])\s+([$€£¥])$")
SIGNS = re.compile(r"^[$€£¥%()\s]+$")


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its box in points as displayed."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Table:
    """A table on a page: its box and its rows of cell texts, all rows equally long."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    rows: list[list[str]]

    @property
    def bbox(self) -> Box:
        """The box as ``(x0, y0, x1, y1)``."""
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def text(self) -> str:
        """The rows as lines, cells separated by bars."""
        return "\n".join(" | ".join(row) for row in self.rows)


def words_from(raw: Sequence[Sequence[object]], matrix: object) -> list[Word]:
    """Return words from PyMuPDF's ``words`` output."""
    words = []
    for x0, y0, x1, y1, text, *_ in raw:
        box = (x0, y0, x1, y1) if matrix is None else rotate_box((x0, y0, x1, y1), matrix)  # type: ignore[arg-type]
        if text := clean(str(text)).strip():
            words.append(Word(text, *box))  # type: ignore[arg-type]
    return words


# --- grids -----------------------------------------------------------------------------------------------


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
    merged = _merged_cells(xs, ys, across, down)
    texts: dict[tuple[int, int], list[Word]] = {}
    for cell, inside in cells.items():
        texts.setdefault(merged.get(cell, cell), []).extend(inside)
    rows = [[cell_text(texts.get((r, c), [])) for c in range(len(xs) - 1)] for r in range(len(ys) - 1)]
    rows = _without_empty(rows)
    return Table(page, *box, rows) if len(rows) >= 2 and len(rows[0]) >= 2 else None


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


def _without_empty(rows: list[list[str]]) -> list[list[str]]:
    kept = [row for row in rows if any(row)]
    columns = [index for index in range(len(rows[0])) if any(row[index] for row in kept)]
    return [[row[index] for index in columns] for row in kept]


# --- aligned columns without a grid ----------------------------------------------------------------------


def aligned_tables(page: int, rows: Sequence[Line]) -> list[tuple[int, int, Table]]:
    """Return (first row, row after the last, table) for runs of rows whose pieces stand in columns.

    At least three rows need two or more pieces with wide gaps; between them up to two rows without (labels,
    wrapped cells) are part of the table. Rows of prose and lists are not taken.
    """
    found: list[tuple[int, int, Table]] = []
    rows = [_with_split_signs(row) for row in rows]
    index = done = 0
    while index < len(rows):
        if not _tabular(rows[index]):
            index += 1
            continue
        end = _run_end(rows, index)
        start = _head_start(rows, done, index, end)
        table = _aligned(page, rows[start:end]) if sum(map(_tabular, rows[index:end])) >= 3 else None
        if table is not None:
            found.append((start, end, table))
            done = end
        index = end
    return found


def _with_split_signs(row: Line) -> Line:
    """Split pieces like "16,388 $", whose sign belongs to the next column."""
    if not row.pieces or not any(SIGN_AFTER.match(piece.text) for piece in row.pieces):
        return row
    pieces: list[Line] = []
    for piece in row.pieces:
        match = SIGN_AFTER.match(piece.text)
        if not match:
            pieces.append(piece)
            continue
        sign = 0.6 * piece.size
        pieces.append(replace(piece, text=match[1], x1=piece.x1 - 1.5 * sign))
        pieces.append(replace(piece, text=match[2], x0=piece.x1 - sign))
    return replace(row, pieces=pieces)


def _head_start(rows: Sequence[Line], least: int, start: int, end: int) -> int:
    """Return the first row of a table's head: rows close above it that stand over its number columns only."""
    columns = _columns([row for row in rows[start:end] if row.pieces])
    while len(columns) > 1 and start > least:
        row, below = rows[start - 1], rows[start]
        near = below.baseline - row.baseline < 2.2 * max(row.size, below.size)
        if not near or row.x0 < columns[0][1] - 2 or len(row.text) > 80:
            break
        start -= 1
    return start


def _tabular(row: Line) -> bool:
    pieces = row.pieces
    if not pieces or len(pieces) < 2:
        return False
    gaps = [b.x0 - a.x1 for a, b in itertools.pairwise(pieces)]
    wide = sum(gap > 1.2 * row.size for gap in gaps)
    if len(pieces) == 2 and len(pieces[0].text) < 4 and not NUMBER.match(pieces[1].text):
        return False
    return wide >= 1 and max(len(piece.text) for piece in pieces[1:]) < 80


def _run_end(rows: Sequence[Line], start: int) -> int:
    end = start + 1
    other = 0
    for index in range(start + 1, len(rows)):
        before, row = rows[index - 1], rows[index]
        if row.baseline - before.baseline > 4.5 * row.size:
            break
        if _tabular(row):
            end, other = index + 1, 0
            continue
        other += 1
        if other > 2 or (row.x1 - row.x0 > 0.85 * _width(rows[start:end]) and len(row.text) > 60):
            break
    return end


def _width(rows: Sequence[Line]) -> float:
    return max(row.x1 for row in rows) - min(row.x0 for row in rows)


def _aligned(page: int, run: Sequence[Line]) -> Table | None:
    """Lay the pieces of a run of rows into columns; None when they do not align or read as prose."""
    pieces = [piece for row in run for piece in (row.pieces or [row])]
    columns = _columns([row for row in run if row.pieces])
    if len(columns) < 2:
        return None
    rows = []
    for row in run:
        cells = [""] * len(columns)
        for piece in row.pieces or [row]:
            slot = _nearest(columns, piece)
            cells[slot] = spaced(cells[slot], piece.text, True)
        rows.append(cells)
    rows = _with_signs(_without_empty(rows))
    if len(rows[0]) < 2:
        return None
    numbers = sum(bool(NUMBER.match(cell)) for row in rows for cell in row[1:])
    filled = sum(bool(cell) for row in rows for cell in row[1:])
    if numbers < 0.3 * filled and (len(rows[0]) == 2 or filled < 0.5 * len(rows) * (len(rows[0]) - 1)):
        return None
    return Table(
        page,
        min(p.x0 for p in pieces), min(p.y0 for p in pieces),
        max(p.x1 for p in pieces), max(p.y1 for p in pieces),
        rows,
    )  # fmt: skip


def _columns(rows: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the x ranges of columns: overlapping pieces of the rows that have most pieces, joined."""
    most = max(len(row.pieces or ()) for row in rows)
    model = [row for row in rows if len(row.pieces or ()) >= max(2, 0.6 * most)]
    ranges = sorted((piece.x0, piece.x1) for row in model for piece in row.pieces or ())
    columns: list[tuple[float, float]] = []
    for x0, x1 in ranges:
        if columns and x0 < columns[-1][1] - 0.5:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def _nearest(columns: list[tuple[float, float]], piece: Line) -> int:
    def overlap(index: int) -> tuple[float, float]:
        x0, x1 = columns[index]
        return (min(x1, piece.x1) - max(x0, piece.x0), -abs((x0 + x1) / 2 - (piece.x0 + piece.x1) / 2))

    return max(range(len(columns)), key=overlap)


def _with_signs(rows: list[list[str]]) -> list[list[str]]:
    """Put currency and percent signs that stand in a column of their own to their numbers."""
    width = len(rows[0])
    drop: set[int] = set()
    for column in range(width):
        cells = [row[column] for row in rows if row[column]]
        if not cells or not all(SIGNS.match(cell) for cell in cells):
            continue
        before = cells[0].strip()[0] in "%)"
        target = column - 1 if before else column + 1
        if not 0 <= target < width:
            continue
        for row in rows:
            if row[column]:
                pair = (row[target], row[column]) if before else (row[column], row[target])
                row[target] = "".join(part.strip() for part in pair)
        drop.add(column)
    return [[cell for index, cell in enumerate(row) if index not in drop] for row in rows]


def prose_share(lines: Sequence[Line]) -> float:
    """Return the share of letters in lines that read as running text (long, mostly letters)."""
    total = sum(len(line.text) for line in lines)
    long = sum(len(line.text) for line in lines if _reads_as_text(line.text))
    return long / total if total else 0.0


def _reads_as_text(text: str) -> bool:
    letters = sum(char.isalpha() for char in text)
    return letters > 0.7 * len(text) and (len(text) > 45 or (len(text) > 22 and is_cjk(text[0])))
