"""A list or short table and the sentence that announces it: "The tenant shall:" says nothing without its items.

Many formats store every item as a paragraph of its own, so that a search finds the one or the other.
"""

from __future__ import annotations

import re
from itertools import takewhile

from engine.model import PROSE, Hit, Node
from engine.retrieve.expand import children_in, found_in_graph
from engine.structure.sentences import is_item
from storage.base import Storage

MOST_ITEMS = 30
# A longer table is no enumeration.
_SHORT_TABLE = 1200
_ANNOUNCES = re.compile(
    r"[:：]\s*$|\b(?:as follows|the following)\.?\s*$|(?:如下|下列各?项)。?\s*$", re.IGNORECASE
)


def announces(text: str) -> bool:
    """True when a text ends in words that something is to follow: a colon, "as follows", 如下."""
    return bool(_ANNOUNCES.search(text))


def list_of(hit: Hit, storage: Storage) -> list[Node]:
    """Return the list that a hit announces or is an item of: the announcing node, then the items in order.

    A short table right behind the announcing node stands for its list. At most :data:`MOST_ITEMS` items; empty where
    there is no such list.
    """
    if hit.role not in PROSE:
        return []
    found = found_in_graph(hit, storage)
    if found is None:
        return []
    graph, node = found
    if node.parent_id is None or node.parent_id not in graph:
        return []
    siblings = children_in(graph, node.parent_id)
    first = siblings.index(node)
    while first > 0 and _belongs(siblings[first]):
        first -= 1
    announcing, behind = siblings[first], siblings[first + 1 : first + 1 + MOST_ITEMS]
    if not announces(announcing.text) or _belongs(announcing):
        return []
    if behind and behind[0].role == "table" and len(behind[0].text) <= _SHORT_TABLE:
        return [announcing, behind[0]]
    items = list(takewhile(_belongs, behind))
    return [announcing, *items] if items and node in (announcing, *items) else []


def _belongs(node: Node) -> bool:
    return node.role == "list" or (node.role == "paragraph" and is_item(node.text))
