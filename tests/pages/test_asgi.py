import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit import net_util
from streamlit.web.server import server_util

from asgi import Protect, policy
from engine.config import AccessSettings
from engine.interfaces.identity import OWNER_COOKIE as COOKIE
from engine.interfaces.identity import new_token, valid_token

PAGE = {"accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/", lambda _: HTMLResponse("<p>")), Route("/data", lambda _: PlainTextResponse("x"))]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Protect)]))


@pytest.mark.parametrize("path", ["/", "/data", "/missing"])
def test_every_response_forbids_foreign_content(client: TestClient, path):
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "img-src 'self' data: blob:" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "strict-transport-security" not in headers  # only where the way here is encrypted


@pytest.mark.parametrize(
    ("host", "sockets"),
    [
        ("docs.example:8501", "'self' ws://docs.example:8501 wss://docs.example:8501 blob: data:"),
        ("[::1]:8501", "'self' ws://[::1]:8501 wss://[::1]:8501 blob: data:"),
        ("x; script-src *", "'self'  blob: data:"),
        ("evil.example *", "'self'  blob: data:"),
        ("", "'self'  blob: data:"),
    ],
)
def test_sockets_of_a_page_lead_back_to_its_host_and_nowhere_else(host, sockets):
    assert f"; connect-src {sockets}; " in policy(host)


def test_an_encrypted_page_asks_to_stay_so(client: TestClient):
    assert client.get("https://testserver/").headers["strict-transport-security"]


def test_a_first_page_brings_the_owner_cookie_and_the_next_one_does_not(client: TestClient):
    first = client.get("/", headers=PAGE)
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert valid_token(client.cookies[COOKIE])
    assert "set-cookie" not in client.get("/", headers=PAGE).headers


def test_only_pages_bring_the_cookie(client: TestClient):
    assert "set-cookie" not in client.get("/data").headers


def test_a_forged_cookie_is_replaced(client: TestClient):
    forged = client.get("/", headers=PAGE | {"cookie": f"{COOKIE}=local"})
    assert "set-cookie" in forged.headers
    kept = client.get("/", headers=PAGE | {"cookie": f"a=b; {COOKIE}={new_token()}"})
    assert "set-cookie" not in kept.headers


def test_nobody_elsewhere_is_asked_for_this_machines_address(monkeypatch):
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda *_, **__: pytest.fail("somebody was asked"))
    assert not server_util.is_url_from_allowed_origins("http://evil.example")


def test_other_sites_may_show_the_app_only_where_they_are_named():
    assert policy("127.0.0.1:8501").endswith("frame-ancestors 'self'")
    assert policy("127.0.0.1:8501", ("https://wiki.example.org",)).endswith("'self' https://wiki.example.org")
    embedded = Starlette(
        routes=[Route("/", lambda _: HTMLResponse("<p>"))],
        middleware=[Middleware(Protect, sites=lambda: ("https://wiki.example.org",))],
    )
    assert "x-frame-options" not in TestClient(embedded).get("/").headers
    for site in ("*", "https://a.example; script-src *", "wiki.example.org"):
        with pytest.raises(ValueError, match="embed_from"):
            AccessSettings(embed_from=(site,))
