"""What the agent's tools show a model: matching rows under their header, each once, as much as the first search."""

import json

import pytest
from agent_library import desk_of, library

from engine.answer.answerer import Answerer
from engine.answer.understand import understand
from engine.config import LlmSettings
from engine.ingest import Source
from engine.library import Library
from engine.model import SearchResult
from engine.providers.llm import open_llm
from engine.retrieve.pack import Retrieved
from engine.settings_sources import load_settings
from tests.engine.answer.evidence_maker import evidence
from tests.openai_server import Script

MAKERS = {57: "Heron Works", 431: "Heron Works", 790: "Heron Works"}
PARTS = "Part,Name,Stock,Maker\n" + "".join(
    f"P-{n:04d},valve of row {n % 9},{n * 7 % 501},{MAKERS.get(n, 'Mill & Sons')}\n" for n in range(1, 900)
)
NOTES = {
    f"Note {n}": f"The keeper of pond {n} counts the herons. "
    + " ".join(f"Reed {n}{i} grows there." for i in range(99))
    for n in range(1, 11)
}


def call(name, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return Script(tool_calls=[{"id": "c1", "type": "function", "function": function}])


@pytest.fixture
def ask(server, tmp_path):
    def asked(files, question, **more):
        flags = {"embedding.enabled": False, "llm.api_base": server.base_url, "llm.api_key": server.key}
        settings = load_settings(tmp_path, environ={}, flags=flags)
        with Library.open(tmp_path, settings=settings, background=False) as opened:
            opened.add([Source(name, text.encode()) for name, text in files.items()])
            return opened.ask(question, **more)

    return asked


def results(body):
    """Return what the model was shown of each call of a tool."""
    return [str(message["content"]) for message in body["messages"] if message["role"] == "tool"]


def test_of_a_long_table_the_rows_of_every_part_that_hold_the_keyword_are_shown_under_its_header(ask, server):
    steps = iter([call("keyword_search", keywords=["Heron Works"]), call("keyword_search", keywords=["P-0057"])])
    said = call("final_answer", answer="P-0057 is made there [1].")
    server.default = lambda body: next(steps, said) if body.get("tools") else '{"operation": "none"}'
    made = ask({"parts.csv": PARTS}, "Which parts come from that firm?", path="agent")
    found, again = results(server.chats[-1])
    rows = [line for line in found.split("\n") if line.startswith("P-")]
    assert {row[:6] for row in rows if "Heron" in row} == {"P-0057", "P-0431", "P-0790"} and len(rows) < 20
    assert found.count("Part | Name | Stock | Maker") == found.count("<evidence ")
    assert "Shown above" in again and "P-0057" not in again
    assert made.sources[0].snippet.startswith("P-0057")


def test_rows_that_were_not_shown_come_without_those_that_were(ask, server):
    steps = iter([call("keyword_search", keywords=["P-0057"]), call("keyword_search", keywords=["P-0060"])])
    said = call("final_answer", answer="Both are there [1].")
    server.default = lambda body: next(steps, said) if body.get("tools") else '{"operation": "none"}'
    ask({"parts.csv": PARTS}, "Which parts come from that firm?", path="agent")
    first, second = results(server.chats[-1])
    assert "P-0057 |" in first and "P-0059 |" in first and "P-0060 |" not in first
    assert "P-0060 |" in second and "P-0062 |" in second and "P-0059 |" not in second


@pytest.mark.parametrize(("views", "whole"), [(["dense", "sparse"], 8), (["sparse"], 3)])
def test_after_a_refusal_the_one_further_look_has_the_room_of_the_first_one(server, tmp_path, views, whole):
    flags = {"embedding.enabled": False, "agent.tools.max_context_tokens": 4000}
    settings = load_settings(tmp_path, environ={}, flags=flags)
    llm = open_llm(LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, timeout=5))
    items = [evidence(n, f"The bakery of street {n} sells rye bread.") for n in range(1, 7)]
    found = SearchResult("q", "hybrid", [item.hit for item in items], {}, views)
    server.enqueue("NOT_IN_DOCUMENTS Nothing tells.", call("keyword_search", keywords=["herons"]))
    server.default = call("final_answer", answer="NOT_IN_DOCUMENTS Nothing tells.")
    with library(tmp_path, NOTES, settings) as lib:
        Answerer(
            question=understand("Who painted the chapel?"), llm=llm, desk=desk_of(lib), settings=settings,
            retrieve=lambda query: Retrieved(found, items),
        ).answer()  # fmt: skip
    [told] = results(server.chats[2])
    assert sum(len(block) > 1100 for block in told.split("<evidence ")) == whole
