"""A conversation's own model, endpoint, temperature, language and style of answers."""

import pytest

from engine.errors import ConfigError, UsageError
from engine.ingest import Source
from engine.library import Library
from engine.model import Manner
from engine.settings_sources import forgetting_keys, load_settings
from tests.openai_server import OpenAiServer

QUESTION = "When did the pier open?"


@pytest.fixture
def other():
    """A second endpoint, with a key and models of its own."""
    with OpenAiServer(key="sk-other", models=("large",)) as running:
        running.default = "It opened in 1932 [1]."
        yield running


@pytest.fixture
def pier(tmp_path, server, other):
    server.default = "The pier opened in 1932 [1]."
    flags = {
        "embedding.enabled": False, "llm.retries": 0, "llm.api_base": server.base_url, "llm.api_key": server.key,
        "llm.model": "scripted-1", "endpoints.other.api_base": other.base_url, "endpoints.other.api_key": other.key,
        "llm.price_prompt": 1,
    }  # fmt: skip
    with Library.open(tmp_path / "shelf", background=False, flags=flags) as library:
        library.add([Source("pier.txt", b"Pier\n\nThe pier opened in 1932.")])
        yield library


def test_another_endpoint_answers_with_its_own_key_and_model(pier, server, other):
    made = pier.ask(QUESTION, manner=Manner(endpoint="other"))
    assert made.answer == "It opened in 1932 [1]." and made.cost is None  # its prices are not known
    assert not server.chats and {chat["model"] for chat in other.chats} == {"large"}
    assert pier.ask(QUESTION).cost and len(server.chats) == 1


def test_an_endpoint_that_is_not_set_up_is_refused_by_name(pier):
    with pytest.raises(UsageError, match=r"No endpoint is named nowhere, but: other\."):
        pier.ask(QUESTION, manner=Manner(endpoint="nowhere"))


@pytest.mark.parametrize("path", ["direct", "agent"])
def test_temperature_language_and_style_reach_the_model(pier, server, path):
    pier.ask(
        QUESTION, path=path,
        manner=Manner(temperature=1.3, language="German", style="table", instructions="Be polite."),
    )  # fmt: skip
    chat = server.chats[-1]
    told = str(chat["messages"][0]["content"])
    assert chat["temperature"] == 1.3
    assert "Write in German" in told and "Markdown table" in told and told.endswith("Be polite.")
    if path == "direct":
        assert "Answer in German" in chat["messages"][-1]["content"]
    pier.ask(QUESTION, path=path)
    assert server.chats[-1]["temperature"] == 0.2
    assert "German" not in str(server.chats[-1]["messages"])


@pytest.mark.parametrize("wrong", ["endpoints.A B.api_base", "endpoints.other.unknown", "endpoints.other.api_base.x"])
def test_a_wrong_endpoint_is_a_wrong_setting(tmp_path, wrong):
    with pytest.raises(ConfigError, match="endpoints"):
        load_settings(tmp_path, environ={}, flags={wrong: "http://localhost/v1"})


def test_a_key_of_an_endpoint_stays_with_its_address(tmp_path):
    (tmp_path / "dropqa.toml").write_text(
        '[endpoints.other]\napi_base = "http://localhost:1/v1"\napi_key = "sk-file"\n'
    )
    environ = {
        "DROPQA_ENDPOINTS__OTHER__API_KEY": "sk-environ",
        "DROPQA_ENDPOINTS__NEW__API_BASE": "http://new/v1",
    }
    settings = load_settings(tmp_path, environ=environ)
    assert settings.endpoints["other"].api_key == "sk-file" and settings.endpoints["new"].api_base
    moved = forgetting_keys(settings, {"endpoints.other.api_base": "http://evil.example/v1"})
    assert moved["endpoints.other.api_key"] == ""
    assert "sk-file" not in repr(settings)
