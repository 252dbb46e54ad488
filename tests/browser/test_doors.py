"""Attacks on a running app from this machine, without a browser: what a program or a page of another site can try."""

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from engine.interfaces.client import server_token
from engine.interfaces.gate import COOKIE
from engine.interfaces.login import TRIES, hash_password
from engine.turns import AT_ONCE, WAITING
from tests.browser.visitor import App

PASSWORD = "correct horse"
KEPT = hash_password(PASSWORD)
UPGRADE = {
    "connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


@pytest.fixture(scope="module")
def start(tmp_path_factory) -> Iterator[Callable[..., App]]:
    running: list[App] = []

    def started(**variables: str) -> App:
        app = App(tmp_path_factory.mktemp("doors") / "library", variables)
        running.append(app)
        app.start()
        return app

    yield started
    for app in running:
        app.stop()


@pytest.fixture(scope="module")
def private(start) -> App:
    """An app that asks for a password, with no proxy before it."""
    return start(DROPQA_ACCESS__PASSWORD_HASH=KEPT)


@pytest.fixture(scope="module")
def behind_proxy(start) -> App:
    """An app that asks for a password, with a proxy before it."""
    return start(DROPQA_ACCESS__PASSWORD_HASH=KEPT, DROPQA_SERVER__TRUSTED_PROXIES="127.0.0.1")


@pytest.fixture(scope="module")
def readers(start) -> App:
    """An open app whose library is for reading only."""
    return start(DROPQA_ACCESS__READ_ONLY="true")


def sign_in(app: App, password: str, **headers: str) -> httpx.Response:
    return httpx.post(f"{app.url}/login", content=f"password={password.replace(' ', '+')}", headers=headers, timeout=30)


def test_a_forged_address_does_not_let_anybody_guess_on(private: App):
    answers = [
        sign_in(private, f"guess {number}", **{"x-forwarded-for": f"203.0.113.{number}"}).status_code
        for number in range(TRIES + 1)
    ]
    assert answers == [401] * TRIES + [429]
    assert private.log().count("Wrong password from '127.0.0.1'") == TRIES
    assert "guess" not in private.log()


def test_behind_a_proxy_that_a_setting_names_visitors_count_by_their_own_address(behind_proxy: App):
    app = behind_proxy
    for _ in range(TRIES):
        assert sign_in(app, "wrong", **{"x-forwarded-for": "203.0.113.1"}).status_code == 401
    assert sign_in(app, PASSWORD, **{"x-forwarded-for": "203.0.113.1"}).status_code == 429
    # What a visitor claims stands before what the proxy adds, and is not believed.
    assert sign_in(app, PASSWORD, **{"x-forwarded-for": "198.51.100.7, 203.0.113.1"}).status_code == 429
    answer = sign_in(app, PASSWORD, **{"x-forwarded-for": "203.0.113.2", "x-forwarded-proto": "https"})
    assert answer.status_code == 303 and "Secure" in answer.headers["set-cookie"]
    assert "Wrong password from '203.0.113.1'" in app.log()


def test_a_copied_cookie_ends_with_signing_out(behind_proxy: App):
    app = behind_proxy
    cookie = {"cookie": f"{COOKIE}={sign_in(app, PASSWORD).cookies[COOKIE]}"}
    assert httpx.get(f"{app.url}/api/documents", headers=cookie).status_code == 200
    httpx.get(f"{app.url}/logout", headers=cookie)
    assert httpx.get(f"{app.url}/api/documents", headers=cookie).status_code == 401
    app.restart()
    assert httpx.get(f"{app.url}/api/documents", headers=cookie).status_code == 401


def test_signs_of_life_are_json_for_strangers_too(private: App, readers: App):
    for app in (private, readers):
        assert httpx.get(f"{app.url}/healthz").json() == {"ok": True}
        assert httpx.get(f"{app.url}/readyz", timeout=60).json() == {"ready": True}


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "http://localhost:{port}", "null"])
def test_a_socket_is_refused_to_pages_of_other_sites(readers: App, origin: str):
    headers = UPGRADE | {"origin": origin.format(port=readers.port)}
    assert httpx.get(f"{readers.url}/_stcore/stream", headers=headers).status_code == 403


def test_a_socket_is_open_to_the_apps_own_pages(readers: App):
    with socket.create_connection(("127.0.0.1", readers.port), 10) as connection:
        lines = [f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{readers.port}\r\nOrigin: {readers.url}"]
        lines += [f"{name}: {value}" for name, value in UPGRADE.items()]
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 101 ")


def answer_before_body(app: App, head: str) -> bytes:
    """Announce 400 MB, send none of them, and return what the app says to that."""
    with socket.create_connection(("127.0.0.1", app.port), 20) as connection:
        lines = f"{head} HTTP/1.1\r\nHost: 127.0.0.1:{app.port}\r\nContent-Length: 400000000\r\n"
        connection.sendall(f"{lines}Content-Type: application/json\r\n\r\n".encode())
        connection.settimeout(20)
        return connection.recv(2000)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("POST /api/ask", 413), ("POST /api/search", 413), ("POST /api/documents/upload", 403), ("POST /", 413),
        ("PUT /_stcore/upload_file/session/file", 403),
    ],
)  # fmt: skip
def test_what_is_too_much_is_refused_before_it_is_sent(readers: App, head: str, status: int):
    assert answer_before_body(readers, head).startswith(f"HTTP/1.1 {status} ".encode())


def test_an_upload_that_is_too_large_is_refused_before_it_is_sent(private: App):
    token = server_token(private.library)
    for path in ("POST /api/documents/upload", "PUT /_stcore/upload_file/session/file"):
        head = f"{path} HTTP/1.1\r\nHost: 127.0.0.1:{private.port}\r\nAuthorization: Bearer {token}\r\n"
        with socket.create_connection(("127.0.0.1", private.port), 20) as connection:
            connection.sendall(f"{head}Content-Length: 4000000000\r\n\r\n".encode())
            assert connection.recv(2000).startswith(b"HTTP/1.1 413 "), path


def test_odd_requests_are_answered_with_json(readers: App):
    for host in ("[", "localhost:99999999", "evil.example"):
        answer = httpx.get(f"{readers.url}/api/documents", headers={"host": host})
        assert answer.status_code in (400, 403) and answer.json()["error"], host
    body = json.dumps({"query": "\ud800"})
    answer = httpx.post(f"{readers.url}/api/search", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and answer.json()["error"]


def test_what_is_kept_about_sessions_is_private(private: App):
    for name in ("server.json", "signed-out.json"):
        path: Path = private.library / name
        assert not path.exists() or path.stat().st_mode & 0o077 == 0


def test_questions_that_wait_for_a_silent_model_hold_nobody_up_and_too_many_are_told(start):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        app = start(
            DROPQA_LLM__API_BASE=f"http://127.0.0.1:{silent.getsockname()[1]}", DROPQA_LLM__API_KEY="k",
            DROPQA_LLM__MODEL="m", DROPQA_EMBEDDING__ENABLED="false",
        )  # fmt: skip
        app.add("a.txt", b"Pier 3 is long.")
        told: queue.Queue[httpx.Response] = queue.Queue()

        def ask() -> None:
            with contextlib.suppress(httpx.HTTPError):
                told.put(httpx.post(f"{app.url}/api/ask", json={"question": "How long is pier 3?"}, timeout=90))

        for _ in range(AT_ONCE + WAITING + 1):
            threading.Thread(target=ask, daemon=True).start()
        refused = told.get(timeout=60)
        assert refused.status_code == 503 and int(refused.headers["retry-after"]) > 0
        for path in ("/", "/healthz", "/api/documents", "/app/static/mark.svg"):
            assert httpx.get(f"{app.url}{path}", timeout=10).status_code == 200
        app.stop()
