"""Model servers on this machine: Ollama, LM Studio, vLLM and llama.cpp at the ports they take by themselves.

They are looked for on the loopback address alone, only when somebody asks, and all at once: it takes a second at most.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from engine.model import Value

# The port that each takes unless told otherwise.
PORTS: Mapping[int, str] = {11434: "Ollama", 1234: "LM Studio", 8000: "vLLM", 8080: "llama.cpp"}
SECONDS = 1.0
# Endpoints list these beside their chat models.
_NO_CHAT = ("embed", "whisper", "tts", "dall-e", "moderation", "rerank", "image", "audio", "bge-", "realtime")


@dataclass(frozen=True, slots=True)
class LocalServer(Value):
    """A model server: its program, the address to give as ``llm.api_base``, the chat models that it lists.

    With ``locked`` it asks for a key, and its models are not known.
    """

    program: str
    api_base: str
    models: list[str] = field(default_factory=list)
    locked: bool = False


def local_servers(ports: Mapping[int, str] = PORTS, seconds: float = SECONDS) -> list[LocalServer]:
    """Return the model servers that answer on this machine, in the order of ``ports`` (port to program).

    Each is waited for at most about ``seconds``. What answers there but lists no models is left out; nothing is raised.
    """
    with ThreadPoolExecutor(len(PORTS), thread_name_prefix="local-models") as pool:
        found = pool.map(lambda one: _asked(one[0], one[1], seconds), ports.items())
        return [server for server in found if server is not None]


def ollama_context(api_base: str, model: str, seconds: float = SECONDS) -> int | None:
    """Return the tokens that Ollama at this address has loaded a model with; None where that is not told.

    Ollama cuts what is longer without a word, and loads most models with less than they can take.
    """
    parts = urlsplit(api_base)
    reply = _json(f"{parts.scheme}://{parts.netloc}/api/ps", seconds)
    try:
        running = {one["name"]: int(one["context_length"]) for one in reply["models"]}
    except (TypeError, KeyError, ValueError):
        return None
    return running.get(model) or running.get(f"{model}:latest")


def _asked(port: int, program: str, seconds: float) -> LocalServer | None:
    base = f"http://127.0.0.1:{port}/v1"
    reply = _json(f"{base}/models", seconds)
    if reply in (401, 403):
        return LocalServer(program, base, locked=True)
    try:
        listed = [str(one["id"]) for one in reply["data"]]
    except (TypeError, KeyError):
        return None
    return LocalServer(program, base, for_chat(listed)) if listed else None


def _json(address: str, seconds: float) -> Any:
    """Return what an address sends as JSON; its status where it refuses, None where nothing usable answers."""
    import httpx

    try:
        with httpx.Client(timeout=seconds, trust_env=False, follow_redirects=False) as client:
            response = client.get(address)
        return response.json() if response.status_code == 200 else response.status_code
    except (httpx.HTTPError, ValueError):
        return None


def for_chat(names: Sequence[str]) -> list[str]:
    """Return the models of an endpoint's list that can chat, as far as their names tell."""
    return [name for name in names if not any(part in name.lower() for part in _NO_CHAT)]
