"""Found passages are condensed by a model: key facts, a summary and a note, without numbers that a passage lacks."""

import json
import re
from argparse import Namespace

import pytest
from openai_server import broken
from sample_texts import REPORT

from engine.ingest import Source
from engine.interfaces.library_commands import search
from engine.model import Filters

QUESTION = "How much did cloud revenue grow?"


@pytest.fixture
def filled(filled, server):
    filled.update_settings({"llm.api_base": server.base_url, "llm.api_key": server.key, "rerank.enable_summary": True})
    return filled


def passages_in(body):
    return re.findall(r"<passage (\d+)>\n(.*?)\n</passage", body["messages"][-1]["content"], re.DOTALL)


def condense(body):
    """Give each passage its first words as a fact, and one fact with a number that no passage has."""
    entries = [
        {
            "passage": int(number),
            "key_facts": [text[:20], "It grew by 987654 %."],
            "summary": f"About {text[:10]}",
            "relevance_note": "It bears on growth.",
        }
        for number, text in passages_in(body)
    ]
    return "```json\n" + json.dumps({"passages": entries}) + "\n```"


def searched(library, **filters):
    asked = Namespace(query=QUESTION, mode="fulltext", regex=False, top_k=3, text=False)
    return search(library, asked, Filters(**filters))


def test_each_hit_has_its_facts_summary_and_note(filled, server):
    server.default = condense
    found = searched(filled)
    assert len(server.chats) == 1
    for hit in found["hits"]:
        said = found["condensed"][hit["node_id"]]
        assert said["summary"].startswith("About ")
        assert said["relevance_note"] == "It bears on growth."


def test_a_fact_with_a_number_that_the_passage_lacks_is_dropped(filled, server):
    server.default = condense
    found = searched(filled)
    assert all(len(said["key_facts"]) == 1 for said in found["condensed"].values())
    assert "987654" not in found["text"]


def test_the_text_for_other_agents_has_the_seed_s_lines(filled, server):
    server.default = condense
    text = searched(filled)["text"]
    lines = text.splitlines()
    assert lines[:3] == ["=== RAG Search Results (Enhanced) ===", f"Query: '{QUESTION}'", "Results Found: 2"]
    assert lines[4] == "Result 1"
    assert re.fullmatch(r'Citation: \[long_context: "report\.md", chunk \d+\]', lines[5])
    cited = [int(chunk) for chunk in re.findall(r"chunk (\d+)\]", text)]
    order = [node.node_id for node in filled.tree("report.md").nodes]
    assert cited == [order.index(hit["node_id"]) for hit in searched(filled)["hits"]]
    assert re.fullmatch(r"Relevance Score: \d\.\d\d", lines[6])
    assert text.count("--- Key Facts ---\n• ") == text.count("--- Content ---\nAbout ") == 2
    assert text.endswith("\n\nRelevance: It bears on growth.")


def test_the_same_passages_are_not_paid_for_twice(filled, server):
    server.default = condense
    first = searched(filled)
    assert searched(filled)["condensed"] == first["condensed"]
    assert len(server.chats) == 1


def test_a_longest_summary_is_kept(filled, server):
    filled.update_settings({"rerank.max_summary_length": 20})
    server.default = lambda body: json.dumps(
        {"passages": [{"passage": int(n), "summary": "growth " * 30} for n, _ in passages_in(body)]}
    )
    assert all(len(said["summary"]) <= 20 for said in searched(filled)["condensed"].values())


@pytest.mark.parametrize("reply", ["Nothing to say.", '{"passages": "none"}', broken()])
def test_without_a_reply_of_use_the_original_text_stands_and_it_is_told(filled, server, reply):
    for _ in range(5):
        server.enqueue(reply)
    found = searched(filled)
    assert "Without summaries" in " ".join(found["notes"])
    assert found["hits"][0]["snippet"][:40] in found["text"]


def test_a_search_without_reranking_and_summaries_is_as_ever(library):
    library.add([Source("report.md", REPORT.encode())])
    assert not searched(library).keys() & {"condensed", "text"}
    assert "total" in searched(library)["timings_ms"]


def test_summaries_without_a_model_are_told(library):
    library.add([Source("report.md", REPORT.encode())])
    library.update_settings({"rerank.enable_summary": True})
    found = searched(library)
    assert "no language model is set up" in " ".join(found["notes"])
    assert found["text"].startswith("=== RAG Search Results (Enhanced) ===")


def test_a_model_that_answers_is_shown_the_facts_and_summary_and_the_text_is_what_is_cited(filled, server):
    shown = []

    def reply(body):
        if passages_in(body):
            return condense(body)
        shown.append(body["messages"][-1]["content"])
        return "Cloud revenue grew by 31 percent [1]."

    server.default = reply
    made = filled.ask(QUESTION, path="direct")
    assert "About " in shown[0] and "• " in shown[0]
    told = next(source for source in made.sources if source.n == 1)
    assert "About " not in told.snippet and told.snippet in filled.node(told.node_id).node.text


def test_an_answer_comes_from_the_texts_where_their_summaries_fail(filled, server):
    server.default = lambda body: "no JSON" if passages_in(body) else "It grew [1]."
    made = filled.ask(QUESTION, path="direct")
    assert made.answered and any("summar" in one.lower() for one in made.warnings)
