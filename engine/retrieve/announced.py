"""A list or short table and the sentence that announces it: "The tenant shall:" says nothing without its items.

Many formats store every item as a paragraph of its own, so that a search finds the one or the other.
"""

import re
from itertools import takewhile

from engine.model import Hit, Node
from engine.retrieve.expand import children_in, prose_in_graph
from engine.structure.sentences import is_item
from storage.base import Storage

MOST_ITEMS = 30
# A longer table is no enumeration.
_SHORT_TABLE = 1200
_ANNOUNCES = re.compile(r"[:：]\s*$|\b(?:as follows|the following)\.?\s*$|(?:如下|下列各?项)。?\s*$", re.IGNORECASE)


def announces(text: str) -> bool:
    """True when a text ends in words that something is to follow: a colon, "as follows", 如下."""
    return bool(_ANNOUNCES.search(text))


def list_of(hit: Hit, storage: Storage) -> list[Node]:
    """Return the list that a hit announces or is an item of: the announcing node, then the items in order.

    A short table right behind the announcing node stands for its list. At most :data:`MOST_ITEMS` items; empty where
    there is no such list.
    """
    siblings, first = _siblings_of(hit, storage)
    if not siblings:
        return []
    node = siblings[first]
    while first > 0 and _belongs(siblings[first]):
        first -= 1
    announcing, *behind = siblings[first : first + 1 + MOST_ITEMS]
    if not announces(announcing.text) or _belongs(announcing):
        return []
    items = list(takewhile(_is_short_table, behind[:1])) or list(takewhile(_belongs, behind))
    return [announcing, *items] if items and node in (announcing, *items) else []


def _siblings_of(hit: Hit, storage: Storage) -> tuple[list[Node], int]:
    """The children of the node above a hit that is prose, and which of them it is; none where nothing is above it."""
    found = prose_in_graph(hit, storage)
    if found is None or not (parent := found[1].parent_id) or parent not in found[0]:
        return [], 0
    siblings = children_in(found[0], parent)
    return siblings, siblings.index(found[1])


def _is_short_table(node: Node) -> bool:
    return node.role == "table" and len(node.text) <= _SHORT_TABLE


def _belongs(node: Node) -> bool:
    return node.role == "list" or (node.role == "paragraph" and is_item(node.text))
