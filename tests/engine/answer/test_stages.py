"""A stage that fails takes no answer down: the trace tells it, and the next way is taken."""

import pytest
from evidence_maker import answer, bridges, finder

from engine.answer import answerer
from engine.answer.events import Token
from engine.answer.grounded import writer
from engine.config import LlmSettings, Settings
from engine.errors import ProviderUnavailableError
from engine.ingest import Source
from engine.library import Library
from engine.providers.llm import open_llm

QUESTION = "When did the Harbour Bridge open?"
ON_A_TABLE = "What is the rent of the flat in Marley Lane?"
TEXT = "# Bridges\n\nThe Harbour Bridge opened in 1932. It took eight years to build.\n"
CSV = "Flat,Tenant,Rent\nMarley Lane,Ashe,950\nOrchard Row,Birk,1100\nMill Street,Cole,870\n"
# The stages, and the name that its trace gives to each.
STAGES = {
    "judge": "evaluate", "found_tables": "tables", "answer_from_tables": "tables", "quote": "write",
    "check": "verify", "write": "generate", "AgentLoop": "agent", "tell_disagreements": "verify",
    "plan_answer": "plan",
}  # fmt: skip


def library(folder, server=None):
    settings = {"embedding": {"enabled": False}}
    if server is not None:
        settings["llm"] = {"api_base": server.base_url, "api_key": server.key, "retries": 0, "timeout": 5}
    opened = Library.open(folder, settings=Settings.model_validate(settings), background=False)
    opened.add([Source("bridges.md", TEXT.encode()), Source("flats.csv", CSV.encode())])
    return opened


def breaks(monkeypatch, stage, error):
    calls = []

    def failing(*_args, **_more):
        calls.append(stage)
        raise error

    monkeypatch.setattr(writer if stage == "write" else answerer, stage, failing)
    return calls


@pytest.mark.parametrize("error", [RuntimeError("broken"), ProviderUnavailableError("down")])
@pytest.mark.parametrize("with_model", [False, True])
@pytest.mark.parametrize("stage", STAGES)
def test_an_answer_is_given_whichever_stage_fails(tmp_path, server, monkeypatch, stage, with_model, error):
    server.default = "The Harbour Bridge opened in 1932 [1]."
    calls = breaks(monkeypatch, stage, error)
    with library(tmp_path, server if with_model else None) as shelf:
        made = [
            shelf.ask(question, path=path)
            for question in (QUESTION, ON_A_TABLE, "Who owns the Marley moon?")
            for path in ("auto", "agent")
        ]
    assert all(one.answer.strip() and one.state in ("answered", "closest", "not_found") for one in made)
    told = [step.content for one in made for step in one.reasoning_trace]
    assert any(f"The stage “{STAGES[stage]}” failed" in content for content in told) == bool(calls)
    if stage in ("write", "check", "plan_answer"):  # what a model is needed for
        assert bool(calls) == with_model
    elif stage != "quote":
        assert calls


@pytest.mark.parametrize("stage", ["write", "check", "quote"])
def test_what_is_written_is_done_without(server, monkeypatch, stage):
    server.default = "The bridge opened in 1932 [1]."
    llm = open_llm(LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, timeout=5))
    calls, events = breaks(monkeypatch, stage, RuntimeError("broken")), []
    made = answer(QUESTION, retrieve=finder(bridges()), llm=None if stage == "quote" else llm, on_event=events.append)
    assert calls and "".join(one.text for one in events if isinstance(one, Token)) == made.answer
    if stage == "quote":
        assert not made.answered and made.state == "not_found"
    else:
        assert made.answered and "1932" in made.answer
        assert made.engine == ("llm" if stage == "check" else "extractive")


def test_all_stages_may_fail_at_once(tmp_path, server, monkeypatch):
    server.default = "The Harbour Bridge opened in 1932 [1]."
    for stage in STAGES:
        breaks(monkeypatch, stage, RuntimeError("broken"))
    with library(tmp_path, server) as shelf:
        made = shelf.ask(QUESTION)
    assert not made.answered and made.answer and made.state == "not_found"
