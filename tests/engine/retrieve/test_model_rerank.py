"""A reranking model has the last word; where it fails, nothing is lost."""

import json
import re

import pytest
from openai_server import broken
from sample_texts import REPORT

from engine.ingest import Source
from engine.retrieve.model_rerank import threshold

QUESTION = "Who makes the chips?"


@pytest.fixture
def filled(filled, server):
    filled.update_settings(
        {
            "llm.api_base": server.base_url,
            "llm.api_key": server.key,
            "rerank.enabled": True,
            "rerank.top_n": 3,
        }
    )
    return filled


def judge(body):
    """Score every passage about foundries 9, the others 1."""
    passages = re.findall(r"<passage (\d+)>(.*?)</passage", body["messages"][-1]["content"], re.DOTALL)
    scores = [
        {"passage": int(n), "score": 9 if "foundries" in text else 1, "reason": "names the makers"}
        for n, text in passages
    ]
    return "Sure!\n```json\n" + json.dumps({"scores": scores}) + "\n```"


def test_what_the_model_judges_relevant_is_kept_with_its_reason(filled, server):
    server.default = judge
    hits = filled.search(QUESTION, mode="fulltext").hits
    assert hits
    assert all(hit.signals["rerank"] == 0.9 for hit in hits)
    assert "rerank:names the makers" in hits[0].why


def test_the_same_judgement_is_not_paid_for_twice(filled, server):
    server.default = judge
    first = filled.search(QUESTION, mode="fulltext").hits
    calls = len(server.chats)
    assert filled.search(QUESTION, mode="fulltext").hits == first
    assert len(server.chats) == calls


def test_a_dropped_node_can_be_asked_about(filled, server):
    server.default = judge
    dropped = next(node for node in filled.tree("report.md").nodes if "cloud" in node.text.lower())
    way = filled.finder.journey("cloud chips", dropped.node_id, mode="fulltext")
    assert (way.stops[-1].stage, way.stops[-1].reason) == ("rerank_model", "judged_too_low")


@pytest.mark.parametrize(
    "written", [lambda n: json.dumps({"scores": [{"passage": i + 1, "score": "9/10"} for i in range(n)]}),
                lambda n: json.dumps([9] * n), lambda n: json.dumps({"scores": [9.0] * n})]
)  # fmt: skip
def test_scores_as_small_models_write_them_are_read(filled, server, written):
    server.default = lambda body: written(body["messages"][-1]["content"].count("<passage "))
    hits = filled.search(QUESTION, mode="fulltext").hits
    assert [hit.score for hit in hits] == [0.9] * len(hits) != []


def test_where_all_are_dropped_it_is_told_why(filled, server):
    server.default = lambda body: json.dumps([1] * body["messages"][-1]["content"].count("<passage "))
    result = filled.search(QUESTION, mode="fulltext")
    assert not result.hits
    assert "below the threshold of 0.60" in " ".join(result.notes)


def test_an_endpoint_is_not_asked_twice_for_the_same(filled, server):
    asked = []
    server.rerank = lambda query, text: asked.append(text) or 0.9
    filled.update_settings(
        {"rerank.method": "endpoint", "rerank.api_base": server.base_url, "rerank.api_key": server.key}
    )
    first = filled.search(QUESTION, mode="fulltext").hits
    once = len(asked)
    assert filled.search(QUESTION, mode="fulltext").hits == first
    assert len(asked) == once > 0


@pytest.mark.parametrize("reply", ["I think passage two is best.", "", '{"scores": "all fine"}'])
def test_garbage_from_the_model_leaves_the_ranking_as_it_was(filled, server, reply):
    server.default = reply
    result = filled.search(QUESTION, mode="fulltext")
    assert result.hits
    assert "Ranked without the reranking model" in " ".join(result.notes)


def test_an_endpoint_that_fails_leaves_the_ranking_as_it_was(filled, server):
    for _ in range(5):
        server.enqueue(broken())
    result = filled.search(QUESTION, mode="fulltext")
    assert result.hits
    assert "Ranked without the reranking model" in " ".join(result.notes)


def test_a_cross_encoder_behind_an_endpoint_orders_the_hits(filled, server):
    server.rerank = lambda query, text: 4.0 if "foundries" in text else -4.0
    filled.update_settings(
        {"rerank.method": "endpoint", "rerank.api_base": server.base_url, "rerank.api_key": server.key}
    )
    hits = filled.search(QUESTION, mode="fulltext").hits
    assert {round(hit.signals["rerank"], 2) for hit in hits} == {0.98}


def test_reranking_without_a_model_is_told(library):
    library.add([Source("report.md", REPORT.encode())])
    library.update_settings({"rerank.enabled": True})
    assert "no language model is set up" in " ".join(library.search(QUESTION, mode="fulltext").notes)


def test_an_adaptive_threshold_comes_down_only_when_nothing_reaches_it():
    assert threshold([0.9, 0.2], 0.6, adaptive=True) == 0.6
    assert threshold([0.5, 0.2], 0.6, adaptive=True) == pytest.approx(0.3)
    assert threshold([0.5, 0.2], 0.6, adaptive=False) == 0.6
