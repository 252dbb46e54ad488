"""Tables without ruling lines: rows of pieces that stand in columns."""

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.model import hull
from engine.parse.pdf_grids import Place, Table, merged_cells
from engine.parse.pdf_text import Line, is_cjk, spaced
from engine.parse.pdf_three_rules import free_bands
from engine.parse.sheet_regions import YEAR
from engine.structure.captions import caption_label

NUMBER = re.compile(r"^[($€£¥\-–—+]*\s*[\d.,]+\s*[%)x]*$|^[-–—]+$|^n/?[am]\.?$", re.IGNORECASE)
BEFORE_SIGN = re.compile(r"(?<=\S)\s+(?=[$€£¥])")
FEWEST_ROWS = 3
# White above a further line of a cell is less than this share of its height.
NEAR = 0.7
# White between columns, in sizes of their letters.
WIDE = 1.2
# A second head stands below more white than parts most rows above it.
MORE_WHITE = 1.15
SIGN_BEFORE, SIGN_BEHIND = re.compile(r"^[$€£¥(\s]+$"), re.compile(r"^[%)\s]+$")


def aligned_tables(page: int, rows: Sequence[Line], before: Table | None = None) -> list[tuple[int, int, Table]]:
    """Return (first row, row after the last, table) for runs of rows whose pieces stand in columns.

    At least three rows need two or more pieces with wide gaps, one where they go on with the table ``before`` them on
    the last page; between them up to two rows without (labels, wrapped cells) are part of the table. A caption or a
    second head begins another table. Rows of prose and lists are not taken.
    """
    found: list[tuple[int, int, Table]] = []
    rows = [_with_signs(row) for row in rows]
    index = done = 0
    while index < len(rows):
        if not _tabular(rows[index]):
            index += 1
            continue
        end = _run_end(rows, index)
        enough = sum(map(_tabular, rows[index:end])) >= FEWEST_ROWS or (
            index == 0 and before is not None and all(_goes_on(row, before.xs) for row in rows[:end])
        )
        start = _head_start(rows, done, index, end)
        end = _tail_end(rows, index, end)
        table = _aligned(page, rows[start:end]) if enough else None
        if table is not None:
            found.append((start, end, table))
            done = end
        index = end
    return found


def _with_signs(row: Line) -> Line:
    """Part numbers that signs run together, and put signs that stand alone to their numbers.

    "16,388 $" is a number and the sign of the next; "$" and "(" belong to what follows, "%" and ")" to what is before.
    """
    pieces: list[Line] = []
    waiting = ""
    apart = [part for piece in row.pieces or () for part in _parted_by_signs(piece)]
    for piece, following in itertools.zip_longest(apart, apart[1:]):
        if SIGN_BEFORE.match(piece.text) and following is not None and NUMBER.match(following.text):
            waiting += piece.text.strip()
        elif pieces and SIGN_BEHIND.match(piece.text) and NUMBER.match(pieces[-1].text):
            pieces[-1] = replace(pieces[-1], text=pieces[-1].text + piece.text.strip())
        else:
            pieces.append(replace(piece, text=waiting + piece.text) if waiting else piece)
            waiting = ""
    return replace(row, pieces=pieces) if pieces else row


def _parted_by_signs(piece: Line) -> list[Line]:
    texts = BEFORE_SIGN.split(piece.text)
    if len(texts) == 1 or not all(NUMBER.match(text) or SIGN_BEFORE.match(text) for text in texts):
        return [piece]
    letter = (piece.x1 - piece.x0) / len(piece.text)
    ends = [piece.x0 + letter * match.start() for match in BEFORE_SIGN.finditer(piece.text)]
    starts = [piece.x0, *(end + letter for end in ends)]
    parts = zip(texts, starts, [*ends, piece.x1], strict=True)
    return [replace(piece, text=text, x0=x0, x1=x1) for text, x0, x1 in parts]


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


def _tail_end(rows: Sequence[Line], start: int, end: int) -> int:
    """Return the row after the last of a table with what its last row's cells go on with, all but the first of them."""
    columns = _columns([row for row in rows[start:end] if row.pieces])
    for row in rows[end:]:
        above = rows[end - 1]
        at = next((at for at in range(len(columns) - 1, 0, -1) if columns[at][0] - 2 <= row.x0), 0)
        right = columns[at + 1][0] if at + 1 < len(columns) else math.inf
        near = row.y0 - above.y1 < NEAR * (row.y1 - row.y0)
        words = row.x1 < right and ":" not in row.text and not NUMBER.match(row.text)
        if not (at and near and words) or not any(
            p.x0 < right and columns[at][0] < p.x1 for p in above.pieces or [above]
        ):
            break
        end += 1
    return end


def _goes_on(row: Line, edges: Sequence[float]) -> bool:
    """Tell whether a row has one piece in each column between these edges."""
    pieces = row.pieces or ()
    inside = [a - 2 <= p.x0 and p.x1 <= b + 2 for p, (a, b) in zip(pieces, itertools.pairwise(edges), strict=False)]
    return len(pieces) == len(edges) - 1 and all(inside)


def _second_head(rows: Sequence[Line], start: int, at: int) -> bool:
    """Tell whether a row below more white than parts those above has names over figures, or is bold as the head is."""
    row, above, below = rows[at], rows[at - 1], rows[min(at + 1, len(rows) - 1)]
    steps = sorted(b.baseline - a.baseline for a, b in itertools.pairwise(rows[start:at]))
    apart = at > start + 1 and row.baseline - above.baseline > MORE_WHITE * steps[len(steps) // 2]
    full = len(row.pieces or ()) >= len(rows[start].pieces or ()) and not _has_figures(row)
    bold = min(row.bold, rows[start].bold) > 0.5 > max(above.bold, below.bold)
    return apart and full and (bold or (_has_figures(above) and _has_figures(below)))


def _has_figures(row: Line) -> bool:
    return any(NUMBER.match(piece.text) for piece in row.pieces or ())


def _tabular(row: Line) -> bool:
    pieces = row.pieces
    if not pieces or len(pieces) < 2:
        return False
    gaps = [b.x0 - a.x1 for a, b in itertools.pairwise(pieces)]
    wide = sum(gap > WIDE * row.size for gap in gaps)
    first, second = pieces[0].text, pieces[1].text
    # Chinese words are short.
    is_label = first.endswith((":", "：")) or (is_cjk(first[0]) and first.isalpha())
    if len(pieces) == 2 and len(first) < 4 and not is_label and not NUMBER.match(second):
        return False
    return wide >= 1 and max(len(piece.text) for piece in pieces[1:]) < 80


def _run_end(rows: Sequence[Line], start: int) -> int:
    end = start + 1
    other = 0
    for index in range(start + 1, len(rows)):
        before, row = rows[index - 1], rows[index]
        if row.baseline - before.baseline > 4.5 * row.size or _second_head(rows, start, index):
            break
        if _tabular(row):
            end, other = index + 1, 0
            continue
        if caption_label(row.text):
            break
        other += 1
        width = max(r.x1 for r in rows[start:end]) - min(r.x0 for r in rows[start:end])
        if other > 2 or (row.x1 - row.x0 > 0.85 * width and len(row.text) > 60):
            break
    return end


def _aligned(page: int, run: Sequence[Line]) -> Table | None:
    """Lay the pieces of a run of rows into columns; None when they do not align or read as prose."""
    pieces = [piece for row in run for piece in (row.pieces or [row])]
    columns = _columns([row for row in run if row.pieces])
    rows = []
    spans: dict[tuple[int, int], int] = {}
    for index, row in enumerate(run):
        cells = [""] * len(columns)
        own = row.pieces or [row]
        figures = any(NUMBER.match(piece.text) and not YEAR.match(piece.text) for piece in own)
        for piece in own:
            slot = _nearest(columns, piece)
            # The columns of which it stands over two fifths of the width or more; beside figures it is only long.
            met = [(min(x1, piece.x1) - max(x0, piece.x0), x1 - x0) for x0, x1 in columns]
            below = [at for at, (shared, width) in enumerate(met) if shared >= 0.4 * width]
            beside = (_nearest(columns, other) for other in own if other is not piece)
            if len(below) > 1 and not figures and not any(at in below for at in beside):
                slot = below[0]
                spans[index, slot] = len(below)
            cells[slot] = spaced(cells[slot], piece.text, True)
        rows.append(cells)
    _with_their_heads(rows, spans)
    rows, spans, heights = _without_wrapped(rows, spans, [(row.y0, row.y1) for row in run])
    kept = [column for column in range(len(columns)) if any(row[column] for row in rows)]
    if len(kept) < 2 or not _reads_as_table([[row[column] for column in kept] for row in rows]):
        return None
    place = {column: at for at, column in enumerate(kept)}
    texts = {(index, at): row[column] for index, row in enumerate(rows) for column, at in place.items()}
    owner: dict[Place, Place] = {}
    for (index, column), wide in spans.items():
        over = [(index, place[other]) for other in range(column, column + wide) if other in place]
        owner |= dict.fromkeys(over, over[0])
    return Table(
        *hull(p.bbox for p in pieces), page, merged_cells(texts, owner, len(rows), len(kept)),
        _between([columns[column] for column in kept]), _between(heights),
    )  # fmt: skip


def _without_wrapped(
    rows: Sequence[list[str]], spans: Mapping[tuple[int, int], int], heights: Sequence[tuple[float, float]]
) -> tuple[list[list[str]], dict[tuple[int, int], int], list[tuple[float, float]]]:
    """Join rows that hold only more words of a cell above, with the (top, bottom) of each row in points.

    In the first column such a row may be the name of a group, and a number is a value of its own.
    """
    joined: list[list[str]] = []
    spread: dict[tuple[int, int], int] = {}
    ranges: list[tuple[float, float]] = []
    for index, (row, height) in enumerate(zip(rows, heights, strict=True)):
        filled = [column for column, cell in enumerate(row) if cell]
        only = filled[0] if len(filled) == 1 and (index, filled[0]) not in spans else 0
        near = bool(ranges) and height[0] - ranges[-1][1] < NEAR * (height[1] - height[0])
        above = joined[-1][only] if near and only else ""
        if above and not NUMBER.match(above) and not NUMBER.match(row[only]):
            joined[-1][only] = spaced(above, row[only], True)
            ranges[-1] = (ranges[-1][0], height[1])
            continue
        spread |= {(len(joined), column): n for (place, column), n in spans.items() if place == index}
        joined.append(list(row))
        ranges.append(height)
    return joined, spread, ranges


def _reads_as_table(rows: Sequence[Sequence[str]]) -> bool:
    numbers = sum(bool(NUMBER.match(cell)) for row in rows for cell in row[1:])
    filled = sum(bool(cell) for row in rows for cell in row[1:])
    if numbers >= 0.3 * filled:
        return True
    return filled >= 0.5 * len(rows) * (len(rows[0]) - 1) and (len(rows[0]) > 2 or _pairs(rows))


def _between(ranges: Sequence[tuple[float, float]]) -> list[float]:
    """Return edges around ranges that follow each other, and halfway between them."""
    middles = [(before[1] + after[0]) / 2 for before, after in itertools.pairwise(ranges)]
    return [ranges[0][0], *middles, ranges[-1][1]]


def _pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Tell a list of short labels and values from two paragraphs side by side."""
    both = [row for row in rows if row[0] and row[1]]
    if len(both) < 0.7 * len(rows):
        return False
    labels, values = (sum(len(row[at]) for row in both) for at in (0, 1))
    return labels < 35 * len(both) and values < 60 * len(both)


def _columns(rows: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the x ranges of columns, by the gutters that hardly any of the rows with most pieces crosses."""
    most = max(len(row.pieces or ()) for row in rows)
    model = [row for row in rows if len(row.pieces or ()) >= max(2, 0.6 * most)]
    lines = [[(piece.x0, piece.x1) for piece in row.pieces or ()] for row in model]
    edges = [x for band in free_bands(lines) for x in band]
    left, right = min(line[0][0] for line in lines), max(line[-1][1] for line in lines)
    columns = zip((left, *edges[1::2]), (*edges[::2], right), strict=True)
    pieces = [piece for line in lines for piece in line]
    # What indented names leave free on their left is no column.
    found = [(x0, x1) for x0, x1 in columns if any(x0 - 1 < a and b < x1 + 1 for a, b in pieces)]
    for piece in pieces:
        met = [at for at, (x0, x1) in enumerate(found) if piece[0] < x1 and x0 < piece[1]]
        if len(met) == 1:
            found[met[0]] = min(found[met[0]][0], piece[0]), max(found[met[0]][1], piece[1])
        elif all(max(piece[0] - x1, x0 - piece[1]) > WIDE * rows[0].size for x0, x1 in found):
            found.append(piece)  # a column of which little more is printed than its head
    return sorted(found)


def _nearest(columns: list[tuple[float, float]], piece: Line) -> int:
    def overlap(index: int) -> tuple[float, float]:
        x0, x1 = columns[index]
        return (min(x1, piece.x1) - max(x0, piece.x0), -abs((x0 + x1) / 2 - (piece.x0 + piece.x1) / 2))

    return max(range(len(columns)), key=overlap)


def _with_their_heads(rows: list[list[str]], spans: dict[tuple[int, int], int]) -> None:
    """Move what stands in a column over numbers that begin below it on the right: heads over the signs of these."""
    for column in range(1, len(rows[0]) - 1):
        heads = [index for index, row in enumerate(rows) if row[column]]
        below = [index for index, row in enumerate(rows) if row[column + 1]]
        texts = [rows[index][column] for index in heads]
        figures = [text for text in texts if NUMBER.match(text) and not YEAR.match(text)]
        if not heads or not below or heads[-1] >= below[0] or figures:
            continue
        for index, text in zip(heads, texts, strict=True):
            rows[index][column], rows[index][column + 1] = "", text
            if (span := spans.pop((index, column), 1) - 1) > 1:
                spans[index, column + 1] = span
