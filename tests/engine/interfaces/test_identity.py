"""Signing in at a proxy: who it forwards for is believed of trusted proxies alone, and sees what is theirs."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import httpx
import pytest
import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from engine.config import AccessSettings
from engine.ingest import Source
from engine.interfaces.client import announced, server_token
from engine.interfaces.doors import create_server
from engine.interfaces.gate import Gate
from engine.library import Library

ACCESS = AccessSettings(proxy_user="X-Forwarded-Email", proxy_groups="X-Forwarded-Groups", owners=("boss@example.org",))
FOR = {"X-Forwarded-For": "203.0.113.9"}


def as_user(name: str, groups: str = "") -> dict[str, str]:
    return FOR | {"X-Forwarded-Email": name} | ({"X-Forwarded-Groups": groups} if groups else {})


@contextlib.contextmanager
def behind_proxies(library: Library, trusted: str) -> Iterator[httpx.Client]:
    """Serve a library as the command line does, with these proxies trusted."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = create_server(lambda: library, library.folder)
    config = uvicorn.Config(app, port=port, log_level="warning", forwarded_allow_ips=trusted)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def shared(library, monkeypatch) -> Library:
    library.add(
        [
            Source("open.md", b"# Open\n\nApples.\n"),
            Source("sales.md", b"# Sales\n\nThe deal is 9,417 EUR.\n"),
        ]
    )
    monkeypatch.setattr(library, "_settings", library.settings.model_copy(update={"access": ACCESS}))
    library.collections.create("Sales")
    library.collections.move(["sales.md"], "Sales")
    library.collections.share("Sales", ["ben@example.org", "sellers"], [])
    return library


def names(client: httpx.Client, headers: dict[str, str]) -> set[str]:
    return {one["name"] for one in client.get("/api/documents", headers=headers).json()["documents"]}


def test_who_a_trusted_proxy_names_sees_what_is_theirs(shared):
    with behind_proxies(shared, "127.0.0.1") as client:
        assert names(client, as_user("ann@example.org")) == {"open.md"}
        assert names(client, as_user("ben@example.org")) == {"open.md", "sales.md"}
        assert names(client, as_user("cleo@example.org", "legal, sellers")) == {"open.md", "sales.md"}
        assert names(client, as_user("Boss@example.org")) == {"open.md", "sales.md"}
        assert client.get("/metrics", headers=as_user("boss@example.org")).status_code == 200
        assert client.get("/metrics", headers=as_user("ann@example.org")).status_code == 403
        answer = client.post("/api/qa/ask", json={"question": "What is the deal?"}, headers=as_user("ann@example.org"))
        assert "9,417" not in answer.text
        client.post("/api/qa/ask", json={"question": "What is the deal?"}, headers=as_user("ben@example.org"))
        for user, kept in (("ann@example.org", 1), ("ben@example.org", 1), ("cleo@example.org", 0)):
            assert client.get("/api/qa/history", headers=as_user(user)).json()["total"] == kept


def test_nobody_else_is_served_whatever_their_headers_say(shared):
    with behind_proxies(shared, "127.0.0.1") as client:
        assert client.get("/healthz").status_code == 200
        for headers in (
            {}, FOR, {"X-Forwarded-Email": "boss@example.org"}, as_user(""),
        ):  # fmt: skip
            answer = client.get("/api/documents", headers=headers)
            assert (answer.status_code, answer.json()["error"]["type"]) == (401, "AccessError"), headers
        twice = [*as_user("ann@example.org").items(), ("X-Forwarded-Email", "boss@example.org")]
        assert client.get("/api/documents", headers=twice).status_code == 401
    with behind_proxies(shared, "10.0.0.1") as client:
        assert client.get("/api/documents", headers=as_user("boss@example.org")).status_code == 401


def test_the_command_line_of_the_machine_needs_no_proxy(shared):
    with behind_proxies(shared, "127.0.0.1") as client, announced(shared.folder, str(client.base_url)):
        own = {"authorization": f"Bearer {server_token(shared.folder)}"}
        assert names(client, own) == {"open.md", "sales.md"}


def test_only_who_is_allowed_comes_in_by_pages_and_sockets_too(tmp_path):
    async def echo(connection):
        await connection.accept()
        await connection.send_text("hello")
        await connection.close()

    access = ACCESS.model_copy(update={"allowed_users": ("@example.org",)})
    gate = Middleware(Gate, access=lambda: access, folder=lambda: tmp_path)
    routes = [Route("/chat", lambda _: PlainTextResponse("page")), WebSocketRoute("/stream", echo)]
    app = Starlette(routes=routes, middleware=[gate])
    forwarded, direct = (
        TestClient(app, client=("203.0.113.9", 0)),
        TestClient(app, client=("203.0.113.9", 4711)),
    )
    ann, eve = {"X-Forwarded-Email": "ann@example.org"}, {"X-Forwarded-Email": "eve@elsewhere.example"}
    assert forwarded.get("/chat", headers=ann).text == "page"
    with forwarded.websocket_connect("/stream", headers=ann) as opened:
        assert opened.receive_text() == "hello"
    for client, headers in ((forwarded, eve), (forwarded, {}), (direct, ann)):
        assert client.get("/chat", headers=headers | {"accept": "text/html"}).status_code == 401
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/stream", headers=headers):
            pass


def test_one_way_in_is_chosen():
    with pytest.raises(ValidationError, match="keep one"):
        AccessSettings(proxy_user="X-User", oidc=True)
    with pytest.raises(ValidationError):
        AccessSettings(proxy_user="X User: evil")
