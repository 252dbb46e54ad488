"""Endpoints that answer in other forms than the interface describes are understood; errors are told in their words."""

import json

import pytest

from engine.config import LlmSettings
from engine.errors import ProviderError
from engine.providers.llm import Llm
from engine.providers.reply_forms import text_of
from tests.openai_server import Script

ASK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where is the sea?"}]
PARTS = [{"type": "text", "text": "In the "}, {"type": "image_url"}, {"type": "text", "text": "west."}]
STREAM = "text/event-stream"


def llm_for(server):
    return Llm(LlmSettings(api_base=server.base_url, api_key=server.key, timeout=5, retries=0))


def whole(content, **message):
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": content, **message},
    }
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}).encode()


def streamed(*chunks):
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"


@pytest.mark.parametrize("content", ["In the west.", PARTS])
def test_an_endpoint_that_does_not_stream_is_read_whole(server, content):
    server.enqueue(Script(raw=whole(content)))
    reply = llm_for(server).stream(ASK)
    assert "".join(reply) == "In the west."
    assert reply.finish == "stop" and (reply.usage.prompt, reply.usage.completion) == (7, 3)


def test_tools_called_in_a_whole_reply_are_called(server):
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"query": "sea"}'}}
    server.enqueue(Script(raw=whole(None, tool_calls=[call])))
    reply = llm_for(server).stream(ASK)
    assert "".join(reply) == "" and [(one.name, one.arguments) for one in reply.tool_calls] == [
        ("search", '{"query": "sea"}')
    ]


def test_a_text_in_parts_is_their_text(server):
    choice = {"index": 0, "delta": {"content": PARTS}, "finish_reason": "stop"}
    server.enqueue(Script(raw=streamed({"choices": [choice]}), content_type=STREAM), Script(raw=whole(PARTS)))
    assert "".join(llm_for(server).stream(ASK)) == "In the west."
    assert llm_for(server).complete(ASK).text == "In the west."
    assert text_of(None) == ""


@pytest.mark.parametrize("error", [{"message": "model not loaded"}, "model not loaded"])
def test_an_error_with_status_200_is_told_in_the_endpoint_s_words(server, error):
    body = {"error": error}
    server.enqueue(Script(raw=json.dumps(body).encode()), Script(raw=json.dumps(body).encode()))
    for ask in (lambda: list(llm_for(server).stream(ASK)), lambda: llm_for(server).complete(ASK)):
        with pytest.raises(ProviderError, match="answered with an error: model not loaded"):
            ask()


def test_an_error_in_a_stream_is_told_in_the_endpoint_s_words(server):
    server.enqueue(Script(raw=streamed({"error": {"message": "model not loaded"}}), content_type=STREAM))
    with pytest.raises(ProviderError, match="answered with an error: model not loaded"):
        list(llm_for(server).stream(ASK))


def test_a_model_without_a_system_role_gets_the_rules_with_the_question(server):
    def gemma(body):
        if body["messages"][0]["role"] == "system":
            return Script(status=400, error={"message": "System role not supported"})
        return "In the west."

    server.default = gemma
    llm = llm_for(server)
    assert llm.complete(ASK).text == "".join(llm.stream([*ASK, *ASK])) == "In the west."
    assert [one["role"] for one in server.chats[-1]["messages"]] == ["user", "user"]
    assert server.chats[1]["messages"] == [{"role": "user", "content": "Be brief.\n\nWhere is the sea?"}]
    assert len(server.chats) == 3  # it is asked with the role only once
