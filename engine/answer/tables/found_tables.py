"""The tables that a search found, as relations: whole sheets for parts of sheets, each with what it stands under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.answer.tables.answering import TableHit
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.sheets import RELATIONS, grouped, part_of
from engine.model import Evidence, Node, section_path
from storage.base import Storage, StoredNode

MOST_TABLES = 12


def found_tables(evidence: Sequence[Evidence], storage: Storage) -> list[TableHit]:
    """Return the tables of the evidence, the likeliest first, each once; a part of a sheet stands for the sheet."""
    found: dict[str, TableHit] = {}
    for item in evidence:
        if item.table is None or not item.table.metadata.get("rows"):
            continue
        hit = item.hit
        nodes = _whole(item.table, hit.document_id, hit.version, storage)
        linked = RELATIONS.open(
            hit.document_id, hit.version, nodes, _context(hit.document, hit.path, item.title)
        )
        if nodes[0].node_id not in found:
            found[nodes[0].node_id] = TableHit(linked, replace(hit, node_id=nodes[0].node_id))
        if len(found) >= MOST_TABLES:
            break
    return list(found.values())


def relation_at(stored: StoredNode, storage: Storage) -> LinkedRelation:
    """Return the relation of a stored table node, or of the sheet that it is a part of."""
    tree = storage.tree(stored.document_id, stored.version)
    nodes = _whole(stored.node, stored.document_id, stored.version, storage)
    path = section_path(stored.node.node_id, {node.node_id: node for node in tree.nodes})
    return RELATIONS.open(
        stored.document_id, stored.version, nodes, _context(tree.name, path, stored.node.title)
    )


def _whole(table: Node, document_id: str, version: int, storage: Storage) -> list[Node]:
    """Return all parts of the sheet that a table node is a part of, else the node alone."""
    if part_of(table)[1] < 2:
        return [table]
    known = RELATIONS.parts_with(document_id, version, table.node_id)
    if known is not None:
        return known
    tree = storage.tree(document_id, version)
    for nodes in grouped(tree.nodes):
        if any(node.node_id == table.node_id for node in nodes):
            return nodes
    return [table]


def _context(document: str, path: Sequence[str], title: str) -> tuple[str, ...]:
    return tuple(part for part in dict.fromkeys((document, *path, title)) if part)
