"""The command line's way to a library that a running app has open.

The app writes ``server.json`` (its address) into the library folder; commands find it there.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import engine.errors
from engine.errors import DropQAError, LibraryLockedError, StorageError
from engine.interfaces.api import OnProgress
from engine.model import Filters

if TYPE_CHECKING:
    import httpx

    from engine.ingest import Source

FILE_NAME = "server.json"
# So often it is asked how far a report is, in seconds.
REPORT_LOOKS = 0.5


@contextlib.contextmanager
def announced(folder: Path, url: str) -> Iterator[None]:
    """Write the address under which this process serves the library; take it away at the end."""
    path = folder / FILE_NAME
    with contextlib.suppress(OSError):  # where nothing can be written, commands cannot reach the app
        path.touch(0o600)
        path.chmod(0o600)  # whoever can read the token may do what the app may
        path.write_text(
            json.dumps({"url": url, "pid": os.getpid(), "token": secrets.token_urlsafe(32)}), "utf-8"
        )
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

    try:
        url = json.loads((folder / FILE_NAME).read_text("utf-8"))["url"]
        token = {"Authorization": f"Bearer {server_token(folder)}"}
        client = httpx.Client(base_url=url, timeout=None, trust_env=False, headers=token)
        if Path(client.get("/api/health", timeout=5).json()["library"]) == folder:
            return RemoteApi(client)
    except (OSError, ValueError, KeyError, TypeError, httpx.HTTPError) as error:
        raise locked from error
    raise locked


class RemoteApi:
    """The library of a running app, over REST; raises the same errors as the app did."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def add(self, sources: Sequence[Source], wait: bool, on_progress: OnProgress) -> dict[str, Any]:
        """Upload files one after the other."""
        results: list[Any] = []
        for source in sources:
            on_progress(source.name, "parse", 0.0)
            with contextlib.ExitStack() as stack:
                data: Any = source.data
                if isinstance(data, Path):
                    try:
                        data = stack.enter_context(data.open("rb"))
                    except OSError as error:
                        text = f"{source.name} cannot be read: {error.strerror}."
                        results.append(_failed(source.name, text))
                        continue
                try:
                    answer = self._call(
                        "PUT",
                        "/api/documents",
                        params=_given(
                            name=source.name, strategy=source.strategy, collection=source.collection
                        ),
                        content=data,
                    )
                except DropQAError as error:
                    results.append(_failed(source.name, str(error)))
                else:
                    results += answer["documents"]
        if wait:
            self._call("POST", "/api/embed")
        return {"documents": results}

    def follow(self, folders: Sequence[str], on_progress: OnProgress) -> dict[str, Any]:
        """Have the app look at folders once and take in what has changed."""
        return self._call("POST", "/api/follow", json={"folders": list(folders)})

    def documents(self, collections: Sequence[str] = ()) -> dict[str, Any]:
        """Return all documents, or those in collections."""
        return self._pages("documents", collections)

    def collections(self) -> dict[str, Any]:
        """Return the collections."""
        return self._pages("collections")

    def create_collection(self, name: str) -> dict[str, Any]:
        """Make an empty collection."""
        return self._call("POST", "/api/collections", json={"name": name})

    def rename_collection(self, reference: str, name: str) -> dict[str, Any]:
        """Give a collection another name."""
        return self._call("PATCH", f"/api/collections/{_quoted(reference)}", json={"name": name})

    def delete_collection(self, reference: str) -> dict[str, Any]:
        """Forget a collection; its documents stay."""
        return self._call("DELETE", f"/api/collections/{_quoted(reference)}")

    def share_collection(
        self, reference: str, readers: Sequence[str], editors: Sequence[str]
    ) -> dict[str, Any]:
        """Say who may read and edit a collection; none: everyone."""
        body = {"readers": list(readers), "editors": list(editors)}
        return self._call("PATCH", f"/api/collections/{_quoted(reference)}", json=body)

    def move_documents(self, documents: Sequence[str], collection: str | None) -> dict[str, Any]:
        """Put documents into a collection, None: into none."""
        body = {"documents": list(documents), "collection": collection}
        return self._call("POST", "/api/documents/move", json=body)

    def tree(self, reference: str, version: int | None) -> dict[str, Any]:
        """Return a document's node tree."""
        return self._call("GET", "/api/tree", params=_given(document=reference, version=version))

    def versions(self, reference: str) -> dict[str, Any]:
        """Return a document's versions."""
        return self._call("GET", f"/api/documents/{_quoted(reference)}/versions")

    def search(
        self, query: str, mode: str, regex: bool, top_k: int | None, filters: Filters
    ) -> dict[str, Any]:
        """Search."""
        body = {"query": query, "mode": mode, "regex": regex, "top_k": top_k, **_filters(filters)}
        return self._call("POST", "/api/search", json=body)

    def ask(
        self,
        question: str,
        filters: Filters,
        path: str = "auto",
        max_iterations: int | None = None,
        history: Sequence[tuple[str, str]] = (),
    ) -> dict[str, Any]:
        """Answer a question; ``history`` holds the earlier (role, text) turns, the oldest first."""
        turns = [{"role": role, "text": text} for role, text in history]
        body = {"question": question, "path": path, "max_iterations": max_iterations, "history": turns}
        return self._call("POST", "/api/ask", json=body | _filters(filters))

    def difference(self, reference: str, before: int, after: int) -> dict[str, Any]:
        """Return what differs between two versions of a document."""
        params = {"document": reference, "before": before, "after": after}
        return self._call("GET", "/api/diff", params=params)

    def summarize(
        self, reference: str, version: int | None, section: str, node_ids: Sequence[str]
    ) -> dict[str, Any]:
        """Summarise a document, a section of it, or chosen nodes."""
        body = {"document": reference, "version": version, "section": section, "nodes": list(node_ids)}
        return self._call("POST", "/api/qa/summarize", json=body)

    def topics(self, collections: Sequence[str] = ()) -> dict[str, Any]:
        """Return the topics with their documents, of collections alone."""
        return self._pages("topics", collections)

    def merge_topics(self, topic: str, other: str) -> dict[str, Any]:
        """Put the documents of another topic into a topic."""
        self._call("POST", "/api/topics/merge", json={"topic": topic, "other": other})
        return self.topics()

    def summarize_topic(self, topic: str) -> dict[str, Any]:
        """Summarise the documents of a topic."""
        return self._call("POST", "/api/qa/summarize", json={"topic": topic})

    def report(
        self, subject: str, report_id: str, model: str, filters: Filters, on_progress: OnProgress
    ) -> dict[str, Any]:
        """Have the app write a report on a subject, or what is missing of the one named, and wait for it."""
        if report_id:
            made = self._call("POST", f"/api/reports/{_quoted(report_id)}/resume", json={})
        else:
            made = self._call(
                "POST", "/api/reports", json={"subject": subject, "model": model} | _filters(filters)
            )
        while made["state"] in ("waiting", "writing"):
            on_progress("report", made["stage"] or "waiting", made["progress"])
            time.sleep(REPORT_LOOKS)
            made = self._call("GET", f"/api/reports/{made['report_id']}")
        return made

    def reports(self) -> dict[str, Any]:
        """Return the reports, without their texts."""
        return self._pages("reports")

    def summarize_collection(self, collection: str) -> dict[str, Any]:
        """Summarise the documents of a collection."""
        return self._call("POST", "/api/qa/summarize", json={"collection": collection})

    def remove(self, reference: str) -> dict[str, Any]:
        """Remove a document."""
        return self._call("DELETE", f"/api/documents/{_quoted(reference)}")

    def reindex(self, reference: str | None, on_progress: OnProgress) -> dict[str, Any]:
        """Parse originals again."""
        path = f"/api/documents/{_quoted(reference)}/reindex" if reference else "/api/reindex"
        return self._call("POST", path)

    def doctor(self, deep: bool = False) -> dict[str, Any]:
        """Check the library; ``deep`` reads everything in it."""
        return self._call("GET", "/api/doctor", params={"deep": deep})

    def back_up(self, target: str) -> dict[str, Any]:
        """Have the app copy its library into an empty folder of this machine."""
        return self._call("POST", "/api/backup", json={"folder": target})

    def export_nodes(self, question: str, top_k: int | None, filters: Filters, out: Path) -> dict[str, Any]:
        """Write the nodes that a question finds below a folder, a file a document."""
        from engine.export.nodes import write_node_files

        body = {"query": question, "top_k": top_k, **_filters(filters)}
        return write_node_files(self._call("POST", "/api/export/nodes", json=body)["files"], out)

    def export_indexes(self, reference: str, out: Path) -> dict[str, Any]:
        """Write a document's index artefacts below a folder."""
        from engine.export.archive import unpack

        response = self._client.get("/api/export/indexes", params={"document": reference})
        if response.status_code != 200:
            _raise(response.json())
        return unpack(response.content, out)

    def _pages(self, name: str, collections: Sequence[str] = ()) -> dict[str, Any]:
        """Return a whole list, asked for part by part."""
        found: list[Any] = []
        start: int | None = 0
        while start is not None:
            page = self._call(
                "GET", f"/api/{name}", params={"offset": start, "collection": list(collections)}
            )
            found, start = found + page[name], page["next"]
        return {name: found}

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
            _raise(answer)
        return dict(answer)


def _raise(answer: dict[str, Any]) -> None:
    error = answer["error"]
    raise getattr(engine.errors, str(error["type"]), DropQAError)(error["message"])


def _quoted(reference: str) -> str:
    return quote(reference, safe="")


def _failed(name: str, error: str) -> dict[str, Any]:
    from engine.model import AddResult

    return AddResult(None, name, None, "failed", error=error).to_dict()


def _filters(filters: Filters) -> dict[str, Any]:
    return {
        "document": list(filters.documents),
        "topic": list(filters.topics),
        "role": list(filters.roles),
        "section": filters.section,
        "version": filters.version,
        "pages": filters.pages,
        "level": list(filters.levels),
        "unit": list(filters.units),
        "chart_type": list(filters.chart_types),
        "has_numbers": filters.has_numbers,
        "collection": list(filters.collections),
    }


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
