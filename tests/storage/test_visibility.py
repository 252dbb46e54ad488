"""What every backend must show of a change, and when, seen from outside."""

from __future__ import annotations

import dataclasses
import threading

import pytest
from library_maker import (
    EVERYTHING,
    MODEL,
    add,
    content,
    embed_all,
    found,
    remove,
    upkeep,
    upkeep_later,
    version,
)

from engine.errors import NotFoundError
from engine.model import Filters, document_id_for


def test_nothing_is_visible_before_the_commit_and_nothing_after_leaving_without_it(storage):
    with storage.unit_of_work() as unit:
        unit.write(version("a.txt", ["red apple"]))
        assert storage.documents() == []
    assert storage.documents() == []
    assert found(storage, "apple") == []


def test_a_unit_changes_several_documents_in_one_step(storage):
    add(storage, "a.txt", ["red apple"])
    before = storage.snapshot().generation
    with storage.unit_of_work() as unit:
        unit.delete(document_id_for("a.txt"))
        unit.write(version("b.txt", ["green pear"]))
        unit.write(version("c.txt", ["blue plum"]))
        unit.commit()
    assert storage.snapshot().generation == before + 1
    assert sorted(document.name for document in storage.documents()) == ["b.txt", "c.txt"]


def test_a_snapshot_does_not_change_under_its_reader(storage):
    document_id, _ = add(storage, "a.txt", ["red apple"])
    snapshot = storage.snapshot()
    scope = snapshot.scope(EVERYTHING)
    remove(storage, document_id)
    add(storage, "b.txt", ["red brick"])
    upkeep(storage)
    hits = snapshot.sparse_search([("red", 1.0)], 5, scope)
    assert [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])] == ["red apple"]
    assert snapshot.keyword_search(lambda text: "red" in text, 5, scope) == [hits[0].key]
    assert found(storage, "red") == ["red brick"]


def test_a_pinned_library_is_read_as_it_was(storage):
    kept, _ = add(storage, "kept.txt", ["blue plum"])
    document_id, _ = add(storage, "a.txt", ["red apple"])
    add(storage, "a.txt", ["red apple", "green pear"])
    pinned = storage.pinned()
    before = pinned.documents(), pinned.versions(document_id), pinned.tree(document_id, 1)
    node = before[2].nodes[-1].node_id
    remove(storage, document_id)
    add(storage, "b.txt", ["red brick"])
    add(storage, "a.txt", ["something else"])
    upkeep(storage)
    assert [one.name for one in pinned.documents()] == ["a.txt", "kept.txt"]
    assert [(one.version, one.versions) for one in pinned.documents()] == [(2, 2), (1, 1)]
    assert pinned.document("a.txt").sha256 == before[0][0].sha256
    assert pinned.versions(document_id) == before[1]
    assert pinned.tree(document_id, 1) == before[2]
    assert pinned.graph(document_id, 1).nodes[node]["node"].text == "red apple"
    assert pinned.find_node(node, 1).node.text == "red apple"
    with pytest.raises(NotFoundError):
        pinned.document("b.txt")
    assert pinned.snapshot().generation == pinned.pinned().snapshot().generation
    assert [one.version for one in storage.versions(document_id)] == [1]
    assert sorted(one.name for one in storage.documents()) == ["a.txt", "b.txt", "kept.txt"]
    del pinned
    upkeep_later(storage)
    assert storage._catalog.read("SELECT count(*) FROM version WHERE NOT live") == [(0,)]
    assert storage.document(kept).versions == 1


def test_readers_do_not_wait_for_a_writer(storage):
    add(storage, "a.txt", ["red apple"])
    with storage.unit_of_work() as unit:
        unit.write(version("b.txt", ["red brick"]))
        seen = []
        reader = threading.Thread(target=lambda: seen.append(found(storage, "red")))
        reader.start()
        reader.join(30)
        assert seen == [["red apple"]]


def test_writers_take_turns(storage):
    def work(i):
        with storage.unit_of_work() as unit:
            unit.write(version("a.txt", [f"text {i}"]))
            unit.commit()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(v.version for v in storage.versions(document_id_for("a.txt"))) == list(range(1, 9))


def test_a_deleted_document_is_never_found(storage):
    document_id, _ = add(storage, "a.txt", ["red apple"])
    add(storage, "a.txt", ["red apple pie"])
    add(storage, "b.txt", ["red brick"])
    node_id = storage.tree(document_id, 1).nodes[2].node_id
    remove(storage, document_id)
    for _ in range(2):
        snapshot = storage.snapshot()
        assert found(storage, "apple") == []
        assert found(storage, "apple", Filters(version=1)) == []
        assert snapshot.keyword_search(lambda text: "apple" in text, 5, snapshot.scope(EVERYTHING)) == []
        assert [document.name for document in storage.documents()] == ["b.txt"]
        with pytest.raises(NotFoundError):
            storage.find_node(node_id)
        with pytest.raises(NotFoundError):
            storage.tree(document_id)
        upkeep(storage)
    with storage.unit_of_work() as unit, pytest.raises(NotFoundError):
        unit.delete(document_id)


def test_a_deleted_document_can_be_added_again_as_its_first_version(storage):
    document_id, _ = add(storage, "a.txt", ["red apple"])
    remove(storage, document_id)
    assert add(storage, "a.txt", ["red apple"]) == (document_id, 1)
    assert found(storage, "apple") == ["red apple"]
    upkeep(storage)
    assert [node.text for node in storage.tree(document_id).nodes[2:]] == ["red apple"]


def test_a_document_is_replaced_when_deleted_and_written_in_one_unit(storage):
    document_id, _ = add(storage, "a.txt", ["red apple"])
    with storage.unit_of_work() as unit:
        unit.delete(document_id)
        assert unit.write(version("a.txt", ["green pear"])) == 1
        unit.commit()
    assert [v.version for v in storage.versions(document_id)] == [1]
    assert (found(storage, "apple"), found(storage, "pear")) == ([], ["green pear"])


def test_a_version_can_be_replaced_in_place(storage):
    document_id, _ = add(storage, "a.txt", ["red apple"])
    add(storage, "a.txt", ["green pear"])
    add(storage, "b.txt", ["blue plum"])
    created = [v.created_at for v in storage.versions(document_id)]
    for number, text in ((1, "red apple reread"), (2, "green pear reread")):
        storage.files.put(content("a.txt", [text]))
        with storage.unit_of_work() as unit:
            assert unit.write(dataclasses.replace(version("a.txt", [text]), replaces=number)) == number
            unit.commit()
        upkeep(storage)
    assert [(v.version, v.current) for v in storage.versions(document_id)] == [(2, True), (1, False)]
    assert [v.created_at for v in storage.versions(document_id)] == created
    assert [document.name for document in storage.documents()] == ["b.txt", "a.txt"]
    assert (found(storage, "pear"), found(storage, "apple")) == (["green pear reread"], [])
    assert found(storage, "apple", Filters(version=1)) == ["red apple reread"]
    assert storage.tree(document_id, 1).nodes[2].text == "red apple reread"
    assert add(storage, "a.txt", ["another"]) == (document_id, 3)
    assert all(check.ok for check in storage.check())
    with storage.unit_of_work() as unit, pytest.raises(NotFoundError):
        unit.write(dataclasses.replace(version("a.txt", ["x"]), replaces=9))


def test_everything_is_there_after_closing_and_opening(backend, tmp_path):
    first = backend(tmp_path)
    document_id, _ = add(first, "a.txt", ["red apple"])
    add(first, "a.txt", ["green pear"])
    embed_all(first)
    generation = first.snapshot().generation
    first.close()
    second = backend(tmp_path)
    assert second.snapshot().generation == generation
    assert found(second, "pear") == ["green pear"]
    assert found(second, "apple", Filters(version=1)) == ["red apple"]
    assert second.snapshot().coverage(MODEL) == (1, 1)
    assert [v.version for v in second.versions(document_id)] == [2, 1]
    assert all(check.ok for check in second.check())
    second.close()


def test_a_healthy_library_passes_every_check(storage):
    for i in range(20):
        add(storage, f"{i % 7}.txt", [f"text {i}", "common"])
    remove(storage, document_id_for("3.txt"))
    embed_all(storage)
    for _ in range(2):
        assert [check for check in storage.check() if not check.ok] == []
        upkeep(storage)
