"""Which operators can be carried out on a node: computed from what is known of its columns (seed 002, 2 and 5).

An affordance is a promise to a planner that the operator finds what it needs: two numbers of one kind to
compare, a column to rank by, an order in time for a trend. A section can what its tables and pictures can.

What searches can be narrowed by, beside document, role and section: page, level, numbers, units, kind of content.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any

from engine.enrich.cell_values import NUMERIC, is_year, parse_cell
from engine.enrich.figures import CHARTS
from engine.enrich.units import measure_of
from engine.model import Node
from storage.base import Facets

OPERATORS = ("LOOKUP", "COMPARE", "RANK", "SUM", "AVERAGE", "COUNT", "DIFF", "DIVIDE", "TREND", "FILTER")
# What further operators of tables need.
_AS = {"MIN": "RANK", "MAX": "RANK", "DISTINCT": "COUNT", "PERCENT_CHANGE": "DIFF", "SHARE": "DIVIDE"}
_TIME_CHARTS = frozenset({"line", "area"})
_TIME = re.compile(r"\b(?:time|date|year|month|quarter|week|day)s?\b|(?:19|20)\d\d|[年月日季周]|时间", re.IGNORECASE)
_BRACKET = re.compile(r"[(（][^()（）]*[)）]")
_DIGIT = re.compile(r"\d")


def affordances(node: Node, inside: Iterable[Node] = ()) -> dict[str, bool]:
    """Return ``supports_<OPERATOR>`` of a node for each operator; ``inside`` are a section's leaves."""
    supported = set().union(*map(_supported, (node, *inside)))
    return {f"supports_{name}": name in supported for name in OPERATORS}


def supports(node: Node, operator: str) -> bool:
    """Tell whether a table supports an operator, by the name of its tool; what is no operator every table does."""
    name = _AS.get(operator, operator)
    return name not in OPERATORS or name in _supported(node)


def has_numbers(node: Node) -> bool:
    """Tell whether a node says figures: numeric columns of a table, digits in the text of any other node."""
    if node.role == "table":
        return any(column.get("dtype") in NUMERIC for column in node.columns)
    if node.role == "image" and node.metadata.get("has_numbers"):
        return True
    texts = (node.text, node.metadata.get("description"), node.metadata.get("ocr_text"))
    return any(_DIGIT.search(str(text)) for text in texts if text)


def nodes_with_numbers(nodes: Sequence[Node]) -> set[str]:
    """Return the ids of the nodes of a tree, in reading order, that say figures: of sections those with such leaves."""
    coarse = {node.node_id for node in nodes if node.role in ("section", "document")}
    found: set[str] = set()
    # What is below a node comes after it, so that from the end everything is known before what holds it.
    for node in reversed(nodes):
        if node.node_id not in coarse and has_numbers(node):
            found.add(node.node_id)
        if node.node_id in found and node.parent_id in coarse:
            found.add(node.parent_id)
    return found


def _supported(node: Node) -> set[str]:
    return _of_table(node) if node.role == "table" else _of_picture(node) if node.role == "image" else set()


def _of_table(node: Node) -> set[str]:
    columns, rows = node.columns, len(body_rows(node))
    if not rows or not columns:
        return set()
    numeric = [column for column in columns if column.get("dtype") in NUMERIC]
    addable = [column for column in numeric if column["dtype"] != "percent"]
    # Two figures of one kind: of a column, or of columns with the same unit.
    pairs = rows > 1 or len({column.get("unit") for column in numeric}) < len(numeric)
    checks = {"LOOKUP": len(columns) > 1, "COUNT": True, "FILTER": rows > 1}
    if numeric:
        checks |= {
            **dict.fromkeys(("COMPARE", "DIFF", "AVERAGE"), pairs),
            "RANK": rows > 1,
            "SUM": rows * len(addable) > 1,
            "DIVIDE": rows * len(numeric) > 1,
            "TREND": _in_time(columns, numeric, rows),
        }
    return set(compress(checks, checks.values()))


def body_rows(table: Node) -> range:
    """Return the places of the rows that are neither header nor notes."""
    facts = table.metadata
    return range(facts.get("header_rows") or 0, len(facts.get("rows") or []) - (facts.get("note_rows") or 0))


def _in_time(columns: list[dict[str, Any]], numeric: list[dict[str, Any]], rows: int) -> bool:
    """Tell whether rows or columns follow each other in time."""
    dated = any(column.get("dtype") == "date" for column in columns)
    return (dated and rows > 1) or sum(_is_date(str(column.get("name") or "")) for column in numeric) > 1


def _is_date(name: str) -> bool:
    parts = [_BRACKET.sub("", part).strip() for part in name.split(" / ")]
    return any(is_year(part) or parse_cell(part).dtype == "date" for part in parts)


def _of_picture(node: Node) -> set[str]:
    facts, kind = node.metadata, node.metadata.get("chart_type")
    if kind not in CHARTS:
        return set()
    supported = {"COMPARE"} if kind != "chart" or facts.get("legend") or facts.get("series_count") else set()
    if kind in _TIME_CHARTS or _TIME.search(str(facts.get("x_axis") or "")):
        supported.add("TREND")
    return supported


MOST_LETTERS = 20_000
_QUANTITY = re.compile(r"\d\s?(%|‰|per cent|[A-Za-zμ°℃℉Ω][A-Za-z/²³]{0,7}|[\u3400-\u9fff]{1,3})")
_MONEY = re.compile(r"((?:US|HK|NT|[ACSR])?[$]|[€£¥₹₩]|\b[A-Z]{3}|人民币|美元|港元|欧元)\s?\d")


def facets_of(nodes: Sequence[Node]) -> dict[str, Facets]:
    """Return the facets of a tree's nodes, in reading order, by their ids; units are canonical ("%", "USD", "km/h")."""
    numbers = nodes_with_numbers(nodes)
    return {node.node_id: _facets(node, node.node_id in numbers) for node in nodes}


def _facets(node: Node, numbers: bool) -> Facets:
    spans = [span.get("page") for span in node.metadata.get("spans") or [] if isinstance(span, dict)]
    return Facets(
        pages=tuple(sorted({page for page in [node.page, *spans] if isinstance(page, int)})),
        level=node.level,
        has_numbers=numbers,
        units=units_of(node),
        chart_type=node.metadata.get("chart_type") or None,
        col_types=tuple(sorted({str(one["dtype"]) for one in node.columns if one.get("dtype")})),
    )


def units_of(node: Node) -> tuple[str, ...]:
    """Return the canonical units that a table's columns and rows state, or a text's quantities, sorted."""
    if node.role == "table":
        measured = [*node.columns, *(node.metadata.get("row_measures") or []), node.metadata]
        return tuple(sorted({str(one["unit"]) for one in measured if one.get("unit")}))
    text = node.text[:MOST_LETTERS]
    written = {*_QUANTITY.findall(text), *_MONEY.findall(text)}
    measures = [_measure(phrase) for phrase in written]
    return tuple(sorted({unit for unit in measures if unit}))


def _measure(phrase: str) -> str | None:
    """Return the unit that a quantity's letters begin with: 人民币, 万元 and 元的 are all money."""
    wide = phrase[0] >= "\u3400"
    starts = (phrase[:end] for end in (range(len(phrase), 0, -1) if wide else [len(phrase)]))
    return next((unit for start in starts if (measure := measure_of(start)) and (unit := measure.unit)), None)
