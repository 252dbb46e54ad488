"""Copying a library from one backend into the other, and back."""

from __future__ import annotations

import dataclasses

import pytest
from library_maker import MODEL, add, content, embed_all, found, nearest, upkeep, version

from engine.errors import UsageError
from engine.model import Correction, Edge, ExpectedNode, Filters, Report, document_id_for
from storage.base import Facets
from storage.catalog.transfer import transfer
from storage.collections import StoredCollection
from storage.embedded import open_storage
from storage.postgres import PostgresStorage
from storage.topics import StoredTopic, TopicLink

BY_FACET = (
    Filters(pages=(2, 2)), Filters(units=("USD",)), Filters(has_numbers=True), Filters(levels=(1,)),
    Filters(chart_types=("bar",)), Filters(col_types=("number",)),
)  # fmt: skip
LINES = ["red apple", "green pear", "apple and pear"]


@pytest.fixture
def both(databases, tmp_path):
    """A library in a folder, an empty one in a database, and an empty folder."""
    opened = [
        open_storage(tmp_path / "one"),
        PostgresStorage(databases("two"), tmp_path / "two"),
        open_storage(tmp_path / "three"),
    ]
    yield opened
    for one in opened:
        one.close()


def second_version():
    write = version("a.txt", LINES, weights=[[1.0, 2.5], [1.0, 1.0], [0.5, 0.5, 3.0]])
    nodes = [node.node_id for node in write.nodes]
    facets = Facets((2, 3), 1, True, ("%", "usd"), "bar", ("number",))
    records = [dataclasses.replace(record, parts=("which fruit?",)) for record in write.records[:1]]
    return dataclasses.replace(
        write, facets={nodes[2]: facets, nodes[3]: facets}, records=[*records, *write.records[1:]],
        edges=[*write.edges, Edge(nodes[2], nodes[4], "caption_of", "Fig. 1")], strategy="questions",
        warnings=["A page is blank."],
    )  # fmt: skip


def written_from(tree, known):
    """What is read of a version, with the index that it was made with."""
    texts = [node.text for node in tree.nodes if node.role == "paragraph"]
    made = second_version() if texts == LINES else version(tree.name, texts)
    return dataclasses.replace(
        made, name=tree.name, sha256=known.sha256, nodes=tree.nodes, pages=tree.pages, page_sizes=tree.page_sizes,
        warnings=tree.warnings, strategy=known.strategy, restored=(known.version, known.created_at),
    )  # fmt: skip


def fill(storage):
    document_id, _ = add(storage, "a.txt", ["old apple"])
    embed_all(storage)
    write = second_version()
    nodes = [node.node_id for node in write.nodes]
    storage.files.put(content("a.txt", LINES))
    with storage.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    add(storage, "手册.txt", ["预算 汇总"])
    add(storage, "away.txt", ["put away"])
    with storage.unit_of_work() as unit:
        unit.archive(document_id_for("away.txt"))
        unit.commit()
    embed_all(storage)
    upkeep(storage)
    talk = storage.conversations.create("ann", "Fruit")
    storage.conversations.append("ann", talk.conversation_id, "user", "Which?", filters=Filters(pages=(1, 2)))
    storage.conversations.append("ann", talk.conversation_id, "assistant", "Apples [1].", {"sources": [1]})
    storage.questions.add(
        "ann", "Which?", [ExpectedNode(nodes[2], document_id, "a.txt", 2, "paragraph", 1, "x")], Filters()
    )
    storage.reports.add("ann", Report("r1", "Fruit", 1.0))
    storage.collections.save(StoredCollection("c1", "Orchard", ("ann@x.org",)))
    storage.collections.put([document_id], "c1")
    storage.corrections.put(document_id, Correction("title", text="All fruit"))
    storage.topics.save(
        [StoredTopic("t1", "Fruit", by_hand=True)], {document_id: [TopicLink(document_id, "t1", 0.5, 1)]}
    )
    return document_id


def told(storage, document_id):
    """What a reader sees of the library, without the keys of nodes."""
    snapshot = storage.snapshot()
    hits = snapshot.sparse_search([("apple", 1.0), ("pear", 0.5)], 9, snapshot.scope(Filters()))
    found_nodes = snapshot.nodes([hit.key for hit in hits])
    graph = storage.graph(document_id)
    talks = storage.conversations.list("ann")
    return {
        "documents": sorted((d.name, d.version, d.versions, d.embedded, d.collection) for d in storage.documents()),
        "archived": [d.name for d in storage.archived()],
        "versions": [(v.version, v.created_at, v.strategy, v.warnings) for v in storage.versions(document_id)],
        "trees": [storage.tree(document_id, number) for number in (1, 2)],
        "edges": sorted((a, b, facts["kinds"], facts.get("label", "")) for a, b, facts in graph.edges(data=True)),
        "hits": [(node.node.text, round(hit.score, 5)) for node, hit in zip(found_nodes, hits, strict=True)],
        "old": found(storage, "old", Filters(version=1)),
        "near": [nearest(storage, text) for text in ("which fruit?", "预算 汇总")],
        "old vector": nearest(storage, "old apple", Filters(documents=(document_id,), version=1)),
        "facets": [snapshot.scope(filters).size for filters in BY_FACET],
        "coverage": snapshot.coverage(MODEL),
        "original": storage.files.path(storage.document(document_id).sha256).read_bytes(),
        "talks": [(one, storage.conversations.get("ann", one.conversation_id)[1]) for one in talks],
        "questions": list(storage.questions.list("ann")),
        "reports": [one.report_id for one in storage.reports.list("ann")],
        "collections": list(storage.collections.list()),
        "corrections": storage.corrections.of(document_id),
        "topics": [(topic.name, topic.by_hand) for topic in storage.topics.list()],
        "links": list(storage.topics.links()),
    }  # fmt: skip


def test_a_library_is_the_same_in_a_database_and_in_a_folder_again(both):
    first, database, third = both
    document_id = fill(first)
    before = told(first, document_id)
    counts = transfer(first, database, written_from)
    assert (counts["documents"], counts["versions"], counts["conversations"]) == (3, 4, 1)
    assert told(database, document_id) == before
    assert all(check.ok for check in database.check(deep=True))
    transfer(database, third, written_from)
    third.close()
    both[2] = third = open_storage(third.folder)
    assert told(third, document_id) == before
    assert all(check.ok for check in third.check(deep=True))


def test_the_index_of_the_vectors_is_made_when_all_are_there(both, monkeypatch):
    monkeypatch.setattr("storage.postgres.vectors._INDEXED", 40)
    first, database, _ = both
    for part in range(2):
        add(first, f"{part}.txt", [f"text {part} {number}" for number in range(30)])
    embed_all(first)
    transfer(first, database, written_from)
    assert database.tables.read("SELECT to_regclass('embedding_near_1') IS NOT NULL") == [(True,)]
    assert database.tables.read("SELECT count(*) FROM embedding WHERE NOT waiting") == [(60,)]


def test_a_deleted_number_is_not_given_again_after_a_move(both):
    first, database, _ = both
    document_id = fill(first)
    add(first, "a.txt", ["a third one"])
    with first.unit_of_work() as unit:
        unit.delete_version(document_id, 3)
        unit.commit()
    transfer(first, database, written_from)
    assert add(database, "a.txt", ["a fourth one"])[1] == 4


def test_what_holds_something_is_not_written_over(both):
    first, database, third = both
    add(first, "a.txt", ["red apple"])
    third.conversations.create("ann", "Kept")
    for target in (third, first):
        with pytest.raises(UsageError, match="holds something"):
            transfer(database, target, written_from)
