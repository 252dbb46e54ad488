"""Pages, slides, sheets and cells that are asked for by name are quoted, each with its place."""

import io

import pymupdf
import pytest
from openpyxl import Workbook
from pptx import Presentation

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library


def pdf(*pages):
    document = pymupdf.open()
    for text in pages:
        document.new_page().insert_text((72, 100), text, fontsize=11)
    return document.tobytes()


def workbook():
    book = Workbook()
    book.active.title = "Orders"
    for row in (["Order", "Quantity"], ["O-1", 3], ["O-2", 7]):
        book.active.append(row)
    contacts = book.create_sheet("Contacts")
    for row in (["Name", "Phone"], ["Anna Berg", "0170 12"]):
        contacts.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def slides(*texts):
    show = Presentation()
    for title, body in texts:
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
    made = io.BytesIO()
    show.save(made)
    return made.getvalue()


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("places")
    files = {
        "storms.pdf": pdf("Storms come from the west.", "Damage was 40 million euro.", "Roofs were lost."),
        "tides.pdf": pdf("Tides follow the moon.", "The tide rose by two metres."),
        "orders.xlsx": workbook(),
        "harbour.pptx": slides(("The harbour", "It has two docks"), ("The plan", "A third dock is built")),
    }
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source(name, content) for name, content in files.items()])
        yield opened


def quoted(library, question):
    made = library.ask(question)
    for source in made.sources:
        node = library.node(source.node_id).node
        assert source.snippet in (node.text or node.title)
    return made.answered and [(source.document, source.page, source.snippet) for source in made.sources]


@pytest.mark.parametrize(
    "question", ["What is on page 2 of storms.pdf?", "storms.pdf第2页讲了什么？", "Show me page 2 of storms"]
)
def test_a_page_is_quoted_by_its_number(shelf, question):
    assert quoted(shelf, question) == [("storms.pdf", 2, "Damage was 40 million euro.")]


def test_the_last_page_is_the_one_with_the_last_number(shelf):
    assert quoted(shelf, "What is on the last page of storms.pdf?") == [("storms.pdf", 3, "Roofs were lost.")]


def test_what_a_page_does_not_speak_of_is_not_quoted_from_it(shelf):
    assert not quoted(shelf, "Which bridges are on page 2 of storms.pdf?")


def test_a_page_that_several_documents_have_is_asked_back_for(shelf):
    made = shelf.ask("What is on page 2?")
    assert not made.answered and "storms.pdf" in made.answer and "tides.pdf" in made.answer
    assert "harbour.pptx" not in made.answer


@pytest.mark.parametrize(
    "question", ["What does slide 2 say?", "第2张幻灯片讲了什么？", "What is on the second slide?"]
)
def test_a_slide_is_quoted_with_its_title(shelf, question):
    assert quoted(shelf, question) == [
        ("harbour.pptx", 2, "The plan"),
        ("harbour.pptx", 2, "A third dock is built"),
    ]


@pytest.mark.parametrize(
    ("question", "cell", "text"),
    [
        ("What is in cell B3 of the Orders sheet?", "Orders!B3", "7"),
        ("Orders!B2", "Orders!B2", "3"), ("Contacts工作表B2单元格的值是多少", "Contacts!B2", "0170 12"),
    ],
)  # fmt: skip
def test_a_cell_is_told_by_its_name(shelf, question, cell, text):
    made = shelf.ask(question)
    assert [source.cell for source in made.sources] == [cell] and f": {text} [1]" in made.answer


def test_a_cell_that_several_sheets_have_is_told_from_each(shelf):
    assert {source.cell for source in shelf.ask("What is the value of cell B2?").sources} == {
        "Orders!B2",
        "Contacts!B2",
    }


def test_a_cell_that_is_empty_or_outside_is_not_invented(shelf):
    assert not shelf.ask("What is in cell ZZ9 of orders.xlsx?").answered
