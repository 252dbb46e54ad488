"""What every backend must do, seen from outside."""

from __future__ import annotations

import dataclasses
import threading

import numpy as np
import pytest
from library_maker import DIMENSION, MODEL, add, content, embed, embed_all, upkeep, version

from engine.errors import NotFoundError, StorageError, UsageError
from engine.model import Filters, document_id_for
from storage.base import Facets

EVERYTHING = Filters()


def found(storage, word, filters=EVERYTHING, k=10):
    """The texts that full-text search gives for a word."""
    snapshot = storage.snapshot()
    hits = snapshot.sparse_search([(word, 1.0)], k, snapshot.scope(filters))
    return [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])]


def remove(storage, document_id):
    with storage.unit_of_work() as unit:
        unit.delete(document_id)
        unit.commit()


# --- documents and versions --------------------------------------------------------------------------------


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
    extra = dataclasses.replace(
        write.edges[-1], source=first.node_id, target=second.node_id, kind="caption_of"
    )
    write = dataclasses.replace(write, edges=[*write.edges, extra])
    with storage.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    graph = storage.graph(write.document_id)
    key = graph.nodes[first.node_id]["key"]
    assert graph.nodes[first.node_id]["node"] == first
    assert storage.snapshot().nodes([key])[0].node == first
    assert graph.edges[first.node_id, second.node_id]["kinds"] == ["next", "caption_of"]
    assert graph.edges[first.node_id, second.node_id]["kind"] == "next"


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
    root, section, leaf = snapshot.nodes(
        sorted(snapshot.keyword_search(lambda _: True, 9, snapshot.scope(EVERYTHING)))
    )
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


# --- what becomes visible ------------------------------------------------------------------------------------


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


# --- scopes -----------------------------------------------------------------------------------------------------


def test_filters_narrow_what_is_searched(storage):
    add(storage, "a.txt", ["red apple", "green apple"], section="Fruit")
    add(storage, "b.txt", ["apple phone"], section="Devices")
    add(storage, "b.txt", ["apple watch"], section="Devices")
    assert sorted(found(storage, "apple")) == ["apple watch", "green apple", "red apple"]
    assert found(storage, "apple", Filters(documents=("b.txt",))) == ["apple watch"]
    assert found(storage, "apple", Filters(documents=(document_id_for("b.txt"),))) == ["apple watch"]
    assert sorted(found(storage, "apple", Filters(section="fRUIT"))) == ["green apple", "red apple"]
    assert found(storage, "apple", Filters(section="vegetable")) == []
    assert sorted(found(storage, "apple", Filters(version=1))) == ["apple phone", "green apple", "red apple"]
    assert found(storage, "apple", Filters(version=1, documents=("b.txt",))) == ["apple phone"]
    assert found(storage, "apple", Filters(version=2)) == ["apple watch"]
    assert found(storage, "apple", Filters(roles=("table",))) == []
    assert len(found(storage, "apple", Filters(roles=("table", "paragraph")))) == 3
    assert found(storage, "apple", Filters(roles=("paragraph",), section="dev", documents=("b.txt",))) == [
        "apple watch"
    ]


def test_a_scope_knows_its_size_and_members(storage):
    add(storage, "a.txt", ["red apple"])
    add(storage, "a.txt", ["green pear", "blue plum"])
    snapshot = storage.snapshot()
    scope = snapshot.scope(EVERYTHING)
    keys = snapshot.keyword_search(lambda _: True, 99, scope)
    assert scope.size == len(keys) == 4
    assert scope.contains(np.array([*keys, -1, 10**9])).tolist() == [True] * 4 + [False] * 2
    assert snapshot.scope(Filters(version=1)).contains(np.array(keys)).sum() == 0


def test_sections_above_sections_count_for_the_section_filter(storage):
    write = version("a.txt", ["red apple", "green apple"], section="Outer")
    inner = dataclasses.replace(
        write.nodes[1], node_id="inner", parent_id=write.nodes[1].node_id, title="Inner", depth=2
    )
    moved = dataclasses.replace(write.nodes[3], parent_id="inner", depth=3)
    write = dataclasses.replace(write, nodes=[*write.nodes[:3], inner, moved])
    with storage.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    assert sorted(found(storage, "apple", Filters(section="outer"))) == ["green apple", "red apple"]
    assert found(storage, "apple", Filters(section="inner")) == ["green apple"]


def faceted(storage, name, facets):
    """A document with a paragraph "apple 0", "apple 1" … for each of the facets."""
    write = version(name, [f"apple {n}" for n in range(len(facets))])
    by_id = {node.node_id: one for node, one in zip(write.nodes[2:], facets, strict=True)}
    with storage.unit_of_work() as unit:
        unit.write(dataclasses.replace(write, facets=by_id))
        unit.commit()


def test_filters_by_page_level_numbers_units_and_chart_narrow_what_is_searched(storage):
    faceted(
        storage,
        "a.txt",
        [
            Facets(pages=(1,)),
            Facets(pages=(2, 3), has_numbers=True, units=("%", "USD")),
            Facets(pages=(3,), level=2, units=("kg",)),
            Facets(chart_type="bar", has_numbers=True),
            Facets(pages=(4,)),
        ],
    )

    def kept(**filters):
        return sorted(int(text[-1]) for text in found(storage, "apple", Filters(**filters)))

    assert kept(pages=(1, 4)) == [0, 1, 2, 4]
    assert kept(pages=(3, 3)) == [1, 2]
    assert kept(pages=(4, 9)) == [4]
    assert kept(has_numbers=True) == [1, 3]
    assert kept(has_numbers=False) == [0, 2, 4]
    assert kept(units=("usd",)) == kept(units=("%",)) == [1]
    assert kept(units=("%", "kg")) == [1, 2]
    assert kept(levels=(2,)) == [2]
    assert kept(chart_types=("bar", "pie")) == [3]
    assert kept(chart_types=("bar",), pages=(1, 4)) == []
    assert kept(roles=("paragraph",), section="intro", pages=(2, 2), documents=("a.txt",)) == [1]


def test_a_filter_loses_nothing_when_documents_come_change_and_go(storage):
    rng = np.random.default_rng(7)
    expected = {}
    for round_ in range(12):
        name = f"{rng.integers(5)}.txt"
        facets = [Facets(pages=(int(page),)) for page in rng.integers(1, 6, size=rng.integers(1, 9))]
        faceted(storage, name, facets)
        expected[name] = [one.pages[0] for one in facets]
        if round_ % 4 == 3:
            remove(storage, document_id_for(name))
            del expected[name]
        upkeep(storage)
        for first, last in ((1, 1), (2, 4), (5, 9)):
            count = sum(first <= page <= last for pages in expected.values() for page in pages)
            assert len(found(storage, "apple", Filters(pages=(first, last)), k=99)) == count


def test_a_filter_that_cannot_be_applied_is_refused(storage):
    with pytest.raises(UsageError):
        storage.snapshot().scope(Filters(roles=("chapter",)))


# --- searching --------------------------------------------------------------------------------------------------


def test_an_empty_library_finds_nothing(storage):
    snapshot = storage.snapshot()
    scope = snapshot.scope(EVERYTHING)
    assert (scope.size, found(storage, "apple"), storage.documents()) == (0, [], [])
    assert snapshot.dense_search(embed("x"), 5, scope, MODEL) == []
    assert snapshot.keyword_search(lambda _: True, 5, scope) == []
    assert (snapshot.coverage(MODEL), snapshot.vectors([1], MODEL), snapshot.nodes([1])) == ((0, 0), {}, [])
    assert not storage.maintain()
    assert all(check.ok for check in storage.check())


def test_weights_of_fields_and_of_query_terms_count(storage):
    add(storage, "a.txt", ["apple plum", "apple pear"], weights=[[3.0, 1.0], [0.5, 3.5]])
    assert found(storage, "apple") == ["apple plum", "apple pear"]
    snapshot = storage.snapshot()
    scope = snapshot.scope(EVERYTHING)
    one, two = (snapshot.sparse_search([("pear", weight)], 1, scope)[0].score for weight in (1.0, 2.0))
    assert two == pytest.approx(2 * one)


def test_keyword_search_stops_at_k_in_library_order(storage):
    for i in range(5):
        add(storage, f"{i}.txt", [f"red {i}", f"green {i}"])
    snapshot = storage.snapshot()
    keys = snapshot.keyword_search(lambda text: text.startswith("red"), 3, snapshot.scope(EVERYTHING))
    assert [stored.node.text for stored in snapshot.nodes(keys)] == ["red 0", "red 1", "red 2"]
    titles = snapshot.keyword_search(lambda text: text == "3.txt", 3, snapshot.scope(EVERYTHING))
    assert [stored.node.role for stored in snapshot.nodes(titles)] == ["document"]


def test_keyword_search_reads_scattered_scopes_too(storage):
    with storage.unit_of_work() as unit:
        for i in range(300):
            unit.write(version(f"{i}.txt", [f"needle {i}", "hay one", "hay two", "hay three"]))
        unit.commit()
    snapshot = storage.snapshot()
    names = tuple(f"{i}.txt" for i in range(0, 300, 30))
    keys = snapshot.keyword_search(
        lambda text: "needle" in text, 99, snapshot.scope(Filters(documents=names))
    )
    assert [stored.node.text for stored in snapshot.nodes(keys)] == [f"needle {i}" for i in range(0, 300, 30)]


def test_nodes_come_in_the_order_asked_for_and_unknown_keys_are_left_out(storage):
    add(storage, "a.txt", ["red apple", "green pear"])
    snapshot = storage.snapshot()
    keys = snapshot.keyword_search(lambda _: True, 99, snapshot.scope(EVERYTHING))
    assert [stored.key for stored in snapshot.nodes([keys[3], 10**6, keys[0], -1])] == [keys[3], keys[0]]


# --- vectors ----------------------------------------------------------------------------------------------------


def test_dense_search_gives_exactly_the_nearest_nodes_of_the_scope(storage):
    texts = [f"text number {i}" for i in range(60)]
    add(storage, "a.txt", texts[:30])
    add(storage, "b.txt", texts[30:])
    embed_all(storage)
    snapshot = storage.snapshot()
    query = embed("question")
    for filters, candidates in ((EVERYTHING, texts), (Filters(documents=("b.txt",)), texts[30:])):
        hits = snapshot.dense_search(query, 7, snapshot.scope(filters), MODEL)
        best = sorted(candidates, key=lambda text: -float(embed(text) @ query))[:7]
        assert [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])] == best
        assert [hit.score for hit in hits] == pytest.approx(
            [float(embed(text) @ query) for text in best], abs=1e-6
        )


def test_a_node_without_a_vector_is_not_found_by_the_dense_view_and_counted_as_missing(storage):
    add(storage, "a.txt", ["one", "two"])
    (key, text), *_ = storage.nodes_without_vector(MODEL, 1)
    storage.add_vectors(MODEL, [key], [text], embed(text)[None])
    snapshot = storage.snapshot()
    assert snapshot.coverage(MODEL) == (1, 2)
    assert [hit.key for hit in snapshot.dense_search(embed("two"), 5, snapshot.scope(EVERYTHING), MODEL)] == [
        key
    ]
    assert storage.documents()[0].embedded == storage.document("a.txt").embedded == 1
    assert list(snapshot.vectors([key, key + 1], MODEL)) == [key]


def test_the_newest_document_is_embedded_first(storage):
    add(storage, "a.txt", ["one", "two"])
    add(storage, "b.txt", ["three", "four"])
    assert [text for _, text in storage.nodes_without_vector(MODEL, 3)] == ["three", "four", "one"]


def test_an_unchanged_paragraph_is_not_embedded_again(storage):
    add(storage, "a.txt", ["one", "two", "three"])
    assert embed_all(storage) == 3
    add(storage, "a.txt", ["one", "two changed", "three"])
    assert [text for _, text in storage.nodes_without_vector(MODEL, 9)] == ["two changed"]
    assert embed_all(storage) == 1
    remove(storage, document_id_for("a.txt"))
    upkeep(storage)
    add(storage, "b.txt", ["three", "two", "one"])
    assert embed_all(storage) == 0
    snapshot = storage.snapshot()
    assert snapshot.coverage(MODEL) == (3, 3)
    (hit,) = snapshot.dense_search(embed("two"), 1, snapshot.scope(EVERYTHING), MODEL)
    assert snapshot.nodes([hit.key])[0].node.text == "two"


def test_equal_texts_share_one_vector_and_are_all_found(storage):
    for i in range(4):
        add(storage, f"{i}.txt", ["the same", f"other {i}"])
    assert embed_all(storage) == 5
    snapshot = storage.snapshot()
    hits = snapshot.dense_search(embed("the same"), 4, snapshot.scope(EVERYTHING), MODEL)
    assert {stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])} == {"the same"}
    assert len({hit.key for hit in hits}) == 4


def test_old_versions_keep_their_vectors_for_a_scope_that_asks(storage):
    add(storage, "a.txt", ["red apple"])
    embed_all(storage)
    add(storage, "a.txt", ["green pear"])
    embed_all(storage)
    snapshot = storage.snapshot()
    for filters, text in ((EVERYTHING, "green pear"), (Filters(version=1), "red apple")):
        (hit,) = snapshot.dense_search(embed("red apple"), 1, snapshot.scope(filters), MODEL)
        assert snapshot.nodes([hit.key])[0].node.text == text


def test_models_do_not_mix(storage):
    add(storage, "a.txt", ["one"])
    embed_all(storage)
    snapshot = storage.snapshot()
    assert snapshot.dense_search(embed("one"), 1, snapshot.scope(EVERYTHING), "other") == []
    assert snapshot.coverage("other") == (0, 1)
    assert len(storage.nodes_without_vector("other", 9)) == 1


def test_vectors_that_do_not_fit_are_refused(storage):
    add(storage, "a.txt", ["one"])
    embed_all(storage)
    snapshot = storage.snapshot()
    with pytest.raises(UsageError):
        snapshot.dense_search(np.ones(3, np.float32), 1, snapshot.scope(EVERYTHING), MODEL)
    with pytest.raises(UsageError):
        storage.add_vectors(MODEL, [0], ["x"], np.ones((1, DIMENSION + 1), np.float32))
    with pytest.raises(UsageError):
        storage.add_vectors(MODEL, [0], ["x"], np.full((1, DIMENSION), np.nan, np.float32))


# --- files ------------------------------------------------------------------------------------------------------


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
