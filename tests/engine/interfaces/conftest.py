"""A real server of the doors, over a library of this process."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn

from engine.interfaces.doors import create_server
from engine.library import Library

Serve = Callable[[Library], str]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve a library on a loopback port and return the address; it ends with the test."""
    with contextlib.ExitStack() as running:

        def begin(library: Library) -> str:
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

            def end() -> None:
                server.should_exit = True
                thread.join(10)

            running.callback(end)
            return f"http://127.0.0.1:{port}"

        yield begin
