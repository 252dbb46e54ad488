"""The Document page tells what a document belongs with: its topics, and related documents with reasons."""

from engine.ingest import Source
from engine.topics.related import Reason
from pages.widgets.reader import told


def test_each_reason_is_told_in_words():
    assert told(Reason("names", 1.0, ("ISO 9001",))) == "This document refers to “ISO 9001”"
    assert told(Reason("named_by", 1.0, ("ISO 9001",))) == "Refers to this document as “ISO 9001”"
    assert told(Reason("alike", 0.2)) == "Similar in content"
    assert told(Reason("alike", 0.9)) == "Very similar in content"
    assert told(Reason("topics", 0.9, ("Pumps",))) == "Shares the topic Pumps"
    assert told(Reason("topics", 0.9, ("Pumps", "Boats"))) == "Shares the topics Pumps, Boats"


def test_a_document_that_refers_to_another_leads_to_it(shelf, open_page):
    shelf.add([Source("pumps.md", b"# Handbook of bilge pumps\n\nTest both pumps once a year.\n")])
    shelf.add([Source("log.md", b"# Log\n\nTested as the Handbook of bilge pumps asks.\n")])
    shelf.topics.refresh()
    app = open_page("document", doc="log.md")
    assert "Related documents · 1" in [box.label for box in app.expander]
    assert not app.exception


def test_a_document_alone_has_no_related_ones(shelf, open_page):
    shelf.add([Source("pumps.md", b"# Handbook of bilge pumps\n\nTest both pumps once a year.\n")])
    app = open_page("document", doc="pumps.md")
    assert not [box.label for box in app.expander if "Related" in box.label]
    assert not app.exception
