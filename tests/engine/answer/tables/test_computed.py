"""What operators computed goes into a model's answer, with the cells it rests on."""

import json

import pytest
from made_tables import SALES, workbook

from engine.answer.tables.computed import Computed
from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from tests.openai_server import OpenAiServer, Script

QUESTION = "What is the percentage change in North from 2022 to 2023?"


@pytest.fixture(scope="module")
def server():
    with OpenAiServer() as running:
        yield running


@pytest.fixture(scope="module")
def library(tmp_path_factory, server):
    changes = {"embedding": {"enabled": False}, "llm": {"api_base": server.base_url, "api_key": server.key}}
    settings = Settings.model_validate(changes)
    with Library.open(
        tmp_path_factory.mktemp("tables") / "shelf", settings=settings, background=False
    ) as opened:
        opened.add([Source("sales.xlsx", workbook(Sales=SALES))])
        yield opened


@pytest.mark.parametrize(
    ("value", "text", "stated"),
    [
        ("25%", "It grew by 25 %.", True), ("1,234.56", "about 1,235", True), ("1,234.56", "about 1,236", False),
        ("3.2 million", "3,200,000 in all", True), ("South", "It was the south.", True), ("7.25", "7", False),
    ],
)  # fmt: skip
def test_a_value_is_stated_in_digits_rounded_or_with_a_scale(value, text, stated):
    assert Computed([value], "").stated_in(text) is stated


def test_the_model_is_given_what_was_computed_and_the_answer_cites_the_cells(library, server):
    server.enqueue("Sales in the North grew by 25% [1].")
    made = library.ask(QUESTION)
    prompt = server.chats[-1]["messages"][-1]["content"]
    assert "Computed exactly from the cells" in prompt and "25%" in prompt.split("Computed exactly")[1]
    assert made.engine == "llm" and [source.cell for source in made.sources] == ["Sales!B2", "Sales!C2"]
    assert "25% [1][2]" in made.answer and not any("removed" in warning for warning in made.warnings)


def test_another_number_of_the_model_is_shown_beside_what_the_cells_give(library, server):
    server.enqueue("North had 1,500 in 2023 [1].")
    made = library.ask(QUESTION)
    assert (
        "1,500 in 2023" in made.answer and "Computed from the cells" in made.answer and "25%" in made.answer
    )
    assert any("both are shown" in warning for warning in made.warnings)
    assert {source.cell for source in made.sources} >= {"Sales!B2", "Sales!C2"}


def test_a_model_that_finds_nothing_does_not_silence_the_cells(library, server):
    server.enqueue("NOT_IN_DOCUMENTS")
    made = library.ask(QUESTION)
    assert made.answered and "25%" in made.answer and made.engine == "extractive"
    assert [source.cell for source in made.sources] == ["Sales!B2", "Sales!C2"]


def test_a_value_that_the_loop_computed_is_cited_with_its_cells(library, server):
    def call(name, **arguments):
        function = {"name": name, "arguments": json.dumps(arguments)}
        return Script(tool_calls=[{"id": "c1", "type": "function", "function": function}])

    table = library.search("South", filters=Filters(roles=("table",))).hits[0].node_id
    server.enqueue(
        call("LOOKUP", table=table, row="South", column="2023"),
        call("final_answer", answer="South sold 800 in 2023 [1]."),
    )
    made = library.ask("What did South sell in 2023?", path="agent")
    assert made.mode == "agent" and "Sales!C3" in {source.cell for source in made.sources}
