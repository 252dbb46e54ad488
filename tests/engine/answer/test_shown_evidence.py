"""What a model is shown: tables where the question or the evidence points at them, no furniture of pages."""

import json

import pytest

from engine.answer.basis import Basis
from engine.answer.evidence.judging import NOTHING_JUDGED, Judged, Span
from engine.answer.understand import understand
from engine.ingest import Source
from engine.library import Library
from engine.model import Node
from engine.settings_sources import load_settings
from tests.engine.answer.evidence_maker import evidence

LEAVE = """# Leave at the mill

## Paternity leave

New fathers get three weeks of paid leave, to be taken within a year of the birth.

## Sick leave

A doctor's note is needed from the third day on. Pay goes on for six weeks.
"""
PARTS = "Part,Shelf,Weight (g)\n" + "".join(f"Bolt M{n},Row {n % 9},{n * 7}\n" for n in range(3, 160))


@pytest.fixture
def lib(server, tmp_path):
    flags = {"embedding.enabled": False, "llm.api_base": server.base_url, "llm.api_key": server.key}
    settings = load_settings(tmp_path, environ={}, flags=flags)
    with Library.open(tmp_path, settings=settings, background=False) as opened:
        opened.add([Source("leave.md", LEAVE.encode()), Source("parts.csv", PARTS.encode())])
        opened.add([Source("fruit.csv", b"Fruit,Crates,Weeks\nPears,31,3\nPlums,12,2\n")])
        yield opened


def told(body):
    return "\n".join(str(message["content"]) for message in body["messages"])


def test_a_plain_question_of_a_text_goes_without_unrelated_tables_and_without_a_plan(lib, server):
    server.default = "Three weeks [1]."
    made = lib.ask("How many weeks of paternity leave do new fathers get at the mill?")
    assert made.answered and len(server.chats) == 1
    assert "three weeks of paid leave" in told(server.chats[0]) and "Bolt" not in told(server.chats[0])
    assert "Pears" not in told(server.chats[0])


def test_of_a_long_table_that_answers_the_model_sees_columns_and_the_rows_of_the_answer(lib, server):
    plan = {
        "operation": "sum",
        "table": 1,
        "columns": ["Weight"],
        "where": [{"column": "Shelf", "value": "Row 4"}],
    }
    server.enqueue(json.dumps(plan))
    server.default = "They weigh 9,000 g [1]."
    lib.ask("What do the parts on shelf Row 4 weigh in total?")
    asked, written = map(told, server.chats)
    assert "Table 1: parts.csv" in asked and "Table 2" not in asked
    assert "Part | Shelf | Weight (g)\nBolt M4 | Row 4" in written and "Computed exactly" in written
    assert "Bolt M5 |" not in written and "rows are shown" in written and "Pears" not in written
    assert written.count('source="parts.csv"') == 1


def test_lines_that_stand_alone_and_share_nothing_with_the_question_are_not_shown():
    question = "Who approves the budget of the harbour office?"
    items = [
        evidence(1, "The budget of the harbour office is approved by the council."),
        evidence(2, "Signature of the council", position=7),
        evidence(3, "Scan_2023-06-27_17", position=20),
        evidence(4, "arXiv 2206.07293v1", position=30),
        evidence(5, "Approved by", position=41), evidence(6, "The harbour office, in May", position=42),
    ]  # fmt: skip
    basis = Basis(understand(question), items, NOTHING_JUDGED, [], None)
    assert [item.text for item in basis.shown()] == [items[n].text for n in (0, 4, 5)]


def test_where_nothing_shares_a_word_with_the_question_lines_stay():
    items = [evidence(1, "Annual fee: 30 EUR"), evidence(2, "Opening hours", position=5)]
    basis = Basis(understand("年费是多少？"), items, NOTHING_JUDGED, [], None)
    assert basis.shown() == items


def test_no_page_number_no_single_letter_and_no_bare_header_is_shown():
    question = "Who approves the budget of the harbour office?"
    heads = Node(
        "n6", None, "table", text="Budget | Office", metadata={"header_rows": 1, "rows": [["Budget", "Office"]]}
    )
    items = [
        evidence(1, "The budget of the harbour office is approved by the council."),
        evidence(2, "12", page=12, position=1, document="harbour.pptx"),
        evidence(3, "B", position=20),
        evidence(4, "Pears ripen in autumn, plums a few weeks before them.", document="fruit.md", position=3),
        evidence(5, "港口办公室的预算由理事会批准。", document="港口.md"),
        evidence(6, heads.text, role="table", table=heads, document="harbour.pptx"),
    ]
    judged = Judged((Span(0, 0, 60, 0, 60, 0.8),), 0.8, "answered", ())
    basis = Basis(understand(question), items, judged, [], None)
    assert [item.text for item in basis.shown()] == [items[n].text for n in (0, 3, 4)]
