"""The library as a model, asked by the official client over a real server."""

import json
import re

import httpx
import openai
import pytest

from engine.config import AccessSettings
from engine.interfaces.login import hash_password

QUESTION = {"role": "user", "content": "How many foundries supply the chips?"}


@pytest.fixture
def client(filled, serve) -> openai.OpenAI:
    filled.embed_pending()
    filled.topics.refresh()
    return openai.OpenAI(base_url=f"{serve(filled)}/v1", api_key="unused", max_retries=0)


def test_the_library_its_topics_and_its_documents_are_models(client, filled):
    names = [model.id for model in client.models.list()]
    assert names[0] == "dropqa" and "dropqa/document/手册.md" in names
    assert f"dropqa/topic/{filled.topics.all()[0].name}" in names
    assert client.models.retrieve("dropqa/document/手册.md").id == "dropqa/document/手册.md"
    with pytest.raises(openai.NotFoundError, match="gpt-4"):
        client.models.retrieve("gpt-4")


def test_an_answer_marks_the_citations_that_stand_beside_it(client):
    answer = client.chat.completions.create(model="dropqa", messages=[QUESTION], temperature=0)
    text = answer.choices[0].message.content
    marks = {int(mark) for mark in re.findall(r"\[(\d+)\]", text)}
    citations = answer.model_extra["citations"]
    assert marks and marks == {one["n"] for one in citations}
    assert citations[0]["document"] == "report.md" and citations[0]["snippet"]
    assert answer.choices[0].finish_reason == "stop" and answer.usage.total_tokens == 0


def test_a_stream_gives_the_steps_the_checked_text_the_citations_and_the_usage(client):
    whole = client.chat.completions.create(model="dropqa", messages=[QUESTION]).choices[0].message.content
    chunks = list(
        client.chat.completions.create(
            model="dropqa", messages=[QUESTION], stream=True, stream_options={"include_usage": True}
        )
    )
    deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == whole
    assert len([delta for delta in deltas if delta.content]) > 5
    assert any((delta.model_extra or {}).get("reasoning_content") for delta in deltas)
    assert chunks[-2].choices[0].finish_reason == "stop" and chunks[-2].model_extra["citations"]
    assert chunks[-1].usage.total_tokens == 0


def test_a_document_as_a_model_answers_from_itself_alone(client):
    answer = client.chat.completions.create(model="dropqa/document/手册.md", messages=[QUESTION])
    assert {one["document"] for one in answer.model_extra["citations"]} <= {"手册.md"}


def test_a_follow_up_is_read_with_the_conversation_in_parts_of_messages_too(client, filled, server):
    messages = [
        {"role": "system", "content": "Talk like a pirate."},
        {"role": "user", "content": [{"type": "text", "text": "Who supplies the chips?"}]},
        {"role": "assistant", "content": "Foundries supply the chips [1]."},
        {"role": "user", "content": "How many of them are there?"},
    ]

    filled.update_settings({"llm.api_base": server.base_url, "llm.api_key": server.key, "llm.model": "scripted-1"})
    server.default = "Two foundries supply 83 percent of the chips [1]."
    answer = client.chat.completions.create(model="dropqa", messages=messages)
    sent = [str(chat["messages"]) for chat in server.chats]
    assert any("Foundries supply the chips" in one for one in sent)
    assert not any("pirate" in one for one in sent)
    assert answer.usage.prompt_tokens > 0 and answer.usage.total_tokens > answer.usage.prompt_tokens


def test_what_cannot_be_asked_is_told_as_the_client_knows_errors(client, filled, monkeypatch):
    with pytest.raises(openai.NotFoundError, match=r"none\.md"):
        client.chat.completions.create(model="dropqa/document/none.md", messages=[QUESTION])
    with pytest.raises(openai.UnprocessableEntityError, match="last message"):
        client.chat.completions.create(model="dropqa", messages=[{"role": "system", "content": "x"}])
    for odd in ("half a character \ud83d", [{"type": "text", "text": "\0"}]):
        kind = {"content-type": "application/json"}
        body = json.dumps({"messages": [{"role": "user", "content": odd}]})
        told = httpx.post(f"{client.base_url}chat/completions", content=body, headers=kind)
        assert told.status_code == 400
        assert "function" not in told.text and "holds characters that no text has" in told.text
    with pytest.raises(openai.APIError, match=r"none\.md"):
        list(client.chat.completions.create(model="dropqa/document/none.md", messages=[QUESTION], stream=True))


def test_the_gate_stands_before_it(filled, serve, monkeypatch):
    closed = filled.settings.model_copy(update={"access": AccessSettings(password_hash=hash_password("correct horse"))})
    monkeypatch.setattr(filled, "_settings", closed)
    stranger = openai.OpenAI(base_url=f"{serve(filled)}/v1", api_key="guess", max_retries=0)
    with pytest.raises(openai.AuthenticationError, match="Sign in"):
        stranger.models.list()


def test_a_collection_as_a_model_answers_from_its_documents_alone(client, filled):
    filled.collections.create("手册 2024")
    filled.collections.move(["手册.md"], "手册 2024")
    name = "dropqa/collection/手册 2024"
    assert name in [model.id for model in client.models.list()] and client.models.retrieve(name).id == name
    answer = client.chat.completions.create(model=name, messages=[QUESTION])
    assert {one["document"] for one in answer.model_extra["citations"]} <= {"手册.md"}
    with pytest.raises(openai.NotFoundError, match="nothing"):
        client.chat.completions.create(model="dropqa/collection/nothing", messages=[QUESTION])
