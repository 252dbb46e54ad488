"""Browsing (seed 003, 6.2.4): a node's whole text, a section's children, a document's structure, its relatives."""

from __future__ import annotations

from collections import Counter

import numpy as np

from engine.answer.agent.search_tools import hit_of
from engine.answer.agent.tool_phrases import ENGLISH, ToolPhrases
from engine.answer.agent.tools import Desk, Tool, ToolResult, schema
from engine.errors import NotFoundError
from engine.index.tokenize import query_terms
from engine.model import Document, Evidence, Node
from storage.base import StoredNode

_MOST_CHILDREN = 20
_MOST_SECTIONS = 60
_MOST_RELATED = 5
_RELATED_NODES = 60
_LINE = 160
_NODE = {"type": "string", "description": "node id from a result"}
_DOCUMENT = {"type": "string", "description": "id or name of a document"}


def browse_tools(desk: Desk, phrases: ToolPhrases = ENGLISH) -> list[Tool]:
    """Return the browsing tools over a desk."""
    return [
        Tool("get_node_content", "browse", "Read the whole text of a node.", "读取节点的完整内容。",
             schema(["node_id"], node_id=_NODE), lambda node_id: node_content(desk, node_id, phrases)),
        Tool("get_section_children", "browse", "Read what a section holds: its sections and paragraphs.",
             "浏览章节的子节点（子章节和段落）。",
             schema(["node_id"], node_id=_NODE), lambda node_id: section_children(desk, node_id, phrases)),
        Tool("get_document_structure", "browse", "See the headings of a document with their node ids.",
             "查看文档的章节结构。",
             schema(["document_id"], document_id=_DOCUMENT),
             lambda document_id: document_structure(desk, document_id, phrases)),
        Tool("get_related_documents", "browse", "Find documents that are near a document in content.",
             "查找内容相关的文档。",
             schema(["document_id"], document_id=_DOCUMENT),
             lambda document_id: related_documents(desk, document_id, phrases)),
    ]  # fmt: skip


def node_content(desk: Desk, node_id: str, phrases: ToolPhrases = ENGLISH) -> ToolResult:
    """Return a node with its whole text; of a section, its children. Raises NotFoundError."""
    stored = desk.node(node_id)
    if not stored.node.text:
        return section_children(desk, node_id, phrases)
    return ToolResult(_place(stored), hits=[(hit_of(stored, "opened"), stored)], opened=[opened(stored)])


def section_children(desk: Desk, node_id: str, phrases: ToolPhrases = ENGLISH) -> ToolResult:
    """Return the children of a section, or of the section that a leaf belongs to. Raises NotFoundError."""
    stored = desk.node(node_id)
    graph = desk.storage.graph(stored.document_id, stored.version)
    above = stored.node.parent_id if stored.node.text and stored.node.parent_id else node_id
    children: list[Node] = [
        graph.nodes[child]["node"]
        for _, child, data in graph.out_edges(above, data=True)
        if "child" in (data.get("kinds") or [data.get("kind")])
    ]
    shown = children[:_MOST_CHILDREN]
    sections = [f"[{one.node_id}] {one.title}" for one in shown if one.role == "section"]
    leaves = [desk.node(one.node_id) for one in shown if one.text]
    rest = len(children) - len(shown)
    text = "\n".join(sections) + (f"\n{phrases.more_children.format(count=rest)}" if rest else "")
    if not children:
        return ToolResult("0", phrases.no_children, "empty")
    return ToolResult(
        f"{len(children)}: {_place(stored)}", text.strip(),
        hits=[(hit_of(one, "child"), one) for one in leaves], opened=[opened(one) for one in leaves],
    )  # fmt: skip


def _document(desk: Desk, reference: str) -> Document:
    """Return the document with an id or a name, or the one that a node with this id is in. Raises NotFoundError."""
    try:
        return desk.storage.document(reference)
    except NotFoundError as error:
        try:
            node = desk.node(reference)
        except NotFoundError:
            raise error from None
        return desk.storage.document(node.document_id)


def document_structure(desk: Desk, document_id: str, phrases: ToolPhrases = ENGLISH) -> ToolResult:
    """Return the headings of a document, indented, with node ids. Raises NotFoundError."""
    document = _document(desk, document_id)
    tree = desk.storage.tree(document.document_id, desk.filters.version)
    desk.node(tree.nodes[0].node_id)  # inside the filters
    sections = [node for node in tree.nodes if node.role == "section"]
    lines = [
        f"{'  ' * max(0, node.depth - 1)}[{node.node_id}] {node.title}"
        + (f" — {' '.join(node.summary.split())[:_LINE]}" if node.summary else "")
        for node in sections[:_MOST_SECTIONS]
    ]
    if len(sections) > _MOST_SECTIONS:
        lines.append(phrases.more_sections.format(count=len(sections) - _MOST_SECTIONS))
    if not lines:
        return ToolResult("0", phrases.no_headings.format(name=document.name), "empty")
    return ToolResult(f"{document.name}: {len(sections)}", "\n".join(lines))


def related_documents(desk: Desk, document_id: str, phrases: ToolPhrases = ENGLISH) -> ToolResult:
    """Return the documents whose passages are nearest to a document's, by vectors or else by words.

    Raises NotFoundError.
    """
    document = _document(desk, document_id)
    tree = desk.storage.tree(document.document_id, desk.filters.version)
    keys = [desk.storage.find_node(node.node_id).key for node in tree.nodes[:_RELATED_NODES] if node.text]
    name = desk.embedder.name if desk.embedder else ""
    vectors = list(desk.snapshot.vectors(keys, name).values()) if name else []
    if vectors:
        mean = np.mean(np.stack(vectors), axis=0)
        mean = np.asarray(mean / (np.linalg.norm(mean) or 1.0), np.float32)
        hits = desk.snapshot.dense_search(mean, _RELATED_NODES, desk.scope, name)
    else:
        titles = " ".join([document.name.rsplit(".", 1)[0], *(n.title for n in tree.nodes[:20] if n.title)])
        hits = desk.snapshot.sparse_search(query_terms(titles), _RELATED_NODES, desk.scope)
    scores: Counter[tuple[str, str]] = Counter()
    best: dict[tuple[str, str], StoredNode] = {}
    for hit, stored in zip(hits, desk.snapshot.nodes([one.key for one in hits]), strict=False):
        place = stored.document_id, stored.document
        if stored.document_id != document.document_id:
            scores[place] = max(scores[place], hit.score)  # type: ignore[assignment]
            best.setdefault(place, stored)
    found = scores.most_common(_MOST_RELATED)
    if not found:
        return ToolResult("0", phrases.no_relatives, "empty")
    lines = [f"{name} (document {place_id}, {score:.2f})" for (place_id, name), score in found]
    leaves = [best[place] for place, _ in found if best[place].node.text]
    return ToolResult(
        ", ".join(name for (_, name), _ in found), "\n".join(lines),
        hits=[(hit_of(one, "related"), one) for one in leaves], worth=None,
    )  # fmt: skip


def opened(stored: StoredNode) -> Evidence:
    """Return a node with its whole text as evidence."""
    node = stored.node
    spans = list(node.metadata.get("spans") or [])
    table = node if node.role == "table" else None
    return Evidence(hit_of(stored, "opened"), node.text, node.title, node.cell, spans, table)


def node_of(desk: Desk, node_id: str) -> StoredNode | None:
    """Return a node, None when there is none inside the filters."""
    try:
        return desk.node(node_id)
    except NotFoundError:
        return None


def _place(stored: StoredNode) -> str:
    page = f", p. {stored.node.page}" if stored.node.page else ""
    return " > ".join([stored.document, *stored.path]) + page
