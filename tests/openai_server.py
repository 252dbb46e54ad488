"""A scripted OpenAI-compatible server on a loopback port: real HTTP, replies as data.

    with OpenAiServer() as server:
        server.enqueue("Berlin is the capital [1].")       # one reply a chat call, in order
        server.enqueue(Script("…", cut_after=3))            # a stream that breaks off
        server.default = answer_from_evidence                # when the queue is empty: text or function
        settings = LlmSettings(api_base=server.base_url, api_key=server.key)
        ...
        assert server.chats[0]["messages"][-1]["content"]

It speaks ``/v1/chat/completions`` (whole and streamed, tool calls too), ``/v1/models``,
``/v1/embeddings`` and, where ``server.rerank`` is a function of question and text, ``/v1/rerank``.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Script:
    """One scripted reply to a chat call.

    ``status`` other than 200 sends an error with ``error`` as its body and ``headers``;
    ``cut_after`` breaks a streamed connection off after that many pieces; ``delay`` waits before the
    first byte and ``pause`` between pieces, in seconds; ``raw`` is sent as the whole body as it stands.
    ``usage`` False leaves the token counts out.
    """

    text: str = ""
    status: int = 200
    error: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    delay: float = 0.0
    pause: float = 0.0
    finish: str = "stop"
    usage: bool = True
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    raw: bytes | None = None
    content_type: str = "application/json"


def busy(retry_after: str | None = None) -> Script:
    """Return a 429 with an optional Retry-After header."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Script(status=429, error={"message": "slow down", "code": "rate_limit_exceeded"}, headers=headers)


def broken() -> Script:
    """Return a 500."""
    return Script(status=500, error={"message": "internal error"})


Reply = str | Script | Callable[[dict[str, Any]], "str | Script"]


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client may hang up at any moment; that is no news."""


class OpenAiServer:
    """The server; a context manager. Everything it was asked is kept in ``requests`` and ``chats``."""

    def __init__(
        self,
        *,
        key: str | None = "sk-test",
        models: tuple[str, ...] | None = ("scripted-1",),
        refuses: tuple[str, ...] = (),
        dimension: int = 32,
        port: int = 0,
    ) -> None:
        """``models`` None: listing is not offered; ``refuses``: parameters answered with 400; ``port`` 0: a free one.

        Raises OSError where the port is taken.
        """
        self.key = key or ""
        self.models = models
        self.about_models: dict[str, Any] = {}
        """What each model of the list tells beside its name, such as its context."""
        self.refuses = refuses
        self.dimension = dimension
        self.default: Reply = "OK"
        self.rerank: Callable[[str, str], float] | None = None
        self.before_embedding: Callable[[], object] = lambda: None
        self.requests: list[tuple[str, str]] = []
        self.chats: list[dict[str, Any]] = []
        self._queue: deque[Reply] = deque()
        self._lock = threading.Lock()
        self._http = _QuietServer(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """The address to give as ``llm.api_base``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def enqueue(self, *replies: Reply) -> None:
        """Add replies; each chat call takes the next one."""
        with self._lock:
            self._queue.extend(replies)

    def next_reply(self, body: dict[str, Any]) -> Script:
        """Take the reply to this chat call."""
        with self._lock:
            self.chats.append(body)
            reply = self._queue.popleft() if self._queue else self.default
        if callable(reply):
            reply = reply(body)
        return Script(reply) if isinstance(reply, str) else reply

    def __enter__(self) -> OpenAiServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)


def evidence_in(body: dict[str, Any]) -> list[str]:
    """Return the texts of the numbered evidence in a chat call's last message, in order."""
    prompt = str(body["messages"][-1]["content"])
    return [text.strip() for text in re.findall(r"<evidence[^>]*>\n(.*?)\n</evidence>", prompt, re.DOTALL)]


def pieces(text: str) -> list[str]:
    """Cut a reply the way models stream it: words, spaces with them, CJK in twos."""
    return re.findall(r"\s*[^\s\u3000-\u9fff]+|\s*[\u3000-\u9fff]{1,2}|\s+", text)


def embed(text: str, dimension: int) -> list[float]:
    """Return a unit vector that depends on the words only, the same in every process."""
    vector = [0.0] * dimension
    for word in re.findall(r"\w", text.lower()) + re.findall(r"\w+", text.lower()):
        vector[int(hashlib.md5(word.encode()).hexdigest(), 16) % dimension] += 1.0
    norm = sum(value * value for value in vector) ** 0.5 or 1.0
    return [value / norm for value in vector]


def _handler(server: OpenAiServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            server.requests.append(("GET", self.path))
            if not self._authorised():
                return
            if self.path.rstrip("/") == "/v1/models" and server.models is not None:
                data = [
                    {"id": name, "object": "model", "created": 0, "owned_by": "t", **server.about_models}
                    for name in server.models
                ]
                self._json(200, {"object": "list", "data": data})
            else:
                self._error(404, {"message": "not found"})

        def do_POST(self) -> None:
            server.requests.append(("POST", self.path))
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            if not self._authorised():
                return
            if self.path == "/v1/embeddings":
                server.before_embedding()
                self._embeddings(body)
            elif self.path == "/v1/rerank" and server.rerank is not None:
                scores = [server.rerank(body["query"], text) for text in body["documents"]]
                results = [{"index": i, "relevance_score": score} for i, score in enumerate(scores)]
                self._json(200, {"results": results})
            elif self.path == "/v1/chat/completions":
                self._chat(body)
            else:
                self._error(404, {"message": "not found"})

        def _authorised(self) -> bool:
            if server.key and self.headers.get("Authorization") != f"Bearer {server.key}":
                self._error(401, {"message": "Incorrect API key", "code": "invalid_api_key"})
                return False
            return True

        def _embeddings(self, body: dict[str, Any]) -> None:
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            data = [
                {"object": "embedding", "index": i, "embedding": embed(text, server.dimension)}
                for i, text in enumerate(texts)
            ]
            usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
            self._json(200, {"object": "list", "model": body["model"], "data": data, "usage": usage})

        def _chat(self, body: dict[str, Any]) -> None:
            refused = next((name for name in server.refuses if name in body), None)
            if refused:
                self._error(400, {"message": f"Unsupported parameter: '{refused}'", "param": refused})
                return
            if server.models is not None and body["model"] not in server.models:
                self._error(404, {"message": f"The model {body['model']} does not exist"})
                return
            script = server.next_reply(body)
            time.sleep(script.delay)
            if script.status != 200:
                self._error(script.status, script.error, script.headers)
            elif script.raw is not None:
                self._bytes(200, script.raw, script.content_type)
            elif body.get("stream"):
                self._stream(body, script)
            else:
                self._whole(body, script)

        def _usage(self, body: dict[str, Any], script: Script) -> dict[str, int]:
            prompt = len(pieces(" ".join(str(message["content"]) for message in body["messages"])))
            completion = len(pieces(script.text))
            total = prompt + completion
            return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total}

        def _whole(self, body: dict[str, Any], script: Script) -> None:
            message: dict[str, Any] = {"role": "assistant", "content": script.text}
            if script.tool_calls:
                message["tool_calls"] = script.tool_calls
            finish = "tool_calls" if script.tool_calls else script.finish
            reply = {
                "id": "chat-1", "object": "chat.completion", "created": 0, "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            }  # fmt: skip
            if script.usage:
                reply["usage"] = self._usage(body, script)
            self._json(200, reply)

        def _stream(self, body: dict[str, Any], script: Script) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                self._delta(body, {"role": "assistant", "content": ""})
                for number, piece in enumerate(pieces(script.text)):
                    if number == script.cut_after:
                        self.close_connection = True
                        self.connection.close()
                        return
                    time.sleep(script.pause)
                    self._delta(body, {"content": piece})
                for i, call in enumerate(script.tool_calls):
                    named, written = {**call["function"], "arguments": ""}, call["function"]["arguments"]
                    self._delta(body, {"tool_calls": [{"index": i, **call, "function": named}]})
                    for piece in pieces(written):
                        self._delta(body, {"tool_calls": [{"index": i, "function": {"arguments": piece}}]})
                finish = "tool_calls" if script.tool_calls else script.finish
                self._delta(body, {}, finish=finish or None)
                if script.usage and (body.get("stream_options") or {}).get("include_usage"):
                    self._event({**self._base(body), "choices": [], "usage": self._usage(body, script)})
                self._chunk(b"data: [DONE]\n\n")
                self._chunk(b"")
            except OSError:
                self.close_connection = True  # the client hung up, as it may

        def _base(self, body: dict[str, Any]) -> dict[str, Any]:
            return {"id": "chat-1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}

        def _delta(self, body: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> None:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            self._event({**self._base(body), "choices": [choice]})

        def _event(self, data: dict[str, Any]) -> None:
            self._chunk(b"data: " + json.dumps(data).encode() + b"\n\n")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def _error(self, status: int, error: dict[str, Any], headers: dict[str, str] | None = None) -> None:
            self._bytes(status, json.dumps({"error": error}).encode(), "application/json", headers)

        def _json(self, status: int, data: dict[str, Any]) -> None:
            self._bytes(status, json.dumps(data).encode(), "application/json")

        def _bytes(self, status: int, data: bytes, content_type: str, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
