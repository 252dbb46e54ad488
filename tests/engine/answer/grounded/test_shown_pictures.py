"""A model that sees is shown the figures that a question needs; one that does not gets what it always got."""

import base64
import io
import re
from dataclasses import replace
from zipfile import ZipFile

import docx
import pytest
from PIL import Image, ImageDraw

from engine.ingest import Source
from engine.library import Library
from engine.providers.vision import NUMBER
from engine.retrieve.pictures import pictures_needed
from engine.retrieve.tree_evidence import TreeEvidence
from engine.settings_sources import load_settings
from tests.openai_server import OpenAiServer, Script

FIGURE, PLAIN = "What does Figure 2 show of the turbines?", "When did the grid take what the turbines gave?"


def drawing(colour, side=1500):
    sheet = Image.new("RGB", (side, side // 3), "white")
    ImageDraw.Draw(sheet).rectangle((100, 100, side - 100, side // 3 - 100), fill=colour)
    data = io.BytesIO()
    sheet.save(data, "PNG")
    return data


def power_report():
    document = docx.Document()
    document.add_heading("Power", 1)
    document.add_paragraph("The turbines ran in 2021 and the grid took what they gave, as Figure 2 shows.")
    for number, (colour, caption) in enumerate((("red", "Bar chart of the costs"), ("green", "Output by turbine")), 1):
        document.add_picture(drawing(colour))
        document.add_paragraph(f"Figure {number}: {caption}", style="Caption")
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


def without_pictures(document):
    kept = io.BytesIO()
    with ZipFile(io.BytesIO(document)) as before, ZipFile(kept, "w") as after:
        for member in before.infolist():
            data = before.read(member)
            after.writestr(member, data[:200] if member.filename.endswith(".png") else data)
    return kept.getvalue()


def text_in(content):
    return content if isinstance(content, str) else content[0]["text"]


def is_test(body):
    return "Which number" in text_in(body["messages"][-1]["content"])


def seeing(body):
    return NUMBER if is_test(body) else "The output is one green bar [1]."


def blind(body):
    return "I cannot see." if is_test(body) else "The output is one bar [1]."


def refusing(body):
    """See the test, and refuse every picture after it."""
    if is_test(body) or isinstance(body["messages"][-1]["content"], str):
        return seeing(body)
    return Script(status=400, error={"message": "At most 0 image(s) may be provided in one request."})


@pytest.fixture
def shelf(tmp_path, server: OpenAiServer):
    """A library with a report of two figures, and a model."""
    given = {"llm.api_base": server.base_url, "llm.api_key": server.key, "llm.retries": 0, "embedding.enabled": False}
    settings = load_settings(None, environ={}, flags=given | {"ocr.enabled": False})
    with Library.open(tmp_path / "shelf", settings=settings, background=False) as library:
        library.add([Source("power.docx", power_report())])
        yield library


@pytest.fixture
def asked(shelf, server: OpenAiServer):
    """Ask the library; the answer, and the bodies that were sent for it."""

    def ask(question, reply):
        server.default = reply
        before = len(server.chats)
        made = shelf.ask(question, path="direct")
        return made, [body for body in server.chats[before:] if not is_test(body)]

    return ask


def steps(made):
    return [step.content for step in made.reasoning_trace if "icture" in step.content]


def test_the_figure_that_a_question_names_follows_the_text_with_the_number_of_its_block(asked):
    made, [body] = asked(FIGURE, seeing)
    text, told, picture = body["messages"][-1]["content"]
    number = int(re.search(r"\[(\d+)\]", told["text"])[1])
    block = re.search(rf'<evidence n="{number}".*?</evidence>', text["text"], re.S)[0]
    assert "Figure 2" in block and picture["type"] == "image_url"
    head, data = picture["image_url"]["url"].split(",")
    shown = Image.open(io.BytesIO(base64.b64decode(data)))
    assert head == "data:image/png;base64" and max(shown.size) == 1024
    assert shown.getpixel((512, 170))[:3] == (0, 128, 0), "Figure 1 is red"
    assert steps(made) == [f"The model is shown the picture of passage [{number}]: power.docx, Figure 2."]
    assert made.answer.startswith("The output is one green bar")


def test_what_is_read_in_a_picture_is_not_verified_by_texts_and_never_contradicted(asked):
    def reply(body):
        number = NUMBER if is_test(body) else re.search(r"\[(\d+)\]", body["messages"][-1]["content"][1]["text"])[1]
        return NUMBER if is_test(body) else f"The output by turbine was 31 megawatts in 2019 [{number}]."

    [statement] = asked(FIGURE, reply)[0].statements
    assert statement.state == "unverified" and "in a picture" in statement.reason and statement.sources == [1]


def test_at_most_two_pictures_go_with_a_question_about_figures(asked):
    _, [body] = asked("Which charts are there of the turbines and costs?", seeing)
    assert sum(part["type"] == "image_url" for part in body["messages"][-1]["content"]) == 2


def test_where_the_best_evidence_is_a_figure_its_picture_goes_along_and_a_doubted_page_as_a_whole(shelf):
    caption = next(node for node in shelf.tree("power.docx").nodes if node.text.startswith("Figure 2"))
    first, *_ = [TreeEvidence(shelf.tree("power.docx")).of(node) for node in shelf.tree("power.docx").nodes[:3]]
    best = TreeEvidence(shelf.tree("power.docx")).of(caption)
    [picture] = pictures_needed("How many megawatts?", [first, best], best, shelf.storage)
    assert (picture.n, picture.label) == (2, "Figure 2")
    assert not pictures_needed("How many megawatts?", [first, best], first, shelf.storage)
    doubted = replace(first, doubted=True, hit=replace(first.hit, page=4))
    [page] = pictures_needed("How many megawatts?", [best, doubted], doubted, shelf.storage)
    assert (page.n, page.label) == (2, "p. 4")


def test_a_figure_that_several_passages_lead_to_keeps_its_first_place(shelf):
    tree = shelf.tree("power.docx")
    of = TreeEvidence(tree).of
    text, *captions = [of(node) for node in tree.nodes if node.role in ("paragraph", "caption")]
    found = pictures_needed("Which charts are there?", [text, *captions, text], text, shelf.storage)
    assert [(one.n, one.label) for one in found] == [(2, "Figure 1"), (3, "Figure 2")]


def test_a_question_that_needs_no_figure_is_sent_as_text_and_nothing_is_tried(asked, server):
    _, [body] = asked(PLAIN, seeing)
    assert isinstance(body["messages"][-1]["content"], str) and len(server.chats) == 1


def test_a_model_that_does_not_see_is_tried_once_and_gets_texts_alone(asked, server):
    made, [body] = asked(FIGURE, blind)
    again, [same] = asked(FIGURE, blind)
    assert body == same and isinstance(body["messages"][-1]["content"], str) and not steps(made) + steps(again)
    assert sum(map(is_test, server.chats)) == 1


def test_an_endpoint_that_refuses_pictures_is_asked_once_more_without_and_that_is_remembered(asked):
    made, [refused, sent] = asked(FIGURE, refusing)
    assert text_in(refused["messages"][-1]["content"]) == sent["messages"][-1]["content"]
    assert made.engine == "llm" and "At most 0 image" in steps(made)[-1]
    _, [only] = asked(FIGURE, refusing)
    assert isinstance(only["messages"][-1]["content"], str)


def test_a_picture_that_cannot_be_read_is_left_out_and_told(asked, tmp_path):
    for path in (tmp_path / "shelf").rglob("*"):
        if path.is_file() and path.read_bytes()[:2] == b"PK":
            path.write_bytes(without_pictures(path.read_bytes()))
    made, [body] = asked(FIGURE, seeing)
    assert isinstance(body["messages"][-1]["content"], str) and made.engine == "llm"
    assert steps(made)[0].startswith("A picture was not shown (power.docx, Figure 2: ")
