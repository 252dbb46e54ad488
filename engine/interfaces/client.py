"""A command's way to a library: its own, or the one of a running app that has the folder open.

The app writes ``server.json`` (its address) into the library folder; commands find it there.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine.errors
from engine.errors import DropQAError, StorageError
from engine.interfaces import stopping
from engine.settings_sources import library_folder, write_private

if TYPE_CHECKING:
    import httpx

    from engine.ingest import OnProgress
    from engine.interfaces.render import Result

FILE_NAME = "server.json"
Do = Callable[[Namespace, "OnProgress"], "Result"]


@contextlib.contextmanager
def announced(folder: Path, url: str) -> Iterator[None]:
    """Write the address under which this process serves the library; take it away at the end."""
    path = folder / FILE_NAME
    with contextlib.suppress(OSError):  # where nothing can be written, commands cannot reach the app
        # Whoever can read the token may do what the app may.
        told = {"url": url, "pid": os.getpid(), "token": secrets.token_urlsafe(32)}
        write_private(path, json.dumps(told))
    try:
        yield
    finally:
        withdraw(folder)


def withdraw(folder: Path) -> None:
    """Take away the address that :func:`announced` wrote; harmless when it is gone already."""
    with contextlib.suppress(OSError):
        (folder / FILE_NAME).unlink(missing_ok=True)


def server_token(folder: Path) -> str | None:
    """Return what a command of this machine shows the app that has the folder open; None without one."""
    return _announced(folder, "token")


def address_of(folder: Path) -> str | None:
    """Return the address of the app that has the folder open; None without one."""
    return _announced(folder, "url")


def _announced(folder: Path, name: str) -> str | None:
    try:
        found = json.loads((folder / FILE_NAME).read_text("utf-8"))[name]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return str(found) or None


def connect(folder: Path) -> Do | None:
    """Return what does commands in the app that has the folder open; None where none can be reached."""
    url, token = address_of(folder), {"Authorization": f"Bearer {server_token(folder)}"}
    if url is None:
        return None
    import httpx

    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, httpx.HTTPError):
        client = httpx.Client(base_url=url, timeout=None, trust_env=False, headers=token)
        if Path(client.get("/api/health", timeout=5).json()["library"]) == folder:
            return partial(do_there, client)
    return None


def do_there(client: httpx.Client, options: Namespace, on_progress: OnProgress) -> Result:
    """Have an app do a command, given its options, as it would be done here; raises the same errors."""
    import httpx

    told: dict[str, Any] = {}
    try:
        with client.stream("POST", f"/api/command/{options.command}", json=vars(options)) as lines:
            for line in lines.iter_lines():
                told = json.loads(line)
                if "progress" in told:
                    on_progress(*told["progress"])
        if "error" not in told:
            return dict(told["answer"])
    except (httpx.HTTPError, ValueError, KeyError) as error:
        raise StorageError(f"The running app did not answer: {error}. Restart it and try again.") from error
    kind = getattr(engine.errors, str(told["error"]["type"]), DropQAError)
    raise kind(told["error"]["message"])


@contextlib.contextmanager
def opened(options: Namespace, background: bool = False) -> Iterator[Do]:
    """Give what does commands: on the library, with its background work or without, or in the app that has it open."""
    if (there := connect(library_folder(options.library))) is not None:  # nothing of a library is loaded here then
        yield there
        return
    from engine.interfaces.library_commands import ON_LIBRARY
    from engine.library import Library

    with contextlib.ExitStack() as stack:
        with stopping.held():
            library = stack.enter_context(Library.open(options.library, background=background))
        stack.enter_context(stopping.limited(library.end_work, library.storage.close))
        if background:
            stopping.watch()
        yield lambda options, on_progress: ON_LIBRARY[options.command](library, options, on_progress)


def on_library(options: Namespace) -> Result:
    """Do a command on the library, or have the app do it that has it open."""
    with opened(options) as do:
        return do(options, told_on_stderr)


def told_on_stderr(name: str, stage: str, share: float) -> None:
    """Tell at a terminal how far a command is."""
    if sys.stderr.isatty():
        print(f"\r\033[K{stage} {share:4.0%} {name}", end="" if share < 1 else "\n", file=sys.stderr, flush=True)
