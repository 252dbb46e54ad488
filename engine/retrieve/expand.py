"""Walk from the best nodes over the graphs of their documents (seed 002, 6.4).

A section brings its pictures and tables, its first two paragraphs and what stands on its page; a picture or
table its caption, its section and the paragraphs that refer to it; a paragraph what it refers to and its
neighbours. What is brought is no hit yet: it is scored like everything else.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import networkx
import numpy as np

from engine.config import ExpansionSettings
from engine.errors import NotFoundError
from engine.model import PROSE, Hit, Node
from storage.base import Scope, Storage, StoredNode

# So many of the best nodes are walked from.
SEEDS = 5
FIRST_PARAGRAPHS = 2
_FIGURES = ("image", "table")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the walk: node ``key`` was reached from node ``origin`` (its public id) by ``kind``."""

    key: int
    origin: str
    kind: str


def expand(seeds: Sequence[StoredNode], storage: Storage, settings: ExpansionSettings, scope: Scope) -> list[Step]:
    """Return the steps from the seeds (best first) to nodes within the radii and the scope, each node once."""
    reached: dict[int, Step] = {}
    start = {seed.key for seed in seeds[:SEEDS]}
    for seed in seeds[:SEEDS]:
        if graph := _graph_with(seed.node.node_id, seed.document_id, seed.version, storage):
            for node_id, kind in _around(graph, seed.node, settings):
                key = graph.nodes[node_id]["key"]
                if key not in start:
                    reached.setdefault(key, Step(key, seed.node.node_id, kind))
    steps = list(reached.values())
    inside = scope.contains(np.asarray([step.key for step in steps], np.int64))
    return [step for step, within in zip(steps, inside.tolist(), strict=True) if within]


def _around(graph: networkx.DiGraph, node: Node, settings: ExpansionSettings) -> list[tuple[str, str]]:
    if node.role in ("section", "document"):
        return _of_section(graph, node, settings)
    found = [(one, "parent") for one in _parents(graph, node, settings.parent)]
    if node.role in _FIGURES:
        found += [(one, "caption") for one in _joined(graph, node.node_id, "caption_of", backwards=True)]
        references = _joined(graph, node.node_id, "ref", backwards=True)
        return found + [(one, "referred_by") for one in references[: settings.siblings]]
    found += [(one, "refers_to") for one in _joined(graph, node.node_id, "ref")[: settings.children]]
    found += [(one, "caption_of") for one in _joined(graph, node.node_id, "caption_of")]
    siblings = neighbours(graph, node.node_id, (settings.siblings + 1) // 2)
    return found + [(one.node_id, "sibling") for one in siblings[: settings.siblings]]


def _of_section(graph: networkx.DiGraph, node: Node, settings: ExpansionSettings) -> list[tuple[str, str]]:
    children = children_in(graph, node.node_id)
    figures = [one for one in children if one.role in _FIGURES][: settings.children]
    texts = [one for one in children if one.role in PROSE]
    same_page = [one for one in children if node.page is not None and one.page == node.page]
    return [
        *((one.node_id, "child") for one in [*figures, *texts[:FIRST_PARAGRAPHS]]),
        *((one.node_id, "same_page") for one in same_page[: settings.same_page]),
    ]


def _parents(graph: networkx.DiGraph, node: Node, radius: int) -> list[str]:
    found: list[str] = []
    while len(found) < radius and node.parent_id is not None and node.parent_id in graph:
        node = _node(graph, node.parent_id)
        found.append(node.node_id)
    return found


def figures_near(hit: Hit, storage: Storage) -> list[tuple[int, Node]]:
    """Return pictures near a hit, each with how far it is: 0 itself or captioned, 1 referred to, 2 beside."""
    if (known := found_in_graph(hit, storage)) is None:
        return []
    graph, node = known
    own, named = ([_node(graph, one) for one in _joined(graph, hit.node_id, kind)] for kind in ("caption_of", "ref"))
    steps = enumerate(([node, *own], named, neighbours(graph, hit.node_id, 1)))
    found = [(far, one) for far, ones in steps for one in ones]
    return [(far, node) for far, node in found if node.role == "image"]


def found_in_graph(hit: Hit, storage: Storage) -> tuple[networkx.DiGraph, Node] | None:
    """Return the graph of a hit's document and the hit's node in it; None where it was removed meanwhile."""
    graph = _graph_with(hit.node_id, hit.document_id, hit.version, storage)
    return (graph, _node(graph, hit.node_id)) if graph else None


def _graph_with(node_id: str, document_id: str, version: int, storage: Storage) -> networkx.DiGraph | None:
    """The graph of a version with this node; None where it was removed since the search began."""
    with suppress(NotFoundError):
        graph = storage.graph(document_id, version)
        return graph if node_id in graph else None
    return None


def prose_in_graph(hit: Hit, storage: Storage) -> tuple[networkx.DiGraph, Node] | None:
    """Return what :func:`found_in_graph` does for a hit that is prose, None for any other."""
    return found_in_graph(hit, storage) if hit.role in PROSE else None


def neighbours(graph: networkx.DiGraph, node_id: str, radius: int) -> list[Node]:
    """Return up to ``radius`` siblings on either side of a node, those after it first, the nearest first."""
    found: list[Node] = []
    for backwards in (False, True):
        current = node_id
        for _ in range(radius):
            following = _joined(graph, current, "sibling", backwards)
            if not following:
                break
            current = following[0]
            found.append(_node(graph, current))
    return found


def children_in(graph: networkx.DiGraph, node_id: str) -> list[Node]:
    """Return the children of a node in their order."""
    return [_node(graph, child) for child in _joined(graph, node_id, "child")]


def _joined(graph: networkx.DiGraph, node_id: str, kind: str, backwards: bool = False) -> list[str]:
    """The nodes that an edge of this kind leads to from a node (or, backwards, comes from)."""
    edges = graph.in_edges(node_id, data=True) if backwards else graph.out_edges(node_id, data=True)
    return [source if backwards else target for source, target, facts in edges if kind in facts["kinds"]]


def _node(graph: networkx.DiGraph, node_id: str) -> Node:
    node: Node = graph.nodes[node_id]["node"]
    return node
