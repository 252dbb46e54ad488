"""Documents in the topic that a question asks for gain a little; a filter by topic is hard."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.retrieve.topic_prior import TOPIC, TopicMembers, stands_in, topics_asked_for
from storage.topics import StoredTopic, TopicLink

GARDEN = TopicMembers(("Gardening", "Yard work"), {"rose": 0.9, "tulip": 0.8})
MARKET = TopicMembers(("Markets",), {"bond": 0.9})
NOTES = {
    "rose.md": "# Watering\n\nWater the beds every second day in a dry month.",
    "bond.md": "# Paying\n\nInterest is paid every second month of the year.",
    "tulip.md": "# Planting\n\nBulbs are planted a month before the first frost.",
}


@pytest.fixture
def sorted_library(tmp_path):
    """Three notes of which two are in a topic made by the test."""
    settings = Settings(embedding={"enabled": False})
    with Library.open(tmp_path / "library", settings=settings, background=False) as library:
        library.add([Source(name, text.encode()) for name, text in NOTES.items()])
        ids = {document.name: document.document_id for document in library.documents()}
        links = {ids[name]: [TopicLink(ids[name], "t1", 0.9, 1)] for name in ("rose.md", "tulip.md")}
        library.storage.topics.save([StoredTopic("t1", "Gardening", forms=("Gardening",))], links)
        yield library


def test_a_topic_that_is_named_is_asked_for():
    assert topics_asked_for("When does YARD work begin?", [], [GARDEN, MARKET]) == [(GARDEN, 1.0)]


def test_a_name_inside_another_word_is_not_named():
    assert not topics_asked_for("What do supermarkets sell?", [], [GARDEN, MARKET])
    assert stands_in("劳动合同", "解除劳动合同的条件")
    assert stands_in("cpu", "什么是cpu缓存")


def test_the_documents_of_the_best_nodes_vote_for_their_topics():
    found = topics_asked_for("How often?", ["rose", "tulip", "bond"], [MARKET, GARDEN])
    assert [topic for topic, _ in found] == [GARDEN, MARKET]
    assert found[0][1] > found[1][1]


def test_a_document_in_the_topic_asked_for_gains_a_little_and_says_why(sorted_library):
    plain, asked = (
        sorted_library.finder.inspect(question) for question in ("every month", "gardening every month")
    )
    gains = {hit.document: asked.parts[hit.node_id].get("topic", 0.0) for hit in asked.hits}
    assert gains["bond.md"] == 0.0
    assert 0 < gains["rose.md"] <= TOPIC
    assert "topic:Gardening" in next(hit for hit in asked.hits if hit.document == "rose.md").why
    assert {hit.document for hit in plain.hits} == {hit.document for hit in asked.hits}


def test_a_topic_that_is_renamed_or_merged_is_asked_for_by_all_its_names(sorted_library):
    sorted_library.topics.rename("Gardening", "Green fingers")
    for question in ("gardening every month", "every month, by green fingers"):
        found = sorted_library.search(question).hits
        assert any("topic:Green fingers" in hit.why for hit in found)


def test_a_filter_by_topic_is_hard_and_adds_nothing(sorted_library):
    found = sorted_library.finder.inspect("gardening every month", filters=Filters(topics=("Gardening",)))
    assert {hit.document for hit in found.hits} == {"rose.md", "tulip.md"}
    assert not any("topic" in parts for parts in found.parts.values())


def test_a_library_without_topics_ranks_by_the_rest(sorted_library):
    sorted_library.topics.delete("Gardening")
    found = sorted_library.finder.inspect("gardening every month")
    assert found.hits
    assert not any("topic" in parts for parts in found.parts.values())
