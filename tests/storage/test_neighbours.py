"""Vectors beyond the exact limit: found by Chroma, ranked exactly, kept in step with what comes and goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import chromadb
import numpy as np
import pytest
from chromadb.config import Settings
from library_maker import add, upkeep

from engine.model import Filters, document_id_for
from storage.embedded import neighbours, open_storage

MODEL, DIMENSION, TEXTS, LIMIT = "vectors@1", 24, 1550, 100


def clustered(rng, count):
    centres = np.random.default_rng(0).standard_normal((20, DIMENSION))
    vectors = centres[rng.integers(0, 20, count)] + 0.5 * rng.standard_normal((count, DIMENSION))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def fill(storage, rng):
    while missing := storage.nodes_without_vector(MODEL, 500):
        keys, texts = zip(*missing, strict=True)
        storage.add_vectors(MODEL, keys, texts, clustered(rng, len(keys)))


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A closed library whose vectors are all in Chroma."""
    folder = tmp_path_factory.mktemp("template") / "library"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "_SYNC", 500)  # what Chroma writes is on the disk
        storage = open_storage(folder, exact_limit=LIMIT)
        for part in range(5):
            add(storage, f"{part}.txt", [f"text {part} {i}" for i in range(TEXTS // 5)])
        fill(storage, np.random.default_rng(1))
        upkeep(storage)
        storage.close()
    return folder


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template, tmp_path / "library")


@pytest.fixture
def grown(folder):
    storage = open_storage(folder, exact_limit=LIMIT)
    yield storage
    storage.close()


@pytest.fixture
def asked(monkeypatch):
    """How many entries each search asked Chroma for."""
    counts = []
    nearest = neighbours.Neighbours.nearest

    def counting(self, model, query, count):
        counts.append(count)
        return nearest(self, model, query, count)

    monkeypatch.setattr(neighbours.Neighbours, "nearest", counting)
    return counts


def exact(storage, query, k, scope):
    known = storage.snapshot().vectors(scope.keys.tolist(), MODEL)
    keys = np.array(list(known))
    return keys[np.argsort(-(np.stack(list(known.values())) @ query), kind="stable")[:k]].tolist()


def recall(storage, filters, k=10, queries=30):
    snapshot = storage.snapshot()
    scope = snapshot.scope(filters)
    hits = 0
    for query in clustered(np.random.default_rng(2), queries):
        found = [hit.key for hit in snapshot.dense_search(query, k, scope, MODEL)]
        hits += len(set(found) & set(exact(storage, query, k, scope)))
    return hits / (k * queries)


def entries(storage):
    """What Chroma alone finds in the library's folder."""
    (folder,) = (storage.folder / "chroma").iterdir()
    client = chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))
    (collection,) = client.list_collections()
    found = collection.get(include=["embeddings", "metadatas"])
    client.close()
    return found


def test_a_large_search_finds_what_an_exact_one_finds(grown, asked):
    assert recall(grown, Filters()) >= 0.99
    assert len(asked) == 30
    assert recall(grown, Filters(documents=("0.txt", "1.txt"))) >= 0.99
    assert len(asked) >= 60


def test_a_small_scope_is_searched_exactly(grown, asked):
    add(grown, "small.txt", [f"small {i}" for i in range(50)])
    fill(grown, np.random.default_rng(3))
    assert recall(grown, Filters(documents=("small.txt",))) == 1.0
    assert asked == []


def test_a_filter_that_the_nearest_nodes_do_not_pass_loses_nothing(grown, asked):
    add(grown, "far.txt", [f"far {i}" for i in range(150)])
    missing = grown.nodes_without_vector(MODEL, 500)
    keys, texts = zip(*missing, strict=True)
    query = clustered(np.random.default_rng(4), 1)[0]
    opposite = clustered(np.random.default_rng(5), len(keys)) * 0.1 - query
    opposite /= np.linalg.norm(opposite, axis=1, keepdims=True)
    grown.add_vectors(MODEL, keys, texts, opposite.astype(np.float32))
    upkeep(grown)
    snapshot = grown.snapshot()
    scope = snapshot.scope(Filters(documents=("far.txt",)))
    hits = snapshot.dense_search(query, 10, scope, MODEL)
    assert [hit.key for hit in hits] == exact(grown, query, 10, scope)
    assert max(asked) > min(asked)


def test_scores_are_inner_products_and_more_than_there_is_can_be_asked_for(grown):
    snapshot = grown.snapshot()
    scope = snapshot.scope(Filters(documents=("0.txt", "1.txt")))
    query = clustered(np.random.default_rng(5), 1)[0]
    hits = snapshot.dense_search(query, 5000, scope, MODEL)
    assert [hit.key for hit in hits] == exact(grown, query, 5000, scope)
    vector = snapshot.vectors([hits[0].key], MODEL)[hits[0].key]
    assert snapshot.dense_search(vector, 1, scope, MODEL)[0].score == pytest.approx(1, abs=1e-5)


def test_what_is_added_is_found_before_chroma_has_it_and_what_is_deleted_never_more(grown):
    add(grown, "new.txt", ["something new"])
    fill(grown, np.random.default_rng(8))
    before = grown.snapshot()
    with grown.unit_of_work() as unit:
        unit.delete(document_id_for("4.txt"))
        unit.commit()
    assert recall(grown, Filters()) >= 0.99
    upkeep(grown)
    query = clustered(np.random.default_rng(4), 1)[0]
    everything = before.scope(Filters())
    assert len(before.dense_search(query, 2000, everything, MODEL)) == TEXTS + 1
    del before, everything
    upkeep(grown)
    assert recall(grown, Filters()) >= 0.99
    assert len(entries(grown)["ids"]) == 4 * TEXTS // 5 + 1


def test_chroma_alone_reads_ids_vectors_and_where_they_stand(grown):
    found = entries(grown)
    keys = [int(id_) for id_ in found["ids"]]
    nodes = grown.snapshot().nodes(keys)
    assert len(keys) == TEXTS
    assert [facts["node_id"] for facts in found["metadatas"]] == [one.node.node_id for one in nodes]
    (facts,) = [facts for facts, key in zip(found["metadatas"], keys, strict=True) if key == keys[0]]
    assert facts == {
        "document_id": nodes[0].document_id, "document": nodes[0].document, "version": 1, "role": "paragraph",
        "node_id": nodes[0].node.node_id, "page": nodes[0].node.page,
    }  # fmt: skip
    known = grown.snapshot().vectors(keys, MODEL)
    assert np.allclose(found["embeddings"], [known[key] for key in keys])


def test_a_reopened_library_trusts_what_it_closed_itself(grown, monkeypatch):
    monkeypatch.setattr(neighbours.Neighbours, "_sound", lambda *_: pytest.fail("it was closed in order"))
    assert recall(grown, Filters()) >= 0.99


def flip(path):
    data = bytearray(path.read_bytes())
    for place in range(50, len(data), 97):
        data[place] ^= 0x40
    path.write_bytes(data)


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize(
    ("name", "damage"), [("chroma.sqlite3", flip), ("chroma.sqlite3", cut), ("*/data_level0.bin", cut),
                         ("*/index_metadata.pickle", flip)],
)  # fmt: skip
def test_damaged_collections_are_made_again_while_searches_lose_nothing(folder, name, damage):
    (old,) = (folder / "chroma").iterdir()
    (path,) = old.glob(name)
    damage(path)
    storage = open_storage(folder, exact_limit=LIMIT)
    assert recall(storage, Filters(), queries=5) >= 0.98
    upkeep(storage)
    assert recall(storage, Filters(), queries=5) >= 0.98
    assert len(entries(storage)["ids"]) == TEXTS
    assert all(check.ok for check in storage.check(deep=True))
    storage.close()


def test_the_deep_check_finds_a_vector_that_differs_in_chroma_and_upkeep_mends_it(grown):
    grown._dense.neighbours.load()
    collection, _ = grown._dense.neighbours._open[MODEL]
    collection.update(ids=collection.get(limit=1)["ids"], embeddings=np.ones((1, DIMENSION), np.float32))
    assert all(check.ok for check in grown.check())
    (bad,) = [check for check in grown.check(deep=True) if not check.ok]
    assert "1 vectors are damaged in Chroma" in bad.detail
    upkeep(grown)
    assert all(check.ok for check in grown.check(deep=True))


def test_nothing_heavy_is_imported_to_open_and_search_a_small_library(tmp_path):
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["one"])
    fill(storage, np.random.default_rng(1))
    upkeep(storage)
    storage.close()
    code = (
        "import sys; sys.path[:0] = sys.argv[2].split(':'); import numpy as np; from pathlib import Path;"
        "from storage.embedded import open_storage; from engine.model import Filters;"
        "s = open_storage(Path(sys.argv[1])); s.warm(); n = s.snapshot();"
        f"assert n.dense_search(np.ones({DIMENSION}), 1, n.scope(Filters()), '{MODEL}'); s.close();"
        "print(sorted({'chromadb', 'networkx', 'bm25s'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), ":".join(sys.path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
