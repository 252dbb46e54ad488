import pytest

from engine.answer.agent.protocol import read_arguments, read_reply

KNOWN = ("keyword_search", "fulltext_search", "final_answer")


@pytest.mark.parametrize(
    "reply",
    [
        'Thought: look\nAction: fulltext_search\nParameters: {"query": "pears"}',
        '思考：先找\n行动：fulltext_search\n参数：{"query": "pears"}',
        '**Thought:** look\n**Action:** `fulltext_search`\n**Parameters:** {"query": "pears"}',
        'Thought: look\nAction: fulltext_search\nAction Input: ```json\n{"query": "pears"}\n```',
        'Action: fulltext_search(query="pears")',
        "Action: fulltext_search\nParameters: {'query': 'pears'}",
        "Action: fulltext_search\nParameters: query: pears",
        'Action: fulltext_search\nParameters: {"query": "pears',
        '```json\n{"thought": "look", "action": "fulltext_search", "parameters": {"query": "pears"}}\n```',
        '{"name": "fulltext_search", "arguments": "{\\"query\\": \\"pears\\"}"}',
        '<tool_call>{"name": "fulltext_search", "arguments": {"query": "pears"}}</tool_call>',
        '<think>hm</think>I shall use fulltext_search(query="pears").',
        'Action: fulltext_search\nParameters: {"query": "pears"}\nObservation: nothing\nAction: final_answer',
    ],
)
def test_a_call_is_read_in_whatever_form_it_comes(reply):
    request = read_reply(reply, KNOWN)
    assert request.tool == "fulltext_search" and request.params == {"query": "pears"}


def test_an_object_with_an_answer_is_the_final_answer():
    request = read_reply('{"answer": "Nine tons [1].", "confidence": "high"}', KNOWN)
    assert request.tool == "final_answer" and request.params["answer"] == "Nine tons [1]."


@pytest.mark.parametrize("reply", ["", "I do not know.", "{}", "Action:", "{broken"])
def test_a_reply_without_a_call_asks_for_nothing(reply):
    assert read_reply(reply, KNOWN).tool == ""


def test_the_thought_is_kept_as_one_line():
    assert read_reply("Thought: one\ntwo\nAction: final_answer", KNOWN).thought == "one two"


def test_pairs_are_read_where_there_is_no_object():
    assert read_arguments('keywords=["a", "b"], mode="exact"') == {"keywords": ["a", "b"], "mode": "exact"}
