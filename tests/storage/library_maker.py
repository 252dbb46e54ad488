"""Small documents for storage tests: a root, sections and paragraphs, all made from words."""

from __future__ import annotations

import hashlib
import time

import numpy as np

from engine.model import Filters, Node, NodeIds, document_id_for, tree_edges
from storage.base import IndexRecord, VersionWrite

MODEL = "test-model@1"
DIMENSION = 16


def content(name, paragraphs):
    """The bytes of the original file."""
    return "\n".join([name, *paragraphs]).encode()


def version(name, paragraphs, *, section="Introduction", weights=None):
    """A document with one section; ``weights`` are token weights by paragraph, else 1."""
    original = content(name, paragraphs)
    sha256 = hashlib.sha256(original).hexdigest()
    ids = NodeIds(sha256)
    root = Node(ids.next("document", name), None, "document", title=name)
    head = Node(ids.next("section", section), root.node_id, "section", title=section, depth=1, level=1)
    leaves = [
        Node(
            ids.next("paragraph", text), head.node_id, "paragraph", text=text, depth=2, position=i, page=1 + i // 5,
            bbox=(1.0, 2.0, 3.0, 4.0), metadata={"n": i},
        )
        for i, text in enumerate(paragraphs)
    ]  # fmt: skip
    nodes = [root, head, *leaves]
    records = [
        IndexRecord(leaf.node_id, [(word, w) for word, w in zip(leaf.text.split(), ws, strict=True)], leaf.text)
        for leaf, ws in zip(leaves, weights or [[1.0] * len(text.split()) for text in paragraphs], strict=True)
    ]
    return VersionWrite(
        document_id_for(name), name, "text/plain", sha256, len(original), 1 + len(paragraphs) // 5,
        [(595.0, 842.0)], nodes, tree_edges(nodes), records,
    )  # fmt: skip


def add(storage, name, paragraphs, **options):
    """Commit one version and return (document id, version number)."""
    write = version(name, paragraphs, **options)
    storage.files.put(content(name, paragraphs))
    with storage.unit_of_work() as unit:
        number = unit.write(write)
        unit.commit()
    return write.document_id, number


def embed(text):
    """A unit vector that depends on nothing but the text."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return vector / np.linalg.norm(vector)


def embed_all(storage, batch=64):
    """Give every node its vector and return how many texts were embedded."""
    count = 0
    while missing := storage.nodes_without_vector(MODEL, batch):
        keys, texts = zip(*missing, strict=True)
        storage.add_vectors(MODEL, keys, texts, np.stack([embed(text) for text in texts]))
        count += len(texts)
    return count


def upkeep(storage):
    """Run upkeep until nothing is left to do."""
    while storage.maintain():
        pass


def upkeep_later(storage, days=1.1):
    """Run upkeep as it will be run so many days from now."""
    storage._upkeep._clock = lambda: time.time() + days * 24 * 3600
    upkeep(storage)


EVERYTHING = Filters()


def found(storage, word, filters=EVERYTHING, k=10):
    """The texts that full-text search gives for a word."""
    snapshot = storage.snapshot()
    hits = snapshot.sparse_search([(word, 1.0)], k, snapshot.scope(filters))
    return [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])]


def nearest(storage, text, filters=EVERYTHING, k=1):
    """The texts of the nodes nearest to a text."""
    snapshot = storage.snapshot()
    hits = snapshot.dense_search(embed(text), k, snapshot.scope(filters), MODEL)
    return [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])]


def remove(storage, document_id):
    with storage.unit_of_work() as unit:
        unit.delete(document_id)
        unit.commit()
