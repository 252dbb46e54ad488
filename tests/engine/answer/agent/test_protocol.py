import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer.agent.protocol import (
    answer_so_far,
    begins_a_step,
    read_reply,
    without_protocol,
)


@pytest.mark.parametrize(
    "reply",
    [
        '{"thought": "look", "tool": "fulltext_search", "arguments": {"query": "pears"}}',
        '```json\n{"thought": "look", "tool": "fulltext_search", "arguments": {"query": "pears"}}\n```',
        'I look.\n{"tool": "fulltext_search", "arguments": {"query": "pears"}}\nObservation: nothing',
        '{"name": "fulltext_search", "arguments": "{\\"query\\": \\"pears\\"}"}',
        '<tool_call>{"name": "fulltext_search", "arguments": {"query": "pears"}}</tool_call>',
        '{"function": {"name": "fulltext_search", "arguments": {"query": "pears"}}}',
        '{"tool": "fulltext_search", "arguments": {"query": "pears',
        '<think>Which?</think>{"tool": "fulltext_search", "parameters": {"query": "pears"}}',
    ],
)
def test_a_step_is_read_in_whatever_form_it_comes(reply):
    request = read_reply(reply)
    assert request.tool == "fulltext_search" and request.params == {"query": "pears"}


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('{"tool": "final_answer", "arguments": {"answer": "Nine tons [1]."}}', "Nine tons [1]."),
        (
            '{"thought":"好了","tool":"final_answer","arguments":{"answer":"九吨[1]。","sources":[1]}}',
            "九吨[1]。",
        ),
        ('```\n{"tool": "final_answer", "arguments": {"answer": "Nine tons [1]."}}\n```', "Nine tons [1]."),
        ('{"name": "keyword_search", "arguments": {"keywords": ["pears"]}}', ""),
        ('<tool_call>{"name": "LOOKUP", "arguments": {}}</tool_call>', ""),
        ("Nine tons [1].", "Nine tons [1]."),
    ],
)
def test_a_step_that_comes_in_place_of_prose_is_read_for_its_answer_or_is_none(reply, text):
    assert without_protocol(reply) == text


@pytest.mark.parametrize(
    ("so_far", "answer"),
    [
        ('{"answer": "Nine to', "Nine to"),
        ('{"tool": "final_answer", "arguments": {"answer": "Nine', "Nine"),
        ('{"answer": "Nine \\ud83c', "Nine "),
        ('{"answer": "Nine \\ud83c\\udf50', "Nine 🍐"),
        ('{"tool": "keyword_search", "arguments": {"answer": "Nine', ""),
        ("Nine", ""),
    ],
)
def test_an_answer_is_told_as_far_as_it_has_come(so_far, answer):
    assert answer_so_far(so_far) == answer


def test_a_step_is_known_by_its_beginning():
    assert all(map(begins_a_step, ['{"thought": "I', "<tool_call>{", '```json\n{"tool']))
    assert not any(map(begins_a_step, ["Thoughtful people", "```csv\na,b", "Nine", ""]))


def test_an_object_with_an_answer_is_the_final_answer():
    request = read_reply('{"answer": "Nine tons [1].", "confidence": "high"}')
    assert request.tool == "final_answer" and request.params["answer"] == "Nine tons [1]."


@pytest.mark.parametrize("reply", ["", "I do not know.", "{}", "Action: look", "{broken"])
def test_a_reply_without_a_call_asks_for_nothing(reply):
    assert read_reply(reply).tool == ""


@pytest.mark.parametrize("parameters", ["{{'query': 1}, [2]}", "{[]: 1}", "{" * 20_000, '{"a":' * 20_000])
def test_parameters_that_are_an_object_in_no_language_do_no_harm(parameters):
    assert read_reply(f'{{"tool": "fulltext_search", "arguments": {parameters}').tool in (
        "fulltext_search",
        "",
    )


PIECES = [
    *"{}[]():,\"'`\\\n1 ",
    "tool",
    "arguments",
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
    assert read_reply('{"thought": "one\ntwo", "tool": "final_answer"}').thought == "one two"
