"""A topic is asked for by its name or by what is found; a filter by topic is hard."""

from types import SimpleNamespace

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.topics.known import KnownTopics
from engine.topics.names import stands_in
from storage.topics import StoredTopic, TopicLink

KNOWN = KnownTopics(
    [
        StoredTopic("g", "Gardening", forms=("Gardening", "Yard work")),
        StoredTopic("m", "Markets", forms=("Markets",)),
    ],
    [TopicLink("rose", "g", 0.9), TopicLink("tulip", "g", 0.8), TopicLink("bond", "m", 0.9)],
    [SimpleNamespace(document_id=one) for one in ("rose", "tulip", "bond")],
)
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
    found = KNOWN.asked_for("When does YARD work begin?", [])
    assert [(topic.name, share) for topic, share in found] == [("Gardening", 1.0)]


def test_a_name_inside_another_word_is_not_named():
    assert not KNOWN.asked_for("What do supermarkets sell?", [])
    assert stands_in("劳动合同", "解除劳动合同的条件")
    assert stands_in("cpu", "什么是cpu缓存")
    assert stands_in("art", "the articles of art")


def test_the_documents_of_the_best_nodes_vote_for_their_topics():
    found = KNOWN.asked_for("How often?", ["rose", "tulip", "bond"])
    assert [topic.name for topic, _ in found] == ["Gardening", "Markets"]
    assert found[0][1] > found[1][1]


def test_a_filter_by_topic_is_hard(sorted_library):
    found = sorted_library.search("gardening every month", filters=Filters(topics=("Gardening",)))
    assert {hit.document for hit in found.hits} == {"rose.md", "tulip.md"}
