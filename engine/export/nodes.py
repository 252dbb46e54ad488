"""What a question found, as other agents read it: nodes, one JSON file a document (seed 000), or one text, plain or
enhanced by reranking and summaries (seed 001).

Pages are counted from 0. A section's text is its title and the leaves below it, cut where they are long.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.errors import StorageError
from engine.model import Condensed, Hit, Node, SearchResult, Tree, children_of, down_to
from engine.page_image import has_picture
from engine.structure.sequences import grouped
from storage.base import Storage

FOLDER = "retrieved_nodes_for_agents"
PREVIEW = 2000
LONGEST_NAME = 200  # bytes; with what is put behind it a name stays within what file systems allow
Row = dict[str, Any]
_ELEMENT_TYPES = {
    "document": "heading", "section": "heading", "table": "table", "image": "figure", "equation": "equation",
}  # fmt: skip
# The longest original text that stands in for a summary.
LONGEST_CONTENT = 2000
_JUDGED = "rerank:"


def doc_id_of(name: str) -> str:
    """Return the ``doc_id`` of a document: its name without ".pdf", fit to be a file's name."""
    plain = name[:-4] if name.lower().endswith(".pdf") else name
    plain = plain.replace("/", "_").replace("\\", "_")
    plain = plain.encode()[:LONGEST_NAME].decode(errors="ignore").strip()
    return f"_{plain}" if not plain or plain.startswith(".") else plain


def question_hash(question: str) -> str:
    """Return the first 8 hex digits of the MD5 of a question in UTF-8 (seed 000)."""
    return hashlib.md5(question.encode(), usedforsecurity=False).hexdigest()[:8]


def node_files(result: SearchResult, storage: Storage, at: datetime) -> dict[str, Row]:
    """Return the content of each file by its name, for the documents that were found, the best first."""
    by_document = grouped(((hit.document_id, hit.version), hit) for hit in result.hits)
    files: dict[str, Row] = {}
    for (document_id, version), hits in by_document.items():
        tree = storage.tree(document_id, version)
        nodes, children = {node.node_id: node for node in tree.nodes}, children_of(tree.nodes)
        doc_id = doc_id_of(hits[0].document)
        files.setdefault(
            f"{doc_id}_{question_hash(result.query)}.json",
            {
                "doc_id": doc_id,
                "question": result.query,
                "retrieval_timestamp": at.isoformat(timespec="seconds"),
                "total_nodes": len(hits),
                "nodes_content": [_described(hit, tree, nodes, children) for hit in hits],
            },
        )
    return files


def write_node_files(files: Mapping[str, dict[str, Any]], out: Path) -> dict[str, Any]:
    """Write the files below ``out`` and return the JSON of ``dropqa export nodes``. Raises StorageError."""
    folder = out / FOLDER
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = folder / name
            path.write_text(json.dumps(content, ensure_ascii=False, indent=2), "utf-8")
            written.append({"path": str(path), "doc_id": content["doc_id"], "nodes": content["total_nodes"]})
    except OSError as error:
        raise StorageError(f"{folder} cannot be written: {error}.") from error
    return {"folder": str(folder), "files": written}


def _described(hit: Hit, tree: Tree, nodes: Mapping[str, Node], children: Mapping[str | None, Sequence[Node]]) -> Row:
    """Return a document's node as an element of a DOM."""
    node = nodes[hit.node_id]
    heading = node.role in ("section", "document")
    path, extracted = down_to(node.node_id, nodes), has_picture(tree.media_type, node)
    chapter = next((one for one in path if one.role == "section"), None)
    return {
        "node_id": node.node_id,
        "rank": hit.rank,
        "similarity_score": hit.score,
        "page_number": (node.page or 1) - 1,
        "element_type": _ELEMENT_TYPES.get(node.role, "text"),
        "text_content": _text(node, children.get(node.node_id, ()) if heading else None),
        "bbox": list(node.bbox) if node.bbox else None,
        "dom_path": "/".join(f"{one.role}[{one.position}]" if one.parent_id else one.role for one in path),
        "heading_level": (node.level or max(node.depth, 1)) if heading else None,
        "is_chapter_title": chapter is node,
        "parent_chapter": chapter.title if chapter and chapter is not node else None,
        "depth": node.depth,
        "image_info": _image_info(node, extracted) if node.role == "image" else None,
        "table_info": _table_info(node, extracted) if node.role == "table" else None,
    }


def _text(node: Node, below: Sequence[Node] | None) -> str:
    if below is None:
        return node.text or str(node.metadata.get("caption") or node.title)
    leaves = (child.text for child in below if child.role != "section")
    return "\n".join([node.title, *filter(None, leaves)])[:PREVIEW].strip()


def _image_info(node: Node, extracted: bool) -> dict[str, Any]:
    described = str(node.metadata.get("description") or "")
    read = str(node.metadata.get("ocr_text") or "")
    method = node.metadata.get("description_method") or ("ocr" if read else "none")
    return {"ai_description": described or read, "description_method": str(method), "image_extracted": extracted}


def _table_info(node: Node, extracted: bool) -> dict[str, Any]:
    rows = node.metadata.get("rows") or []
    columns = max(map(len, rows), default=0)
    return {"table_image_extracted": extracted, "row_count": len(rows), "col_count": columns}


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
