"""What a table node is enriched with: header, columns with units and types, row names, label, notes.

The rows stay as the parser gave them. Added to ``metadata`` are

- ``header_rows``, ``header_columns``, and ``note_rows`` where the table ends in notes;
- ``columns``: ``{"name", "unit", "dtype"}`` for each, levels joined as "2023 / Q1", and ``scale`` (1000000
  for "in millions") where it is not 1. ``dtype`` is number, percent, currency, date, time or text;
- ``unit`` and ``scale`` of the whole table where its caption, a note or the text above says so;
- ``row_names`` where rows are named by several levels (groups, merged cells), and ``row_measures``
  (``{"row", "unit", "scale"}``) for rows whose name states a unit;
- ``label``, ``caption``, ``titles`` (the texts above the header) and ``notes``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from engine.enrich.cell_values import NUMERIC, CellType, CellValue, column_values, is_year, numeric_type, parse_cell
from engine.enrich.labels import label_of
from engine.enrich.table_shape import MOSTLY, Rows, Shape, counts, is_group_row, note_rows, row_names, shape_of
from engine.enrich.units import Measure, counted_in, header_measure, measure_of, merged, note_measure
from engine.language import compiled, patterns
from engine.model import Node

SAMPLE, MOST_COLUMNS, MOST_MEASURED_ROWS, LONGEST_NAME = 120, 500, 500, 300
_LETTERED = re.compile(r"\((?:a|b|i|j|k)\)")
# "Years ended December 31," above a table is its period, not its name.
_PERIOD = re.compile(r"\bended\b|^as (?:of|at)\b|,$|^\W*(?:[A-Z][a-z]+ )?\d{1,2}, \d{4}\W*$", re.IGNORECASE)
# How long a period is, is no unit of its figures.
_LASTS = re.compile(r"\b\d+ (?:days|weeks|months)\b", re.IGNORECASE)
_ONE_YEAR = re.compile(r"(?:(?:FY|F|CY)\s?)?['’]?(?:(?:19|20)\d\d|(?<=[\w'’])\d\d)\W*", re.IGNORECASE)
_CHANGE = re.compile(r"\W*(?:change|chg|variance|growth|increase|变动|增减)", re.IGNORECASE)
# What an amount per something is given in is not scaled with the rest of the table.
_UNSCALED = re.compile(r"\bper\b|每|%|percent|\bratio\b|\brate\b|率|比例|占比|倍", re.IGNORECASE)
_WORD, _REMARK = re.compile(r"[^\W\d_]+"), re.compile(r"[(（][^()（）]*[)）]")
# A note that names so many columns lists those that its unit is of.
_LISTED = 3
_COUNT = compiled(patterns("values")["counted"])


def enrich_table(node: Node, before: Sequence[str] = (), notes: Sequence[str] = (), sample: Rows | None = None) -> Node:
    """Return a table node with its metadata filled in.

    ``before`` are the texts just above it, the nearest first, and its section's title: units may stand
    there. ``notes`` are the texts below it that explain it. ``sample`` are rows of the whole table where this
    node is a part of it: all parts have its columns.
    """
    rows = _rows(node.metadata.get("rows"))
    if not rows:
        return node
    given = node.metadata.get("header_rows", 0)
    whole_rows: Rows = rows if sample is None else sample
    whole_shape = shape_of(whole_rows, given, node.metadata.get("header_by_hand"))
    shape = whole_shape if sample is None else _shape_of_part(node, rows, whole_shape, given)
    titles = list(dict.fromkeys(filter(None, map(str.strip, chain.from_iterable(rows[: shape.title_rows])))))
    caption = _caption(node, titles)
    texts = [caption, *titles, *before]
    told = _measuring(whole_rows, whole_shape, texts)
    whole = merged(map(note_measure, told)) or Measure()
    counted = {unit: scale for text in reversed(told) for unit, scale in counted_in(text).items() if whole.money}
    facts = {
        "header_rows": shape.header_rows, "header_columns": shape.header_columns,
        "columns": _columns(whole_rows, whole_shape, whole, texts),
    }  # fmt: skip
    where_told = {
        "note_rows": shape.note_rows, "unit": whole.unit, "scale": None if whole.scale == 1 else whole.scale,
        "row_names": row_names(rows, shape), "row_measures": _row_measures(rows, shape, whole, counted),
    }  # fmt: skip
    facts |= {name: fact for name, fact in where_told.items() if fact}
    printed = label_of(caption)
    label = node.metadata.get("label") or (printed.printed if printed else None)
    found = [*_texts(rows[len(rows) - shape.note_rows :]), *notes]
    facts |= {"caption": caption, "label": label} | ({"notes": found} if found else {})
    facts |= {"titles": titles} if titles else {}
    return replace(node, metadata=node.metadata | facts)


def _shape_of_part(node: Node, rows: Rows, whole: Shape, given: int) -> Shape:
    """Return the layout of a part of a table; later parts repeat what the format gave as header, no more."""
    header = whole.header_rows if node.metadata["part"][0] == 1 else min(given, whole.header_rows)
    titles, notes = min(whole.title_rows, header), note_rows(rows, len(rows[0]))
    return replace(whole, header_rows=header, title_rows=titles, note_rows=notes)


def read_cell(metadata: Mapping[str, Any], row: int, column: int) -> CellValue:
    """Return the value of a cell of an enriched table, ``row`` and ``column`` 0-based, unit and scale resolved.

    What the cell itself says comes first, then its row's name, its column's header, the table's note.
    Outside the table the cell is empty.
    """
    rows = metadata.get("rows") or []
    if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
        return parse_cell("")
    text = str(rows[row][column])
    cell = parse_cell(text)
    header: Mapping[str, Any] = next(iter(metadata.get("columns", [])[column : column + 1]), {})
    if header.get("dtype") == "date":
        return CellValue("date", date=text.strip()[:4]) if is_year(text) else cell
    if not cell.numeric:
        return cell
    name = "".join(metadata.get("row_names", [])[row : row + 1]) or str(rows[row][0])
    own: Mapping[str, Any] = next((one for one in metadata.get("row_measures", []) if one["row"] == row), {})
    return _resolved(cell, name, own, header)


def _resolved(cell: CellValue, name: str, own: Mapping[str, Any], header: Mapping[str, Any]) -> CellValue:
    """Return a number with its unit and scale; ``name`` and ``own`` measure are its row's, ``header`` its column's."""
    nearest: tuple[Mapping[str, Any], ...] = {"unit": cell.unit, "scale": cell.scale}, own
    unit = next(filter(None, (told.get("unit") for told in (*nearest, header))), None)
    if not (cell.unit or own) and Measure(unit).money and _is_count(name, header):
        return replace(cell, dtype="number", unit=None)
    other = Measure(header.get("unit")).money and not Measure(unit).money  # shares in a table of money
    scales = nearest if other or unit == "%" or _UNSCALED.search(name) else (*nearest, header)
    scale = next((told["scale"] for told in scales if told.get("scale", 1) != 1), 1)
    return replace(cell, dtype=numeric_type(unit), unit=unit, scale=scale)


def _is_count(name: str, header: Mapping[str, Any]) -> bool:
    """True where the name of a row, or that of a column without a measure of its own, says that things are counted."""
    head = str(header.get("name") or "")
    return bool(_COUNT.search(name) or (_COUNT.search(head) and header_measure(head) is None))


def _rows(rows: Any) -> list[list[str]]:
    """Return the rows as texts, all of one width."""
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows or ()]
    width = max((len(row) for row in texts), default=0)
    return [row + [""] * (width - len(row)) for row in texts] if width else []


def _texts(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the first text of each row that has one."""
    return [text for row in rows if (text := next(filter(None, map(str.strip, row)), ""))]


def _caption(node: Node, titles: Sequence[str]) -> str:
    caption = str(node.metadata.get("caption") or node.title or "")
    return caption or next((t for t in titles if measure_of(t) is None and not _PERIOD.search(t)), "")


def _measuring(rows: Rows, shape: Shape, texts: Sequence[str]) -> list[str]:
    """Return what may say the unit and scale that hold for the whole table, the nearest first.

    What the name of a column of figures says, or of some columns together, is of these alone.
    """
    header = rows[: shape.header_rows]
    first = _first_cells(rows[shape.header_rows : shape.header_rows + SAMPLE])
    corner = _first_cells(header[:-1] if _dtype(first)[0] in NUMERIC else header)
    lone = _texts(row for row in header if len(set(filter(str.strip, row))) == 1 and not _spans_some(row, shape))
    nearest, *others = *corner, *lone, *texts
    return [nearest[:400], *(text[-200:] for text in others)]


def _first_cells(rows: Rows) -> list[str]:
    return [row[0] for row in rows if row and row[0].strip()]


def _spans_some(row: Sequence[str], shape: Shape) -> bool:
    """True for a text that stands above several columns of values, and not above all."""
    places = [column for column, cell in enumerate(row) if cell.strip()]
    return places[0] > 0 and 1 < len(places) < len(row) - max(1, shape.header_columns)


def _named_in(texts: Iterable[str], names: Sequence[str]) -> set[int]:
    """Return the columns that a note on units is about, where it lists them: "Sales, costs and profit are in".

    Of a name most words stand in the note; where it lists fewer than three columns it is about all.
    """
    words = [set(_WORD.findall(_REMARK.sub("", name).casefold())) for name in names]
    for said in (set(_WORD.findall(text.casefold())) for text in texts if note_measure(text)):
        if sum(bool(own) and own <= said for own in words) >= _LISTED:
            return {column for column, own in enumerate(words) if 2 * len(own & said) > len(own)}
    return set(range(len(names)))


def _columns(rows: Rows, shape: Shape, whole: Measure, texts: Sequence[str]) -> list[dict[str, Any]]:
    width = min(max(len(row) for row in rows), MOST_COLUMNS)
    header = _filled_header(rows[shape.title_rows : shape.header_rows], width)
    body = [row for row in rows[shape.header_rows : len(rows) - shape.note_rows] if not is_group_row(row)]
    body = body[:: max(1, len(body) // SAMPLE)]
    lettered = _is_lettered([*header, *(row[:1] for row in body)])
    levels = zip(*header, strict=True) if header else [()] * width
    names = [" / ".join(dict.fromkeys(filter(None, told)))[:LONGEST_NAME] for told in levels]
    meant = _named_in(texts, names)
    columns = []
    for index, name in enumerate(names):
        cells = [cell for row in body for cell in row[index : index + 1] if cell.strip()]
        of_all = whole if index in meant else Measure()
        columns.append(_column(name, cells, of_all, lettered, index < shape.header_columns))
    return columns


def _is_lettered(rows: Rows) -> bool:
    return any(map(_LETTERED.search, chain.from_iterable(rows)))


def _filled_header(levels: Rows, width: int) -> list[list[str]]:
    """Return the header rows with the text of an upper level carried over the columns it stands above.

    Rows that only say the unit of the whole table are left out: they name no column.
    """
    full = [[*map(_one_line, row), *[""] * (width - len(row))][:width] for row in levels]
    full = _unwrapped([level for level in full if not _says_unit_only(level) and not counts(level)])
    for index in range(len(full) - 2, -1, -1):
        coarser = len(_places(full[index - 1])) if index else 0
        full[index] = _carried(full[index], full[index + 1 :], coarser)
    return full


def _carried(level: list[str], lower: list[list[str]], coarser: int) -> list[str]:
    """Return a header row with its texts carried over the columns that the ``lower`` ones name.

    Below a level that spans columns, of so many ``coarser`` texts, only a finer one does; else it is the first line of
    a wrapped name.
    """
    texts = _places(level)
    if any(level[column] == level[column + 1] for column in texts[:-1]):  # the format tells what it spans
        return level
    named = [column for column in range(1, len(level)) if any(row[column] for row in lower)]
    if len(texts) <= coarser or len(named) < max(1, MOSTLY * (len(level) - 1)):
        return level
    # Spans are printed at their left, or else in their middle, unless columns would then be called the same.
    centred = next(filter(None, texts), 0) > named[0]
    carried = _spanning(level, named, lower[0], centred)
    if centred and _alike([carried, *lower]):
        return _spanning(level, named, lower[0], centred=False)
    return carried


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
    filled = list(filter(None, level))
    return len(filled) == 1 and measure_of(filled[0]) is not None


def _over(column: int, texts: Sequence[int], level: Sequence[str], centred: bool) -> str:
    """Return the text of an upper header row that stands above a column without one of its own."""
    columns = [text for text in texts if text > 0]
    if centred:
        return level[min(columns, key=lambda text: (abs(text - column), -text))] if columns else ""
    before = [text for text in columns if text < column]
    return level[before[-1]] if before else ""


def _column(name: str, cells: Sequence[str], whole: Measure, lettered: bool, names_rows: bool) -> dict[str, Any]:
    dtype, unit = _dtype(cells)
    scale = 1
    if dtype in NUMERIC:
        stated = (None if _LASTS.search(name) else header_measure(name, lettered)) or Measure()
        # A sign in the cells is surer than a header: no percentage becomes, or comes from, an amount.
        if stated.unit and (unit is None or "%" not in (unit, stated.unit)):
            unit = stated.unit
        scale = stated.scale
        if not names_rows:
            unit, scale = _in_whole(name, unit, scale, whole)
        dtype = numeric_type(unit, dtype)
    column: dict[str, Any] = {"name": name, "unit": unit, "dtype": dtype}
    return column if scale == 1 else column | {"scale": scale}


def _in_whole(name: str, unit: str | None, scale: int, whole: Measure) -> tuple[str | None, int]:
    """Return a column's unit and scale, where it says none those of the whole table.

    A table "in millions" scales its money and bare numbers; one "in 万元" its money only.
    """
    if _UNSCALED.search(name) or (whole.money and _COUNT.search(name)):
        return unit, scale
    unit = unit or whole.unit
    scaled = scale == 1 and unit != "%" and (unit in (None, whole.unit) or Measure(unit).money)
    return unit, whole.scale if scaled else scale


def _dtype(cells: Sequence[str]) -> tuple[CellType, str | None]:
    """Return what most cells of a column are, and their common unit."""
    values = [value for value in column_values(cells) if value.dtype != "empty"]
    kinds = Counter(value.dtype for value in values)
    figures = [value for value in values if value.numeric]
    counts: dict[CellType, int] = {
        "date": kinds["date"] + _years(cells), "time": kinds["time"], "number": len(figures),
    }  # fmt: skip
    dtype: CellType = next((kind for kind, count in counts.items() if values and count >= MOSTLY * len(values)), "text")
    return _figures(figures) if dtype == "number" else (dtype, None)


def _years(cells: Sequence[str]) -> int:
    """Return how many cells are years: beside others of four digits, numbers like those: births in thousands."""
    others = any(len(cell) == 4 and cell.isdecimal() and not is_year(cell) for cell in map(str.strip, cells))
    return 0 if others else sum(map(is_year, cells))


def _figures(values: Sequence[CellValue]) -> tuple[CellType, str | None]:
    """Return what the figures of a column are, and their common unit."""
    units = Counter(filter(None, (value.unit for value in values)))
    if not units:
        return "number", None
    unit, count = units.most_common(1)[0]
    first, alone = values[0], len(units) == 1  # a column of key figures mixes units
    # Statements print a sign in their first and last rows only: the currency's, and that of the whole, which is 100 %.
    sign = first.value == 100 if unit == "%" else Measure(unit).money
    printed_once = alone and first.unit == unit and sign
    common = count >= MOSTLY * len(values) and (alone or unit == "%")
    return (numeric_type(unit), unit) if common or printed_once else ("number", None)


def _row_measure(name: str, whole: Measure, lettered: bool) -> Measure | None:
    """Return the measure that a row's name states.

    "Zone EUR" in a table in CHF states none: a bare code at the end that would be another currency is a name.
    """
    stated = header_measure(name, lettered)
    other = stated and stated.money and whole.money and stated.unit != whole.unit
    return None if other and re.search(r"\w\s+[A-Z]{3}$", name.strip()) else stated


def _row_measures(rows: Rows, shape: Shape, whole: Measure, counted: Mapping[str, int]) -> list[dict[str, Any]]:
    if not shape.header_columns or len(rows) > MOST_MEASURED_ROWS:
        return []
    lettered = _is_lettered([row[:1] for row in rows])
    measures: list[dict[str, Any]] = []
    group: Measure | None = None
    for index in range(shape.header_rows, len(rows) - shape.note_rows):
        row = rows[index]
        name = "".join(row[shape.header_columns - 1 : shape.header_columns])
        stated = _row_measure(name, whole, lettered)
        if is_group_row(row):
            group = stated
        elif found := stated or group:
            scale = found.scale if found.scale != 1 else counted.get(found.unit or "", 1)
            measures.append({"row": index, "unit": found.unit, "scale": scale})
    return measures
