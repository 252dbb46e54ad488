"""What the agent's tools show a model: matching rows under their header, each once, as much as the first search."""

import json

import pytest
from agent_library import desk_of, library

from engine.answer.agent.state import AgentState
from engine.answer.agent.web import EvidenceWeb
from engine.ingest import Source
from engine.library import Library
from engine.model import Evidence
from engine.settings_sources import load_settings
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
    assert "Shown above" in again and "P-0057 |" not in again
    assert made.sources[0].snippet.startswith("P-0057")


def test_rows_that_were_not_shown_come_without_those_that_were(ask, server):
    steps = iter([call("keyword_search", keywords=["P-0057"]), call("keyword_search", keywords=["P-0060"])])
    said = call("final_answer", answer="Both are there [1].")
    server.default = lambda body: next(steps, said) if body.get("tools") else '{"operation": "none"}'
    ask({"parts.csv": PARTS}, "Which parts come from that firm?", path="agent")
    first, second = results(server.chats[-1])
    assert "P-0057 |" in first and "P-0059 |" in first and "P-0060 |" not in first
    assert "P-0060 |" in second and "P-0062 |" in second and "P-0059 |" not in second


def test_a_keyword_search_tells_how_many_passages_hold_the_word_and_in_which_line(ask, server):
    steps = iter([call("keyword_search", keywords=["herons"], top_k=4), call("keyword_search", keywords=["Reed"])])
    said = call("final_answer", answer="They are counted [1].")
    server.default = lambda body: next(steps, said)
    notes = {f"{title}.txt": f"{title}\n\nA pond\nof {title}:\n{text}" for title, text in NOTES.items()}
    made = ask(notes, "Who counts the birds?", path="agent")
    few, many = results(server.chats[-1])
    assert "“herons”: 4 of 10 passages" in few and few.count(":3") == 4
    assert "“Reed”: 8 of 20 passages" in many
    assert [step.result_summary[:7] for step in made.reasoning_trace if step.tool == "keyword_search"] == [
        "4 of 10", "8 of 20",
    ]  # fmt: skip


def test_another_stretch_of_a_text_that_was_shown_makes_the_whole_text_what_is_cited(tmp_path):
    with library(tmp_path, NOTES) as lib:
        [found] = lib.search("keeper of pond 7", top_k=1).hits
        text = lib.node(found.node_id).node.text
        state = AgentState("q", desk_of(lib), EvidenceWeb("q"), 3)
        for stretch in (text[:60], text[400:500]):
            assert state.number(Evidence(found, stretch)) == 1
    assert state.quoted[0].text == text
