"""A document's node tree, its edges and the ids of its nodes."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from engine.model.values import Value

Role = Literal["document", "section", "paragraph", "list", "table", "image", "caption", "equation", "code"]
ROLES: tuple[str, ...] = get_args(Role)
LEAVES = frozenset(ROLES) - {"document", "section"}
PROSE: tuple[Role, ...] = ("paragraph", "list")
BBox = tuple[float, float, float, float]
BESIDE = frozenset({"same_page", "has_col", "has_cell"})
# What text recognition is less sure of than this (0..1) is never told as sure.
DOUBTED = 0.8


def hull(boxes: Iterable[Sequence[float]]) -> BBox:
    """Return the box around boxes."""
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return (min(x0s), min(y0s), max(x1s), max(y1s))


@dataclass(frozen=True, slots=True)
class Node(Value):
    """One node of a document's tree. ``text`` is its own text, not its children's.

    A section's ``title`` is its heading, its ``text`` is empty. ``depth`` is 0 for the document;
    ``position`` counts within the parent; ``level`` is a section's heading level.
    """

    node_id: str
    parent_id: str | None
    role: Role
    title: str = ""
    text: str = ""
    summary: str = ""
    depth: int = 0
    position: int = 0
    page: int | None = None
    bbox: BBox | None = None
    cell: str | None = None
    level: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> list[dict[str, Any]]:
        """A table's columns, ``{"name", "unit", "dtype"}`` each."""
        return [column for column in self.metadata.get("columns") or [] if isinstance(column, dict)]

    @property
    def doubtful(self) -> bool:
        """True where text recognition is in doubt about what it has read."""
        return float(self.metadata.get("ocr_confidence") or 1) < DOUBTED


@dataclass(frozen=True, slots=True)
class Edge(Value):
    """A relation between two nodes: child, sibling, ref, caption_of, … ``facts`` are what else is known of it.

    An end of one of the kinds in :data:`BESIDE` is no node of the tree, but a page, a column or a cell.
    """

    source: str
    target: str
    kind: str
    label: str | None = None
    facts: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Tree(Value):
    """The node tree of one version of a document: nodes in reading order, the root first.

    ``unread_pages`` and ``unread_pictures`` (their number) are known of a tree that was just parsed: pages that
    are pictures of text, and pictures on pages, that wait for text recognition.
    """

    document_id: str
    name: str
    media_type: str
    version: int
    pages: int | None
    nodes: list[Node]
    page_sizes: list[tuple[float, float]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unread_pages: list[int] = field(default_factory=list)
    unread_pictures: int = 0


def down_to(node_id: str, nodes: Mapping[str, Node]) -> list[Node]:
    """Return the nodes on the way from the root down to a node, itself included; ``nodes`` by id."""
    path: list[Node] = []
    while node := nodes.get(path[-1].parent_id or "" if path else node_id):
        path.append(node)
    return path[::-1]


def section_path(node_id: str, nodes: Mapping[str, Node]) -> list[str]:
    """Return the titles of the sections that a node is in, and its own, outermost first (:func:`own_path`)."""
    return [title for node in down_to(node_id, nodes) for title in own_path(node)]


def own_path(node: Node) -> list[str]:
    """Return what a node adds to the paths of what stands below it: the title of a section.

    What is called by its first words, for it has no title in the document, adds nothing, unless a model has named it.
    """
    facts = node.metadata
    made_up = facts.get("generated") and facts.get("named_by") != "model"
    return [node.title] if node.role == "section" and not made_up else []


def document_id_for(name: str) -> str:
    """Return the id of the document with this name: the same name gives the same id anywhere."""
    return "d" + hashlib.sha256(name.casefold().encode()).hexdigest()[:11]


class NodeIds:
    """Hands out node ids that depend on the file's bytes and the node's own content.

    The same file gives the same ids; a paragraph keeps its id when a better parser moves it to another
    section. Equal nodes of a file are told apart by their order.
    """

    def __init__(self, sha256: str) -> None:
        self._sha256 = sha256
        self._seen: dict[str, int] = {}

    def next(self, role: str, content: str) -> str:
        """Return the id of the next node with this role and content (title and text)."""
        key = hashlib.sha256(f"{self._sha256}\0{role}\0{content}".encode()).hexdigest()[:14]
        count = self._seen[key] = self._seen.get(key, 0) + 1
        return f"n{key}" if count == 1 else f"n{key}-{count}"


def tree_edges(nodes: Iterable[Node]) -> list[Edge]:
    """Return the edges that a tree itself implies; the nodes come in reading order.

    ``child`` and ``parent``, ``sibling`` (to the next one), ``prev_next`` (to the next of all nodes but sections) and
    ``same_page`` (from a page, "P0" the first, to what stands on it).
    """
    edges: list[Edge] = []
    last: dict[str, str] = {}
    before: str | None = None
    for node in nodes:
        if node.page is not None and node.role != "document":
            edges.append(Edge(f"P{node.page - 1}", node.node_id, "same_page"))
        if node.parent_id is None:
            continue
        edges.append(Edge(node.parent_id, node.node_id, "child"))
        edges.append(Edge(node.node_id, node.parent_id, "parent"))
        if node.parent_id in last:
            edges.append(Edge(last[node.parent_id], node.node_id, "sibling"))
        last[node.parent_id] = node.node_id
        if node.role != "section":
            if before is not None:
                edges.append(Edge(before, node.node_id, "prev_next"))
            before = node.node_id
    return edges


def children_of(nodes: Iterable[Node]) -> dict[str | None, list[Node]]:
    """Group nodes by parent id, each group in position order."""
    groups: dict[str | None, list[Node]] = {}
    for node in nodes:
        groups.setdefault(node.parent_id, []).append(node)
    for group in groups.values():
        group.sort(key=lambda node: node.position)
    return groups
