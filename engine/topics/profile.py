"""What topics of a document are told from: its title, headings and summary, and a mean of its vectors."""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from engine.model import Document, Filters, Node
from storage.base import Storage
from storage.topics import TopicProfile

# Raised when profiles are made otherwise: topics of all documents are told again then, and stay where they fit.
PROFILE_VERSION = 3
HEADING_LEVEL = 2
MOST_HEADINGS = 40
TEXT_LETTERS = 2000
HEADING_LETTERS = 80
LEAST_SUMMARY = 80
# It stands before the title of every statute of its country and says nothing of the subject.
STATE = "中华人民共和国"
BEGINNING_NODES, BEGINNING_LETTERS = 50, 600
# So many nodes stand for a long document, and so much of one is embedded, about.
MOST_NODES, MOST_SECTIONS, READ_LETTERS = 400, 400, 500


def state_of(document: Document, model: str) -> str:
    """Return what a profile of a document's current version is marked with; another one wants a new profile."""
    return f"{PROFILE_VERSION} {document.sha256} {model}"


def profile_of(document: Document, storage: Storage, model: str) -> TopicProfile:
    """Return the profile of a document's current version; ``model`` is "" where there is no embedding model.

    However long the document is, a bounded number of its nodes is read. Raises NotFoundError when it is gone.
    """
    snapshot = storage.snapshot()

    def keys_of(*roles: str) -> list[int]:
        found: list[int] = snapshot.scope(Filters((document.document_id,), roles=roles)).keys.tolist()
        return found

    keys = keys_of()
    vectors = snapshot.vectors(_spread(keys, MOST_NODES), model) if model else {}
    sections = keys_of("document", "section")[:MOST_SECTIONS]
    wanted = sorted({*keys[:BEGINNING_NODES], *sections, *vectors})
    nodes = {one.key: one.node for one in snapshot.nodes(wanted)}
    title, text = _texts(list(nodes.values()), document.name)
    letters = {key: len(node.title) + len(node.text) for key, node in nodes.items()}
    mean = _mean([(vectors[key], letters[key]) for key in vectors if key in letters])
    return TopicProfile(document.document_id, state_of(document, model), title, text, model, mean)


def _spread(keys: list[int], most: int) -> list[int]:
    """Return up to ``most`` of the keys, evenly spread."""
    return [keys[at * len(keys) // most] for at in range(most)] if len(keys) > most else keys


def _mean(vectors: list[tuple[np.ndarray, int]]) -> np.ndarray | None:
    """Return the mean of vectors by the letters that each stands for, so that short lines do not drown what is told."""
    if not vectors:
        return None
    weights = [max(1, min(letters, READ_LETTERS)) for _, letters in vectors]
    mean = np.average(np.stack([vector for vector, _ in vectors]), axis=0, weights=weights)
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
        if node.role == "section"
        and (node.level or node.depth) <= HEADING_LEVEL
        and node.title != title
        and not node.metadata.get("generated")
    ]
    summary = root.summary if root is not None else ""
    if len(summary) < LEAST_SUMMARY:
        body = "\n".join(node.text for node in nodes[:BEGINNING_NODES] if node.role in ("paragraph", "list"))
        summary = f"{summary}\n{body[:BEGINNING_LETTERS]}".strip()
    text = "\n".join([*dict.fromkeys(headings[:MOST_HEADINGS]), summary])
    return title, text.replace(STATE, "")[:TEXT_LETTERS]
