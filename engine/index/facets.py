"""What searches can be narrowed by, beside document, role and section: page, level, numbers, units, kind of content."""

import re
from collections.abc import Sequence

from engine.enrich.units import measure_of
from engine.index.affordances import nodes_with_numbers
from engine.model import Node
from storage.base import Facets

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
    for end in range(len(phrase), 0, -1) if wide else [len(phrase)]:
        measure = measure_of(phrase[:end])
        if measure is not None and measure.unit:
            return measure.unit
    return None
