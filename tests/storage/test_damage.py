"""Damage of what is derived is found by checksums, answered around, and mended."""

from __future__ import annotations

import os
import sqlite3

import numpy as np
import pytest
from library_maker import DIMENSION, EVERYTHING, MODEL, add, embed, embed_all, found, nearest, upkeep

from engine.errors import NotFoundError, StorageError
from storage.catalog import rows
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


def test_a_row_that_cannot_be_read_any_more_is_told_in_words_and_mended(folder):
    catalog = sqlite3.connect(folder / "catalog.db")
    catalog.execute("UPDATE node SET rest = '[\x01' WHERE text = 'green apple'")
    catalog.commit()
    catalog.close()
    storage = open_storage(folder)
    assert (found(storage, "green"), found(storage, "red"), found(storage, "plum")) == (
        [],
        ["red apple"],
        ["blue plum"],
    )
    assert storage.damaged() == [(storage.document("a.txt").document_id, 1)]
    storage.close()


def flip_each_bit(row):
    """The row as it is with each bit of its columns turned, as far as they are texts."""
    for place, value in enumerate(row):
        data = value.encode() if isinstance(value, str) else b""
        for bit in range(8 * len(data)):
            turned = bytearray(data)
            turned[bit // 8] ^= 1 << bit % 8
            yield (*row[:place], turned.decode("utf-8", "replace"), *row[place + 1 :])


def test_any_bit_that_turns_in_a_row_of_a_node_is_noticed_when_it_is_read(folder):
    with sqlite3.connect(folder / "catalog.db") as catalog:
        (row,) = catalog.execute(f"SELECT {rows.COLUMNS} FROM node WHERE text = 'green apple'").fetchall()
    assert rows.node_of(row).text == "green apple"
    for wrong in [*flip_each_bit(row), (row[0] + 1, *row[1:]), (row[0], row[1] ^ 2, *row[2:])]:
        with pytest.raises(StorageError, match="catalog is damaged"):
            rows.node_of(wrong)


@pytest.mark.parametrize("place", ["title", "text", "path", "rest"])
@pytest.mark.parametrize("turned", [0x01, 0x80])
def test_nothing_is_told_from_a_row_that_is_not_what_was_written(folder, place, turned):
    with sqlite3.connect(folder / "catalog.db") as catalog:
        ((key, node_id, value),) = catalog.execute(
            f"SELECT key, node_id, {place} FROM node WHERE text = 'green apple'"
        ).fetchall()
        data = bytearray(value.encode() or b"x")
        data[len(data) // 2] ^= turned
        catalog.execute(f"UPDATE node SET {place} = CAST(? AS TEXT) WHERE key = ?", (bytes(data), key))
    storage = open_storage(folder)
    assert (found(storage, "green"), found(storage, "red")) == ([], ["red apple"])
    with pytest.raises(NotFoundError):
        storage.find_node(node_id)
    assert storage.damaged() == [(storage.document("a.txt").document_id, 1)]
    storage.close()


def test_a_row_of_an_older_dropqa_has_no_checksum_and_is_told_as_it_is(folder):
    with sqlite3.connect(folder / "catalog.db") as catalog:
        for key, rest in catalog.execute("SELECT key, rest FROM node").fetchall():
            catalog.execute("UPDATE node SET rest = ? WHERE key = ?", (f"{rest.rpartition(',')[0]}]", key))
    storage = open_storage(folder)
    assert found(storage, "apple") == ["red apple", "green apple"]
    assert (storage.damaged(), all(check.ok for check in storage.check(deep=True))) == ([], True)
    storage.close()


@DAMAGES
@pytest.mark.parametrize("name", ["data.csc.index.npy", "frequencies.npy", "ids.npy", "lens.npy", "terms.bin"])
def test_a_damaged_segment_is_left_out_and_its_documents_are_told(folder, damage, name):
    segments = sorted((folder / "sparse").iterdir())
    damage(segments[0] / name)
    storage = open_storage(folder)
    assert len(storage.damaged()) == 1
    assert len(found(storage, "apple")) + len(found(storage, "plum")) in (1, 2)
    assert not all(check.ok for check in storage.check())
    storage.close()


@DAMAGES
def test_a_damaged_file_of_vectors_is_noticed_and_what_is_lost_is_embedded_again(folder, damage):
    damage(folder / "vectors.db", 100) if damage is flip else damage(folder / "vectors.db")
    storage = open_storage(folder)
    upkeep(storage)
    assert storage.snapshot().coverage(MODEL) == (0, 3)
    assert embed_all(storage) == 3
    upkeep(storage)
    assert all(check.ok for check in storage.check(deep=True))
    assert nearest(storage, "blue plum") == ["blue plum"]
    storage.close()


def test_damage_of_the_vectors_that_shows_later_is_mended_by_upkeep(folder):
    storage = open_storage(folder, exact_limit=0)
    storage.close()
    data = (folder / "vectors.db").read_bytes()
    pages = [data[start : start + 4096] for start in range(0, len(data), 4096)]
    kept = [page if number == 0 or embed("blue plum").tobytes() not in page else b"\xff" * 4096
            for number, page in enumerate(pages)]  # fmt: skip
    (folder / "vectors.db").write_bytes(b"".join(kept))
    storage = open_storage(folder)
    with pytest.raises(StorageError, match="computed again"):
        nearest(storage, "blue plum")
    upkeep(storage)
    assert embed_all(storage) == 3
    assert nearest(storage, "blue plum") == ["blue plum"]
    storage.close()


def test_a_zeroed_vector_is_forgotten_and_computed_again(folder):
    with sqlite3.connect(folder / "vectors.db") as file:
        file.execute("UPDATE vector SET data = zeroblob(?) WHERE id = 2", (DIMENSION * 4,))
    storage = open_storage(folder)
    (bad,) = [check for check in storage.check(deep=True) if not check.ok]
    assert bad.name == "vectors"
    upkeep(storage)
    assert storage.snapshot().coverage(MODEL) == (2, 3)
    assert embed_all(storage) == 1
    upkeep(storage)
    assert all(check.ok for check in storage.check(deep=True))
    snapshot = storage.snapshot()
    keys = snapshot.scope(EVERYTHING).keys
    norms = [float(np.linalg.norm(vector)) for vector in snapshot.vectors(keys.tolist(), MODEL).values()]
    assert norms == pytest.approx([1.0] * 3)
    storage.close()


def test_a_library_without_checksums_opens_as_before(folder):
    for sums in (folder / "sparse").glob("*/sums.json"):
        sums.unlink()
    storage = open_storage(folder)
    assert found(storage, "plum") == ["blue plum"]
    assert all(check.ok for check in storage.check(deep=True))
    storage.close()


def test_rows_that_are_not_as_their_table_wants_them_are_told(folder):
    with sqlite3.connect(folder / "catalog.db") as catalog:
        catalog.execute("PRAGMA writable_schema = ON")
        (shape,) = catalog.execute("SELECT sql FROM sqlite_master WHERE name = 'node'").fetchone()
        loose = shape.replace("text TEXT NOT NULL", "text TEXT")
        catalog.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'node'", (loose,))
    with sqlite3.connect(folder / "catalog.db") as catalog:
        catalog.execute("UPDATE node SET text = NULL WHERE key = 0")
        catalog.execute("PRAGMA writable_schema = ON")
        catalog.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'node'", (shape,))
    storage = open_storage(folder)
    for deep in (False, True):
        catalog_check = storage.check(deep)[0]
        assert not catalog_check.ok and "NULL value in node.text" in catalog_check.detail
    storage.close()
