"""What a search found as a text that other agents read, plain or enhanced by reranking and summaries (seed 001)."""

from collections.abc import Mapping

from engine.model import Condensed, Hit, Node, SearchResult

# The longest original text that stands in for a summary.
LONGEST_CONTENT = 2000
_JUDGED = "rerank:"


def search_text(result: SearchResult, nodes: Mapping[str, Node], places: Mapping[str, int], *, enhanced: bool) -> str:
    """Return the hits as text: citation, relevance, title, key facts and content of each.

    ``nodes`` are those of the hits, by id, ``places`` their places in the reading order of their documents, the root
    being 0: a citation's chunk. Content is a hit's summary where there is one, else the original text.
    """
    lines = [
        "=== RAG Search Results (Enhanced) ===" if enhanced else "=== RAG Search Results ===",
        f"Query: '{result.query}'",
        f"Results Found: {len(result.hits)}",
    ]
    for number, hit in enumerate(result.hits, 1):
        condensed = result.condensed.get(hit.node_id, Condensed())
        node, chunk = nodes[hit.node_id], places.get(hit.node_id, 0)
        lines += ["", f"Result {number}", *_result(hit, node, chunk, condensed, enhanced)]
    return "\n".join(lines)


def _result(hit: Hit, node: Node, chunk: int, condensed: Condensed, enhanced: bool) -> list[str]:
    gap = [""] if enhanced else []
    lines = [
        f'Citation: [long_context: "{hit.document}", chunk {chunk}]',
        f"Relevance Score: {hit.score:.{2 if enhanced else 3}f}",
        *(why.replace(_JUDGED, "Relevance Reason: ", 1) for why in hit.why if why.startswith(_JUDGED)),
        *gap,
        f"Title: {' > '.join(hit.path) or node.title or hit.document}",
        *gap,
    ]
    if condensed.key_facts:
        lines += ["--- Key Facts ---", *(f"• {fact}" for fact in condensed.key_facts), ""]
    content = condensed.summary or (node.text or node.title)[:LONGEST_CONTENT]
    lines += ["--- Content ---", content]
    if condensed.relevance_note:
        lines += ["", f"Relevance: {condensed.relevance_note}"]
    return lines
