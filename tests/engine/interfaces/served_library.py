"""A library served by the real server of the doors, for tests."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import uvicorn

from engine.interfaces.doors import create_server
from engine.library import Library


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
