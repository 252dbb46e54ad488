"""Pack found nodes into the evidence that an answer may use, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.model import Evidence, Hit, Node, SearchResult
from storage.base import Storage, StoredNode

LATIN_LETTERS_A_TOKEN = 4
# A single node never takes more than this share of the budget.
LARGEST_SHARE = 0.5
_CARRIERS = ("paragraph", "list", "table", "image", "caption", "code", "equation")


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a question found, and the part of it that was packed for the answer."""

    result: SearchResult
    evidence: list[Evidence]


def pack(hits: Sequence[Hit], storage: Storage, budget: int) -> list[Evidence]:
    """Return the hits' nodes with their texts, best first, until ``budget`` tokens are used.

    A section stands for its first leaves that were not found themselves. A text longer than its share of
    the budget is cut at a line or sentence end; what remains still stands word for word in the node.
    """
    packed: list[Evidence] = []
    seen = {hit.node_id for hit in hits if hit.role not in ("section", "document")}
    left = budget
    for hit in hits:
        for stored in _nodes_of(hit, storage, seen):
            text = _cut(stored.node.text, int(min(left, budget * LARGEST_SHARE)))
            if not text:
                continue
            left -= tokens_of(text)
            node = stored.node
            spans = list(node.metadata.get("spans") or [])
            table = node if node.role == "table" else None
            packed.append(Evidence(_placed(hit, node), text, node.title, node.cell, spans, table))
        if left <= 0:
            break
    return packed


def tokens_of(text: str) -> int:
    """Estimate a text's tokens: a Chinese character is about one, four Latin letters are one."""
    wide = sum(character >= "\u2e80" for character in text)
    return wide + (len(text) - wide) // LATIN_LETTERS_A_TOKEN + 1


def _nodes_of(hit: Hit, storage: Storage, seen: set[str]) -> list[StoredNode]:
    found = storage.find_node(hit.node_id, hit.version)
    if hit.role not in ("section", "document"):
        return [found]
    graph = storage.graph(hit.document_id, hit.version)
    leaves: list[StoredNode] = []
    for _, child, kind in graph.out_edges(hit.node_id, data="kind"):
        node = graph.nodes[child]["node"]
        if kind == "child" and node.role in _CARRIERS and node.text and child not in seen:
            seen.add(child)
            leaves.append(storage.find_node(child, hit.version))
    return leaves[:2]


def _placed(hit: Hit, node: Node) -> Hit:
    if hit.node_id == node.node_id:
        return hit
    return replace(hit, node_id=node.node_id, role=node.role, page=node.page, bbox=node.bbox)


def _cut(text: str, budget: int) -> str:
    if tokens_of(text) <= budget:
        return text
    letters = budget
    while letters < len(text) and tokens_of(text[: letters + 50]) <= budget:
        letters += 50
    kept = text[:letters]
    ends = [kept.rfind(mark) for mark in ("\n", "。", ". ", "；", "; ")]
    return kept[: max(ends) + 1] if max(ends) > letters // 2 else kept
