"""A real server of the doors, over a library of this process."""

import contextlib
from collections.abc import Callable, Iterator

import pytest
from served_library import served

from engine.library import Library

Serve = Callable[[Library], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve a library on a loopback port and return the address; it ends with the test."""
    with contextlib.ExitStack() as running:
        yield lambda library: running.enter_context(served(library))
