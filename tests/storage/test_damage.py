"""Damage of what is derived is found by checksums, answered around, and mended."""

from __future__ import annotations

import os

import numpy as np
import pytest
from library_maker import DIMENSION, EVERYTHING, MODEL, add, embed_all, found, upkeep

from storage.embedded import open_storage


def flip(path, place=-3):
    data = bytearray(path.read_bytes())
    data[place] ^= 0x40
    path.write_bytes(data)


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def empty(path):
    path.write_bytes(b"")


def unlink(path):
    path.unlink()


DAMAGES = pytest.mark.parametrize("damage", [flip, cut, empty, unlink])


@pytest.fixture
def folder(tmp_path):
    """A closed library with two documents and their vectors."""
    storage = open_storage(tmp_path)
    add(storage, "a.txt", ["red apple", "green apple"])
    add(storage, "b.txt", ["blue plum"])
    embed_all(storage)
    storage.close()
    return tmp_path


@DAMAGES
def test_a_damaged_graph_is_read_from_the_catalog_and_told(folder, damage):
    storage = open_storage(folder)
    ids = {document.name: document.document_id for document in storage.documents()}
    whole = {name: storage.tree(id_) for name, id_ in ids.items()}
    edges = set(storage.graph(ids["a.txt"]).edges)
    storage.close()
    (graph,) = (folder / "graphs" / ids["a.txt"]).iterdir()
    damage(graph)
    storage = open_storage(folder)
    assert {name: storage.tree(id_) for name, id_ in ids.items()} == whole
    assert set(storage.graph(ids["a.txt"]).edges) == edges
    assert found(storage, "apple") == ["red apple", "green apple"]
    assert storage.damaged() == [(ids["a.txt"], 1)]
    assert [check.name for check in storage.check() if not check.ok] == ["graphs"]
    storage.close()


def test_upkeep_finds_a_damaged_graph_that_nobody_asks_for(folder):
    (graph, *_) = sorted((folder / "graphs").glob("*/*.json"))
    flip(graph, 40)
    storage = open_storage(folder)
    assert storage.damaged() == []
    upkeep(storage)
    assert [document_id for document_id, _ in storage.damaged()] == [graph.parent.name]
    storage.close()


def test_a_text_that_changed_in_the_catalog_is_noticed_and_told(folder):
    catalog = folder / "catalog.db"
    catalog.write_bytes(catalog.read_bytes().replace(b"green apple", b"green adder"))
    storage = open_storage(folder)
    assert [check.name for check in storage.check(deep=True) if not check.ok] == ["graphs"]
    upkeep(storage)
    assert storage.damaged() == [(storage.document("a.txt").document_id, 1)]
    storage.close()


@DAMAGES
@pytest.mark.parametrize("name", ["data.csc.index.npy", "ids.npy", "lens.npy", "terms.bin"])
def test_a_damaged_segment_is_left_out_and_its_documents_are_told(folder, damage, name):
    segments = sorted((folder / "sparse").iterdir())
    damage(segments[0] / name)
    storage = open_storage(folder)
    assert len(storage.damaged()) == 1
    assert len(found(storage, "apple")) + len(found(storage, "plum")) in (1, 2)
    assert not all(check.ok for check in storage.check())
    storage.close()


@DAMAGES
def test_damaged_links_are_noticed_and_everything_is_embedded_again(folder, damage):
    (links,) = (folder / "vectors").glob("*/links.i64")
    damage(links)
    storage = open_storage(folder)
    assert storage.snapshot().coverage(MODEL) == (0, 3)
    assert embed_all(storage) == 3
    upkeep(storage)
    assert all(check.ok for check in storage.check(deep=True))
    storage.close()


def test_a_zeroed_vector_is_forgotten_and_computed_again(folder):
    storage = open_storage(folder)
    add(storage, "c.txt", ["yellow pear"])
    embed_all(storage)
    storage.close()
    (rows,) = (folder / "vectors").glob("*/rows.f32")
    data = bytearray(rows.read_bytes())
    data[3 * DIMENSION * 4 : 4 * DIMENSION * 4] = bytes(DIMENSION * 4)
    rows.write_bytes(data)
    storage = open_storage(folder)
    (bad,) = [check for check in storage.check(deep=True) if not check.ok]
    assert bad.name == "vectors"
    upkeep(storage)
    assert storage.snapshot().coverage(MODEL) == (3, 4)
    assert embed_all(storage) == 1
    storage.close()
    storage = open_storage(folder)
    upkeep(storage)
    assert storage.snapshot().coverage(MODEL) == (4, 4)
    snapshot = storage.snapshot()
    keys = snapshot.scope(EVERYTHING).keys
    norms = [float(np.linalg.norm(vector)) for vector in snapshot.vectors(keys.tolist(), MODEL).values()]
    assert norms == pytest.approx([1.0] * 4)
    storage.close()


def test_a_library_without_checksums_opens_as_before(folder):
    for sums in (folder / "sparse").glob("*/sums.json"):
        sums.unlink()
    storage = open_storage(folder)
    assert found(storage, "plum") == ["blue plum"]
    assert all(check.ok for check in storage.check(deep=True))
    storage.close()
