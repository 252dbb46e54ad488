import json
import stat
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from engine.config import AccessSettings
from engine.interfaces.client import FILE_NAME, announced
from engine.interfaces.gate import COOKIE, Gate
from engine.interfaces.login import TRIES, hash_password
from engine.interfaces.signed_out import signed_out

BROWSER = {"accept": "text/html"}
KEPT = hash_password("correct horse")


async def echo(socket):
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


async def wait(socket):
    await socket.accept()
    await socket.send_text("waiting")
    try:
        await socket.receive_text()
    except WebSocketDisconnect as ended:
        await socket.close(ended.code)


@pytest.fixture
def serve(tmp_path: Path):
    def served(access: AccessSettings) -> TestClient:
        def page(_):
            return PlainTextResponse("secret")

        routes = [
            Route("/chat", page), Route("/media/file", page), Route("/api/documents", page),
            Route("/api/health", page), WebSocketRoute("/_stcore/stream", echo),
            WebSocketRoute("/waiting", wait),
        ]  # fmt: skip
        gate = Middleware(Gate, access=lambda: access, folder=lambda: tmp_path)
        return TestClient(Starlette(routes=routes, middleware=[gate]), follow_redirects=False)

    return served


@pytest.fixture
def client(serve) -> TestClient:
    return serve(AccessSettings(password_hash=KEPT))


def sign_in(client: TestClient, password: str = "correct horse", **kwargs):
    return client.post("/login", content=f"password={password.replace(' ', '+')}", **kwargs)


def test_without_a_password_everything_is_open(serve):
    client = serve(AccessSettings())
    assert client.get("/chat", headers=BROWSER).text == "secret"
    with client.websocket_connect("/_stcore/stream") as socket:
        assert socket.receive_text() == "hello"


def test_a_stranger_gets_nothing_but_the_login_page_and_a_sign_of_life(client):
    page = client.get("/chat?conversation=c1", headers=BROWSER)
    assert page.status_code == 303
    assert page.headers["location"] == "/login?next=%2Fchat%3Fconversation%3Dc1"
    for path in ("/media/file", "/api/documents"):
        refused = client.get(path)
        assert refused.status_code == 401 and "secret" not in refused.text
    assert client.get("/api/health").json() == {"ok": True}
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream"):
        pass


def test_the_password_opens_everything_with_a_cookie_that_scripts_cannot_read(client):
    answer = sign_in(client)
    cookie = answer.headers["set-cookie"]
    assert answer.status_code == 303 and "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert client.get("/chat", headers=BROWSER).text == "secret"
    assert client.get("/api/documents").text == "secret"
    with client.websocket_connect("/_stcore/stream") as socket:
        assert socket.receive_text() == "hello"


def test_signing_out_closes_it_again(client):
    sign_in(client)
    client.get("/logout")
    assert COOKIE not in client.cookies
    assert client.get("/api/documents").status_code == 401


def test_a_cookie_that_was_copied_is_worth_nothing_after_signing_out(client, serve):
    sign_in(client)
    copied = {"cookie": f"{COOKIE}={client.cookies[COOKIE]}"}
    assert client.get("/api/documents", headers=copied).status_code == 200
    client.get("/logout")
    assert client.get("/api/documents", headers=copied).status_code == 401
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream", headers=copied):
        pass
    signed_out.cache_clear()  # as after a restart
    again = serve(AccessSettings(password_hash=KEPT))
    assert again.get("/api/documents", headers=copied).status_code == 401
    sign_in(again)
    assert again.get("/api/documents").status_code == 200


def test_a_connection_that_is_open_ends_with_its_session(client):
    sign_in(client)
    with client.websocket_connect("/waiting") as socket:
        assert socket.receive_text() == "waiting"
        client.get("/logout")
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_text()
    assert ended.value.code == 4401


def test_another_site_cannot_sign_anybody_out(client):
    sign_in(client)
    assert client.get("/logout", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/api/documents").status_code == 200


def test_a_wrong_password_is_refused_and_logged_and_many_have_to_wait(client, caplog):
    for _ in range(TRIES):
        assert sign_in(client, "wrong horse").status_code == 401
    refused = sign_in(client)
    assert refused.status_code == 429 and "set-cookie" not in refused.headers
    assert [record.levelname for record in caplog.records].count("WARNING") == TRIES
    assert "Wrong password from 'testclient', try 5 of 5" in caplog.text
    assert "wrong horse" not in caplog.text


def test_a_form_of_another_site_cannot_sign_anybody_in(client):
    assert sign_in(client, headers={"origin": "http://evil.example"}).status_code == 403


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil", "/login"])
def test_the_way_on_stays_on_this_server(client, target):
    answer = client.post("/login", params={"next": target}, content="password=correct+horse")
    assert answer.headers["location"] == "/"


def test_the_login_page_speaks_the_language_of_the_browser_and_repeats_nothing_unescaped(client):
    page = client.get("/login", params={"next": '/"><script>'}, headers={"accept-language": "zh-CN"})
    assert "登录" in page.text and "<script>" not in page.text


def test_a_command_of_this_machine_comes_in_with_the_token_in_the_folder(client, tmp_path):
    with announced(tmp_path, "http://127.0.0.1:1"):
        token = json.loads((tmp_path / FILE_NAME).read_text())["token"]
        assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
        assert client.get("/api/documents", headers={"authorization": f"Bearer {token}"}).text == "secret"
        assert client.get("/api/documents", headers={"authorization": "Bearer x"}).status_code == 401
    assert client.get("/api/documents", headers={"authorization": f"Bearer {token}"}).status_code == 401


def test_with_oidc_the_pages_ask_and_rest_is_closed(serve):
    client = serve(AccessSettings(oidc=True))
    assert client.get("/chat", headers=BROWSER).text == "secret"
    assert client.get("/api/documents").status_code == 401
