"""How much a model takes at once is read from its endpoint, and nothing longer is sent or asked for."""

import pytest

from engine.config import LlmSettings
from engine.errors import ContextExceededError
from engine.providers.context_window import evidence_tokens
from engine.providers.llm import open_llm
from tests.openai_server import OpenAiServer, Script

ASK = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def server():
    with OpenAiServer() as running:
        yield running


def model(server, **more):
    return open_llm(LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, timeout=5, **more))


@pytest.mark.parametrize(
    "told",
    [
        {"max_model_len": 8192},  # vLLM
        {"meta": {"n_ctx": 8192, "n_ctx_train": 32768}},  # llama.cpp
        {"context_length": 8192},  # OpenRouter
    ],
)
def test_the_list_of_models_tells_the_context(server, told):
    server.about_models = told
    assert model(server).context_tokens == 8192


@pytest.mark.parametrize(("models", "window"), [(("qwen",), 8192), (("qwen", "llama"), 0)])
def test_a_server_of_one_model_takes_any_name_for_it(models, window):
    with OpenAiServer(models=models) as running:
        running.about_models = {"meta": {"n_ctx": 8192}}
        assert model(running, model="local").context_tokens == window


def test_the_settings_come_first_and_the_endpoint_is_asked_once(server):
    server.about_models = {"max_model_len": 8192}
    assert model(server, context_tokens=4096).context_tokens == 4096
    asked = model(server)
    assert asked.context_tokens == asked.context_tokens == 8192
    assert len([path for _, path in server.requests if path == "/v1/models"]) <= 2


@pytest.mark.parametrize("told", [{}, {"max_model_len": "long"}, {"meta": []}, {"context_length": -1}])
def test_an_endpoint_that_does_not_tell_is_no_error(server, told):
    server.about_models = told
    assert model(server).context_tokens == 0
    assert model(server).complete(ASK).text == "OK"


def test_an_endpoint_without_a_list_is_no_error():
    with OpenAiServer(models=None) as bare:
        assert model(bare, model="x").context_tokens == 0


def test_a_reply_is_asked_for_that_fits_beside_the_prompt(server):
    server.about_models = {"max_model_len": 2000}
    model(server).complete([{"role": "user", "content": "word " * 1000}])
    asked = server.chats[-1]["max_tokens"]
    assert 256 <= asked <= 750


def test_a_context_told_by_a_refusal_is_kept(server):
    said = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."
    server.enqueue(Script(status=400, error={"message": said}))
    asked = model(server)
    with pytest.raises(ContextExceededError):
        asked.complete(ASK)
    assert asked.context_tokens == 4096


def test_evidence_takes_a_part_of_the_context():
    assert evidence_tokens(0, 4000) == 4000
    assert evidence_tokens(16_384, 4000) == 2048
    assert evidence_tokens(2000, 4000) == 1000
    assert evidence_tokens(128_000, 4000) == 4000
