"""Who is offered to correct what of a document."""

import pytest

from engine.ingest import Source
from engine.library import Library
from engine.model import Correction
from tests.pages.page_texts import texts_of

CONTRACT = b"# Contract\n\nPayment\n\nThe buyer pays.\n\n- one\n- two\n\n| Item | Price |\n|---|---|\n| Bolts | 20 |\n"


def node_of(shelf: Library, text: str, version: int | None = None) -> str:
    return next(n.node_id for n in shelf.tree("a.md", version).nodes[1:] if text in n.title + n.text)


def offered(app) -> bool:
    return any(button.key == "correct.passage" for button in app.button)


@pytest.mark.parametrize("said", ["Contract", "Payment", "one", "Bolts"])
def test_headings_paragraphs_lists_and_tables_of_the_current_version_can_be_corrected(shelf, open_page, said):
    shelf.add([Source("a.md", CONTRACT)])
    app = open_page("document", doc="a.md", node=node_of(shelf, said))
    assert offered(app) and app.get_by_key("correct.document").label == "Title and corrections"
    app.get_by_key("correct.passage").click().run()
    assert not app.exception


def test_of_a_list_no_line_is_meant_before_it_is_chosen(shelf, open_page):
    shelf.add([Source("a.md", CONTRACT)])
    app = open_page("document", doc="a.md", node=node_of(shelf, "one"))
    app.get_by_key("correct.passage").click().run()
    line = next(box for box in app.selectbox if box.label == "Line")
    assert line.value is None and "correct.save" not in [button.key for button in app.button]


def test_the_line_that_is_quoted_is_the_one_that_is_meant(shelf, open_page):
    shelf.add([Source("a.md", CONTRACT)])
    app = open_page("document", doc="a.md", node=node_of(shelf, "one"), quote="two")
    app.get_by_key("correct.passage").click().run()
    assert next(box for box in app.selectbox if box.label == "Line").value == 1


def test_an_old_version_can_not_be_corrected(shelf, open_page):
    shelf.add([Source("a.md", CONTRACT)])
    shelf.add([Source("a.md", CONTRACT + b"\nMore.\n")])
    app = open_page("document", doc="a.md", version="1", node=node_of(shelf, "Payment", 1))
    assert not offered(app) and "correct.document" not in [button.key for button in app.button]


def test_a_library_that_is_only_read_offers_no_correction(shelf, open_page):
    shelf.add([Source("a.md", CONTRACT)])
    shelf.update_settings({"access.read_only": True})
    app = open_page("document", doc="a.md", node=node_of(shelf, "Payment"))
    assert not offered(app)


def test_the_dialog_lists_what_was_corrected_and_what_waits(shelf, open_page):
    shelf.add([Source("a.md", CONTRACT)])
    document_id = shelf.document("a.md").document_id
    waits = Correction("text", "text:0:delivery", said="Delivery")
    shelf.storage.corrections.put(document_id, waits)
    app = open_page("document", doc="a.md")
    assert app.get_by_key("correct.document").label == "Title and corrections (1)"
    app.get_by_key("correct.document").click().run()
    assert "“Delivery” is not a heading" in texts_of(app) and "1 correction has no effect yet" in texts_of(app)
