import pytest
from agent_library import PASSAGES, desk_of, library

from engine.answer.agent.loop import AgentLoop, gather
from engine.answer.agent.web import entities_of
from engine.answer.phrases import ENGLISH
from engine.answer.trace import AnswerTrace
from engine.errors import CancelledError
from engine.model import Filters

CHAIN = "Who is the mayor of the town where the designer of the Marrow Lighthouse was born?"


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    with library(tmp_path_factory.mktemp("rules")) as opened:
        yield opened


def names(hits):
    return [hit.document.removesuffix(".txt") for hit in hits]


def test_a_chain_of_three_passages_is_followed_by_the_names_they_hold(lib):
    first = lib.search(CHAIN, top_k=1).hits
    trace = AnswerTrace(ENGLISH, None)
    outcome = AgentLoop(CHAIN, first, desk_of(lib), trace=trace, thorough=True).run()
    assert names(first) == ["Marrow Lighthouse"]
    assert set(names(outcome.hits)[:4]) >= {"Marrow Lighthouse", "Edda Varga", "Tolvik"}
    assert "keyword_search" in [step.tool for step in trace.steps] and 1 < outcome.iterations <= 3


def test_a_passage_tells_which_one_led_to_it(lib):
    outcome = AgentLoop(CHAIN, lib.search(CHAIN, top_k=1).hits, desk_of(lib), thorough=True).run()
    led = next(hit for hit in outcome.hits if hit.document == "Edda Varga.txt")
    assert any(why.startswith("named_in:") for why in led.why)


def test_the_rounds_are_bounded(lib):
    first = lib.search(CHAIN, top_k=1).hits
    assert AgentLoop(CHAIN, first, desk_of(lib), rounds=1, thorough=True).run().iterations == 1


def test_the_trace_shows_thought_plan_action_and_evaluation(lib):
    trace = AnswerTrace(ENGLISH, None)
    AgentLoop(CHAIN, lib.search(CHAIN, top_k=1).hits, desk_of(lib), trace=trace).run()
    kinds = [step.type for step in trace.steps]
    assert kinds[:3] == ["thought", "action", "evaluation"]
    plan = trace.steps[0].params["plan"]
    assert plan["question"] == CHAIN and plan["candidates"][0]["why"] is not None
    assert plan["steps"][0]["op"] == "keyword_search" and plan["steps"][0]["budget"]
    assert "gaps" in trace.steps[2].params["replan"]


def test_the_trace_of_a_chinese_question_is_chinese(lib):
    trace = AnswerTrace(ENGLISH, None)
    question = "谁是设计Marrow Lighthouse的人出生的城镇的镇长？"
    AgentLoop(question, lib.search("Marrow Lighthouse").hits, desk_of(lib), trace=trace).run()
    told = [step.content for step in trace.steps if step.type != "action"]
    assert told and all(any("\u4e00" <= one <= "\u9fff" for one in line) for line in told)
    english = ("good", "low_relevance", "continue", "finalize", "statements", "contradictions")
    assert not any(word in line for line in told for word in english)


def test_the_loop_stays_inside_the_filters(lib):
    filters = Filters(documents=("Marrow Lighthouse.txt", "Museum.txt"))
    outcome = AgentLoop(CHAIN, lib.search(CHAIN, filters=filters).hits, desk_of(lib, filters), thorough=True).run()
    assert set(names(outcome.hits)) <= {"Marrow Lighthouse", "Museum"}


def test_a_cancelled_loop_stops_at_once(lib):
    with pytest.raises(CancelledError):
        AgentLoop(CHAIN, lib.search(CHAIN).hits, desk_of(lib), cancelled=lambda: True).run()


def test_gathering_returns_what_the_loop_keeps(lib):
    result = gather(CHAIN, desk_of(lib), 4)
    assert result.mode == "agent" and len(result.hits) == 4
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4]


def test_nothing_is_looked_for_where_nothing_was_found(lib):
    assert AgentLoop("qqq zzz", [], desk_of(lib)).run().hits == []


def test_names_are_told_by_their_looks():
    assert {"Gull Rock", "Edda Varga"} <= {*entities_of(PASSAGES["Marrow Lighthouse"])}
    assert {"北京大学", "红楼梦"} <= {*entities_of("他毕业于北京大学，著有《红楼梦》的评论。")}


def test_what_only_begins_a_sentence_is_no_entity():
    assert entities_of("The Tenant pays the rent. Either party may end the lease.") == ["Tenant"]
    assert entities_of("Bookings go through Falke Logistics. Please move to Leipzig.") == [
        "Falke Logistics", "Leipzig",
    ]  # fmt: skip
    assert "云门水库" in entities_of("云门水库的数据")


def test_the_cells_of_a_table_are_entities_and_its_headers_are_not():
    assert entities_of("System | Latency\nDenseBig | 61\nGraDis | 19") == ["DenseBig", "GraDis"]


def test_an_english_question_does_not_look_up_what_a_chinese_passage_names(tmp_path):
    texts = PASSAGES | {"租约": "Marrow Lighthouse的出租方为海港置业有限公司，承租方为陈晓梅。"}
    with library(tmp_path, texts) as opened:
        found = [hit for hit in opened.search(CHAIN, top_k=12).hits if hit.document[0] in "M租"]
        trace = AnswerTrace(ENGLISH, None)
        AgentLoop(CHAIN, found, desk_of(opened), trace=trace, rounds=1, thorough=True).run()
    keywords = [step.params["keywords"] for step in trace.steps if step.tool == "keyword_search"]
    assert any("Edda Varga" in one for one in keywords)
    assert not any("\u4e00" <= character <= "\u9fff" for one in keywords for character in "".join(one))


def test_a_name_does_not_go_on_in_the_next_row_of_a_table():
    assert entities_of("Region | 2022\nNorth | 1200\nSouth | 900") == ["North", "South"]


def test_a_question_of_two_things_is_asked_for_each_of_them(lib):
    trace = AnswerTrace(ENGLISH, None)
    question = "Who is older, Tomas Hill or Ruben Aske?"
    AgentLoop(question, lib.search("bakery").hits, desk_of(lib), trace=trace, thorough=True).run()
    asked = [step.params.get("query", "") for step in trace.steps if step.tool == "fulltext_search"]
    assert any("Tomas Hill" in one for one in asked) and any("Ruben Aske" in one for one in asked)
