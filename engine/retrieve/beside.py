"""What stands beside found texts in their documents: where none of them answers by itself, it may stand there.

These are the paragraphs next to a text, and the line with a date that it stands below in minutes, a log or a diary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import networkx

from engine.enrich.cell_values import parse_cell
from engine.model import PROSE, Evidence, Node
from engine.retrieve.expand import found_in_graph, neighbours
from engine.retrieve.tree_evidence import evidence_of
from storage.base import Storage

# So many paragraphs on either side.
_NEXT = 4
# A line of so few letters, at most so many nodes above a text, tells its date.
_SHORT, DATED_WITHIN = 80, 12


def beside(items: Sequence[Evidence], storage: Storage) -> list[Evidence]:
    """Return what stands beside pieces of evidence in their documents; what was removed meanwhile brings nothing."""
    brought: dict[tuple[str, str], Evidence] = {}
    for item in items:
        found = found_in_graph(item.hit, storage)
        if found is None or item.hit.role not in PROSE:
            continue
        graph, node = found
        order = list(graph)
        for other in _near(graph, node, order):
            hit = replace(item.hit, node_id=other.node_id, role=other.role, page=other.page, bbox=other.bbox)
            one = evidence_of(hit, other, other.text, item.subject, order.index(other.node_id))
            brought.setdefault((hit.document_id, other.node_id), one)
    known = {(item.hit.document_id, item.hit.node_id) for item in items}
    return [one for key, one in brought.items() if key not in known]


def _near(graph: networkx.DiGraph, node: Node, order: Sequence[str]) -> Iterator[Node]:
    """Yield the texts next to one under its heading, and the line with a date above it."""
    yield from (one for one in neighbours(graph, node.node_id, _NEXT) if one.role in PROSE and one.text)
    place = order.index(node.node_id)
    above = (graph.nodes[one]["node"] for one in reversed(order[max(0, place - DATED_WITHIN) : place]))
    dated = next((one for one in above if one.role in PROSE and tells_date(one.text)), None)
    if dated is not None:
        yield dated


def tells_date(line: str) -> bool:
    """True for a short line that is a date, or has one at its beginning or behind a label: "Date: 20/03/18"."""
    if len(line) > _SHORT or "\n" in line:
        return False
    parts = line.translate(str.maketrans("：（(", ":::")).split(":")
    return any(parse_cell(part.strip()).date is not None for part in (line, *parts))
