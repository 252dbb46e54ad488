"""A contradiction that the loop finds is told in the answer, with both sides."""

import json

import pytest
from agent_library import PASSAGES, library

from engine.config import Settings

TEXTS = {
    **PASSAGES,
    "Kessel survey": "The survey of rivers measured them all again. The Kessel river is 198 kilometres long.",
}
QUESTION = "How long is the Kessel river?"
LONG, SHORT = "212 kilometres", "198 kilometres"


def tells_both_sides(answer):
    snippets = {source.document: source.snippet for source in answer.sources}
    return (
        LONG in answer.answer
        and SHORT in answer.answer
        and LONG in snippets.get("Kessel river.txt", "")
        and SHORT in snippets.get("Kessel survey.txt", "")
        and any("disagree" in warning for warning in answer.warnings)
    )


def test_without_a_model_the_agent_s_answer_tells_both_sides(tmp_path):
    with library(tmp_path, TEXTS) as lib:
        answer = lib.ask(QUESTION, path="agent")
    assert answer.answered and answer.mode == "agent" and tells_both_sides(answer)
    assert answer.confidence != "high"
    steps = [step for step in answer.reasoning_trace if step.tool == "verify_consistency"]
    assert any("198" in (step.result_summary or "") for step in steps)


@pytest.fixture
def asked(server, tmp_path):
    """Ask a library whose model plays the replies."""
    llm = {"api_base": server.base_url, "api_key": server.key, "retries": 0}
    settings = Settings.model_validate({"llm": llm, "embedding": {"enabled": False}})

    def ask(*replies):
        server.enqueue(*replies)
        with library(tmp_path, TEXTS, settings) as lib:
            return lib.ask(QUESTION, path="agent")

    return ask


def call(tool, **params):
    return json.dumps({"thought": "go on", "tool": tool, "arguments": params})


def test_where_a_model_names_one_side_only_the_other_is_told_beside_its_answer(asked):
    answer = asked(
        call("keyword_search", keywords=["Kessel river"]),
        call("verify_consistency", statements=["The Kessel river is 212 kilometres long"]),
        call("final_answer", answer="The Kessel river is 212 kilometres long [1]."),
    )
    assert answer.engine == "llm" and warns_of_both_sides(answer) and answer.confidence == "high"
    assert answer.answer == "The Kessel river is 212 kilometres long [1]."


def test_of_a_model_that_does_not_check_both_sides_are_told_beside_its_answer_too(asked):
    assert warns_of_both_sides(asked(call("final_answer", answer="The Kessel river is 212 kilometres long [1].")))


def warns_of_both_sides(answer):
    told = " ".join(answer.warnings)
    return "212" in told and "198" in told and len({source.document for source in answer.sources}) > 1


def test_a_model_is_shown_both_sides_with_numbers_to_cite(asked, server):
    answer = asked(
        call("verify_consistency", statements=["The Kessel river is 212 kilometres long"]),
        call("final_answer", answer="It is 212 kilometres long [1], though a survey says 198 kilometres [2]."),
    )
    told = server.chats[1]["messages"][-1]["content"]
    assert "differ in number" in told and LONG in told and SHORT in told
    assert tells_both_sides(answer)
