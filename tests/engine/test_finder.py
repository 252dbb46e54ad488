"""Looking into a search: what every stage ranked, and why a node is not among the hits."""

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.ingest import Source
from engine.model import Filters
from engine.retrieve.lexicon import lexicon
from engine.settings_sources import with_changes


@pytest.fixture
def filled(filled):
    filled.embed_pending()
    return filled


def node_of(library, name, text):
    return next(node for node in library.tree(name).nodes if text in node.text and node.role != "document")


def test_a_search_is_taken_apart_and_its_parts_add_up(filled):
    seen = filled.finder.inspect("How much did cloud revenue grow?", top_k=3)
    assert [stage.name for stage in seen.stages] == [
        "dense", "sparse", "fused", "rerank", "reading",
    ]  # fmt: skip
    assert all(stage.count >= len(stage.nodes) > 0 for stage in seen.stages)
    for hit in seen.hits:
        assert sum(seen.parts[hit.node_id].values()) == pytest.approx(hit.score, abs=2e-3)
    assert seen.hits == filled.search("How much did cloud revenue grow?", top_k=3).hits
    assert {step.origin for step in seen.walk}
    assert seen.understood["operations"] == ["LOOKUP"]


def test_a_search_whose_hits_are_not_explained_finds_the_same_without_snippets(filled):
    told = filled.search("How much did cloud revenue grow?").hits
    plain = filled.finder.search("How much did cloud revenue grow?", explain=False).hits
    assert [(one.node_id, one.score, one.page) for one in plain] == [(one.node_id, one.score, one.page) for one in told]
    assert all(one.snippet and one.why for one in told)
    assert not any(one.snippet or one.why for one in plain)


def test_a_hit_has_passed_every_stage(filled):
    best = filled.search("How much did cloud revenue grow?").hits[0]
    way = filled.finder.journey("How much did cloud revenue grow?", best.node_id)
    assert way.rank == 1
    assert {stop.stage: stop.verdict for stop in way.stops} == {
        "filters": "passed", "dense": "passed", "sparse": "passed", "fused": "passed", "rerank": "passed",
    }  # fmt: skip


def test_a_node_that_a_filter_keeps_out_is_told_so(filled):
    node = node_of(filled, "report.md", "foundries")
    way = filled.finder.journey("foundries", node.node_id, filters=Filters(documents=("手册.md",)))
    assert way.rank is None
    assert [(stop.stage, stop.reason) for stop in way.stops] == [("filters", "filtered_out")]


def test_a_node_below_the_last_hit_is_told_its_rank_and_score(filled):
    node = node_of(filled, "手册.md", "年假")
    way = filled.finder.journey("foundries", node.node_id, top_k=1)
    last = way.stops[-1]
    assert (last.stage, last.reason) == ("rerank", "below_top_k")
    assert last.facts["rank"] > 1
    assert last.facts["score"] < last.facts["last"]


def test_a_node_without_shared_words_says_so(filled):
    node = node_of(filled, "手册.md", "年假")
    way = filled.finder.journey("foundries", node.node_id, mode="fulltext")
    assert ("sparse", "absent", "no_shared_words") in [(s.stage, s.verdict, s.reason) for s in way.stops]
    assert way.stops[-1].reason == "in_no_view"


def test_an_old_version_is_told(filled):
    node = node_of(filled, "report.md", "foundries")
    filled.add([Source("report.md", REPORT.replace("foundries", "mills").encode())])
    way = filled.finder.journey("foundries", node.node_id)
    assert [(stop.stage, stop.reason) for stop in way.stops] == [("filters", "old_version")]


def test_as_many_passages_were_searched_as_the_list_of_documents_counts(filled):
    filled.add([Source("report.md", REPORT.replace("foundries", "mills").encode())])
    node = node_of(filled, "report.md", "mills")
    counted = sum(one.retrievable for one in filled.documents())
    assert filled.finder.journey("mills", node.node_id).stops[0].facts == {"nodes": counted}
    assert counted > 0


def test_a_keyword_search_says_that_the_text_does_not_match(filled):
    node = node_of(filled, "手册.md", "年假")
    way = filled.finder.journey("foundries", node.node_id, mode="keyword")
    assert way.stops[-1].reason == "no_match"


def test_the_dictionary_is_read_before_the_first_question_where_texts_are_in_two_languages(library):
    lexicon.cache_clear()
    library.add([Source("report.md", REPORT.encode())])
    library.finder.warm()
    assert lexicon.cache_info().currsize == 0
    library.add([Source("手册.md", REGULATIONS.encode())])
    library.finder.warm()
    assert lexicon.cache_info().currsize == 1


def test_a_search_by_meaning_keeps_to_its_settings(filled):
    query = {"mode": "semantic", "top_k": 10}
    hits = filled.finder.search("cloud revenue", **query).hits
    cosines = sorted(hit.signals["dense"] for hit in hits)
    least = {"search.semantic.relevance_threshold": cosines[len(cosines) // 2]}
    kept = filled.finder.search("cloud revenue", settings=with_changes(filled.settings, least), **query).hits
    assert 0 < len(kept) < len(hits)
    off = with_changes(filled.settings, {"search.semantic.enabled": False})
    assert "dense" not in filled.finder.search("cloud revenue", settings=off).views
