"""Query latency by mode and size: ``python benchmarks/latency.py [FOLDER] [--sizes 1000 10000 100000]``.

A library of synthetic nodes is built through storage: words drawn by Zipf's law, unit vectors in clusters.
Questions are searched through ``engine.retrieve.search``, the embedding of the question included. FOLDER
keeps the libraries for the next run; without it they are temporary.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.evaluate.metrics import percentile
from engine.library import Library
from engine.model import Node, document_id_for
from storage.base import IndexRecord, VersionWrite

MODES = ("hybrid", "semantic", "fulltext", "keyword")
PER_DOCUMENT, WORDS, VOCABULARY, TOPICS = 150, 45, 40_000, 200


def main() -> None:
    """Build, measure and print p50 and p95 in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--questions", type=int, default=60)
    options = parser.parse_args()
    print(f"{'nodes':>9}  " + "".join(f"{mode + ' p50':>13}{'p95':>8}" for mode in MODES))
    for size in options.sizes:
        with _folder(options.folder, size) as folder, Library.open(folder, background=False) as library:
            if not library.documents():
                _fill(library, size)
            while library.storage.maintain():
                pass
            library.storage.warm()
            row = ""
            for mode in MODES:
                times = _times(library, mode, options.questions)
                row += f"{percentile(times, 0.5):>13.1f}{percentile(times, 0.95):>8.1f}"
            print(f"{size:>9}  {row}", flush=True)


@contextlib.contextmanager
def _folder(given: Path | None, size: int) -> Iterator[Path]:
    if given is not None:
        yield given / str(size)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _fill(library: Library, size: int) -> None:
    random = np.random.default_rng(7)
    embedder = library.embedder
    assert embedder is not None
    centres = random.normal(size=(TOPICS, embedder.dimension))
    for start in range(0, size, PER_DOCUMENT * 40):
        with library.storage.unit_of_work() as unit:
            for first in range(start, min(size, start + PER_DOCUMENT * 40), PER_DOCUMENT):
                unit.write(_document(random, first, min(PER_DOCUMENT, size - first)))
            unit.commit()
        while pending := library.storage.nodes_without_vector(embedder.name, 5_000):
            shape = (len(pending), embedder.dimension)
            vectors = centres[random.integers(TOPICS, size=len(pending))] + random.normal(size=shape)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            keys, texts = [key for key, _ in pending], [text for _, text in pending]
            library.storage.add_vectors(embedder.name, keys, texts, vectors.astype(np.float32))


def _document(random: np.random.Generator, first: int, count: int) -> VersionWrite:
    name = f"document-{first}.txt"
    root = Node(f"n{first}-root", None, "document", title=name)
    nodes, records = [root], []
    for number in range(first, first + count):
        text = " ".join(_words(random, WORDS)) + f" {number}."
        node_id = f"n{number}"
        node = Node(node_id, root.node_id, "paragraph", text=text, depth=1, position=number - first)
        nodes.append(node)
        records.append(IndexRecord(node_id, [(word, 1.0) for word in text.rstrip(".").split()], text))
    return VersionWrite(
        document_id_for(name), name, "text/plain", f"{first:064x}", 1, None, [], nodes, [], records
    )


def _words(random: np.random.Generator, count: int) -> list[str]:
    ranks = np.minimum(random.zipf(1.2, size=count), VOCABULARY)
    return [f"w{rank}" for rank in ranks]


def _times(library: Library, mode: str, questions: int) -> list[float]:
    random = np.random.default_rng(11)
    times = []
    for number in range(questions + 3):
        question = " ".join(_words(random, 8)) + f" {number}"
        started = time.perf_counter()
        library.search(question, mode=mode)
        if number >= 3:  # the first ones load models and compile kernels
            times.append((time.perf_counter() - started) * 1000)
    return times


if __name__ == "__main__":
    main()
