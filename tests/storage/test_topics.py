"""What storage keeps of topics, and searching within them."""

from dataclasses import replace

import numpy as np
import pytest
from library_maker import add

from engine.errors import NotFoundError
from engine.model import Filters
from storage.topics import StoredTopic, TopicLink, TopicProfile


def link(document, topic, confidence=0.5, by_hand=0):
    return TopicLink(document, topic, confidence, by_hand)


def keep(storage, *topics, links=()):
    by_document = {}
    for one in links:
        by_document.setdefault(one.document_id, []).append(one)
    storage.topics.save(topics, by_document)


def found(storage, **filters):
    scope = storage.snapshot().scope(Filters(**filters))
    hits = storage.snapshot().sparse_search([("water", 1.0)], 10, scope)
    return {node.document for node in storage.snapshot().nodes([hit.key for hit in hits])}


@pytest.fixture
def two_documents(storage):
    rivers, _ = add(storage, "rivers.txt", ["water flows", "banks and water"])
    cooking, _ = add(storage, "cooking.txt", ["water boils"])
    keep(
        storage,
        StoredTopic("t1", "Rivers", forms=("Rivers",)),
        StoredTopic("t2", "Kitchen"),
        links=[link(rivers, "t1"), link(cooking, "t2")],
    )
    return rivers, cooking


def test_a_topic_comes_back_as_it_was(storage):
    vector = np.array([0.6, 0.8], np.float32)
    topic = StoredTopic("t1", "Rivers", "on rivers", "live", None, True, ("Rivers", "Streams"), "m", vector)
    keep(storage, topic)
    (kept,) = storage.topics.list()
    assert replace(kept, vector=None).forms == ("Rivers", "Streams")
    assert (kept.name, kept.description, kept.by_hand, kept.model) == ("Rivers", "on rivers", True, "m")
    assert kept.vector.tolist() == vector.tolist()


def test_a_forgotten_profile_says_nothing_of_its_document_any_more(storage):
    vector = np.ones(2, np.float32)
    storage.topics.save(profiles=[TopicProfile(one, "s", "Title", "text", "m", vector) for one in ("d1", "d2")])
    storage.topics.forget(["d1"])
    gone, kept = storage.topics.profiles()
    assert (gone.document_id, gone.state, gone.title, gone.text, gone.vector) == ("d1", "s", "", "", None)
    assert (kept.title, kept.text, kept.vector.tolist()) == ("Title", "text", [1.0, 1.0])


def test_the_links_of_a_document_are_replaced_together(storage):
    keep(storage, links=[link("d1", "t1", 0.4), link("d1", "t2", 0.9), link("d2", "t1")])
    keep(storage, links=[link("d1", "t3", 0.7, 1)])
    assert list(storage.topics.links()) == [link("d1", "t3", 0.7, 1), link("d2", "t1")]


def test_a_search_within_a_topic_finds_only_its_documents(storage, two_documents):
    assert found(storage) == {"rivers.txt", "cooking.txt"}
    assert found(storage, topics=("t1",)) == {"rivers.txt"}
    assert found(storage, topics=("kitchen",)) == {"cooking.txt"}
    assert found(storage, topics=("t1", "t2")) == {"rivers.txt", "cooking.txt"}


def test_a_filter_by_topic_and_document_asks_for_both(storage, two_documents):
    assert found(storage, topics=("t1",), documents=("rivers.txt",)) == {"rivers.txt"}
    assert found(storage, topics=("t1",), documents=("cooking.txt",)) == set()


def test_a_changed_topic_is_seen_at_once(storage, two_documents):
    rivers, cooking = two_documents
    assert found(storage, topics=("t1",)) == {"rivers.txt"}
    keep(storage, links=[link(rivers, "t2"), link(cooking, "t1")])
    assert found(storage, topics=("t1",)) == {"cooking.txt"}


def test_a_document_kept_out_of_a_topic_is_not_found_in_it(storage, two_documents):
    keep(storage, links=[link(two_documents[0], "t1", 0.0, -1)])
    assert found(storage, topics=("t1",)) == set()


def test_a_merged_topic_leads_to_the_one_that_took_it_over(storage, two_documents):
    keep(storage, StoredTopic("t2", "Kitchen", state="merged", into="t1"))
    assert found(storage, topics=("t2",)) == {"rivers.txt"}


@pytest.mark.parametrize("reference", ["t9", "Unknown", "t2"])
def test_an_unknown_or_deleted_topic_is_told(storage, two_documents, reference):
    keep(storage, StoredTopic("t2", "Kitchen", state="deleted"))
    with pytest.raises(NotFoundError, match=reference):
        found(storage, topics=(reference,))


def test_a_removed_document_is_in_no_topic_any_more(storage, two_documents):
    with storage.unit_of_work() as unit:
        unit.delete(two_documents[0])
        unit.commit()
    assert list(storage.topics.documents_of(["t1"])) == []
    assert found(storage, topics=("t1",)) == set()


def test_a_topic_that_is_removed_leaves_nothing(storage):
    keep(
        storage,
        StoredTopic("t1", "Rivers"),
        StoredTopic("t2", "Kitchen"),
        links=[link("d1", "t1"), link("d1", "t2")],
    )
    storage.topics.remove(["t1"])
    assert [topic.topic_id for topic in storage.topics.list()] == ["t2"]
    assert list(storage.topics.links()) == [link("d1", "t2")]


def test_topics_outlive_a_restart(backend, tmp_path):
    first = backend(tmp_path / "library")
    keep(first, StoredTopic("t1", "Rivers"), links=[link("d1", "t1", 0.8)])
    first.close()
    again = backend(tmp_path / "library")
    assert [topic.name for topic in again.topics.list()] == ["Rivers"]
    assert list(again.topics.links()) == [link("d1", "t1", 0.8)]
    again.close()
