"""What topics of a document are told from: its title, headings and summary, and the mean of its vectors."""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from engine.model import Document, Node
from storage.base import Storage
from storage.topics import TopicProfile

# Raised when profiles are made otherwise: topics of all documents are told again then, and stay where they fit.
PROFILE_VERSION = 2
HEADING_LEVEL = 2
MOST_HEADINGS = 40
TEXT_LETTERS = 2000
HEADING_LETTERS = 80
LEAST_SUMMARY = 80
# It stands before the title of every statute of its country and says nothing of the subject.
STATE = "中华人民共和国"
BEGINNING_LETTERS = 600


def state_of(document: Document, model: str) -> str:
    """Return what a profile of a document's current version is marked with; another one wants a new profile."""
    return f"{PROFILE_VERSION} {document.sha256} {model}"


def profile_of(document: Document, storage: Storage, model: str) -> TopicProfile:
    """Return the profile of a document's current version; ``model`` is "" where there is no embedding model.

    Raises NotFoundError when the document is gone.
    """
    graph = storage.graph(document.document_id)
    nodes: list[Node] = [data["node"] for _, data in graph.nodes(data=True)]
    keys = [data["key"] for _, data in graph.nodes(data=True)]
    vectors = storage.snapshot().vectors(keys, model) if model else {}
    title, text = _texts(nodes, document.name)
    return TopicProfile(
        document.document_id, state_of(document, model), title, text, model, _mean(list(vectors.values()))
    )


def _mean(vectors: list[np.ndarray]) -> np.ndarray | None:
    if not vectors:
        return None
    mean = np.mean(vectors, axis=0, dtype=np.float32)
    norm = float(np.linalg.norm(mean))
    return np.asarray(mean / norm, np.float32) if norm > 0 else None


def _texts(nodes: list[Node], name: str) -> tuple[str, str]:
    root = next((node for node in nodes if node.role == "document"), None)
    stem = PurePath(name).stem.replace("_", " ")
    title = root.title if root is not None and root.title and root.title != name else stem
    title = title.replace(STATE, "") or title
    headings = [
        node.title[:HEADING_LETTERS]
        for node in nodes
        if node.role == "section" and (node.level or node.depth) <= HEADING_LEVEL and node.title != title
    ]
    summary = root.summary if root is not None else ""
    if len(summary) < LEAST_SUMMARY:
        body = "\n".join(node.text for node in nodes[:50] if node.role in ("paragraph", "list"))
        summary = f"{summary}\n{body[:BEGINNING_LETTERS]}".strip()
    text = "\n".join([*dict.fromkeys(headings[:MOST_HEADINGS]), summary])
    return title, text.replace(STATE, "")[:TEXT_LETTERS]
