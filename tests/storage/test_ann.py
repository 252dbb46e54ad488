"""Vectors beyond the exact limit: the ANN index is fed, trusted, doubted and rebuilt."""

from __future__ import annotations

import numpy as np
import pytest
from library_maker import add, upkeep

from engine.model import Filters, document_id_for
from storage.embedded import ann, compaction, dense, open_storage

MODEL, DIMENSION, TEXTS = "vectors@1", 24, 1550


def clustered(rng, count):
    centres = np.random.default_rng(0).standard_normal((20, DIMENSION))
    vectors = centres[rng.integers(0, 20, count)] + 0.5 * rng.standard_normal((count, DIMENSION))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def fill(storage, rng):
    while missing := storage.nodes_without_vector(MODEL, 500):
        keys, texts = zip(*missing, strict=True)
        storage.add_vectors(MODEL, keys, texts, clustered(rng, len(keys)))


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ann") / "library"
    storage = open_storage(folder, exact_limit=400)
    for part in range(5):
        add(storage, f"{part}.txt", [f"text {part} {i}" for i in range(TEXTS // 5)])
    fill(storage, np.random.default_rng(1))
    upkeep(storage)
    yield storage, folder
    storage.close()


def exact(storage, query, k, scope):
    model = storage._generations.current.vectors[MODEL]
    keys = scope.located(model)[0].keys
    return keys[np.argsort(-(model.block[model.locate(keys)] @ query), kind="stable")[:k]].tolist()


def recall(storage, filters, k=10, queries=40):
    snapshot = storage.snapshot()
    scope = snapshot.scope(filters)
    hits = 0
    for query in clustered(np.random.default_rng(2), queries):
        found = [hit.key for hit in snapshot.dense_search(query, k, scope, MODEL)]
        hits += len(set(found) & set(exact(storage, query, k, scope)))
    return hits / (k * queries)


def test_the_index_holds_a_prefix_and_the_tail_is_searched_exactly(grown):
    storage, folder = grown
    model = storage._generations.current.vectors[MODEL]
    assert 0 < model.ann_rows < model.rows
    assert (folder / model.ann_folder).is_dir()
    snapshot = storage.snapshot()
    scope = snapshot.scope(Filters())
    (hit,) = snapshot.dense_search(model.block[-1], 1, scope, MODEL)
    assert hit.score == pytest.approx(1, abs=1e-5)


def test_recall_against_exact_search_is_high(grown):
    storage, _ = grown
    assert recall(storage, Filters()) >= 0.98
    assert recall(storage, Filters(documents=("0.txt", "1.txt", "2.txt"))) >= 0.98
    assert recall(storage, Filters(documents=("3.txt",))) == 1.0


def test_an_index_that_fails_is_answered_exactly(grown):
    storage, _ = grown

    class Nothing:
        def query(self, model, vector, count):
            return None

    state = storage._generations.current
    scope = storage.snapshot().scope(Filters())
    query = clustered(np.random.default_rng(3), 1)[0]
    hits = dense.search(state.vectors[MODEL], query, 10, scope, 400, Nothing())
    assert [hit.key for hit in hits] == exact(storage, query, 10, scope)


def test_deleted_nodes_are_not_found_and_a_reopened_index_is_probed(grown):
    storage, folder = grown
    with storage.unit_of_work() as unit:
        unit.delete(document_id_for("4.txt"))
        unit.commit()
    assert recall(storage, Filters()) >= 0.98
    storage.close()
    storage.__init__(folder, exact_limit=400)
    assert recall(storage, Filters()) == 1.0  # exact until the index has been tried
    storage.warm()
    assert storage._ann._open
    assert recall(storage, Filters()) >= 0.98


def test_a_damaged_index_is_dropped_and_built_again(grown):
    storage, folder = grown
    damaged = storage._generations.current.vectors[MODEL].ann_folder
    assert damaged
    storage.close()
    (folder / damaged / "chroma.sqlite3").write_bytes(b"not a database")
    storage.__init__(folder, exact_limit=400)
    storage.warm()
    assert storage._generations.current.vectors[MODEL].ann_rows == 0
    upkeep(storage)
    rebuilt = storage._generations.current.vectors[MODEL]
    assert rebuilt.ann_rows > 0
    assert rebuilt.ann_folder != damaged
    assert not (folder / damaged).exists()
    assert recall(storage, Filters()) >= 0.98
    assert all(check.ok for check in storage.check() if check.name == "vectors")


def test_unused_vectors_are_compacted_away(grown, monkeypatch):
    storage, folder = grown
    monkeypatch.setattr(compaction, "LEAST", 100)
    with storage.unit_of_work() as unit:
        for part in (0, 1):
            unit.delete(document_id_for(f"{part}.txt"))
        unit.commit()
    before = storage.snapshot()
    query = clustered(np.random.default_rng(4), 1)[0]
    expected = [hit.key for hit in before.dense_search(query, 10, before.scope(Filters()), MODEL)]
    upkeep(storage)
    model = storage._generations.current.vectors[MODEL]
    assert model.rows == 2 * TEXTS // 5
    for snapshot in (before, storage.snapshot()):
        hits = snapshot.dense_search(query, 10, snapshot.scope(Filters()), MODEL)
        assert len(set(expected) & {hit.key for hit in hits}) >= 9
    storage.close()
    storage.__init__(folder, exact_limit=400)
    assert storage._generations.current.vectors[MODEL].rows == model.rows
    assert storage.snapshot().coverage(MODEL) == (620, 620)
    assert storage.nodes_without_vector(MODEL, 9) == []
    assert len(list((folder / "vectors").iterdir())) == 1


def test_chroma_is_not_imported_for_a_small_library(tmp_path):
    assert not ann.AnnIndex.__module__.startswith("chromadb")
    import subprocess
    import sys

    code = (
        "import sys; sys.path[:0] = sys.argv[2].split(':');"
        "from pathlib import Path; from library_maker import *; from storage.embedded import open_storage;"
        "s = open_storage(Path(sys.argv[1])); add(s, 'a.txt', ['one']); embed_all(s); upkeep(s); s.warm();"
        "print(sorted({'chromadb', 'numba', 'networkx', 'bm25s'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), ":".join(sys.path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
