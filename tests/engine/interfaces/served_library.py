"""A library behind its routes or behind the real server of the doors, for tests."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache

import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from engine.ingest import OnProgress
from engine.interfaces.cli import _parser
from engine.interfaces.client import do_there
from engine.interfaces.doors import create_server
from engine.interfaces.identity import LOCAL_OWNER
from engine.interfaces.render import Result
from engine.interfaces.rest import create_api
from engine.library import Library

_now: list[Callable[[], Library]] = []


@cache
def _api() -> FastAPI:
    """The routes; to make them costs more than most tests of them, so there is one for all, over what is tested now."""
    return create_api(lambda: _now[-1](), lambda request: request.headers.get("x-owner", LOCAL_OWNER))


def rest_of(get_library: Callable[[], Library]) -> FastAPI:
    """Return an app with the routes at ``/api``, over this library until it is called again.

    The header ``x-owner`` names the caller.
    """
    _now[:] = [get_library]
    app = FastAPI()
    app.mount("/api", _api())
    return app


def commanded(client: TestClient, on_progress: OnProgress = lambda *_: None) -> Callable[..., Result]:
    """Return what has the app behind a client do a command, given as at a terminal."""
    return lambda *arguments: do_there(client, _parser().parse_args(arguments), on_progress)


@contextlib.contextmanager
def served(library: Library) -> Iterator[str]:
    """Serve a library on a loopback port; give the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = create_server(lambda: library, library.folder)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
