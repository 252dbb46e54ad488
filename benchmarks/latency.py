"""Latency, growth and recall by size: ``python benchmarks/latency.py [FOLDER] [--sizes 10000 100000 1000000]``.

A library of synthetic nodes is built through storage: words drawn by Zipf's law, unit vectors in clusters.
Questions are searched through ``engine.retrieve.run``, the embedding of the question included: by mode, and
in mode hybrid through filters that half of the nodes, one in a hundred and one in ten thousand pass, with how
many results these lost. Then the seconds it takes to add a document of 500 nodes, memory and disk a node, and the
recall@10 of the vector index against exact search. FOLDER keeps the libraries for the next run; without it they
are temporary. With ``DROPQA_DATABASE_URL`` the library is in that database, an empty one: one size a run. Its size
counts as disk, its server's memory does not.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil

from engine.evaluate.metrics import percentile
from engine.library import Library
from engine.model import Filters, Node, Role, document_id_for
from storage.base import IndexRecord, VersionWrite
from storage.catalog.store import CatalogStorage

MODES = ("hybrid", "semantic", "fulltext")
# One in so many nodes has the role; the rest are paragraphs.
ONE_IN: dict[Role, int] = {"code": 10_000, "list": 100, "table": 2}
ADDED, ADDITIONS = 500, 9
PER_DOCUMENT, WORDS, VOCABULARY, TOPICS = 150, 45, 40_000, 200


def main() -> None:
    """Build, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--questions", type=int, default=60)
    options = parser.parse_args()
    for size in options.sizes:
        with _folder(options.folder, size) as folder:
            _measure(folder, size, options.questions)


def _measure(folder: Path, size: int, questions: int) -> None:
    before = psutil.Process().memory_info().rss
    with Library.open(folder, background=False) as library:
        started = time.process_time()
        if not library.documents():
            _fill(library, size)
        _keep_up(library)
        print(f"{size:,} nodes; built in {time.process_time() - started:.0f} s of processor time", flush=True)
        library.storage.warm()
        for mode in MODES:
            _print_times(mode, _times(library, questions, mode))
        for role, one_in in ONE_IN.items():
            filters = Filters(roles=(role,))
            _print_times(f"one in {one_in}", _times(library, questions, filters=filters))
            there = library.storage.snapshot().scope(filters).size
            hits = library.search("w1 w2 w3", filters=filters, top_k=50).hits
            print(f"    results lost: {min(50, there) - sum(hit.role == role for hit in hits)} of {min(50, there)}")
        memory = psutil.Process().memory_info().rss - before
        disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        if library.settings.database.url:
            assert isinstance(library.storage, CatalogStorage)
            disk += library.storage.tables.read("SELECT pg_database_size(current_database())")[0][0]
        print(f"  a node: {memory / size:,.0f} bytes of memory, {disk / size:,.0f} of disk")
        found = _nearest(library, questions)
        added = [_added(library, number) for number in range(ADDITIONS)]
        print(f"  a document of {ADDED} nodes added in {percentile(added, 0.5):.3f} s (median)", flush=True)
    with Library.open(folder, background=False, flags={"ann.exact_limit": 10**9}) as library:
        library.storage.warm()
        exact = _nearest(library, questions)
    right = sum(len({*one} & {*other}) for one, other in zip(found, exact, strict=True))
    print(f"  recall@10 of the vector index: {right / sum(map(len, exact)):.4f}", flush=True)


def _print_times(name: str, times: list[float]) -> None:
    print(
        f"  {name:<14} p50 {percentile(times, 0.5):>7.1f} ms  p95 {percentile(times, 0.95):>7.1f} ms",
        flush=True,
    )


def _keep_up(library: Library) -> None:
    while library.storage.maintain():
        pass


def _nearest(library: Library, questions: int) -> list[list[int]]:
    """The keys of the ten nodes nearest to vectors drawn like those of the library."""
    embedder = library.embedder
    assert embedder is not None
    snapshot = library.storage.snapshot()
    scope = snapshot.scope(Filters())
    asked = _vectors(np.random.default_rng(13), _centres(embedder.dimension), questions)
    return [[hit.key for hit in snapshot.dense_search(one, 10, scope, embedder.name)] for one in asked]


def _added(library: Library, number: int) -> float:
    """The seconds to add a document with its vectors, and to remove it again."""
    random = np.random.default_rng(17)
    first = 10**9 + int(time.time()) + number
    started = time.perf_counter()
    document = _document(random, first, ADDED)
    with library.storage.unit_of_work() as unit:
        unit.write(document)
        unit.commit()
    _embed(library, random)
    seconds = time.perf_counter() - started
    library.remove(document.document_id)
    return seconds


@contextlib.contextmanager
def _folder(given: Path | None, size: int) -> Iterator[Path]:
    if given is not None:
        yield given / str(size)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _fill(library: Library, size: int) -> None:
    random = np.random.default_rng(7)
    for start in range(0, size, PER_DOCUMENT * 40):
        with library.storage.unit_of_work() as unit:
            for first in range(start, min(size, start + PER_DOCUMENT * 40), PER_DOCUMENT):
                unit.write(_document(random, first, min(PER_DOCUMENT, size - first)))
            unit.commit()
        _embed(library, random)


def _embed(library: Library, random: np.random.Generator) -> None:
    embedder = library.embedder
    assert embedder is not None
    centres = _centres(embedder.dimension)
    while pending := library.storage.nodes_without_vector(embedder.name, 5_000):
        keys, texts = [key for key, _ in pending], [text for _, text in pending]
        library.storage.add_vectors(embedder.name, keys, texts, _vectors(random, centres, len(pending)))


def _centres(dimension: int) -> np.ndarray:
    return np.random.default_rng(5).normal(size=(TOPICS, dimension))


def _vectors(random: np.random.Generator, centres: np.ndarray, count: int) -> np.ndarray:
    """Unit vectors around the centres."""
    noise = random.normal(size=(count, centres.shape[1]))
    vectors = centres[random.integers(TOPICS, size=count)] + noise
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def _document(random: np.random.Generator, first: int, count: int) -> VersionWrite:
    name = f"document-{first}.txt"
    root = Node(f"n{first}-root", None, "document", title=name)
    nodes, records = [root], []
    for number in range(first, first + count):
        text = " ".join(_words(random, WORDS)) + f" {number}."
        node_id = f"n{number}"
        role: Role = next((name for name, one_in in ONE_IN.items() if number % one_in == 0), "paragraph")
        node = Node(node_id, root.node_id, role, text=text, depth=1, position=number - first)
        nodes.append(node)
        records.append(IndexRecord(node_id, [(word, 1.0) for word in text.rstrip(".").split()], text))
    return VersionWrite(document_id_for(name), name, "text/plain", f"{first:064x}", 1, None, [], nodes, [], records)


def _words(random: np.random.Generator, count: int) -> list[str]:
    ranks = np.minimum(random.zipf(1.2, size=count), VOCABULARY)
    return [f"w{rank}" for rank in ranks]


def _times(library: Library, questions: int, mode: str = "hybrid", filters: Filters = Filters()) -> list[float]:
    random = np.random.default_rng(11)
    times = []
    for number in range(questions + 3):
        question = " ".join(_words(random, 8)) + f" {number}"
        started = time.perf_counter()
        library.search(question, mode=mode, filters=filters)
        if number >= 3:  # the first ones load models
            times.append((time.perf_counter() - started) * 1000)
    return times


if __name__ == "__main__":
    main()
