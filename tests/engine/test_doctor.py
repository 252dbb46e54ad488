"""The checks of the models: the language model, and what kinds of work have beside it."""

import pytest

from engine.doctor import model_checks
from engine.providers.local_models import PORTS
from tests.openai_server import OpenAiServer


@pytest.fixture
def server():
    with OpenAiServer(models=("answerer", "indexer", "judge")) as running:
        yield running


@pytest.fixture
def connected(library, server):
    library.update_settings(
        {
            "llm.api_base": server.base_url, "llm.api_key": server.key, "llm.model": "answerer",
            "llm.retries": 0,
        }
    )  # fmt: skip
    return library


def told(library):
    return {check.name: check.ok for check in model_checks(library)}


def test_without_a_model_that_is_told_and_is_no_fault(library):
    assert told(library) == {"model": True}


@pytest.mark.parametrize("port", PORTS)
def test_without_a_model_those_on_this_machine_are_named(library, port):
    try:
        running = OpenAiServer(key=None, models=("qwen3:4b",), port=port)
    except OSError:
        pytest.skip(f"port {port} is in use on this machine")
    with running:
        (check,) = model_checks(library)
    assert check.ok and f"{PORTS[port]} at http://127.0.0.1:{port}/v1 (qwen3:4b)" in check.detail


def test_a_model_of_its_own_is_tried_under_its_own_name(connected, server):
    connected.update_settings({"indexing.model": "indexer", "summary.model": "not-there"})
    assert told(connected) == {"model": True, "model for indexing": True, "model for summaries": False}
    # each is asked for a word, whether it calls tools, and whether it sees
    assert [body["model"] for body in server.chats] == ["answerer"] * 3 + ["indexer"] * 3


def test_work_that_asks_the_language_model_is_not_tried_again(connected, server):
    connected.update_settings({"indexing.model": "answerer", "summary.api_base": server.base_url})
    assert told(connected) == {"model": True}


def test_the_judge_is_tried_only_where_it_is_asked(connected):
    connected.update_settings({"rerank.model": "judge"})
    assert told(connected) == {"model": True}
    connected.update_settings({"rerank.enabled": True})
    assert told(connected) == {"model": True, "model that judges what was found": True}


def test_a_model_that_sees_is_tried_at_its_address(connected):
    connected.update_settings({"vision.api_base": "http://127.0.0.1:9/v1", "vision.model": "seer"})
    assert told(connected) == {"model": True, "model that sees": False}
