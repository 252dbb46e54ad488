"""Model servers on this machine: real HTTP on ports of the test's own."""

import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from engine.providers.local_models import PORTS, local_servers, ollama_context
from tests.openai_server import OpenAiServer


def port_of(server: OpenAiServer) -> int:
    return int(urlsplit(server.base_url).port or 0)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_programs_are_looked_for_where_they_listen_by_themselves():
    assert dict(PORTS) == {11434: "Ollama", 1234: "LM Studio", 8000: "vLLM", 8080: "llama.cpp"}


def test_a_server_is_found_with_its_chat_models_and_what_does_not_answer_is_left_out():
    with OpenAiServer(key=None, models=("llama3.2:3b", "nomic-embed-text")) as server:
        found = local_servers({free_port(): "LM Studio", port_of(server): "Ollama"})
    assert [(one.program, one.api_base, one.models) for one in found] == [("Ollama", server.base_url, ["llama3.2:3b"])]


def test_a_server_that_asks_for_a_key_is_found_without_its_models():
    with OpenAiServer(key="sk-test", models=("qwen3",)) as server:
        found = local_servers({port_of(server): "vLLM"})
    assert [(one.locked, one.models) for one in found] == [(True, [])]


def test_something_else_on_the_port_is_no_model_server():
    with OpenAiServer(key=None, models=None) as server:
        assert local_servers({port_of(server): "llama.cpp"}) == []


def test_a_port_that_accepts_and_says_nothing_holds_nobody_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        threading.Thread(target=silent.accept, daemon=True).start()
        started = time.monotonic()
        assert local_servers({silent.getsockname()[1]: "Ollama"}, seconds=0.3) == []
        assert time.monotonic() - started < 5


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "https://[::1]:9/v1"])
def test_the_context_of_an_address_without_ollama_is_unknown(address):
    assert ollama_context(address, "llama3.2", seconds=0.3) is None
