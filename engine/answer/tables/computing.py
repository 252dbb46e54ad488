"""Operators that compute: COUNT, SUM, AVERAGE, MIN, MAX, RANK, COMPARE, DIFF, DIVIDE, PERCENT_CHANGE, TREND."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from engine.answer.tables.matching import years_in
from engine.answer.tables.observation import Observation, numeric
from engine.answer.tables.quantity import (
    Quantity,
    UnitsDifferError,
    aligned,
    as_percent,
    difference,
    mean,
    percent_change,
    quantity_of,
    quotient,
    shown,
    total,
    written,
)
from engine.answer.tables.reading import Tables, name_of
from engine.answer.tables.references import (
    CellPlace,
    Place,
    UnresolvedError,
    cell_at,
    cells_of,
    column_at,
    matching_rows,
    row_at,
    sortable,
    table_of,
)
from engine.answer.tables.refused_operation import RefusedOperationError
from engine.enrich.units import Measure, header_measure

Where = Sequence[Mapping[str, Any]]
_PLACES = 4


def count(
    tables: Tables,
    where: Where = (),
    column: Place | None = None,
    distinct: bool = False,
    table: str | None = None,
) -> Observation:
    """Return how many rows (totals left out) meet the conditions, or how many values a column has in them."""
    chosen = table_of(tables, table)
    try:
        at = column_at(chosen, column, "COUNT") if column is not None else 0
        rows = matching_rows(chosen, where, "COUNT")
    except UnresolvedError as problem:
        return problem.observation
    cells = [CellPlace(chosen, row, at) for row in rows]
    if column is not None:
        cells = [cell for cell in cells if cell.value.dtype != "empty"]
    if distinct:
        cells = list({cell.text.casefold(): cell for cell in reversed(cells)}.values())[::-1]
    refs = [cell.ref for cell in cells]
    return numeric("COUNT", Quantity(Decimal(len(cells))), str(len(cells)), refs)


def sum_cells(tables: Tables, **chosen: Any) -> Observation:
    """Return the sum of the chosen cells; empty ones count for nothing."""
    return _folded("SUM", tables, total, chosen)


def average(tables: Tables, **chosen: Any) -> Observation:
    """Return the arithmetic mean of the chosen cells; empty ones are left out."""
    return _folded("AVERAGE", tables, mean, chosen)


def minimum(tables: Tables, **chosen: Any) -> Observation:
    """Return the smallest of the chosen cells; several that are equal are all listed."""
    return _extreme("MIN", tables, chosen)


def maximum(tables: Tables, **chosen: Any) -> Observation:
    """Return the largest of the chosen cells; several that are equal are all listed."""
    return _extreme("MAX", tables, chosen)


def rank(
    tables: Tables, order: Literal["descending", "ascending"] = "descending", top: int = 0, **chosen: Any
) -> Observation:
    """Return the chosen cells in order of their values; ``top`` 0 is all."""
    try:
        cells = cells_of(tables, "RANK", **chosen)
    except UnresolvedError as problem:
        return problem.observation
    ranked = ordered(cells, order == "descending")[: top or None]
    value = [{"rank": n, "name": name_of(cell), "value": cell.text} for n, cell in enumerate(ranked, 1)]
    text = "; ".join(f"{item['rank']}. {item['name']}: {item['value']}" for item in value)
    return Observation("RANK", value, "list", text, cells=[cell.ref for cell in ranked])


def compare(tables: Tables, a: Any, b: Any) -> Observation:
    """Return which of two cells is larger: ">", "<" or "="."""
    try:
        first, second = cell_at(tables, a, "COMPARE"), cell_at(tables, b, "COMPARE")
    except UnresolvedError as problem:
        return problem.observation
    x, y = _sort_keys([first, second])
    sign = ">" if x > y else "<" if x < y else "="
    text = f"{name_of(first)}: {first.text} {sign} {name_of(second)}: {second.text}"
    return Observation(
        "COMPARE",
        sign,
        "text",
        text,
        cells=[first.ref, second.ref],
        derivation=f"{first.text} {sign} {second.text}",
    )


def diff(tables: Tables, a: Any, b: Any) -> Observation:
    """Return a - b; percentages give percentage points."""
    return _of_two("DIFF", tables, a, b, difference, "{first} − {last} = {result}")


def divide(tables: Tables, a: Any, b: Any, percent: bool = False) -> Observation:
    """Return a / b, as a percentage where ``percent``."""
    if percent:
        return _of_two(
            "DIVIDE", tables, a, b, lambda x, y: as_percent(quotient(x, y)), "{first} ÷ {last} = {result}"
        )
    return _of_two("DIVIDE", tables, a, b, quotient, "{first} ÷ {last} = {result}")


def percent_change_of(tables: Tables, old: Any, new: Any) -> Observation:
    """Return the change from ``old`` to ``new`` in percent of ``old``."""
    derivation = "({b} − {a}) ÷ {base} = {result}"
    return _of_two("PERCENT_CHANGE", tables, old, new, percent_change, derivation)


def trend(
    tables: Tables, row: Place | None = None, column: Place | None = None, table: str | None = None
) -> Observation:
    """Return how the numbers of a row or a column develop, from the earliest year where years name them."""
    chosen = table_of(tables, table)
    try:
        if row is not None:
            at = row_at(chosen, row, "TREND")
            cells = [CellPlace(chosen, at, c.index) for c in chosen.value_columns]
            named = [(cell, cell.ref.column_header) for cell in cells]
        elif column is not None:
            at = column_at(chosen, column, "TREND")
            named = [(CellPlace(chosen, r.index, at), r.name) for r in chosen.records]
        else:
            raise RefusedOperationError("trend_of_nothing")
    except UnresolvedError as problem:
        return problem.observation
    return trend_of([(cell, name) for cell, name in named if quantity_of(cell.value)])


def trend_of(named: Sequence[tuple[CellPlace, str]]) -> Observation:
    """Return how a series of named cells develops."""
    years = [years_in(name) for _, name in named]
    if all(len(found) == 1 for found in years):
        order = sorted(range(len(named)), key=lambda i: min(years[i]))
        named = [named[i] for i in order]
    quantities = aligned([q for cell, _ in named if (q := quantity_of(cell.value))])
    if len(quantities) < 2:
        return Observation("TREND", None, "text", "There are fewer than two numbers.", status="not_found")
    steps = [b.value - a.value for a, b in itertools.pairwise(quantities)]
    if all(step == 0 for step in steps):
        word = "constant"
    elif all(step >= 0 for step in steps):
        word = "rising"
    elif all(step <= 0 for step in steps):
        word = "falling"
    else:
        word = "mixed"
    text = " → ".join(f"{name}: {cell.text}" for cell, name in named)
    return Observation(
        "TREND",
        word,
        "text",
        text,
        cells=[cell.ref for cell, _ in named],
        derivation=" → ".join(cell.text for cell, _ in named),
    )


def ordered(cells: Sequence[CellPlace], descending: bool) -> list[CellPlace]:
    """Return the cells that can be compared, in order of value. Raises UnitsDifferError."""
    able = [cell for cell in cells if sortable(cell.value, cell.text) is not None]
    keys = _sort_keys(able)
    order = sorted(range(len(able)), key=lambda i: keys[i], reverse=descending)
    return [able[i] for i in order]


def _sort_keys(cells: Sequence[CellPlace]) -> list[Decimal]:
    """Return what cells are compared by. Raises UnitsDifferError, and UsageError for what has no order."""
    aligned([q for cell in cells if (q := quantity_of(cell.value))])
    keys = [sortable(cell.value, cell.text) for cell in cells]
    for cell, key in zip(cells, keys, strict=True):
        if key is None:
            raise RefusedOperationError("no_order", cell=cell.text, name=name_of(cell))
    # A column of dates may hold bare years among full dates.
    found = [key for key in keys if key is not None]
    dated = any(cell.value.dtype == "date" for cell in cells) and any(key > 10**7 for key in found)
    return [key * 10**4 if dated and key < 10**4 else key for key in found]


def _folded(
    method: str, tables: Tables, compute: Callable[[Sequence[Quantity]], Quantity], chosen: Mapping[str, Any]
) -> Observation:
    try:
        cells = cells_of(tables, method, **chosen)
    except UnresolvedError as problem:
        return problem.observation
    used = [(cell, q) for cell in cells if (q := quantity_of(cell.value))]
    _check_columns([cell for cell, _ in used])
    result = compute([q for _, q in used])
    refs = [cell.ref for cell, _ in used]
    terms = [_term(q) for q in aligned([q for _, q in used])]
    terms = terms if len(terms) <= 12 else [*terms[:5], "…", *terms[-2:]]
    sign = " + ".join(terms).replace("+ -", "− ").replace("+ (-", "− (")
    whole = written(result.value, _PLACES)
    derivation = f"({sign}) ÷ {len(used)} = {whole}" if method == "AVERAGE" else f"{sign} = {whole}"
    return numeric(method, result, shown(result), refs, derivation)


def _extreme(method: str, tables: Tables, chosen: Mapping[str, Any]) -> Observation:
    try:
        cells = cells_of(tables, method, **chosen)
    except UnresolvedError as problem:
        return problem.observation
    ranked = ordered(cells, method == "MAX")
    if not ranked:
        return Observation(method, None, "text", "No cell holds a number or a date.", status="not_found")
    keys = _sort_keys(ranked)
    best = [cell for cell, key in zip(ranked, keys, strict=True) if key == keys[0]]
    refs = [cell.ref for cell in best]
    text = "; ".join(f"{name_of(cell)}: {cell.text}" for cell in best)
    quantity = quantity_of(best[0].value)
    if quantity is not None and len(best) == 1:
        return numeric(method, quantity, text, refs)
    return Observation(method, [cell.text for cell in best], "list", text, cells=refs)


def _of_two(
    method: str,
    tables: Tables,
    a: Any,
    b: Any,
    compute: Callable[[Quantity, Quantity], Quantity],
    derivation: str,
) -> Observation:
    try:
        places = [cell_at(tables, a, method), cell_at(tables, b, method)]
    except UnresolvedError as problem:
        return problem.observation
    numbers: list[Quantity] = []
    for place in places:
        quantity = quantity_of(place.value)
        if quantity is None:
            raise RefusedOperationError("no_number", cell=place.text, name=name_of(place))
        numbers.append(quantity)
    result = compute(numbers[0], numbers[1])
    same = {q.scale for q in numbers} == {numbers[0].scale}
    x, y = numbers if same else [Quantity(q.amount, q.unit) for q in numbers]
    percent = "%" if result.unit == "%" and method in ("PERCENT_CHANGE", "DIVIDE") else ""
    value = result if same or result.unit == "%" else Quantity(result.amount)
    steps = derivation.format(
        first=_term(x), a=_bracketed(_term(x)), b=_term(y), last=_bracketed(_term(y)),
        base=_bracketed(_term(x)), result=written(value.value, _PLACES) + percent,
    )  # fmt: skip
    return numeric(method, result, shown(result), [place.ref for place in places], steps)


def _check_columns(cells: Sequence[CellPlace]) -> None:
    """Raise UnitsDifferError where one column's header states a unit and another column has none: 10 pumps, €355."""
    stated = {
        (cell.table.node_id, cell.column): measure.unit
        for cell in cells
        if (measure := _stated(cell)) and measure.unit
    }
    bare = {(cell.table.node_id, cell.column) for cell in cells if cell.value.unit is None} - stated.keys()
    if stated and bare:
        raise UnitsDifferError(next(iter(stated.values())), None)


def _stated(cell: CellPlace) -> Measure | None:
    columns = cell.table.columns
    return header_measure(columns[cell.column].name) if cell.column < len(columns) else None


def _term(quantity: Quantity) -> str:
    return written(quantity.value) + ("%" if quantity.unit == "%" else "")


def _bracketed(term: str) -> str:
    return f"({term})" if term.startswith("-") else term
