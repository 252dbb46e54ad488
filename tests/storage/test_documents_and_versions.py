"""What every backend must do with documents, versions and original files, seen from outside."""

from __future__ import annotations

import dataclasses

import pytest
from library_maker import EVERYTHING, add, content, found, version

from engine.errors import NotFoundError, StorageError, UsageError
from engine.model import Filters, document_id_for


def test_a_written_document_is_listed_with_its_figures(storage):
    document_id, number = add(storage, "a.txt", ["red apple", "green pear"])
    (document,) = storage.documents()
    assert (document.document_id, document.name, document.version, document.versions) == (
        document_id,
        "a.txt",
        1,
        1,
    )
    assert (document.nodes, document.retrievable, document.embedded, number) == (4, 2, 0, 1)
    assert storage.document("a.txt") == storage.document(document_id) == document


def test_a_name_without_its_ending_is_the_document_if_there_is_only_one(storage):
    add(storage, "Plan A.md", ["red apple"])
    add(storage, "notes.txt", ["green pear"])
    assert storage.document("plan a").name == "Plan A.md"
    assert found(storage, "red", Filters(documents=("Plan A",))) == ["red apple"]
    add(storage, "Plan A.docx", ["blue plum"])
    for call in (storage.document, lambda name: storage.snapshot().scope(Filters(documents=(name,)))):
        with pytest.raises(NotFoundError):
            call("Plan A")
    storage_id = storage.document("Plan A.docx").document_id
    with storage.unit_of_work() as unit:
        unit.delete(storage_id)
        unit.commit()
    assert storage.document("Plan A").name == "Plan A.md"


def test_a_name_without_its_folder_is_the_document_if_there_is_only_one(storage):
    add(storage, "leases/flat/rent.md", ["red apple"])
    for name in ("rent.md", "Rent"):
        assert storage.document(name).name == "leases/flat/rent.md"
    add(storage, "old/rent.md", ["green pear"])
    with pytest.raises(NotFoundError):
        storage.document("rent.md")


def test_documents_are_listed_last_changed_first(storage):
    for name in ("a.txt", "b.txt", "c.txt"):
        add(storage, name, ["text"])
    add(storage, "a.txt", ["new text"])
    assert [document.name for document in storage.documents()] == ["a.txt", "c.txt", "b.txt"]


def test_the_same_name_again_is_the_next_version_and_the_old_one_stays(storage):
    document_id, _ = add(storage, "a.txt", ["red apple"])
    _, number = add(storage, "a.txt", ["green pear", "blue plum"])
    assert number == 2
    assert [(v.version, v.current, v.nodes) for v in storage.versions(document_id)] == [
        (2, True, 4),
        (1, False, 3),
    ]
    assert [node.text for node in storage.tree(document_id).nodes] == ["", "", "green pear", "blue plum"]
    assert [node.text for node in storage.tree(document_id, 1).nodes] == ["", "", "red apple"]


def test_two_versions_written_in_one_unit_count_up(storage):
    with storage.unit_of_work() as unit:
        assert [unit.write(version("a.txt", [text])) for text in ("one", "two")] == [1, 2]
        unit.commit()
    assert found(storage, "two") == ["two"]
    assert found(storage, "one") == []
    assert found(storage, "one", Filters(version=1)) == ["one"]


def test_a_tree_comes_back_as_it_was_written(storage):
    write = version("a.txt", ["red apple", "green pear"])
    with storage.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    tree = storage.tree(write.document_id)
    assert tree.nodes == write.nodes
    assert (tree.name, tree.pages, tree.page_sizes) == ("a.txt", write.pages, write.page_sizes)


def test_a_graph_has_nodes_with_keys_and_edges_with_every_kind(storage):
    write = version("a.txt", ["red apple", "green pear"])
    first, second = write.nodes[2], write.nodes[3]
    extra = dataclasses.replace(write.edges[-1], source=first.node_id, target=second.node_id, kind="caption_of")
    write = dataclasses.replace(write, edges=[*write.edges, extra])
    with storage.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    graph = storage.graph(write.document_id)
    key = graph.nodes[first.node_id]["key"]
    assert graph.nodes[first.node_id]["node"] == first
    assert storage.snapshot().nodes([key])[0].node == first
    assert graph.edges[first.node_id, second.node_id]["kinds"] == ["sibling", "prev_next", "caption_of"]


def test_a_node_is_found_by_its_public_id_the_current_version_first(storage):
    document_id, _ = add(storage, "a.txt", ["red apple"])
    node_id = storage.tree(document_id).nodes[2].node_id
    add(storage, "a.txt", ["green pear"])
    assert (storage.find_node(node_id).version, storage.find_node(node_id).current) == (1, False)
    add(storage, "a.txt", ["red apple"])
    assert (storage.find_node(node_id).version, storage.find_node(node_id).current) == (3, True)
    assert storage.find_node(node_id, 1).version == 1
    with pytest.raises(NotFoundError):
        storage.find_node(node_id, 2)


def test_a_stored_node_knows_the_sections_above_it(storage):
    add(storage, "a.txt", ["red apple"], section="Fruit")
    snapshot = storage.snapshot()
    root, section, leaf = snapshot.nodes(sorted(snapshot.keyword_search(lambda _: True, 9, snapshot.scope(EVERYTHING))))
    assert (root.path, section.path, leaf.path) == ([], ["Fruit"], ["Fruit"])
    assert (leaf.document, leaf.version, leaf.current) == ("a.txt", 1, True)


def test_what_does_not_exist_is_said_so(storage):
    for call in (storage.document, storage.versions, storage.tree, storage.graph, storage.find_node):
        with pytest.raises(NotFoundError):
            call("nothing")
    add(storage, "a.txt", ["red apple"])
    with pytest.raises(NotFoundError):
        storage.tree(document_id_for("a.txt"), 2)
    with pytest.raises(NotFoundError):
        storage.snapshot().scope(Filters(documents=("nothing",)))


def test_a_version_with_repeated_node_ids_is_refused(storage):
    write = version("a.txt", ["red apple"])
    with storage.unit_of_work() as unit, pytest.raises(UsageError):
        unit.write(dataclasses.replace(write, nodes=[*write.nodes, write.nodes[-1]]))


def test_thousands_of_small_documents_fit_in_one_unit(storage):
    with storage.unit_of_work() as unit:
        for i in range(1500):
            unit.write(version(f"{i}.txt", [f"word{i} common"]))
        unit.commit()
    assert len(storage.documents()) == 1500
    assert found(storage, "word777") == ["word777 common"]
    assert storage.tree(document_id_for("777.txt")).nodes[2].text == "word777 common"


def test_a_file_is_stored_by_its_content(storage, tmp_path):
    (tmp_path / "a").write_bytes(b"some bytes")
    sha256 = storage.files.put(tmp_path / "a")
    assert storage.files.put(b"some bytes") == sha256
    assert storage.files.path(sha256).read_bytes() == b"some bytes"
    assert storage.files.path(storage.files.put(b"")).read_bytes() == b""
    many = [b"1", b"2", b"some bytes", tmp_path / "a", b"1"]
    names = storage.files.put_many(many)
    assert [storage.files.path(name).read_bytes() for name in names] == [
        b"1",
        b"2",
        b"some bytes",
        b"some bytes",
        b"1",
    ]
    assert storage.files.put_many([]) == []


def test_a_file_that_is_not_stored_or_not_readable_is_said_so(storage, tmp_path):
    for name in ("0" * 64, "", "../../etc/passwd"):
        with pytest.raises(NotFoundError):
            storage.files.path(name)
    with pytest.raises(UsageError):
        storage.files.put(tmp_path / "missing")


def test_a_damaged_original_is_reported(storage):
    add(storage, "a.txt", ["one"])
    sha256 = storage.documents()[0].sha256
    storage.files.path(sha256).write_bytes(content("a.txt", ["two"]))
    (bad,) = [check for check in storage.check() if not check.ok]
    assert "a.txt" in bad.detail
    assert bad.fix


def test_a_storage_error_is_a_message_for_the_user(backend, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StorageError, match="file"):
        backend(tmp_path / "file")


def test_names_are_told_of_the_documents_whose_current_version_is_long_enough(storage):
    assert storage.snapshot().document_names() == {}
    long, _ = add(storage, "long.txt", ["one", "two", "three", "four"])
    short, _ = add(storage, "short.txt", ["one"])
    before = storage.snapshot()
    assert before.document_names() == {long: "long.txt", short: "short.txt"}
    assert before.document_names(5) == {long: "long.txt"}
    add(storage, "long.txt", ["one"])
    assert storage.snapshot().document_names(5) == {}
    assert before.document_names(5) == {long: "long.txt"}
