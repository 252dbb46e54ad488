"""Sheets that were too long for one node, joined from their parts, so that all rows are counted, added up and ranked.

A cell of the joined table still stands in its own part: ``metadata["row_nodes"]`` says for each row the part's node
and the row there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.answer.evidence import TreeEvidence
from engine.enrich.tables import enrich_table
from engine.model import Evidence, Node
from storage.base import Storage

# Longer sheets take longer than a reader waits: 40,000 cells take two seconds.
MOST_CELLS = 60_000
_KEPT = ("caption", "label", "sheet", "header_rows")


def parts_beside(evidence: Sequence[Evidence], storage: Storage, seen: set[str]) -> Iterator[list[Evidence]]:
    """Yield for each sheet of which the evidence holds a part all its parts, the first one first.

    ``seen`` are the ids of parts whose sheets were read before; those yielded are added.
    """
    for item in evidence:
        if item.table is None or _part(item.table)[1] < 2 or item.table.node_id in seen:
            continue
        tree = storage.tree(item.hit.document_id, item.hit.version)
        make = TreeEvidence(tree)
        for nodes in _sheets(tree.nodes):
            seen.update(node.node_id for node in nodes)
            cells = sum(map(len, (row for node in nodes for row in node.metadata.get("rows") or [])))
            if item.table.node_id in {node.node_id for node in nodes} and cells <= MOST_CELLS:
                yield [make.of(node) for node in nodes]


def joined(parts: Sequence[Node]) -> Node:
    """Return one enriched table with the rows of all parts, whose header stands once."""
    header = int(parts[0].metadata.get("header_rows") or 0)
    rows: list[list[str]] = []
    numbers: list[int] = []
    origins: list[tuple[str, int]] = []
    for part in parts:
        skipped = header if rows else 0
        own = part.metadata.get("rows") or []
        rows += own[skipped:]
        numbers += (part.metadata.get("row_numbers") or [])[skipped : len(own)]
        origins += [(part.node_id, index) for index in range(skipped, len(own))]
    facts = {name: parts[0].metadata[name] for name in _KEPT if name in parts[0].metadata}
    facts |= {"rows": rows, "row_numbers": numbers, "row_nodes": origins}
    return enrich_table(replace(parts[0], metadata=facts))


def _sheets(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Yield the complete runs of parts, 1 of n to n of n."""
    run: list[Node] = []
    for node in nodes:
        number, count = _part(node) if node.role == "table" else (0, 0)
        if count < 2:
            continue
        run = [*run, node] if number == len(run) + 1 else [node] if number == 1 else []
        if len(run) == count:
            yield run
            run = []


def _part(table: Node) -> tuple[int, int]:
    number, count = table.metadata.get("part") or (1, 1)
    return int(number), int(count)
