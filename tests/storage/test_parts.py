"""Parts: further texts of a node that are embedded, and are never anything but their node."""

import dataclasses

import numpy as np
import pytest
from library_maker import DIMENSION, MODEL, content, embed, embed_all, upkeep, version

from engine.errors import UsageError
from engine.model import Filters

EVERYTHING = Filters()
APPLES = ("how red is it?", "where do apples grow?", "who picks apples?")


def with_parts(name, parts_by_text, **more):
    """Write a version whose paragraphs have parts."""
    write = version(name, list(parts_by_text))
    parts = list(parts_by_text.values())
    records = [
        dataclasses.replace(record, parts=tuple(given)) for record, given in zip(write.records, parts, strict=True)
    ]
    return dataclasses.replace(write, records=records, **more)


def put(storage, write, paragraphs):
    storage.files.put(content(write.name, paragraphs))
    with storage.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    return write.document_id


def nearest(storage, text, filters=EVERYTHING, k=10):
    """The texts of the nodes nearest to a text, with their scores."""
    snapshot = storage.snapshot()
    hits = snapshot.dense_search(embed(text), k, snapshot.scope(filters), MODEL)
    nodes = {one.key: one.node.text for one in snapshot.nodes([hit.key for hit in hits])}
    return [(nodes[hit.key], round(hit.score, 4)) for hit in hits]


@pytest.fixture
def fruit(storage):
    shelf = {"red apple": APPLES, "green pear": ("what is a pear?",), "blue plum": ()}
    put(storage, with_parts("a.txt", shelf), list(shelf))
    return storage


def test_a_node_is_found_by_each_of_its_parts_and_by_its_own_text(fruit):
    embed_all(fruit)
    for text in (*APPLES, "red apple"):
        assert nearest(fruit, text)[0] == ("red apple", 1.0)
    assert nearest(fruit, "what is a pear?")[0] == ("green pear", 1.0)


def test_a_node_with_parts_counts_once_and_does_not_crowd_out_others(fruit):
    embed_all(fruit)
    found = [text for text, _ in nearest(fruit, APPLES[0], k=3)]
    assert sorted(found) == ["blue plum", "green pear", "red apple"]
    assert len(nearest(fruit, APPLES[0], k=2)) == 2


def test_parts_are_no_nodes_and_are_not_counted(fruit):
    (document,) = fruit.documents()
    assert (document.nodes, document.retrievable, document.embedded) == (5, 3, 0)
    snapshot = fruit.snapshot()
    assert snapshot.scope(EVERYTHING).size == 5
    assert snapshot.coverage(MODEL) == (0, 3)
    texts = [node.text for node in fruit.tree(document.document_id).nodes]
    assert not set(APPLES) & set(texts)
    assert snapshot.keyword_search(lambda text: "grow" in text, 9, snapshot.scope(EVERYTHING)) == []
    assert snapshot.nodes([-1, -2, -3]) == []
    assert {one.key for one in snapshot.nodes(list(range(-5, 20)))} == set(range(5))


def test_a_node_counts_as_embedded_when_all_its_parts_are(fruit):
    ((*missing,),) = [fruit.nodes_without_vector(MODEL, 100)]
    assert [text for _, text in missing[:3]] == ["red apple", "green pear", "blue plum"]
    assert sorted(text for _, text in missing[3:]) == sorted([*APPLES, "what is a pear?"])
    keys, texts = zip(*missing[:3], strict=True)
    fruit.add_vectors(MODEL, keys, texts, np.stack([embed(text) for text in texts]))
    assert fruit.snapshot().coverage(MODEL) == (1, 3)
    assert fruit.documents()[0].embedded == fruit.document("a.txt").embedded == 1
    assert embed_all(fruit) == 4
    assert fruit.snapshot().coverage(MODEL) == (3, 3)
    assert fruit.documents()[0].embedded == fruit.document("a.txt").embedded == 3


def test_filters_hold_for_what_parts_find(fruit):
    other = {"ripe apple": ("which apple is ripe?",)}
    document_id = put(fruit, with_parts("b.txt", other), list(other))
    embed_all(fruit)
    only_b = Filters(documents=(document_id,))
    assert [text for text, _ in nearest(fruit, APPLES[0], only_b)] == ["ripe apple"]
    assert nearest(fruit, APPLES[0], Filters(roles=("table",))) == []
    snapshot = fruit.snapshot()
    assert snapshot.coverage(MODEL, snapshot.scope(only_b)) == (1, 1)


def test_an_older_version_is_not_found_by_its_parts_but_is_there_when_asked_for(fruit):
    newer = {"red cherry": ("what is a cherry?",)}
    document_id = put(fruit, with_parts("a.txt", newer), list(newer))
    embed_all(fruit)
    assert [text for text, _ in nearest(fruit, APPLES[1])] == ["red cherry"]
    assert fruit.snapshot().coverage(MODEL) == (1, 1)
    assert nearest(fruit, APPLES[1], Filters(documents=(document_id,), version=1)) == []  # never embedded


def test_parts_of_a_replaced_tree_go_and_equal_texts_are_not_embedded_again(fruit):
    embed_all(fruit)
    shelf = {"red apple": ("who picks apples?", "why is it red?"), "green pear": (), "blue plum": ()}
    put(fruit, with_parts("a.txt", shelf, replaces=1), list(shelf))
    assert embed_all(fruit) == 1
    assert nearest(fruit, "why is it red?")[0] == ("red apple", 1.0)
    assert nearest(fruit, "where do apples grow?")[0][1] < 0.99
    upkeep(fruit)
    assert nearest(fruit, "who picks apples?")[0] == ("red apple", 1.0)


def test_a_deleted_document_is_never_found_by_its_parts(fruit):
    embed_all(fruit)
    other = {"ripe apple": ("which apple is ripe?",)}
    put(fruit, with_parts("b.txt", other), list(other))
    with fruit.unit_of_work() as unit:
        unit.delete(fruit.document("a.txt").document_id)
        unit.commit()
    upkeep(fruit)
    embed_all(fruit)
    assert nearest(fruit, APPLES[0]) == [("ripe apple", nearest(fruit, APPLES[0])[0][1])]


def test_parts_survive_closing_and_those_of_deleted_documents_leave_the_others_alone(backend, tmp_path):
    shelf = {"red apple": APPLES, "green pear": ("what is a pear?",)}
    storage = backend(tmp_path / "shelf")
    for name in ("a.txt", "b.txt"):
        own = {f"{text} {name}": parts for text, parts in shelf.items()}
        put(storage, with_parts(name, own), list(own))
    embed_all(storage)
    with storage.unit_of_work() as unit:
        unit.delete(storage.document("a.txt").document_id)
        unit.commit()
    upkeep(storage)
    storage.close()
    storage = backend(tmp_path / "shelf")
    assert nearest(storage, APPLES[2])[0] == ("red apple b.txt", 1.0)
    assert storage.snapshot().coverage(MODEL) == (2, 2)
    put(storage, with_parts("c.txt", {"yellow lemon": ("is it sour?",)}), ["yellow lemon"])
    assert embed_all(storage) == 2
    assert nearest(storage, "is it sour?")[0] == ("yellow lemon", 1.0)
    assert all(check.ok for check in storage.check())
    storage.close()


def test_the_ann_index_and_the_exact_search_agree_on_nodes_with_parts(backend, tmp_path):
    storage = backend(tmp_path / "ann", exact_limit=50)
    shelf = {f"text {n}": tuple(f"part {n} {m}" for m in range(n % 4)) for n in range(120)}
    put(storage, with_parts("a.txt", shelf), list(shelf))
    embed_all(storage)
    exact = [nearest(storage, f"part {n} 1", k=10) for n in range(2, 120, 20)]
    upkeep(storage)
    found = [nearest(storage, f"part {n} 1", k=10) for n in range(2, 120, 20)]
    assert [one[0] for one in found] == [one[0] for one in exact]
    assert all(len({text for text, _ in one}) == 10 for one in found)
    storage.close()


def test_the_strategy_is_kept_with_the_version(storage):
    put(storage, with_parts("a.txt", {"red apple": ()}), ["red apple"])
    put(storage, with_parts("a.txt", {"red plum": ()}, strategy="hierarchical"), ["red plum"])
    assert [one.strategy for one in storage.versions(storage.document("a.txt").document_id)] == [
        "hierarchical",
        "recursive",
    ]
    assert storage.document("a.txt").strategy == storage.documents()[0].strategy == "hierarchical"


def test_parts_without_a_text_of_the_node_are_refused(storage):
    write = with_parts("a.txt", {"red apple": APPLES})
    records = [dataclasses.replace(record, dense_text=None) for record in write.records]
    with storage.unit_of_work() as unit, pytest.raises(UsageError, match="parts"):
        unit.write(dataclasses.replace(write, records=records))


def test_a_text_that_is_part_and_node_has_one_vector(storage):
    put(storage, with_parts("a.txt", {"red apple": ("red apple",)}), ["red apple"])
    assert embed_all(storage) == 1
    assert nearest(storage, "red apple") == [("red apple", 1.0)]
    assert embed("x").shape == (DIMENSION,)
