"""What a document is about as a whole: its title and what stands at its head.

A discharge summary names its patient once, at the top, a contract its parties; the sections below speak of fevers
and rents. A question for "the patient's diagnosis" is answered there, though the section says nothing of a patient.
"""

import networkx

from engine.model import PROSE, Hit, Node
from engine.retrieve.expand import children_in, found_in_graph
from storage.base import Storage

# Of the head so many nodes and characters are read.
_NODES, _CHARACTERS = 4, 400


def subject_of(hit: Hit, storage: Storage) -> str:
    """Return the title of a hit's document and the text before its first section; "" where the document is gone."""
    found = found_in_graph(hit, storage)
    if found is None:
        return ""
    graph, node = found
    while node.parent_id in graph:
        node = graph.nodes[node.parent_id]["node"]
    texts = [node.title, *_head(graph, node)]
    return "\n".join(text for text in texts if text)[:_CHARACTERS]


def _head(graph: networkx.DiGraph, root: Node) -> list[str]:
    """Return the texts before the first section, or in the one that is the whole document before the next.

    Where no section follows they are the text itself.
    """
    first = children_in(graph, root.node_id)[:_NODES]
    titles = []
    if [one.role for one in first].count("section") == 1 and first[0].role == "section":
        titles = [first[0].title]
        first = children_in(graph, first[0].node_id)[:_NODES]
    at = next((i for i, one in enumerate(first) if one.role == "section"), 0)
    return [*titles, *(one.text for one in first[:at] if one.role in PROSE)]
