"""The tables that a search found, as relations: whole sheets for parts of sheets, each with what it stands under.

The relations that were opened last are kept.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.answer.tables.answering import TableHit
from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.relation import LONG, Relation
from engine.answer.tables.store import query_rows
from engine.answer.tables.values import ValueIndex
from engine.model import Evidence, Node, section_path
from storage.base import Storage, StoredNode

_KEPT = 64
MOST_TABLES = 12


def grouped(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Yield the table nodes of a document, in reading order, the parts of one sheet together."""
    run: list[Node] = []
    for node in nodes:
        if node.role != "table" or not node.metadata.get("rows"):
            continue
        number, count = part_of(node)
        if count < 2:
            yield [node]
            continue
        run = [*run, node] if number == len(run) + 1 else [node] if number == 1 else []
        if len(run) == count:
            yield run
            run = []


def part_of(node: Node) -> tuple[int, int]:
    """Return which part of how many a table node is, counted from 1; (1, 1) for a whole table."""
    number, count = node.metadata.get("part") or (1, 1)
    return int(number), int(count)


class RelationCache:
    """The relations that were opened last, by document, version and each of their nodes. Thread-safe."""

    def __init__(self, kept: int = _KEPT) -> None:
        self._kept = kept
        self._opened: OrderedDict[tuple[str, int, str], LinkedRelation] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, document_id: str, version: int, node_id: str) -> LinkedRelation | None:
        """Return the relation that a node is part of, None where it was not opened lately."""
        key = document_id, version, node_id
        with self._lock:
            if key in self._opened:
                self._opened.move_to_end(key)
            return self._opened.get(key)

    def open(
        self, document_id: str, version: int, nodes: Sequence[Node], context: Sequence[str] = ()
    ) -> LinkedRelation:
        """Return the relation of table nodes; ``context`` is what it stands under: title, sections, the text above."""
        found = self.get(document_id, version, nodes[0].node_id)
        if found is None or found.context != tuple(context):
            relation = found.relation if found else Relation(nodes)
            values = found.values if found else ValueIndex(relation)
            found = LinkedRelation(relation, values, tuple(context))
            with self._lock:
                self._opened.update(((document_id, version, node.node_id), found) for node in nodes)
                while len({id(one) for one in self._opened.values()}) > self._kept:
                    self._opened.popitem(last=False)
        return found


RELATIONS = RelationCache()


def found_tables(evidence: Sequence[Evidence], storage: Storage) -> list[TableHit]:
    """Return the tables of the evidence, the likeliest first, each once; a part of a sheet stands for the sheet."""
    found: dict[str, TableHit] = {}
    for item in evidence:
        if item.table is None or not item.table.metadata.get("rows"):
            continue
        hit = item.hit
        nodes = _whole(item.table, hit.document_id, hit.version, storage)
        linked = RELATIONS.open(hit.document_id, hit.version, nodes, _context(hit.document, hit.path, item.title))
        found.setdefault(nodes[0].node_id, TableHit(linked, replace(hit, node_id=nodes[0].node_id)))
        if len(found) >= MOST_TABLES:
            break
    return list(found.values())


def relation_at(stored: StoredNode, storage: Storage) -> LinkedRelation:
    """Return the relation of a stored table node, or of the sheet that it is a part of."""
    tree = storage.tree(stored.document_id, stored.version)
    nodes = _whole(stored.node, stored.document_id, stored.version, storage)
    path = section_path(stored.node.node_id, {node.node_id: node for node in tree.nodes})
    return RELATIONS.open(stored.document_id, stored.version, nodes, _context(tree.name, path, stored.node.title))


def open_long_sheets(document_id: str, version: int, storage: Storage) -> None:
    """Open the long sheets of a document, so that no question waits for that."""
    for nodes in grouped(storage.tree(document_id, version).nodes):
        if len(nodes) > 1:
            opened = RELATIONS.open(document_id, version, nodes)
            if len(opened.relation.rows) > LONG and opened.values.longest:
                query_rows(opened.relation, "SELECT 1")


def _whole(table: Node, document_id: str, version: int, storage: Storage) -> list[Node]:
    """Return all parts of the sheet that a table node is a part of, else the node alone."""
    if part_of(table)[1] < 2:
        return [table]
    known = RELATIONS.get(document_id, version, table.node_id)
    if known is not None:
        return list(known.relation.nodes)
    sheets = grouped(storage.tree(document_id, version).nodes)
    return next((nodes for nodes in sheets if table.node_id in {node.node_id for node in nodes}), [table])


def _context(document: str, path: Sequence[str], title: str) -> tuple[str, ...]:
    return tuple(part for part in dict.fromkeys((document, *path, title)) if part)
