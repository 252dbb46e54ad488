"""A command's way to a library: its own, or the one of a running app that has the folder open.

The app writes ``server.json`` (its address) into the library folder; commands find it there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine.errors
from engine.errors import DropQAError, LibraryLockedError, StorageError
from engine.interfaces import stopping
from engine.interfaces.api import LocalApi, added
from engine.model import AddResult, Filters
from engine.settings_sources import library_folder, write_private

if TYPE_CHECKING:
    import httpx

    from engine.ingest import OnProgress, Source

FILE_NAME = "server.json"
# So often it is asked how far a report is, in seconds.
REPORT_LOOKS = 0.5


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


def connect(folder: Path, locked: LibraryLockedError) -> RemoteApi:
    """Return an API of the app that holds the folder; raise ``locked`` when it cannot be reached."""
    import httpx

    url, token = address_of(folder), {"Authorization": f"Bearer {server_token(folder)}"}
    try:
        client = httpx.Client(base_url=url or "", timeout=None, trust_env=False, headers=token)
        if Path(client.get("/api/health", timeout=5).json()["library"]) == folder:
            return RemoteApi(client)
    except (OSError, ValueError, KeyError, TypeError, httpx.HTTPError) as error:
        raise locked from error
    raise locked


class RemoteApi:
    """The library of a running app: what :class:`LocalApi` does, done there; raises the same errors as the app did."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., dict[str, Any]]:
        """Return what has the app call the method of this name; nothing is told of its progress."""

        def call(*arguments: Any) -> dict[str, Any]:
            told = [
                one.to_dict() if isinstance(one, Filters) else one for one in arguments if not callable(one)
            ]
            sent, kind = json.dumps(told, default=str), {"content-type": "application/json"}
            return self._call("POST", f"/api/command/{name}", content=sent, headers=kind)

        return call

    def add(self, sources: Sequence[Source], wait: bool, on_progress: OnProgress) -> dict[str, Any]:
        """Upload files one after the other: the app may not be able to read them."""
        results: list[Any] = []
        for source in sources:
            on_progress(source.name, "parse", 0.0)
            facts = {"name": source.name, "strategy": source.strategy, "collection": source.collection}
            with contextlib.ExitStack() as stack:
                try:
                    data: Any = source.data
                    data = stack.enter_context(data.open("rb")) if isinstance(data, Path) else data
                    params = {key: value for key, value in facts.items() if value is not None}
                    answer = self._call("PUT", "/api/documents", params=params, content=data)
                except OSError as error:
                    results += _failed(source.name, f"{source.name} cannot be read: {error.strerror}.")
                except DropQAError as error:
                    results += _failed(source.name, str(error))
                else:
                    results += answer["documents"]
        if wait:
            self._call("POST", "/api/embed")
        return {"documents": results}

    def report(
        self, subject: str, report_id: str, model: str, filters: Filters, on_progress: OnProgress
    ) -> dict[str, Any]:
        """Have the app write a report on a subject, or what is missing of the one named, and wait for it."""
        made = self.begin_report(subject, report_id, model, filters)
        while made["state"] in ("waiting", "writing"):
            on_progress("report", made["stage"] or "waiting", made["progress"])
            time.sleep(REPORT_LOOKS)
            made = self.kept_report(made["report_id"])
        return made

    def _call(self, method: str, path: str, **kwargs: Any) -> dict[str, Any]:
        import httpx

        try:
            response = self._client.request(method, path, **kwargs)
            answer = response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise StorageError(
                f"The running app did not answer: {error}. Restart it and try again."
            ) from error
        if response.status_code != 200:
            told = answer["error"]
            raise getattr(engine.errors, str(told["type"]), DropQAError)(told["message"])
        return dict(answer)


def _failed(name: str, error: str) -> list[dict[str, Any]]:
    return added([AddResult(None, name, None, "failed", error=error)])["documents"]


Api = LocalApi | RemoteApi


@contextlib.contextmanager
def opened(options: argparse.Namespace, background: bool = False) -> Iterator[Api]:
    """Open the library, with its background work or without, or reach the app that has it open."""
    from engine.library import Library

    with contextlib.ExitStack() as stack:
        try:
            with stopping.held():
                library = stack.enter_context(Library.open(options.library, background=background))
        except LibraryLockedError as locked:
            yield connect(library_folder(options.library), locked)
            return
        stack.enter_context(stopping.limited(library.end_work, library.storage.close))
        if background:
            stopping.watch()
        yield LocalApi(library, outlives_call=background)
