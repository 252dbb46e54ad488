"""Related documents: who names whom, who is alike, who shares topics; each with its reason."""

import pytest

from engine.config import Settings
from engine.errors import NotFoundError
from engine.ingest import Source
from engine.library import Library
from engine.topics.related import MOST

TEXTS = {
    "pumps.md": "# Handbook of bilge pumps\n\nPumps are tested by ISO 15083 once a year and after every repair.",
    "ISO 15083.md": "# Bilge pumping systems\n\nThis standard says how pumps of small craft are tested.",
    "log.md": "# Log\n\nAs the Handbook of bilge pumps asks, both pumps ran for an hour on Sunday.",
    "bread.md": "# Rye bread\n\nRye flour, water and salt rest over night. The loaf bakes for an hour.",
    "劳动合同法.md": "# 劳动合同法\n\n用人单位与劳动者建立劳动关系，应当订立书面合同。",
    "实施条例.md": "# 劳动合同法实施条例\n\n为了贯彻实施劳动合同法，制定本条例。",
    "通知.md": "# 通知\n\n各单位应当按照劳动合同法实施条例办理用工手续。",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings(embedding={"enabled": False})
    with Library.open(tmp_path_factory.mktemp("related"), settings=settings, background=False) as library:
        library.add([Source(name, text.encode()) for name, text in TEXTS.items()])
        library.topics.refresh()
        yield library


def reasons(library, name):
    """The reasons by document, as (kind, words)."""
    return {one.name: [(reason.kind, reason.words) for reason in one.reasons] for one in library.topics.related(name)}


def test_a_document_that_is_named_by_its_number_is_related(shelf):
    assert ("names", ("ISO 15083",)) in reasons(shelf, "pumps.md")["ISO 15083.md"]
    assert ("named_by", ("ISO 15083",)) in reasons(shelf, "ISO 15083.md")["pumps.md"]


def test_a_document_that_is_named_by_its_title_is_related(shelf):
    assert ("names", ("Handbook of bilge pumps",)) in reasons(shelf, "log.md")["pumps.md"]
    assert ("named_by", ("Handbook of bilge pumps",)) in reasons(shelf, "pumps.md")["log.md"]


def test_of_two_titles_one_inside_the_other_the_longer_is_meant(shelf):
    found = reasons(shelf, "通知.md")
    assert ("names", ("劳动合同法实施条例",)) in found["实施条例.md"]
    assert all(kind != "names" for kind, _ in found.get("劳动合同法.md", []))


def test_a_title_of_one_plain_word_names_nothing(shelf):
    assert all(kind != "names" for found in reasons(shelf, "bread.md").values() for kind, _ in found)


def test_documents_of_one_topic_are_related_and_the_topic_is_told(shelf):
    ids = [shelf.document(name).document_id for name in ("bread.md", "log.md")]
    topic, _ = shelf.topics.of_document(ids[0])[0]
    try:
        made = shelf.topics.split(topic.topic_id, "Sundays", ids[:1])
        shelf.topics.merge(made.topic_id, shelf.topics.of_document(ids[1])[0][0].topic_id)
        told = dict(reasons(shelf, "bread.md")["log.md"])
        assert "Sundays" in told["topics"]
    finally:
        shelf.topics.delete("Sundays")


def test_alike_documents_are_related_and_no_more_than_a_few(tmp_path):
    with Library.open(tmp_path, background=False) as library:
        pairs = [("pump", "Bilge pumps lift water out of a boat."), ("loaf", "Rye bread bakes for an hour.")]
        library.add([Source(f"{name} {n}.md", f"{text} Note {n}.".encode()) for name, text in pairs for n in range(12)])
        library.embed_pending()
        library.topics.refresh()
        found = library.topics.related("pump 3.md")
        assert len(found) == MOST
        assert all(one.name.startswith("pump") for one in found)
        assert "alike" in {reason.kind for reason in found[0].reasons}


def test_an_unknown_document_is_an_error(shelf):
    with pytest.raises(NotFoundError):
        shelf.topics.related("nothing.md")
