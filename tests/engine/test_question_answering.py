"""A question's way through a library: what it used, where its budget ends it, and where it is stopped."""

import json
import threading
import time
from contextlib import contextmanager

import pytest

from engine.answer.events import Token
from engine.answer.phrases import ENGLISH
from engine.errors import CancelledError
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters, TraceStep
from engine.settings_sources import load_settings
from tests.openai_server import Script

BRIDGE = "The Harbour Bridge opened in 1932. Lanterns hang from its cables every winter."
QUESTION = "When did the Harbour Bridge open?"
MAIN_POINTS = "# Ferries\n\nThe ferries cross the bay eleven times a day. They carry bicycles free of charge.\n"


@contextmanager
def opened(folder, server, **flags):
    given = {
        "llm.api_base": server.base_url, "llm.api_key": server.key, "llm.retries": 0, "embedding.enabled": False
    }  # fmt: skip
    settings = load_settings(folder, environ={}, flags=given | flags)
    with Library.open(folder, settings=settings, background=False) as library:
        library.add_texts([("bridge.txt", BRIDGE)])
        library.add([Source("ferries.md", MAIN_POINTS.encode()), Source("桥.md", "大桥于1932年通车。".encode())])
        yield library


def judged(body):
    """Judge all passages as right."""
    count = str(body["messages"][-1]["content"]).count("<passage ")
    return json.dumps({"scores": [{"passage": n + 1, "score": 9} for n in range(count)]})


def model(body):
    """Judge what is to be judged, and answer the rest."""
    return judged(body) if "<passage " in str(body["messages"][-1]["content"]) else "It opened in 1932 [1]."


def test_the_tokens_of_all_models_that_a_question_asks_are_told_and_priced(tmp_path, server):
    server.default = model
    prices = {"llm.price_prompt": 1, "llm.price_completion": 3}
    with opened(tmp_path / "a", server, **prices) as library:
        plain = library.ask(QUESTION, path="direct").to_dict()
    with opened(tmp_path / "b", server, **prices, **{"rerank.enabled": True}) as library:
        told = library.ask(QUESTION, path="direct").to_dict()
    assert told["tokens"]["prompt"] > plain["tokens"]["prompt"] > 0
    expected = (told["tokens"]["prompt"] + 3 * told["tokens"]["completion"]) / 1_000_000
    assert told["cost"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("question", "history"),
    [
        (QUESTION, []),
        ("And when did it open?", [("user", "Is there a Harbour Bridge?"), ("assistant", "Yes, over the bay.")]),
        ("What is ferries.md about?", []),
    ],
)
def test_the_time_of_an_answer_is_what_its_asker_waited_models_included(tmp_path, server, question, history):
    server.default = lambda body: Script(model(body), delay=0.3)
    with opened(tmp_path, server) as library:
        asked = time.perf_counter()
        made = library.ask(question, history=history)
        waited = 1000 * (time.perf_counter() - asked)
    assert server.chats, "no model was asked"
    assert 300 * len(server.chats) <= made.timings_ms["total"] <= waited
    assert made.timings_ms["total"] > waited - 50


def test_a_summary_that_a_question_asks_for_is_counted_too(tmp_path, server):
    server.default = "The ferries cross the bay eleven times a day [1]."
    with opened(tmp_path, server) as library:
        made = library.ask("What is ferries.md about?")
    assert made.engine == "llm" and made.tokens["prompt"] > 0


@pytest.mark.parametrize(
    ("question", "lead_in", "warning"),
    [
        (
            QUESTION,
            "Quoted from your documents, word for word (the budget",
            "budget of this answer is used up",
        ),
        ("大桥是哪一年通车的？", "以下逐字摘自您的文档（语言模型的预算已用完）", "本次回答的预算已用完"),
    ],
)
def test_an_answer_whose_budget_is_used_up_quotes_what_was_found_and_says_so(
    tmp_path, server, question, lead_in, warning
):
    server.default = model
    with opened(tmp_path, server, **{"rerank.enabled": True, "llm.answer_tokens": 5}) as library:
        made = library.ask(question, path="direct")
    assert len(server.chats) == 1  # the judge of what was found
    assert made.answered and "1932" in made.answer and made.sources and made.engine == "extractive"
    assert made.answer.startswith(lead_in)
    assert any(warning in one for one in made.to_dict()["warnings"])
    assert any(warning in step.content for step in made.reasoning_trace)


def test_a_budget_that_the_answer_stays_within_is_not_mentioned(tmp_path, server):
    server.default = model
    with opened(tmp_path, server, **{"llm.answer_tokens": 1_000_000}) as library:
        made = library.ask(QUESTION, path="direct")
    assert made.engine == "llm" and not any("budget" in warning for warning in made.warnings)


@pytest.fixture
def held(server):
    """A server that replies only once it is let go: whatever ends before was not waited for."""
    go, replied = threading.Event(), []

    def reply(body):
        go.wait(5)
        replied.append(body)
        return model(body)

    server.default = reply
    yield lambda: bool(server.chats), replied
    go.set()


def test_a_question_is_stopped_while_the_judge_of_what_was_found_is_waited_for(tmp_path, server, held):
    cancelled, replied = held
    with opened(tmp_path, server, **{"rerank.enabled": True}) as library:
        made = library.ask(QUESTION, cancelled=cancelled)
        assert not replied
    assert not made.answered and made.answer in made.warnings and "Stopped" in made.answer


def test_a_search_and_its_summaries_are_stopped_while_a_model_is_waited_for(tmp_path, server, held):
    cancelled, replied = held
    with opened(tmp_path, server, **{"rerank.enable_summary": True}) as library:
        found = library.search(QUESTION, mode="fulltext")
        with pytest.raises(CancelledError):
            library.finder.asked_by(None, cancelled).enhanced(found)
        assert not replied


def test_a_question_is_stopped_while_its_embedding_is_waited_for(tmp_path, server):
    go, asked, replied = threading.Event(), [], []
    embedding = {
        "embedding.enabled": True, "embedding.api_base": server.base_url, "embedding.api_key": server.key,
        "embedding.model": "vectors", "embedding.dimension": server.dimension,
    }  # fmt: skip
    with opened(tmp_path, server, **embedding) as library:
        library.embed_pending()
        server.before_embedding = lambda: (asked.append(True), go.wait(5), replied.append(True))
        made = library.ask(QUESTION, cancelled=lambda: bool(asked))
        assert "Stopped" in made.answer and not replied
        go.set()


def test_a_search_is_stopped_while_a_reranking_endpoint_is_waited_for(tmp_path, server):
    go, asked, replied = threading.Event(), [], []

    def relevance(query, text):
        asked.append(text)
        go.wait(5)
        replied.append(text)
        return 0.9

    server.rerank = relevance
    endpoint = {
        "rerank.enabled": True, "rerank.method": "endpoint", "rerank.api_base": server.base_url,
        "rerank.api_key": server.key,
    }  # fmt: skip
    with opened(tmp_path, server, **endpoint) as library:
        with pytest.raises(CancelledError):
            library.finder.asked_by(None, lambda: bool(asked)).search(QUESTION, mode="fulltext")
        assert not replied
    go.set()


def test_a_question_of_several_parts_is_answered_part_by_part_and_says_what_is_missing(tmp_path):
    texts = [
        ("grant.md", "# Grant\n\nThe Orvane grant was paid by the Lindmark Foundation."),
        ("trial.md", "# Trial\n\nThe Orvane trial took place in Merrow in 2021."),
    ]
    events = []
    with Library.open(tmp_path / "library", background=False) as library:
        library.add([Source(name, text.encode()) for name, text in texts])
        library.embed_pending()
        made = library.ask(
            "Who paid the Orvane grant, and how many horses does the mayor of Kestrel own?",
            on_event=events.append,
        )
        refused = library.ask("Who painted the Kestrel town hall, and how many horses does its mayor own?")
    assert made.answered and made.confidence == "low"  # as sure as the least sure of its parts
    assert "**Who paid the Orvane grant?**" in made.answer and "Lindmark" in made.answer
    first, _, second = made.answer.partition("**how many horses does the mayor of Kestrel own?**")
    assert ENGLISH.not_found in second or ENGLISH.nearest in second
    assert "Lindmark Foundation" in first and ENGLISH.nearest not in first and "[1]" in first
    told = [event for event in events if not isinstance(event, TraceStep)]
    assert told == [Token(made.answer)]
    assert not refused.answered and "**" not in refused.answer


def test_where_the_documents_do_not_tell_the_explored_part_of_their_graphs_is_given(filled):
    told = filled.ask("Who painted the ceiling of the opera in Zanzibar?")
    assert told.state == "not_found"
    nodes = {one["node_id"]: one for one in told.explored["nodes"]}
    assert any(one["found"] for one in nodes.values())
    assert {one["document_id"] for one in nodes.values()} <= {one.document_id for one in filled.documents()}
    assert all(filled.node(node_id).node.role == one["role"] for node_id, one in nodes.items())
    edges = {(edge["src"], edge["dst"], edge["type"]) for edge in told.explored["edges"]}
    above = [filled.node(one).node for one, facts in nodes.items() if facts["found"]]
    assert {(one.parent_id, one.node_id, "child") for one in above if one.parent_id} <= edges
    found = filled.ask("How many foundries supply the chips?")
    assert found.explored == found.scope == {}


def test_a_refusal_tells_the_scope_that_was_asked(filled):
    first, *others = filled.documents()
    filled.collections.create("Basement")
    filled.collections.move([first.document_id], "Basement")
    question = "Who painted the ceiling of the opera in Zanzibar?"
    told = filled.ask(question, filters=Filters(collections=("Basement",)))
    assert told.scope == {"documents": 1, "filters": {"collections": ["Basement"]}}
    assert "documents: 1. Filters: collection “Basement”." in told.answer
    assert filled.ask(question).scope == {"documents": len(others) + 1, "filters": {}}
