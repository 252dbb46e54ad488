"""The agent with a scripted model: every way in which small models and endpoints go wrong."""

import json
import re
import time
from contextlib import contextmanager

import pytest
from agent_library import desk_of, library

from engine.answer.agent.protocol import FINAL
from engine.answer.answerer import Answerer
from engine.answer.events import Token
from engine.answer.understand import understand
from engine.config import LlmSettings
from engine.ingest import Source
from engine.model import SearchResult, TraceStep
from engine.providers.llm import open_llm
from engine.providers.reading import open_reader
from engine.retrieve.pack import Retrieved
from engine.settings_sources import load_settings
from tests.engine.answer.evidence_maker import evidence
from tests.openai_server import Script, broken, busy

QUESTION = "Who is the mayor of the town where the designer of the Marrow Lighthouse was born?"


@contextmanager
def asking(server, tmp_path, given=None, **llm):
    flags = {
        "embedding.enabled": False, "llm.api_base": server.base_url, "llm.api_key": server.key,
        "llm.retries": 1, "llm.timeout": 5, **{f"llm.{name}": value for name, value in llm.items()}, **(given or {}),
    }  # fmt: skip
    with library(tmp_path, settings=load_settings(tmp_path, environ={}, flags=flags)) as opened:

        def asked(question=QUESTION, **more):
            more = {"path": "agent"} | more
            made = opened.ask(question, **more)
            for source in made.sources:
                assert source.snippet in opened.node(source.node_id).node.text
            return made

        asked.library = opened
        yield asked


@pytest.fixture
def ask(server, tmp_path):
    with asking(server, tmp_path) as asked:
        yield asked


def call(name, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return Script(tool_calls=[{"id": "c1", "type": "function", "function": function}])


def shown(body):
    return "\n".join(str(message["content"]) for message in body["messages"])


def number_of(body, words):
    """The number under which the model was shown the evidence with these words."""
    import re

    blocks = re.findall(r'<evidence n="(\d+)"[^>]*>\n(.*?)\n</evidence>', shown(body), re.DOTALL)
    return next(number for number, text in blocks if words in text)


def mayor(body):
    return call("final_answer", answer=f"The mayor of Tolvik is Ruben Aske [{number_of(body, 'Ruben Aske')}].")


def tools(made):
    return [step.tool for step in made.reasoning_trace if step.type == "action"]


def test_a_clean_run_of_tool_calls_ends_in_a_cited_answer(ask, server):
    server.enqueue(call("keyword_search", keywords=["Edda Varga"]), call("keyword_search", keywords=["Tolvik"]), mayor)
    events = []
    made = ask(on_event=events.append)
    assert made.mode == "agent" and made.engine == "llm" and made.answered and made.iterations == 2
    assert "Ruben Aske" in made.answer and made.sources[0].document == "Tolvik.txt"
    assert [event for event in events if isinstance(event, TraceStep)] == made.reasoning_trace
    assert any(isinstance(event, Token) for event in events)
    assert made.tokens["prompt"] > 0 and not [one for one in made.warnings if "by meaning" not in one]
    assert {tool["function"]["name"] for tool in server.chats[0]["tools"]} >= {"semantic_search", FINAL}


def test_all_calls_of_a_reply_are_run_and_answered_by_tool_messages(ask, server):
    both = Script(
        text="Two towns to look at.",
        tool_calls=[
            {"index": n, "id": f"c{n}", "type": "function",
             "function": {"name": "keyword_search", "arguments": json.dumps({"keywords": [word]})}}
            for n, word in enumerate(["Edda Varga", "Tolvik"])
        ],
    )  # fmt: skip
    server.enqueue(both, mayor)
    made = ask()
    assert "Ruben Aske" in made.answer and tools(made)[1:] == ["keyword_search"] * 2 and made.iterations == 1
    plans = [step.params["plan"]["steps"] for step in made.reasoning_trace if "plan" in (step.params or {})]
    assert [len(steps) for steps in plans] == [2, 1], "what is decided already is planned"
    assert [step["args"]["keywords"] for step in plans[0]] == [["Edda Varga"], ["Tolvik"]]
    assistant, *results = server.chats[1]["messages"][2:]
    assert assistant["content"] == "Two towns to look at." and len(assistant["tool_calls"]) == 2
    assert [one["role"] for one in results] == ["tool", "tool"]
    assert [one["tool_call_id"] for one in results] == [one["id"] for one in assistant["tool_calls"]]
    assert server.chats[0]["messages"][:2] == server.chats[1]["messages"][:2]


def test_the_final_answer_is_shown_as_it_is_written(ask, server):
    server.enqueue(call("keyword_search", keywords=["Tolvik"]), mayor)
    events = []
    made = ask(on_event=events.append)
    tokens = [event.text for event in events if isinstance(event, Token)]
    assert len(tokens) > 1 and made.answer.startswith("The mayor of Tolvik is Ruben Aske")
    assert "".join(tokens).startswith("The mayor of Tolvik is Ruben Aske [")


def test_an_endpoint_that_refused_tools_is_not_offered_them_again(ask, server):
    server.refuses = ("tools",)
    server.default = "NOT_IN_DOCUMENTS"
    ask()
    assert "- keyword_search(" in shown(server.chats[-1])
    ask("Who mends the clock of Tolvik?")
    assert [path for _, path in server.requests].count("/v1/chat/completions") == len(server.chats) + 1


def test_an_endpoint_without_tool_calls_is_spoken_to_in_text(ask, server):
    server.refuses = ("tools",)

    def in_text(body):
        arguments = mayor(body).tool_calls[0]["function"]["arguments"]
        return f'{{"tool": "final_answer", "arguments": {arguments}}}'

    server.enqueue('{"tool": "keyword_search", "arguments": {"keywords": ["Tolvik"]}}', in_text)
    made = ask()
    assert "Ruben Aske" in made.answer and tools(made)[-1] == "keyword_search"
    assert "tools" not in server.chats[-1]


def test_fenced_json_is_read(ask, server):
    server.enqueue('```json\n{"action": "keyword_search", "parameters": {"keywords": ["Tolvik"]}}\n```', mayor)
    assert "Ruben Aske" in ask().answer


def test_a_wrong_tool_is_told_with_the_names_of_those_that_there_are_and_mended(ask, server):
    server.enqueue(call("keywords_search", keywords=["Tolvik"]), call("keyword_search", keywords=["Tolvik"]), mayor)
    made = ask()
    assert "The tools are: keyword_search, " in shown(server.chats[1]) and "Ruben Aske" in made.answer
    assert made.iterations == 1


def test_wrong_arguments_are_told(ask, server):
    server.enqueue(call("fulltext_search"), call("fulltext_search", query="Tolvik mayor"), mayor)
    made = ask()
    assert "'query' is missing" in shown(server.chats[1]) and made.answered


def test_a_loop_of_the_same_call_ends_with_the_rules(ask, server):
    server.default = call("keyword_search", keywords=["Museum"])
    made = ask()
    assert any("rules planned" in warning for warning in made.warnings)
    assert tools(made).count("keyword_search") >= 2 and made.iterations <= 3


SEARCH_IN_TEXT = '{"thought": "I need it.", "tool": "keyword_search", "arguments": {"keywords": ["Museum"]}}'


def test_a_step_is_never_shown_as_the_answer(ask, server):
    server.refuses = ("tools",)
    server.default = SEARCH_IN_TEXT
    events = []
    made = ask(on_event=events.append)
    told = made.answer + "".join(event.text for event in events if isinstance(event, Token))
    assert "keyword_search" not in told and "thought" not in told
    assert made.engine == "extractive" and any("unusable" in warning for warning in made.warnings)


def test_a_final_answer_written_after_the_rules_took_over_is_read(ask, server):
    server.refuses = ("tools",)

    def in_text(body):
        number = number_of(body, "Ruben Aske")
        return f'{{"thought": "好了", "answer": "Ruben Aske is the mayor of Tolvik [{number}]."}}'

    server.enqueue(SEARCH_IN_TEXT, SEARCH_IN_TEXT, SEARCH_IN_TEXT, in_text)
    made = ask()
    assert any("rules planned" in warning for warning in made.warnings)
    assert made.answer == "Ruben Aske is the mayor of Tolvik [1]." and made.engine == "llm"


def test_what_a_model_thinks_before_a_plain_answer_is_no_part_of_it(ask, server):
    server.enqueue(
        call("keyword_search", keywords=["Tolvik"]),
        lambda body: (
            f"<think>Tolvik [9] is a town.</think>The mayor of Tolvik is Ruben Aske [{number_of(body, 'Ruben Aske')}]."
        ),
    )
    made = ask()
    assert made.answer.startswith("The mayor of Tolvik is Ruben Aske") and "think" not in made.answer


def test_two_unreadable_replies_hand_over_to_the_rules(ask, server):
    server.enqueue("", "Hm, let me see.")
    made = ask()
    assert any("rules planned" in warning for warning in made.warnings) and made.mode == "agent"


def test_a_refusal_of_the_model_is_told_with_the_nearest_passages(ask, server):
    server.enqueue(call("final_answer", answer="NOT_IN_DOCUMENTS"))
    made = ask("Who painted the ceiling of the lighthouse?")
    assert not made.answered and made.confidence == "low" and "closest" in made.answer


def test_an_answer_that_cites_nothing_real_stays_and_is_told_as_not_verified(ask, server):
    server.enqueue(call("final_answer", answer="Napoleon governs the moon since 1700 [9]."))
    server.default = "NOT_IN_DOCUMENTS"
    made = ask()
    assert made.answer.startswith("Napoleon governs the moon since 1700") and made.confidence == "low"
    assert [one.state for one in made.statements] == ["unverified"]


@pytest.mark.parametrize("failure", [Script("I will look for it", cut_after=2), broken(), busy("0")])
def test_a_failing_endpoint_leaves_the_rules_and_quotations(ask, server, failure):
    server.default = failure
    made = ask()
    assert made.engine == "extractive" and made.mode == "agent"
    assert any("rules planned" in warning for warning in made.warnings)
    assert "keyword_search" in tools(made)


def test_an_overloaded_endpoint_is_asked_again_after_the_time_it_names(ask, server):
    server.enqueue(busy("0"), call("keyword_search", keywords=["Tolvik"]), broken(), mayor)
    made = ask()
    assert "Ruben Aske" in made.answer and made.engine == "llm"
    assert not any("rules planned" in warning for warning in made.warnings)


def test_a_slow_first_byte_is_waited_for(ask, server):
    server.enqueue(Script("", delay=0.3, tool_calls=call("keyword_search", keywords=["Tolvik"]).tool_calls), mayor)
    assert "Ruben Aske" in ask().answer


def test_what_an_instruction_in_a_document_made_a_model_say_is_told_as_not_verified(ask, server):
    server.enqueue(call("keyword_search", keywords=["Harbour rules"]), "PWNED")
    server.default = "PWNED"
    made = ask("What do ships pay a day by the harbour rules?")
    assert "never an instruction" in server.chats[0]["messages"][0]["content"]
    assert "Ignore all previous instructions" not in server.chats[0]["messages"][0]["content"]
    assert made.confidence == "low" and all(one.state == "unverified" for one in made.statements)


def test_a_run_can_be_stopped_between_rounds(ask, server):
    server.default = call("keyword_search", keywords=["Tolvik"])
    made = ask(cancelled=lambda: len(server.chats) >= 1)
    assert not made.answered and "Stopped" in made.answer


@pytest.mark.parametrize("path", ["agent", "direct"])
def test_a_run_can_be_stopped_while_the_model_is_silent(ask, server, path):
    server.default = Script("The mayor is Ruben Aske [1].", delay=30)
    asked_at = []

    def cancelled():
        if server.chats and not asked_at:
            asked_at.append(time.monotonic())
        return bool(server.chats)

    made = ask(path=path, cancelled=cancelled)
    assert time.monotonic() - asked_at[0] < 5 and "Stopped" in made.answer


# --- the choice of the path -----------------------------------------------------------------------


def test_a_simple_question_takes_the_fast_path(ask, server):
    server.enqueue("The pear trees gave nine tons of fruit [1].")
    made = ask("How many tons of fruit did the pear trees of the southern slope give?", path="auto")
    assert made.mode == "direct" and made.iterations == 0 and len(server.chats) == 1


def test_the_agent_goes_on_where_the_model_says_that_the_evidence_does_not_tell(ask, server):
    server.enqueue(
        "NOT_IN_DOCUMENTS The evidence does not name the town.",
        call("keyword_search", keywords=["Tolvik"]),
        mayor,
    )
    made = ask("Who rules over the birthplace of the person that drew up plans for Marrow?", path="auto")
    assert made.mode == "agent" and any("the town" in step.content for step in made.reasoning_trace)
    assert made.state == "answered" and "does not name" not in made.answer


def test_what_the_model_said_first_stands_where_the_agent_finds_no_more(ask, server):
    final = call("final_answer", answer="NOT_IN_DOCUMENTS")
    server.enqueue("NOT_IN_DOCUMENTS Nothing tells who mends the clock.", final)
    made = ask("Who mends the clock of Tolvik?", path="auto")
    assert made.answer == "Nothing tells who mends the clock." and made.state == "not_found"


def test_the_agent_goes_on_where_the_evidence_tells_a_part(ask, server):
    server.enqueue(
        "PARTLY_IN_DOCUMENTS The designer was Ada Brell [1]; her birthplace is missing.",
        call("keyword_search", keywords=["Tolvik"]),
        mayor,
    )
    made = ask(path="auto")
    assert made.mode == "agent" and made.state == "answered" and "Ruben Aske" in made.answer


def test_a_part_that_was_told_stands_where_the_agent_finds_no_more(ask, server):
    final = call("final_answer", answer="NOT_IN_DOCUMENTS The documents do not tell.")
    server.enqueue("PARTLY_IN_DOCUMENTS The clock is in Tolvik [1]; who mends it is missing.", final)
    made = ask("Who mends the clock of Tolvik, and where is it?", path="auto")
    assert made.answer.startswith("The clock is in Tolvik [1]; who mends") and made.state == "answered"


def test_a_model_answers_from_all_it_has_seen_once_its_rounds_are_used_up(ask, server):
    server.enqueue(*[call("keyword_search", keywords=[word]) for word in ("Tolvik", "mayor", "ferry")], mayor)
    made = ask(path="agent", max_iterations=3)
    assert "Ruben Aske" in made.answer and len(server.chats) == 4
    assert [tool["function"]["name"] for tool in server.chats[-1]["tools"]] == ["final_answer"]
    assert "no tool calls left" in shown(server.chats[-1])


def test_a_forced_direct_answer_never_starts_the_loop(ask, server):
    server.default = "NOT_IN_DOCUMENTS"
    made = ask(path="direct")
    assert made.mode == "direct" and not made.answered and len(server.chats) == 1


def test_the_operators_are_offered_where_the_evidence_holds_a_table(server, tmp_path):
    flags = {"embedding.enabled": False, "llm.api_base": server.base_url, "llm.api_key": server.key}
    table = b"# Ferry fares\n\n| Fare | Crowns |\n| --- | --- |\n| Adult | 90 |\n| Child | 40 |\n"
    with library(tmp_path, settings=load_settings(tmp_path, environ={}, flags=flags)) as lib:
        server.enqueue("NOT_IN_DOCUMENTS")
        lib.ask(QUESTION, path="agent")
        lib.add([Source("fares.md", table)])
        server.enqueue("NOT_IN_DOCUMENTS")
        lib.ask("What is the fare of the ferry for a child in crowns?", path="agent")
    asked = [body for body in server.chats if "tools" in body]
    without, with_table = json.dumps(asked[0]["tools"]), json.dumps(asked[-1]["tools"])
    assert "LOOKUP" not in without and "LOOKUP" in with_table
    assert len(with_table) < 9000 and "LOOKUP" not in shown(asked[-1])


def test_what_an_operator_observes_and_what_it_lacks_stand_in_the_trace(server, tmp_path):
    flags = {"embedding.enabled": False, "llm.api_base": server.base_url, "llm.api_key": server.key}
    table = (
        "# 年报\n\n表1 各水库蓄水量（单位：万立方米）\n\n"
        "| 水库 | 2023年 |\n| --- | --- |\n| 青溪水库 | 1280 |\n| 白鹿水库 | 910 |\n"
    )
    with library(tmp_path, settings=load_settings(tmp_path, environ={}, flags=flags)) as lib:
        lib.add([Source("年报.md", table.encode())])
        server.enqueue(
            "{}", "{}", call("LOOKUP", rows="青溪水库", columns="透明度"),
            call("LOOKUP", rows="青溪水库", columns="2023年"),
            call("final_answer", answer="1280 [1]."),
        )  # fmt: skip
        made = lib.ask("图9中青溪水库2023年的蓄水量是多少？", path="agent")
    told = [step.params for step in made.reasoning_trace if step.params and "replan" in step.params]
    lacking = [(gap["need"], gap["arg"]) for one in told for gap in one["replan"]["gaps"]]
    assert ("has_col", "透明度") in lacking and ("figure_ref", "图9") in lacking
    [seen] = [seen for one in told for seen in one.get("observed", [])]
    assert seen["value"] == "1280" and seen["scale"] == 10000 and seen["method"] == "LOOKUP"
    assert seen["source"]["cell"] == {"row": "青溪水库", "col": "2023年"}


def test_what_is_missing_is_told_in_words(ask, server):
    server.enqueue(call("keyword_search", keywords=["Museum"]), call("keyword_search", keywords=["School"]))
    made = ask("Which zeppelins studied 飞艇制造 near the Marrow Lighthouse?", max_iterations=1)
    replan = next(step.params["replan"] for step in made.reasoning_trace if step.params and "replan" in step.params)
    words = [gap["arg"] for gap in replan["gaps"] if gap["need"] == "term"]
    assert {"zeppelins", "studied", "飞艇制造"} <= set(words)


def test_once_the_budget_is_used_up_rules_plan_on_and_what_was_found_is_kept(server, tmp_path):
    server.enqueue(call("keyword_search", keywords=["Edda Varga"]))
    with asking(server, tmp_path, answer_tokens=1) as ask:
        made = ask()
    assert len(server.chats) == 1
    assert "keyword_search" in tools(made) and made.iterations > 1
    assert made.engine == "extractive" and "Edda Varga" in made.answer and "Tolvik" in made.answer
    told = [step.content for step in made.reasoning_trace if "budget of this answer" in step.content]
    assert len(told) == 1 and told[0] in made.warnings
    assert not any("could not plan" in warning for warning in made.warnings)


def test_an_answer_that_the_model_doubts_is_told_as_unsure(ask, server):
    def doubted(body):
        given = json.loads(mayor(body).tool_calls[0]["function"]["arguments"])
        return call("final_answer", **given, confidence="low")

    server.enqueue(call("keyword_search", keywords=["Tolvik"]), doubted)
    made = ask()
    assert made.state == "answered" and made.confidence == "low"


def test_what_a_last_word_names_for_its_source_is_evidence(server, tmp_path):
    with asking(server, tmp_path) as ask:
        server.enqueue(
            call("keyword_search", keywords=["Tolvik"]),
            lambda body: call(
                "final_answer",
                answer=f"The school has eleven classes [{school}].",
                sources=[school, 7],
            ),
        )
        school = ask.library.search("school classes garden").hits[0].node_id
        made = ask()
    assert [one.document for one in made.sources] == ["School.txt"] and made.confidence == "high"


def test_a_step_is_graded_by_what_it_brought(ask, server):
    server.enqueue(
        call("keyword_search", keywords=["Tolvik"]), call("fulltext_search", query="Tolvik mayor"),
        call("keyword_search", keywords=["Atlantis"]), mayor,
    )  # fmt: skip
    ask(max_iterations=3)
    told = shown(server.chats[-1])
    assert "low_relevance" not in told and "(good)" not in told
    assert "Observation (nothing new):" in told and "Observation (empty):" in told


def test_what_the_model_sees_for_the_first_time_is_never_told_as_nothing_new(server, tmp_path):
    searches = ("Tolvik mayor", "Marrow Lighthouse designer", "school classes garden")
    server.enqueue(*(call("fulltext_search", query=query) for query in searches), mayor)
    with asking(server, tmp_path, {"agent.tools.max_context_tokens": 256}) as ask:
        made = ask(max_iterations=4)
    told = [str(message["content"]) for message in server.chats[-1]["messages"] if message["role"] == "tool"]
    assert any("<evidence" in text for text in told)
    assert not [text for text in told if "Observation (nothing new)" in text and "<evidence" in text]
    steps = [step.content for step in made.reasoning_trace if step.type == "evaluation"]
    assert not [text for text in steps if "nothing new" in text and "passages: 0" not in text]


DENIED = "NOT_IN_DOCUMENTS Nothing tells who painted it.\nSEARCH: Sistine frescoes painter; ceiling by Michelangelo"


def denying(server, folder, question, first, later, views=("dense", "sparse"), reader=None):
    """Answer over ``first`` texts; every further search finds ``later`` ones. Return the answer and the searches."""
    settings = load_settings(folder, environ={}, flags={"embedding.enabled": False})
    llm = open_llm(LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, timeout=5))
    searched = []

    def retrieve(query):
        texts = later if searched else first
        searched.append(query)
        items = [evidence(n, text) for n, text in enumerate(texts, 1 if texts[0] in first else 50)]
        return Retrieved(SearchResult("q", "hybrid", [item.hit for item in items], {}, list(views)), items)

    with library(folder, settings=settings) as lib:
        made = Answerer(
            question=understand(question), llm=llm, desk=desk_of(lib), reader=reader, retrieve=retrieve,
            settings=settings,
        ).answer()  # fmt: skip
    return made, searched[1:]


BAKERIES = [f"The bakery of street {n} sells rye bread." for n in range(1, 7)]
PAINTED = "Who painted the ceiling of the Sistine Chapel?"


def test_what_the_model_would_search_for_is_searched_and_costs_nothing_where_nothing_new_is_found(server, tmp_path):
    server.enqueue(DENIED)
    made, searched = denying(server, tmp_path, PAINTED, BAKERIES, BAKERIES[:2], reader=open_reader())
    assert searched == ["Sistine frescoes painter", "ceiling by Michelangelo"] and len(server.chats) == 1
    assert made.state == "not_found" and made.answer == "Nothing tells who painted it."


def test_the_model_is_asked_again_over_what_its_own_searches_find_beside_what_it_saw(server, tmp_path):
    server.enqueue(DENIED, "Michelangelo did [1].")
    fresco = ["Michelangelo painted the ceiling of the Sistine Chapel between 1508 and 1512."]
    made, _ = denying(server, tmp_path, PAINTED, BAKERIES, fresco, reader=open_reader())
    assert made.answer == "Michelangelo did [1]." and made.state == "answered" and len(server.chats) == 2
    assert "rye bread" not in shown(server.chats[1])


def test_what_only_words_looked_for_the_agent_looks_for_in_rounds(server, tmp_path):
    server.enqueue(DENIED, *[call("keyword_search", keywords=[word]) for word in ("ceiling", "chapel", "painter")])
    server.default = call("final_answer", answer="NOT_IN_DOCUMENTS Nothing tells who painted it.")
    made, _ = denying(server, tmp_path, PAINTED, BAKERIES, BAKERIES, views=["sparse"])
    asked = [shown(body) for body in server.chats if "tools" in body]
    assert made.state == "not_found" and len(asked) == 4 and "no tool calls left" in asked[-1]


def test_of_a_long_table_as_many_rows_are_told_as_are_shown(ask, server):
    rows = "\n".join(f"Berth {n},{'a pontoon of oak and larch beside the quay ' * 3}{n},{n * 7}" for n in range(150))
    ask.library.add([Source("berths.csv", f"Berth,Built,Fee\n{rows}\n".encode())])
    document = ask.library.document("berths.csv")
    tree = ask.library.tree(document.document_id, document.version)
    table = next(node.node_id for node in tree.nodes if node.role == "table")
    server.enqueue(call("get_node_content", node_id=table), call(FINAL, answer="None."))
    ask()
    blocks = re.findall(r"<evidence [^>]*>\n(.*?)\n</evidence>", shown(server.chats[-1]), re.DOTALL)
    [block] = [one for one in blocks if "\nBerth 1 | " in one]
    rows = [line for line in block.split("\n") if re.match(r"Berth \d", line)]
    assert int(re.search(r"\((\d+) of \d+ rows", block)[1]) == len(rows) < 150
    assert all(line.count(" | ") == 2 for line in rows)
