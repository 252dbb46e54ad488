"""What a table node is enriched with: header, columns with units and types, row names, label, notes.

The rows stay as the parser gave them. Added to ``metadata`` are

- ``header_rows``, ``header_columns``, and ``note_rows`` where the table ends in notes;
- ``columns``: ``{"name", "unit", "dtype"}`` for each, levels joined as "2023 / Q1", and ``scale`` (1000000
  for "in millions") where it is not 1. ``dtype`` is number, percent, currency, date, time or text;
- ``unit`` and ``scale`` of the whole table where its caption, a note or the text above says so;
- ``row_names`` where rows are named by several levels (groups, merged cells), and ``row_measures``
  (``{"row", "unit", "scale"}``) for rows whose name states a unit;
- ``label``, ``caption`` and ``notes``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.enrich.cell_values import CellValue, column_values, is_year, parse_cell
from engine.enrich.labels import label_of
from engine.enrich.table_shape import MOSTLY, Rows, Shape, counts, is_group_row, row_names, shape_of
from engine.enrich.units import Measure, header_measure, measure_of, merged, note_measure
from engine.model import Node

SAMPLE = 120
MOST_COLUMNS = 500
MOST_MEASURED_ROWS = 500
LONGEST_NAME = 300
_LETTERED = re.compile(r"\((?:a|b|i|j|k)\)")
# "Years ended December 31," above a table is its period, not its name.
_PERIOD = re.compile(r"\bended\b|^as (?:of|at)\b|,$|^\W*(?:[A-Z][a-z]+ )?\d{1,2}, \d{4}\W*$", re.IGNORECASE)
# How long a period is, is no unit of its figures.
_LASTS = re.compile(r"\b\d+ (?:days|weeks|months)\b", re.IGNORECASE)
_ONE_YEAR = re.compile(r"(?:(?:FY|F|CY)\s?)?['’]?(?:(?:19|20)\d\d|(?<=[\w'’])\d\d)\W*", re.IGNORECASE)
_CHANGE = re.compile(r"\W*(?:change|chg|variance|growth|increase|变动|增减)", re.IGNORECASE)
# What an amount per something is given in is not scaled with the rest of the table.
_UNSCALED = re.compile(r"\bper\b|每|%|percent|\bratio\b|\brate\b|率|比例|占比|倍", re.IGNORECASE)
# What is counted is not in the money that the rest of a table is in: "Employees" in a table "in EUR million".
_COUNT = re.compile(
    r"\b(?:number of|employees|headcount|workforce|full-time equivalents?|FTEs?)\b"
    r"(?!.*\b(?:cost|expense|benefit|payable)s?\b)|人数|员工数|职工数|户数|家数"
    r"|^(?:\w+ )?(?:quantit(?:y|ies)|qty)\b(?! (?:discount|price|cost|value))|(?:数量|件数|台数)$",
    re.IGNORECASE,
)


def enrich_table(
    node: Node, before: Sequence[str] = (), notes: Sequence[str] = (), sample: Rows | None = None
) -> Node:
    """Return a table node with its metadata filled in.

    ``before`` are the texts just above it, the nearest first, and its section's title: units may stand
    there. ``notes`` are the texts below it that explain it. ``sample`` are rows of the whole table where this
    node is a part of it: all parts have its columns.
    """
    rows = _rows(node.metadata.get("rows"))
    if not rows:
        return node
    stated = node.metadata.get("header_rows")
    given = stated if isinstance(stated, int) and stated > 0 else 0
    shape = shape_of(rows, given)
    whole_rows: Rows = rows
    whole_shape = shape
    if sample is not None:
        whole_rows, whole_shape = sample, shape_of(sample, given)
        # Later parts repeat what the format gave as header, no more.
        repeated = whole_shape.header_rows if node.metadata["part"][0] == 1 else given
        header = min(repeated, whole_shape.header_rows)
        titles_here = min(whole_shape.title_rows, header)
        shape = replace(whole_shape, header_rows=header, title_rows=titles_here, note_rows=shape.note_rows)
    titles = [_first(row) for row in rows[: shape.title_rows] if _first(row)]
    caption = _caption(node, titles)
    whole = _table_measure(whole_rows, whole_shape, [caption, *titles, *before])
    facts: dict[str, Any] = {"header_rows": shape.header_rows, "header_columns": shape.header_columns}
    facts["columns"] = _columns(whole_rows, whole_shape, whole)
    if shape.note_rows:
        facts["note_rows"] = shape.note_rows
    if whole.unit:
        facts["unit"] = whole.unit
    if whole.scale != 1:
        facts["scale"] = whole.scale
    if names := row_names(rows, shape):
        facts["row_names"] = names
    if measures := _row_measures(rows, shape, whole):
        facts["row_measures"] = measures
    label = node.metadata.get("label") or _printed(caption)
    found = [_first(row) for row in rows[len(rows) - shape.note_rows :] if _first(row)] + list(notes)
    facts |= {"caption": caption, "label": label} | ({"notes": found} if found else {})
    return replace(node, metadata=node.metadata | facts)


def read_cell(metadata: Mapping[str, Any], row: int, column: int) -> CellValue:
    """Return the value of a cell of an enriched table, ``row`` and ``column`` 0-based, unit and scale resolved.

    What the cell itself says comes first, then its row's name, its column's header, the table's note.
    Outside the table the cell is empty.
    """
    rows = metadata.get("rows") or []
    if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
        return CellValue("empty")
    cell = parse_cell(str(rows[row][column]))
    columns = metadata.get("columns") or []
    header = columns[column] if column < len(columns) else {}
    if not cell.numeric or header.get("dtype") == "date":
        return (
            CellValue("date", date=str(rows[row][column]).strip()[:4])
            if header.get("dtype") == "date" and is_year(str(rows[row][column]))
            else cell
        )
    own: dict[str, Any] = next((m for m in metadata.get("row_measures") or [] if m["row"] == row), {})
    unit = cell.unit or own.get("unit") or header.get("unit")
    scale = cell.scale if cell.scale != 1 else own.get("scale", 1)
    names = metadata.get("row_names") or []
    name = names[row] if row < len(names) and names[row] else str(rows[row][0])
    head = str(header.get("name") or "")
    counted = _COUNT.search(name) or (_COUNT.search(head) and header_measure(head) is None)
    if counted and not cell.unit and not own and Measure(unit).money:
        return replace(cell, dtype="number", unit=None)
    if scale == 1 and unit != "%" and not _UNSCALED.search(name):
        scale = header.get("scale", 1)
    money = Measure(unit).money
    return replace(
        cell, dtype="percent" if unit == "%" else "currency" if money else "number", unit=unit, scale=scale
    )


def _rows(rows: Any) -> list[list[str]]:
    """Return the rows as texts, all of one width."""
    if not isinstance(rows, list):
        return []
    texts = [
        ["" if cell is None else str(cell) for cell in row] for row in rows if isinstance(row, list | tuple)
    ]
    width = max((len(row) for row in texts), default=0)
    return [row + [""] * (width - len(row)) for row in texts] if width else []


def _first(row: Sequence[str]) -> str:
    return next((cell.strip() for cell in row if cell.strip()), "")


def _caption(node: Node, titles: Sequence[str]) -> str:
    caption = str(node.metadata.get("caption") or node.title or "")
    return caption or next((t for t in titles if measure_of(t) is None and not _PERIOD.search(t)), "")


def _printed(caption: str) -> str | None:
    label = label_of(caption)
    return label.printed if label else None


def _table_measure(rows: Rows, shape: Shape, texts: Sequence[str]) -> Measure:
    """Return the unit and scale that hold for the whole table, the nearest that say one."""
    corner = [row[0] for row in rows[: shape.header_rows] if row and row[0].strip()]
    lone = [
        _first(row) for row in rows[: shape.header_rows] if len({cell for cell in row if cell.strip()}) == 1
    ]
    told = [text[:400] if index == 0 else text[-200:] for index, text in enumerate([*corner, *lone, *texts])]
    return merged([note_measure(text) for text in told]) or Measure()


def _columns(rows: Rows, shape: Shape, whole: Measure) -> list[dict[str, Any]]:
    width = min(max(len(row) for row in rows), MOST_COLUMNS)
    header = _filled_header(rows[shape.title_rows : shape.header_rows], width)
    body = [row for row in rows[shape.header_rows : len(rows) - shape.note_rows] if not is_group_row(row)]
    body = body[:: max(1, len(body) // SAMPLE)]
    lettered = any(_LETTERED.search(cell) for row in [*header, *[row[:1] for row in body]] for cell in row)
    columns = []
    for index in range(width):
        name = _name([level[index] for level in header])
        cells = [row[index] for row in body if index < len(row) and row[index].strip()]
        columns.append(_column(name, cells, whole, lettered, index < shape.header_columns))
    return columns


def _filled_header(levels: Rows, width: int) -> list[list[str]]:
    """Return the header rows with the text of an upper level carried over the columns it stands above.

    Rows that only say the unit of the whole table are left out: they name no column.
    """
    full = [[*map(_one_line, row), *[""] * (width - len(row))][:width] for row in levels]
    full = _unwrapped([level for level in full if not _says_unit_only(level) and not counts(level)])
    for index in range(len(full) - 2, -1, -1):
        level, texts = full[index], _places(full[index])
        named = [column for column in range(1, width) if any(lower[column] for lower in full[index + 1 :])]
        # Below a level that spans columns only a finer one does; else it is the first line of a wrapped name.
        if not texts or not named or len(named) < MOSTLY * (width - 1):
            continue
        if index and len(texts) <= len(_places(full[index - 1])):
            continue
        # Spans are printed at their left, or else in their middle, unless columns would then be called the same.
        left = texts[0] if texts[0] > 0 else texts[1] if len(texts) > 1 else 0
        below = full[index + 1]
        full[index] = _spanning(level, named, below, centred=left > named[0])
        if left > named[0] and _alike(full[index:]):
            full[index] = _spanning(level, named, below, centred=False)
    return full


def _one_line(cell: str) -> str:
    """Return a header's text on one line, "" for a mere stroke; letters set apart are one Chinese word: "单 价"."""
    parts = cell.split() if cell.strip("-–—_ ") else []
    apart = len(parts) > 1 and all(len(part) == 1 and part >= "\u3400" for part in parts)
    return ("" if apart else " ").join(parts)


def _spanning(level: Sequence[str], named: Sequence[int], below: Sequence[str], centred: bool) -> list[str]:
    """Return an upper header row with its texts carried over the named columns; a change is of no one year."""
    texts, spanning = _places(level), list(level)
    for column in named:
        above = level[column] or _over(column, texts, level, centred)
        spanning[column] = (
            "" if _ONE_YEAR.fullmatch(above) and _CHANGE.match(below[column]) and not level[column] else above
        )
    return spanning


def _alike(levels: Sequence[Sequence[str]]) -> bool:
    """True when two columns have the same names in all levels."""
    names = [name for name in zip(*levels, strict=True) if any(name)]
    return len(set(names)) < len(names)


def _places(level: Sequence[str]) -> list[int]:
    return [column for column, cell in enumerate(level) if cell]


def _unwrapped(levels: list[list[str]]) -> list[list[str]]:
    """Join rows whose texts stand in the same places while others are empty: one row printed on two lines.

    So are two rows that name all columns but the first, which only one of them names.
    """
    joined: list[list[str]] = []
    for level in levels:
        if joined and _goes_on(joined[-1], level):
            joined[-1] = [_lines(upper, cell) for upper, cell in zip(joined[-1], level, strict=True)]
        else:
            joined.append(level)
    return joined


def _goes_on(above: Sequence[str], level: Sequence[str]) -> bool:
    places = _places(level)
    years = [is_year(level[column]) for column in places]
    if places == _places(above) and len(places) <= len(level) // 2:
        return not any(years)
    full = len(level) > 2 and all((*level[1:], *above[1:])) and len(set(above[1:])) == len(level) - 1
    return full and not (level[0] and above[0]) and not all(years[-2:])


def _lines(upper: str, lower: str) -> str:
    if upper == lower:
        return upper
    apart = " " if upper and lower and (upper[-1] < "\u2e80" or lower[0] < "\u2e80") else ""
    return f"{upper}{apart}{lower}"


def _says_unit_only(level: Sequence[str]) -> bool:
    filled = {cell for cell in level if cell}
    return len(filled) == 1 and sum(map(bool, level)) == 1 and measure_of(next(iter(filled))) is not None


def _over(column: int, texts: Sequence[int], level: Sequence[str], centred: bool) -> str:
    """Return the text of an upper header row that stands above a column without one of its own."""
    columns = [text for text in texts if text > 0]
    if centred:
        return level[min(columns, key=lambda text: (abs(text - column), -text))] if columns else ""
    before = [text for text in columns if text < column]
    return level[before[-1]] if before else ""


def _name(parts: Sequence[str]) -> str:
    return " / ".join(dict.fromkeys(part for part in parts if part))[:LONGEST_NAME]


def _column(
    name: str, cells: Sequence[str], whole: Measure, lettered: bool, names_rows: bool
) -> dict[str, Any]:
    values = column_values(cells)
    dtype, unit = _dtype(values, cells)
    stated = None if _LASTS.search(name) else header_measure(name, lettered)
    scale = 1
    if dtype in ("number", "percent", "currency"):
        if stated and stated.unit and not (stated.unit == "%" and unit not in (None, "%")):
            unit = unit if dtype == "percent" else stated.unit
        scale = stated.scale if stated else 1
        if _COUNT.search(name) and Measure(whole.unit).money:
            whole = Measure()
        if not names_rows and unit is None and not _UNSCALED.search(name):
            unit = whole.unit
        if (
            not names_rows
            and scale == 1
            and unit != "%"
            and not _UNSCALED.search(name)
            # A table "in millions" scales its money and bare numbers; one "in 万元" its money only.
            and (unit in (None, whole.unit) or Measure(unit).money)
        ):
            scale = whole.scale
        dtype = "percent" if unit == "%" else "currency" if Measure(unit).money else dtype
    column: dict[str, Any] = {"name": name, "unit": unit, "dtype": dtype}
    return column if scale == 1 else column | {"scale": scale}


def _dtype(values: Sequence[CellValue], cells: Sequence[str]) -> tuple[str, str | None]:
    """Return what most cells of a column are, and their common unit."""
    kinds = Counter(value.dtype for value in values if value.dtype != "empty")
    filled = sum(kinds.values())
    if not filled:
        return "text", None
    numeric = kinds["number"] + kinds["percent"] + kinds["currency"]
    years = sum(is_year(cell) for cell in cells)
    if kinds["date"] + years >= MOSTLY * filled:
        return "date", None
    if kinds["time"] >= MOSTLY * filled:
        return "time", None
    if numeric < MOSTLY * filled:
        return "text", None
    units = Counter(value.unit for value in values if value.numeric and value.unit)
    unit, count = units.most_common(1)[0] if units else (None, 0)
    first = next((value for value in values if value.numeric), None)
    # Statements print the sign in their first and last rows only: here the whole is 100 %.
    of_whole = first is not None and first.unit == "%" and first.value == 100 and len(units) == 1
    if of_whole or kinds["percent"] >= MOSTLY * numeric:
        return "percent", "%"
    # The same goes for the currency; a column of key figures mixes units.
    printed_once = first is not None and first.unit == unit and Measure(unit).money
    if unit and len(units) == 1 and (printed_once or count >= MOSTLY * numeric):
        return ("currency" if Measure(unit).money else "number"), unit if unit != "%" else None
    return "number", None


def _is_part_of_name(name: str, stated: Measure, whole: Measure) -> bool:
    """True for "Zone EUR" in a table in CHF: a bare code at the end that would be another currency is a name."""
    other = stated.money and Measure(whole.unit).money and stated.unit != whole.unit
    return bool(other and re.search(r"\w\s+[A-Z]{3}$", name.strip()))


def _row_measures(rows: Rows, shape: Shape, whole: Measure) -> list[dict[str, Any]]:
    if not shape.header_columns or len(rows) > MOST_MEASURED_ROWS:
        return []
    body = range(shape.header_rows, len(rows) - shape.note_rows)
    lettered = any(_LETTERED.search(cell) for row in rows for cell in row[:1])
    measures: list[dict[str, Any]] = []
    group: Measure | None = None
    for index in body:
        row = rows[index]
        name = row[shape.header_columns - 1] if len(row) >= shape.header_columns else ""
        stated = header_measure(name, lettered) if name.strip() else None
        if stated and _is_part_of_name(name, stated, whole):
            stated = None
        if is_group_row(row):
            group = stated
            continue
        stated = stated or group
        if stated:
            measures.append({"row": index, "unit": stated.unit, "scale": stated.scale})
    return measures
