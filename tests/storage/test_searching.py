"""What every backend must find by words, by text and by vector, seen from outside."""

from __future__ import annotations

import numpy as np
import pytest
from library_maker import DIMENSION, EVERYTHING, MODEL, add, embed, embed_all, found, remove, upkeep, version

from engine.errors import UsageError
from engine.model import Filters, document_id_for
from storage.base import AnyOf


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
    keys = snapshot.keyword_search(lambda text: "needle" in text, 99, snapshot.scope(Filters(documents=names)))
    assert [stored.node.text for stored in snapshot.nodes(keys)] == [f"needle {i}" for i in range(0, 300, 30)]


def test_nodes_come_in_the_order_asked_for_and_unknown_keys_are_left_out(storage):
    add(storage, "a.txt", ["red apple", "green pear"])
    snapshot = storage.snapshot()
    keys = snapshot.keyword_search(lambda _: True, 99, snapshot.scope(EVERYTHING))
    assert [stored.key for stored in snapshot.nodes([keys[3], 10**6, keys[0], -1])] == [keys[3], keys[0]]


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
        assert [hit.score for hit in hits] == pytest.approx([float(embed(text) @ query) for text in best], abs=1e-6)


def test_a_node_without_a_vector_is_not_found_by_the_dense_view_and_counted_as_missing(storage):
    add(storage, "a.txt", ["one", "two"])
    (key, text), *_ = storage.nodes_without_vector(MODEL, 1)
    storage.add_vectors(MODEL, [key], [text], embed(text)[None])
    snapshot = storage.snapshot()
    assert snapshot.coverage(MODEL) == (1, 2)
    assert [hit.key for hit in snapshot.dense_search(embed("two"), 5, snapshot.scope(EVERYTHING), MODEL)] == [key]
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


def test_a_word_said_in_several_ways_is_matched_by_any_of_them(storage):
    add(storage, "a.txt", ["prime minister", "premier league", "minister", "tree"])
    snapshot = storage.snapshot()
    scope = snapshot.scope(EVERYTHING)
    word = AnyOf("总理", (("prime", "minister"), ("premier",), ("chancellor",)))
    hits = snapshot.sparse_search([(word, 1.0)], 9, scope)
    assert {stored.node.text for stored in snapshot.nodes([h.key for h in hits])} == {
        "prime minister",
        "premier league",
    }
    assert snapshot.matched_share([(word, 1.0)], [hit.key for hit in hits]) == pytest.approx([1.0, 1.0])
    (tree,) = snapshot.sparse_search([("tree", 1.0)], 1, scope)
    assert snapshot.matched_share([(word, 1.0), ("tree", 1.0)], [tree.key])[0] < 1
    assert snapshot.matched_share([], [tree.key]) == [0.0]


def test_how_many_current_nodes_hold_a_term(storage):
    add(storage, "a.txt", ["apple plum", "apple pear"])
    add(storage, "b.txt", ["apple"])
    add(storage, "a.txt", ["plum"])
    snapshot = storage.snapshot()
    assert [snapshot.document_frequency(term) for term in ("apple", "plum", "pear", "fig")] == [1, 1, 0, 0]
