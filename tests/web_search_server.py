"""A server on a loopback port that plays both web searches: SearXNG by GET, Tavily by POST with a key.

with WebSearchServer() as web:
    web.results = [{"title": "…", "url": "https://…", "content": "…"}]
    web.status, web.body = 429, b""     # what it does instead
    assert web.asked[0].query == "…"
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "tvly-secret-key"


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    query: str
    key: str
    body: dict[str, Any]


class WebSearchServer:
    """The server; a context manager. ``delay`` is waited before an answer, ``pause`` between its bytes."""

    def __init__(self) -> None:
        self.results: list[dict[str, Any]] = []
        self.status, self.body, self.location = 200, b"", ""
        self.delay = self.pause = 0.0
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> WebSearchServer:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(web: WebSearchServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = parse_qs(urlsplit(self.path).query)
            html = given.get("format") != ["json"]  # as SearXNG answers where JSON is not asked for
            self._answer(given.get("q", [""])[0], {}, b"<html>results</html>" if html else b"")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self._answer(body.get("query", ""), body, b"")

        def _answer(self, query: str, body: dict[str, Any], instead: bytes) -> None:
            key = self.headers.get("authorization", "")
            web.asked.append(Asked(self.command, query, key, body))
            time.sleep(web.delay)
            refused = self.command == "POST" and key != f"Bearer {KEY}"
            data = web.body or instead or json.dumps({"query": query, "results": web.results}).encode()
            self.send_response(401 if refused else web.status)
            if web.location:
                self.send_header("location", web.location)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            piece = 1 if web.pause else max(1, len(data))
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked may have hung up
                for start in range(0, len(data), piece):
                    self.wfile.write(data[start : start + piece])
                    time.sleep(web.pause)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
