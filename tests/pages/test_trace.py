"""The steps of an answer as the pages tell them: words, never the JSON or the ids behind them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.ingest import Source
from engine.library import Library
from engine.model import Answer, Statement, TraceStep
from engine.retrieve.notes import note
from pages.widgets import answer
from tests.pages.shelves import shelved


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with shelved(tmp_path_factory.mktemp("trace") / "shelf") as library:
        library.add([Source("harvest.md", b"# Harvest\n\n## Apples\n\nNine tons of apples.\n")])
        yield library


def node_of(shelf: Library) -> str:
    return next(node.node_id for node in shelf.tree("harvest.md").nodes if "Nine" in node.text)


def test_what_the_library_is_not_ready_for_is_said_under_one_answer():
    told: set[str] = set()
    first = [note("?", "vectors_missing", missing=9, want=20), "Another remark."]
    assert answer.untold(first, told) == first
    later = [note("?", "vectors_missing", missing=4, want=20), "Another remark."]
    assert answer.untold(later, told) == ["Another remark."]


def action(tool: str, content: str = "", **params: object) -> TraceStep:
    return TraceStep(1, "action", content or tool, tool, params)


def test_a_node_is_told_by_its_place(shelf: Library):
    told = dict(answer.parameters(action("get_node_content", node_ids=[node_of(shelf), "n" + "0" * 14])))
    assert told == {"Passages": "harvest.md › Harvest › Apples, a passage that no longer exists"}


def test_what_is_built_for_programs_is_left_out(shelf: Library):
    step = action(
        "keyword_search", keywords=["apples", "tons"], mode="exact", case_sensitive=False, plan={"a": {"b": 1}}, gap=[]
    )  # fmt: skip
    assert answer.parameters(step) == [("Words", "apples, tons"), ("Kind of search", "exact")]


def test_a_thought_is_told_by_its_words_alone(shelf: Library):
    plan = {"candidates": [{"node_id": node_of(shelf), "score": 1.0}]}
    assert answer.parameters(TraceStep(0, "thought", "Look further.", None, {"plan": plan})) == []


def test_what_the_words_of_a_step_say_is_not_said_again(shelf: Library):
    step = action("hybrid_search", "Searched for “apples”.", query="apples", top_k=5)
    assert answer.parameters(step) == [("At most", "5")]


def test_a_step_is_called_by_what_it_did(shelf: Library):
    assert answer.label_of(action("keyword_search")) == "Looked for the exact words"
    assert answer.label_of(action("divide_by")) == "Used divide by"
    assert answer.label_of(TraceStep(0, "thought", "…")) == "Considered"


def test_an_operator_is_called_by_what_it_asks_not_by_its_name(shelf: Library):
    assert answer.label_of(action("MAX")) == "Looked it up in a table"


def test_what_a_step_found_is_told_without_ids_and_without_its_own_words(shelf: Library):
    step = TraceStep(
        4,
        "verification",
        "Statements compared: 3",
        None,
        None,
        "Statements compared: 3 agree: A [n88166a70ee92d0-2] apples",
    )
    assert answer.result_of(step) == "agree: A apples"


def test_the_confidence_in_what_a_model_wrote_is_told_by_its_statements():
    told = [Statement(0, 4, "supported"), Statement(4, 8, "unverified")]
    made = Answer("…", "direct", "medium", True, [], engine="llm", statements=told)
    assert answer.why_so_sure(made) == "The sources support 1 of 2 statements."
    assert "check the sources" in answer.why_so_sure(replace(made, statements=[]))
