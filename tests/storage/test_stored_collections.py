"""What every backend must do with collections, and with somebody who may not read all of them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from library_maker import EVERYTHING, MODEL, add, embed, embed_all, found, nearest, remove, version

from engine.errors import AccessError, NotFoundError
from engine.model import Filters
from storage.collections import NONE, Rights, StoredCollection

MINE, THEIRS = StoredCollection("c1", "Fruit", created_at=1.0), StoredCollection("c2", "Secrets")


@pytest.fixture
def sorted_storage(storage):
    """Three documents on apples: one in Fruit, one in Secrets, one in none."""
    ids = [
        add(storage, name, [f"{word} apple", f"{word} pear"])[0]
        for name, word in (("fruit.txt", "red"), ("secret.txt", "hidden"), ("open.txt", "green"))
    ]
    for collection, document in zip((MINE, THEIRS), ids, strict=False):
        storage.collections.save(collection)
        storage.collections.put([document], collection.collection_id)
    return storage


def visible(storage, *readable, editable=()):
    return storage.visible(Rights(frozenset(readable), frozenset(editable)))


def test_a_collection_narrows_and_loses_nothing(sorted_storage):
    storage = sorted_storage
    assert found(storage, "apple", Filters(collections=("fruit",))) == ["red apple"]
    assert sorted(found(storage, "apple", Filters(collections=("c1", "Secrets")))) == [
        "hidden apple",
        "red apple",
    ]
    assert found(storage, "apple", Filters(collections=("Fruit",), documents=("open.txt",))) == []
    storage.collections.put(["nothing here"], "c1")  # of a file that could not be read
    assert found(storage, "apple", Filters(collections=("Fruit",))) == ["red apple"]
    with pytest.raises(NotFoundError, match="Vegetables"):
        storage.snapshot().scope(Filters(collections=("Vegetables",)))
    assert [one.collection for one in storage.documents()] == ["", "Secrets", "Fruit"]


def test_a_document_is_in_one_collection_until_that_or_itself_is_gone(sorted_storage):
    storage = sorted_storage
    fruit = storage.document("fruit.txt").document_id
    storage.collections.put([fruit], "c2")
    assert storage.document("fruit.txt").collection == "Secrets"
    storage.collections.remove("c2")
    assert storage.document("secret.txt").collection == storage.document("fruit.txt").collection == ""
    storage.collections.put([fruit], "c1")
    add(storage, "fruit.txt", ["blue apple"])
    assert storage.document("fruit.txt").collection == "Fruit"
    remove(storage, fruit)
    add(storage, "fruit.txt", ["blue apple"])
    assert storage.document("fruit.txt").collection == ""


def test_collections_outlive_a_restart(backend, tmp_path):
    first = backend(tmp_path / "library")
    document, _ = add(first, "a.txt", ["red apple"])
    first.collections.save(StoredCollection("c1", "Fruit", ("ann@x.org",), ("@x.org", "staff"), 5.0))
    first.collections.put([document], "c1")
    first.close()
    again = backend(tmp_path / "library")
    assert again.collections.list() == (StoredCollection("c1", "Fruit", ("ann@x.org",), ("@x.org", "staff"), 5.0),)
    assert again.document("a.txt").collection == "Fruit"
    again.close()


def test_what_may_not_be_read_is_as_if_it_were_not_there(sorted_storage):
    storage = sorted_storage
    embed_all(storage)
    secret = storage.document("secret.txt")
    node = storage.tree(secret.document_id).nodes[-1].node_id
    key = int(storage.snapshot().scope(Filters(documents=("secret.txt",))).keys[-1])
    seen = visible(storage, NONE, "c1")
    for view in (seen, seen.pinned()):
        assert {one.name for one in view.documents()} == {"fruit.txt", "open.txt"}
        assert sorted(found(view, "apple")) == ["green apple", "red apple"]
        assert nearest(view, "hidden apple")[0] != "hidden apple"
        snapshot = view.snapshot()
        assert snapshot.document_frequency("hidden") == 0 and snapshot.document_frequency("apple") == 2
        assert snapshot.nodes([key]) == [] and snapshot.coverage(MODEL) == (4, 4)
        assert set(snapshot.document_names().values()) == {"fruit.txt", "open.txt"}
        assert [one.name for one in view.collections.list()] == ["Fruit"]
        for ask in (
            lambda view=view: view.document("secret.txt"), lambda view=view: view.document(secret.document_id),
            lambda view=view: view.tree(secret.document_id), lambda view=view: view.find_node(node),
            lambda view=view: view.versions(secret.document_id), lambda view=view: view.graph(secret.document_id),
            lambda view=view: view.snapshot().scope(Filters(documents=("secret.txt",))),
            lambda view=view: view.snapshot().scope(Filters(collections=("Secrets",))),
        ):  # fmt: skip
            with pytest.raises(NotFoundError):
                ask()
    assert seen.snapshot().generation != storage.snapshot().generation


def test_a_view_follows_what_is_moved_added_and_put_away(sorted_storage):
    storage, seen = sorted_storage, visible(sorted_storage, NONE)
    before = seen.pinned()
    open_ = storage.document("open.txt").document_id
    storage.collections.put([open_], "c2")
    assert [one.name for one in seen.documents()] == [] and [one.name for one in before.documents()] == ["open.txt"]
    storage.collections.put([open_], NONE)
    add(storage, "more.txt", ["yellow apple"])
    assert sorted(found(seen, "apple")) == ["green apple", "yellow apple"]
    with storage.unit_of_work() as unit:
        unit.archive(storage.document("secret.txt").document_id)
        unit.commit()
    assert seen.archived() == [] and [one.name for one in storage.archived()] == ["secret.txt"]


def test_what_may_only_be_read_is_not_changed(sorted_storage):
    storage = sorted_storage
    seen = visible(storage, NONE, "c1", editable=(NONE,))
    fruit, secret = (storage.document(name).document_id for name in ("fruit.txt", "secret.txt"))
    for document, error in ((fruit, AccessError), (secret, NotFoundError)):
        with seen.unit_of_work() as unit:
            for change in (unit.delete, unit.archive, lambda one, unit=unit: unit.delete_version(one, 1)):
                with pytest.raises(error):
                    change(document)
        with pytest.raises(error):
            seen.collections.put([document], NONE)
    with seen.unit_of_work() as unit, pytest.raises(AccessError):
        unit.write(version("fruit.txt", ["another apple"]))
    for change in (
        lambda: seen.collections.save(MINE), lambda: seen.collections.remove("c1"),
        lambda: seen.collections.put([], "c1"), lambda: seen.collections.put([], "c2"),
    ):  # fmt: skip
        with pytest.raises(AccessError):
            change()
    add(seen, "open.txt", ["blue apple"])
    assert found(storage, "blue") == ["blue apple"]


def test_a_hidden_document_of_the_same_name_is_neither_told_nor_replaced(sorted_storage):
    storage, seen = sorted_storage, visible(sorted_storage, NONE, editable=(NONE,))
    secret = storage.document("secret.txt").document_id
    assert storage.is_free("d123") and not seen.is_free(secret)
    write = dataclasses.replace(version("secret.txt", ["mine"]), document_id="dmine")
    storage.files.put(b"secret.txt\nmine")
    with seen.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    assert seen.document("SECRET.txt").document_id == "dmine"
    assert storage.document(secret).version == 1 and visible(storage, "c2").document("secret.txt").document_id == secret


def test_vectors_of_a_part_are_compared_with_a_vector_of_the_right_length(sorted_storage):
    embed_all(sorted_storage)
    snapshot = visible(sorted_storage, "c1").snapshot()
    hits = snapshot.dense_search(embed("hidden apple"), 9, snapshot.scope(EVERYTHING), MODEL)
    assert {one.document for one in snapshot.nodes([hit.key for hit in hits])} == {"fruit.txt"}
    assert all(np.isfinite(hit.score) for hit in hits)
