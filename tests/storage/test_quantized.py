"""Vectors beyond the exact limit: found in 8 bits, ranked in full, kept in step with what comes and goes."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from library_maker import add, upkeep, upkeep_later

from engine.model import Filters, document_id_for
from storage.embedded import compaction, dense, open_storage, quantized

MODEL, DIMENSION, TEXTS, LIMIT = "vectors@1", 24, 1550, 400


def clustered(rng, count):
    centres = np.random.default_rng(0).standard_normal((20, DIMENSION))
    vectors = centres[rng.integers(0, 20, count)] + 0.5 * rng.standard_normal((count, DIMENSION))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def fill(storage, rng):
    while missing := storage.nodes_without_vector(MODEL, 500):
        keys, texts = zip(*missing, strict=True)
        storage.add_vectors(MODEL, keys, texts, clustered(rng, len(keys)))


@pytest.fixture
def grown(tmp_path):
    storage = open_storage(tmp_path / "library", exact_limit=LIMIT)
    for part in range(5):
        add(storage, f"{part}.txt", [f"text {part} {i}" for i in range(TEXTS // 5)])
    fill(storage, np.random.default_rng(1))
    upkeep(storage)
    yield storage
    storage.close()


@pytest.fixture
def scans(monkeypatch):
    """How many candidates each search in 8 bits gave."""
    counts = []
    candidates = dense._candidates

    def counting(*arguments):
        found = candidates(*arguments)
        counts.append(len(found.keys))
        return found

    monkeypatch.setattr(dense, "_candidates", counting)
    return counts


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


def test_a_large_search_finds_what_an_exact_one_finds(grown, scans):
    assert recall(grown, Filters()) >= 0.995
    assert len(scans) == 40
    assert max(scans) == 10 * dense._OVER + dense._SLACK
    assert recall(grown, Filters(documents=("0.txt", "1.txt"))) >= 0.995
    assert len(scans) == 80


def test_a_small_scope_is_searched_exactly(grown, scans):
    assert recall(grown, Filters(documents=("3.txt",))) == 1.0
    assert scans == []


def test_scores_are_those_of_the_full_vectors(grown):
    model = grown._generations.current.vectors[MODEL]
    snapshot = grown.snapshot()
    (hit,) = snapshot.dense_search(model.block[-1], 1, snapshot.scope(Filters()), MODEL)
    assert hit.score == pytest.approx(1, abs=1e-5)


def test_more_results_than_candidates_exist_can_be_asked_for(grown):
    snapshot = grown.snapshot()
    scope = snapshot.scope(Filters(documents=("0.txt", "1.txt")))
    query = clustered(np.random.default_rng(5), 1)[0]
    hits = snapshot.dense_search(query, 5000, scope, MODEL)
    assert [hit.key for hit in hits] == exact(grown, query, 5000, scope)


def test_what_is_added_and_deleted_is_known_at_once(grown, scans):
    add(grown, "new.txt", ["something new"])
    fill(grown, np.random.default_rng(8))
    with grown.unit_of_work() as unit:
        unit.delete(document_id_for("4.txt"))
        unit.commit()
    assert recall(grown, Filters()) >= 0.995
    model = grown._generations.current.vectors[MODEL]
    snapshot = grown.snapshot()
    (hit,) = snapshot.dense_search(model.block[-1], 1, snapshot.scope(Filters()), MODEL)
    assert snapshot.nodes([hit.key])[0].node.text == "something new"
    assert scans


def test_a_reopened_library_searches_exactly_until_its_codes_are_there(grown, scans):
    folder = grown.folder
    grown.close()
    grown.__init__(folder, exact_limit=LIMIT)
    grown._quantized._filled.clear()
    many = grown._generations.current.vectors[MODEL].rows
    assert many < 4000  # so few are encoded by the search itself
    assert recall(grown, Filters()) >= 0.995
    assert scans
    grown.warm()
    upkeep(grown)


def test_codes_of_rewritten_vectors_are_made_anew(grown, monkeypatch, scans):
    monkeypatch.setattr(compaction, "LEAST", 100)
    with grown.unit_of_work() as unit:
        for part in (0, 1, 2):
            unit.delete(document_id_for(f"{part}.txt"))
        unit.commit()
    before = grown.snapshot()
    query = clustered(np.random.default_rng(4), 1)[0]
    expected = [hit.key for hit in before.dense_search(query, 10, before.scope(Filters()), MODEL)]
    upkeep(grown)
    model = grown._generations.current.vectors[MODEL]
    assert model.rows == 2 * TEXTS // 5
    for snapshot in (before, grown.snapshot()):
        hits = snapshot.dense_search(query, 10, snapshot.scope(Filters()), MODEL)
        assert [hit.key for hit in hits] == expected
    upkeep(grown)
    assert set(grown._quantized._codes) == {model.folder}
    folder = grown.folder
    grown.close()
    grown.__init__(folder, exact_limit=LIMIT)
    assert grown._generations.current.vectors[MODEL].rows == model.rows
    assert grown.snapshot().coverage(MODEL) == (620, 620)
    assert grown.nodes_without_vector(MODEL, 9) == []
    upkeep_later(grown)
    assert len(list((folder / "vectors").iterdir())) == 1


def test_nothing_heavy_is_imported_for_a_small_library(tmp_path):
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


def test_a_scan_shared_by_cores_finds_what_one_core_finds(grown, monkeypatch):
    snapshot = grown.snapshot()
    queries = clustered(np.random.default_rng(5), 10)
    everything = snapshot.scope(Filters())
    alone = [snapshot.dense_search(query, 10, everything, MODEL) for query in queries]
    monkeypatch.setattr(quantized, "_ROWS_A_CORE", 7)
    monkeypatch.setattr(quantized.os, "cpu_count", lambda: 3)
    assert [snapshot.dense_search(query, 10, everything, MODEL) for query in queries] == alone
