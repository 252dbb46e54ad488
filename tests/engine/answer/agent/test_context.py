"""The agent's prompt stays within the context of the model."""

import json

import pytest
from agent_library import PASSAGES, library

from engine.answer.agent.context import Context, tokens_in
from engine.ingest import Source
from engine.providers.llm import Usage
from engine.settings_sources import load_settings
from tests.openai_server import Script, pieces

QUESTION = "Who is the mayor of the town where the designer of the Marrow Lighthouse was born?"
REPLY = 1024
STEPS = ("Gull Rock", "Edda Varga", "Tolvik")
# Long passages: each of them fills what is shown of a step.
LONG = {
    title: f"{text} " + f"The keeper of {title} wrote this down. " * 120 for title, text in PASSAGES.items()
}
FARES = "# Ferry fares\n\n| Fare | Crowns |\n| --- | --- |\n" + "".join(
    f"| Fare {n} | {n * 90} |\n" for n in range(40)
)


@pytest.fixture
def ask(server, tmp_path):
    def asked(question=QUESTION, **settings):
        flags = {"embedding.enabled": False, "llm.api_base": server.base_url, "llm.api_key": server.key}
        flags |= {f"llm.{name}": value for name, value in settings.items()}
        with library(tmp_path, LONG, load_settings(tmp_path, environ={}, flags=flags)) as opened:
            opened.add([Source("fares.md", FARES.encode())])
            return opened.ask(question, path="agent", max_iterations=4)

    return asked


def search(words):
    function = {"name": "keyword_search", "arguments": json.dumps({"keywords": [words]})}
    return Script(tool_calls=[{"id": "c1", "type": "function", "function": function}])


def in_text(words):
    return f'{{"thought": "look", "tool": "keyword_search", "arguments": {{"keywords": ["{words}"]}}}}'


def size(body):
    """The tokens of a call, cut as the scripted server counts them, its functions too."""
    texts = [message["content"] + json.dumps(message.get("tool_calls", "")) for message in body["messages"]]
    return sum(len(pieces(text)) for text in [*texts, json.dumps(body.get("tools", ""))])


def observations(body):
    return [
        message["content"] for message in body["messages"] if message["content"].startswith("Observation")
    ]


def of_endpoint_with(context, replies):
    """Replies of an endpoint that refuses what is longer than its context, as llama.cpp words it."""
    left = iter(replies)

    def reply(body):
        if size(body) + REPLY <= context:
            return next(left)
        told = f"request ({size(body)} tokens) exceeds the available context size ({context} tokens), try increasing it"
        return Script(
            status=400, error={"message": told, "type": "exceed_context_size_error", "n_ctx": context}
        )

    return reply


def test_the_oldest_observations_are_left_out_first(ask, server):
    server.enqueue(*map(in_text, STEPS), "NOT_IN_DOCUMENTS")
    ask(context_tokens=2700)
    assert all(size(body) + REPLY <= 2700 for body in server.chats)
    told = observations(server.chats[3])
    assert ["left out" in one for one in told] == [True, True, False]
    assert "The keeper of Tolvik" in told[-1]
    for body in server.chats:
        system, opening = (body["messages"][n]["content"] for n in (0, 1))
        assert "never an instruction" in system and "<evidence" in opening
        assert opening.endswith(f"Question: {QUESTION}")


def test_in_the_smallest_context_the_first_search_is_left_out_too(ask, server):
    server.enqueue(*map(in_text, STEPS), "NOT_IN_DOCUMENTS")
    ask(context_tokens=2200)
    opening = server.chats[3]["messages"][1]["content"]
    assert (
        opening.startswith("The first search found passages, left out here.") and "<evidence" not in opening
    )
    assert "The keeper of Tolvik" in observations(server.chats[3])[-1]


def test_all_is_shown_where_there_is_room(ask, server):
    server.enqueue(*map(search, STEPS), "NOT_IN_DOCUMENTS")
    ask()
    assert not any("left out" in one for one in observations(server.chats[3]))


def test_what_the_endpoint_says_of_its_context_is_kept_to(ask, server):
    server.default = of_endpoint_with(2450, [*map(search, STEPS), "NOT_IN_DOCUMENTS"])
    made = ask()
    refused = [size(body) + REPLY > 2450 for body in server.chats]
    assert refused == [False, False, True, False, False] and made.iterations == 3
    assert not any("rules planned" in warning for warning in made.warnings)


def test_operators_that_do_not_fit_are_listed_and_called_in_text(ask, server):
    lookup = '{"tool": "LOOKUP", "arguments": {"rows": "Fare 7", "columns": "Crowns"}}'
    server.enqueue(lookup, "NOT_IN_DOCUMENTS")
    made = ask("What is Fare 7 in crowns?", context_tokens=3500)
    assert "tools" not in server.chats[0] and "- LOOKUP(" in server.chats[0]["messages"][0]["content"]
    step = [step for step in made.reasoning_trace if step.tool == "LOOKUP"][-1]
    assert "630" in step.result_summary


def test_what_the_endpoint_counts_corrects_the_estimate():
    context = Context(8192, REPLY)
    assert context.room == 8192 - REPLY
    context.counted(1000, Usage(1600, 20))
    assert context.room == (8192 - REPLY) / 1.6
    context.counted(1000, Usage(700, 20))
    assert context.room == (8192 - REPLY) / 1.6


def test_an_unknown_context_is_taken_for_shorter_than_what_was_refused():
    context = Context(0, REPLY)
    assert context.room is None
    context.exceeded(5000, None)
    assert context.room < 5000


def test_cells_and_chinese_take_more_tokens_than_prose_of_their_length():
    def of(text):
        return tokens_in([{"role": "user", "content": text}])

    assert of("1,234 | 5,678") > of("the long river") < of("这是一条很长很长的河流吧呢")
