"""What is refused at the door: bodies that are too long, and what pages of other sites ask for."""

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from engine.errors import AccessError
from engine.interfaces.limits import BodyLimit, SameOrigin
from engine.interfaces.rest_errors import refused

MOST = 1000
read: list[int] = []


async def take(request):
    read.append(len(await request.body()))
    return JSONResponse({"read": read[-1]})


async def greet(socket):
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


def refused_here(scope) -> int:
    if scope["path"] == "/closed":
        raise AccessError("Nothing is taken here.")
    return MOST


@pytest.fixture
def client() -> TestClient:
    read.clear()
    routes = [
        Route("/", take, methods=["GET", "POST", "PUT"]),
        Route("/closed", take, methods=["POST"]),
        WebSocketRoute("/socket", greet),
    ]
    middleware = [Middleware(SameOrigin), Middleware(BodyLimit, allowance=refused_here)]
    app = Starlette(routes=routes, middleware=middleware, exception_handlers={HTTPException: refused})
    return TestClient(app, base_url="http://localhost:8501")


def pieces(count: int):
    for _ in range(count):
        yield b"x" * 100


def test_what_fits_comes_through_whole_or_in_pieces(client):
    assert client.post("/", content=b"x" * MOST).json() == {"read": MOST}
    assert client.post("/", content=pieces(10)).json() == {"read": MOST}


def test_what_announces_too_much_is_not_read(client):
    answer = client.post("/", content=b"x" * (MOST + 1))
    assert answer.status_code == 413 and answer.json()["error"]["type"] == "LimitExceededError"
    assert read == []


def test_what_announces_nothing_is_stopped_on_the_way(client):
    answer = client.post("/", content=pieces(11))
    assert answer.status_code == 413
    assert read == []


def test_a_length_that_is_no_number_is_refused(client):
    assert client.post("/", content=pieces(1), headers={"content-length": "-1"}).status_code == 413


def test_where_nothing_is_taken_nothing_is_read(client):
    answer = client.post("/closed", content=pieces(5))
    assert answer.status_code == 403 and answer.json()["error"]["message"] == "Nothing is taken here."
    assert read == []


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:9999", "http://127.0.0.1:8501", "null", "http://[::"]
)
def test_pages_of_other_sites_reach_no_socket_and_change_nothing(client, origin):
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://localhost:8501/socket", headers={"origin": origin}),
    ):
        pass
    assert client.post("/", content=b"x", headers={"origin": origin}).status_code == 403
    assert read == []


@pytest.mark.parametrize("headers", [{"origin": "http://localhost:8501"}, {}])
def test_the_apps_own_pages_and_programs_do(client, headers):
    with client.websocket_connect("ws://localhost:8501/socket", headers=headers) as socket:
        assert socket.receive_text() == "hello"
    assert client.post("/", content=b"x", headers=headers).status_code == 200
