"""From table nodes to relations: the parts of a long sheet are one relation; the last ones opened are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from engine.answer.tables.links import LinkedRelation
from engine.answer.tables.relation import Relation
from engine.answer.tables.values import ValueIndex
from engine.model import Node

_KEPT = 64


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
    """The relations that were opened last, by document, version and first node. Thread-safe."""

    def __init__(self, kept: int = _KEPT) -> None:
        self._kept = kept
        self._opened: OrderedDict[tuple[str, int, str], LinkedRelation] = OrderedDict()
        self._first_parts: dict[tuple[str, int, str], str] = {}
        self._lock = threading.Lock()

    def get(self, document_id: str, version: int, node_id: str) -> LinkedRelation | None:
        """Return the relation that begins with a node, None where it was not opened lately."""
        key = document_id, version, node_id
        with self._lock:
            if key in self._opened:
                self._opened.move_to_end(key)
            return self._opened.get(key)

    def parts_with(self, document_id: str, version: int, node_id: str) -> list[Node] | None:
        """Return the nodes of an opened relation of which a node is one, None where none was opened lately."""
        with self._lock:
            first = self._first_parts.get((document_id, version, node_id))
            found = self._opened.get((document_id, version, first)) if first else None
            return list(found.relation.nodes) if found else None

    def open(
        self, document_id: str, version: int, nodes: Sequence[Node], context: Sequence[str] = ()
    ) -> LinkedRelation:
        """Return the relation of table nodes; ``context`` is what it stands under: title, sections, the text above."""
        key = document_id, version, nodes[0].node_id
        found = self.get(*key)
        if found is None or found.context != tuple(context):
            relation = found.relation if found else Relation(nodes)
            values = found.values if found else ValueIndex(relation)
            found = LinkedRelation(relation, values, tuple(context))
            with self._lock:
                self._opened[key] = found
                if len(nodes) > 1:
                    self._first_parts.update(
                        ((document_id, version, n.node_id), nodes[0].node_id) for n in nodes
                    )
                while len(self._opened) > self._kept:
                    self._opened.popitem(last=False)
        return found


RELATIONS = RelationCache()
