import re
from dataclasses import replace

from engine.export.report_file import file_name
from engine.model import Answer, Citation, Conversation, Filters, Message, TraceStep
from pages.widgets.answer import label_of as label_of_step
from pages.widgets.answer import parameters
from pages.widgets.chat_scope import label_of
from pages.widgets.conversation import answer_text, as_markdown, with_notes

SOURCE = Citation(1, "d1", "a.pdf", 2, "Lamp", "n1", 3, None, None, "It burned\n11 barrels.", 0.9)
ANSWER = Answer("It burned 11 barrels [1].", "direct", "high", True, [SOURCE])
TALK = Conversation("c1", "secret owner", "How many? / a:b", 0.0, 1.0)
MESSAGES = [
    Message("m1", "c1", "user", "How many\nbarrels?", 0.0),
    Message("m2", "c1", "assistant", ANSWER.answer, 1.0, ANSWER.to_dict(), rating=1),
]


def test_markdown_has_questions_answers_and_sources_with_their_quotes():
    text = as_markdown(TALK, [*MESSAGES, *MESSAGES], {})
    assert text.startswith("# How many? / a:b\n")
    assert "> How many\n> barrels?" in text
    assert "It burned 11 barrels [1]." in text
    assert "[1] a.pdf, version 2, Lamp, p. 3: “It burned 11 barrels.”" in text


def test_an_answer_by_itself_is_called_by_its_question():
    text = as_markdown(TALK, MESSAGES, {})
    assert text.startswith("# How many barrels?\n\n*") and "All documents*\n\nIt burned 11 barrels [1]." in text


def test_each_question_tells_when_it_was_asked_and_of_which_collection():
    asked = replace(MESSAGES[0], created_at=1.8e9, filters=Filters(collections=("c1",)))
    text, _ = with_notes(TALK, [asked, MESSAGES[1]], {"c1": "Lamps_[x]"})
    assert re.search(r"\n\*15 Jan 2027 \d\d:00 · Lamps\\_\\\[x\\\]\*\n", text)


def test_the_marks_of_several_answers_are_numbered_on_and_each_has_its_note():
    sheet = replace(ANSWER, sources=[replace(SOURCE, document="a.xlsx", cell="Lamps!B2")])
    second = replace(MESSAGES[1], answer=sheet.to_dict())
    text, notes = with_notes(TALK, [*MESSAGES, MESSAGES[0], second], {})
    assert "barrels [1]." in text and "barrels [2]." in text and "a.pdf" not in text
    assert notes[1] == "a.pdf, version 2, Lamp, p. 3: “It burned 11 barrels.”"
    assert notes[2] == "a.xlsx, version 2, Lamp, sheet 3, Lamps!B2: “It burned 11 barrels.”"


def test_an_answer_that_was_stopped_is_copied_as_far_as_it_went():
    assert answer_text(Message("m", "c", "assistant", "Half an", 0.0, state="stopped")) == "Half an"


def test_a_title_becomes_a_name_that_every_system_takes():
    assert file_name("How many? / a:b", 1.8e9, "conversation") == "How many a b 2027-01-15"
    assert file_name("???", 1.8e9, "conversation") == "conversation 2027-01-15"
    assert file_name("../v1.5 of" + 9 * " agreements", 1.8e9, "") == f"v1.5 of{4 * ' agreements'} 2027-01-15"


def test_what_a_question_is_limited_to_is_told_in_a_few_words():
    names = {"d1": "a.pdf", "d2": "b.pdf"}
    assert label_of(Filters(), names) == "All documents"
    assert label_of(Filters(documents=("d1",), version=2), names) == "a\\.pdf · version 2"
    assert label_of(Filters(documents=("d1", "d2")), names) == "2 documents"
    assert label_of(Filters(topics=("t1",), documents=("d1",)), names | {"t1": "Lamps"}) == "Topic: Lamps · a\\.pdf"


def test_a_step_tells_its_tool_and_what_it_was_given():
    assert label_of_step(TraceStep(1, "action", "", tool="SUM")) == "Looked it up in a table"
    assert label_of_step(TraceStep(1, "action", "", tool="hybrid_search")) == "Searched"
    step = TraceStep(1, "action", "", "hybrid_search", {"rows": [1, 2], "unit": None, "query": "x" * 500})
    assert parameters(step) == [("rows", "1, 2"), ("Searched for", "x" * 160 + "…")]
