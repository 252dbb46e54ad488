"""A model with a small context is asked little: no rounds of its own, and never more than it takes."""

import pytest
from agent_library import PASSAGES, library

from engine.answer import answerer
from engine.settings_sources import load_settings
from tests.openai_server import Script

HOPS = "Who is the mayor of the town where the designer of the Marrow Lighthouse was born?"
DENIED = "NOT_IN_DOCUMENTS The evidence does not tell who is the mayor."


@pytest.fixture
def ask(server, tmp_path):
    def asked(question, passages=PASSAGES, path="auto", **settings):
        flags = {"embedding.enabled": False, "llm.api_base": server.base_url, "llm.api_key": server.key}
        flags |= {f"llm.{name}": value for name, value in settings.items()}
        with library(tmp_path, passages, load_settings(tmp_path, environ={}, flags=flags)) as opened:
            return opened.ask(question, path=path)

    return asked


def test_after_a_denial_a_small_model_is_asked_at_most_once_more_and_without_tools(ask, server):
    server.about_models = {"max_model_len": 8192}
    server.default = DENIED
    made = ask(HOPS)
    assert made.state == "not_found" and "does not tell" in made.answer
    assert 1 <= len(server.chats) <= 2
    assert not any("tools" in body for body in server.chats)


def test_a_denial_stands_where_looking_further_fails(ask, server, monkeypatch):
    def failing(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(answerer, "pack", failing)
    server.about_models = {"max_model_len": 8192}
    server.default = DENIED
    made = ask(HOPS)
    assert made.state == "not_found" and "does not tell" in made.answer
    assert any("failed" in step.content for step in made.reasoning_trace)


def test_after_a_denial_a_large_model_may_look_for_more_itself(ask, server):
    server.about_models = {"max_model_len": 128_000}
    server.default = DENIED
    ask(HOPS)
    assert any("tools" in body for body in server.chats)


def test_evidence_that_is_too_long_is_sent_once_more_by_its_better_half(ask, server):
    told = "request (9000 tokens) exceeds the available context size (6000 tokens), try increasing it"
    server.enqueue(Script(status=400, error={"message": told}), "Edda Varga designed it [1].")
    made = ask("Who designed the Marrow Lighthouse?")
    assert made.engine == "llm" and made.sources and "Edda Varga" in made.answer
    first, second = (body["messages"][-1]["content"].count("<evidence") for body in server.chats[:2])
    assert second == (first + 1) // 2


def test_rules_plan_the_rounds_of_a_small_model_and_it_answers_from_what_they_find(ask, server):
    server.about_models = {"max_model_len": 8192}
    server.default = lambda body: (
        "Ruben Aske is the mayor of Tolvik [1]." if "Ruben Aske" in str(body["messages"]) else DENIED
    )
    made = ask(HOPS, path="agent")
    assert made.mode == "agent" and made.engine == "llm" and "Ruben Aske" in made.answer
    assert "keyword_search" in [step.tool for step in made.reasoning_trace]
    assert len(server.chats) == 1 and "tools" not in server.chats[0]
