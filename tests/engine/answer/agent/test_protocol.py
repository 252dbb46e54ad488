import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer.agent.protocol import (
    begins_a_step,
    goes_on_alone,
    read_reply,
    without_protocol,
)


@pytest.mark.parametrize(
    "reply",
    [
        'Thought: look\nAction: fulltext_search\nParameters: {"query": "pears"}',
        '思考：先找\n行动：fulltext_search\n参数：{"query": "pears"}',
        '**Thought:** look\n**Action:** `fulltext_search`\n**Parameters:** {"query": "pears"}',
        'Thought: look\nAction: fulltext_search\nAction Input: ```json\n{"query": "pears"}\n```',
        'Action: fulltext_search\nParameters: {"query": "pears',
        '```json\n{"thought": "look", "action": "fulltext_search", "parameters": {"query": "pears"}}\n```',
        '{"name": "fulltext_search", "arguments": "{\\"query\\": \\"pears\\"}"}',
        '<tool_call>{"name": "fulltext_search", "arguments": {"query": "pears"}}</tool_call>',
        'Action: fulltext_search\nParameters: {"query": "pears"}\nObservation: nothing\nAction: final_answer',
        '```\nThought: look\nAction: fulltext_search\nParameters: {"query": "pears"}\n```',
        '```text\n思考：先找\n行动：fulltext_search\n参数：{"query": "pears"}\n```',
        '思考：先找\n行动：fulltext_search\n参数：```json\n{"query": "pears"}\n```',
        'Action: fulltext_search\nParameters:```\n{"query": "pears"}\n```',
        'Action: fulltext_search\nParameters: {"query": "pears"}\n```\n```',
        'Action: fulltext_search\nParameters: {"query": "pears"}\n```json\n{"name": "fulltext_search"}\n```',
    ],
)
def test_a_call_is_read_in_whatever_form_it_comes(reply):
    request = read_reply(reply)
    assert request.tool == "fulltext_search" and request.params == {"query": "pears"}


CALL = 'Thought: look\nAction: fulltext_search\nParameters: {"query": "pears"}\n'


@pytest.mark.parametrize(
    ("reply", "alone"),
    [
        (CALL, False),
        (CALL + "Observation: nine", True),
        (CALL + '<evidence n="1"', True),
        ('思考：先找\n行动：fulltext_search\n参数：{"query": "pears"}\n观察：', True),
        ("Observation: the first search found nothing.\nThought: look", False),
        ('Action: final_answer\nParameters: {"answer": "Nine tons [1]."}\nObservation: done', False),
        ("It says:\n<evidence of the harvest>", False),
    ],
)
def test_a_reply_goes_on_alone_once_it_writes_what_its_call_finds(reply, alone):
    assert goes_on_alone(reply) == alone


@pytest.mark.parametrize("mark", ["Final Answer:", "**Final answer:**", "最终答案："])
def test_a_final_answer_may_stand_where_a_call_of_the_tool_should(mark):
    request = read_reply(f"Thought: enough\n{mark} Nine tons [1].")
    assert (request.tool, request.params) == ("final_answer", {"answer": "Nine tons [1]."})


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('Thought: done\nAction: final_answer\nParameters: {"answer": "Nine tons [1]."}', "Nine tons [1]."),
        ('思考：好了\n行动：final_answer\n参数：{"answer":"九吨[1]。","sources":[1]}', "九吨[1]。"),
        ('```\nAction: final_answer\nParameters: {"answer": "Nine tons [1]."}\n```', "Nine tons [1]."),
        ('{"action": "final_answer", "parameters": {"answer": "Nine tons [1]."}}', "Nine tons [1]."),
        ("Thought: I have it.\nFinal answer: Nine tons [1].", "Nine tons [1]."),
        ("Thought: I have it.\nNine tons [1].", "Nine tons [1]."),
        ("思考：有了。\n九吨[1]。", "九吨[1]。"),
        ('Thought: look\nAction: keyword_search\nParameters: {"keywords": ["pears"]}', ""),
        ('行动：keyword_search\n参数：{"keywords": ["梨"]}', ""),
        ('{"name": "keyword_search", "arguments": {"keywords": ["pears"]}}', ""),
        ('<tool_call>{"name": "LOOKUP", "arguments": {}}</tool_call>', ""),
        ("Thought: I need more.", ""),
    ],
)
def test_a_step_that_comes_in_place_of_prose_is_read_for_its_answer_or_is_none(reply, text):
    assert without_protocol(reply) == text


@pytest.mark.parametrize(
    "prose",
    [
        "The board decided two things.\nAction: the pool is closed [1].\nResult: fewer visitors [2].",
        "行动：市政府关闭了泳池[1]。",
        "Nine tons [1].",
    ],
)
def test_prose_about_actions_is_no_step(prose):
    assert without_protocol(prose) == prose


def test_a_step_is_known_by_its_beginning():
    assert all(
        map(begins_a_step, ["Thought: I", "思考：先", "**Action:** x", "<tool_call>{", "最终答案：九"])
    )
    assert not any(map(begins_a_step, ["Thoughtful people", "行动很快", "Nine", ""]))


def test_an_object_with_an_answer_is_the_final_answer():
    request = read_reply('{"answer": "Nine tons [1].", "confidence": "high"}')
    assert request.tool == "final_answer" and request.params["answer"] == "Nine tons [1]."


@pytest.mark.parametrize("reply", ["", "I do not know.", "{}", "Action:", "{broken"])
def test_a_reply_without_a_call_asks_for_nothing(reply):
    assert read_reply(reply).tool == ""


@pytest.mark.parametrize("parameters", ["{{'query': 1}, [2]}", "{[]: 1}", "{" * 20_000, '{"a":' * 20_000])
def test_parameters_that_are_an_object_in_no_language_do_no_harm(parameters):
    assert read_reply(f"Action: fulltext_search\nParameters: {parameters}").tool == "fulltext_search"


PIECES = [
    *"{}[]():,\"'`\\\n1 ",
    "Action:",
    "Parameters:",
    "fulltext_search",
    "final_answer",
    "query",
    "None",
    "“",
    "｛",
]


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_whatever_a_model_writes_is_read(reply):
    request = read_reply(reply)
    assert request.tool in reply or request.tool == "final_answer"
    assert all(isinstance(name, str) for name in request.params)


def test_the_thought_is_kept_as_one_line():
    assert read_reply("Thought: one\ntwo\nAction: final_answer").thought == "one two"
