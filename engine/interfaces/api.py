"""The library as JSON: one method a command, the same dicts for ``--json`` and REST.

:class:`LocalApi` works on a Library of this process; ``engine.interfaces.client.RemoteApi`` has a running app do the
same. Every method takes and returns what JSON can hold, but for files and callbacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.ingest import OnProgress, Source
from engine.library import Library
from engine.model import AddResult, Filters
from engine.topics.library_topics import SUMMARISED
from engine.visited_library import within

# Whose conversations and reports those are that come from no browser.
LOCAL_OWNER = "local"


def untold(_name: str, _stage: str, _share: float) -> None:
    """Tell nobody of the progress."""


class LocalApi:
    """The library of this process as JSON."""

    def __init__(self, library: Library, *, outlives_call: bool) -> None:
        """``outlives_call``: background threads go on after the call, so vectors need not be awaited."""
        self._library = library
        self._outlives_call = outlives_call

    def add(self, sources: Sequence[Source], wait: bool, on_progress: OnProgress) -> dict[str, Any]:
        """Add files; ``wait`` also waits until their vectors are there."""
        results = self._library.add(sources, on_progress=on_progress)
        if wait or not self._outlives_call:
            read = self._finish(on_progress)
            results = [  # with the nodes that there are once scanned pages are read
                replace(one, nodes=read[one.document_id].nodes) if one.document_id in read else one
                for one in results
            ]
        return added(results)

    def follow(self, folders: Sequence[str], on_progress: OnProgress = untold) -> dict[str, Any]:
        """Look at folders once and take in what has changed."""
        found = self._library.follow(folders)
        if not self._outlives_call and not found.waiting:
            self._finish(on_progress)
        return found.to_dict()

    def _finish(self, on_progress: OnProgress) -> dict[str | None, AddResult]:
        """Do what the background does with added files; return those whose scanned pages were read, by document."""
        read = {done.document_id: done for done in self._library.read_pending(on_progress)}
        self._library.enrich_pending(on_progress)
        status = self._library.status()
        missing = status.retrievable - status.embedded
        self._library.embed_pending(lambda done: on_progress("", "embed", min(1.0, done / max(missing, 1))))
        self._library.settle(lambda share: on_progress("", "topics", share))
        while not self._outlives_call and self._library.storage.maintain():
            pass
        return read

    def documents(self, collections: Sequence[str] = ()) -> dict[str, Any]:
        """Return all documents, or those in collections."""
        found = within(self._library, collections).documents()
        return {"documents": [document.to_dict() for document in found]}

    def collections(self) -> dict[str, Any]:
        """Return the collections."""
        return {"collections": [one.to_dict() for one in self._library.collections.all()]}

    def create_collection(self, name: str) -> dict[str, Any]:
        """Make an empty collection."""
        return self._library.collections.create(name).to_dict()

    def rename_collection(self, reference: str, name: str) -> dict[str, Any]:
        """Give a collection another name."""
        return self._library.collections.rename(reference, name).to_dict()

    def delete_collection(self, reference: str) -> dict[str, Any]:
        """Forget a collection; its documents stay."""
        return self._library.collections.delete(reference).to_dict()

    def share_collection(
        self, reference: str, readers: Sequence[str], editors: Sequence[str]
    ) -> dict[str, Any]:
        """Say who may read and edit a collection; none: everyone."""
        return self._library.collections.share(reference, readers, editors).to_dict()

    def move_documents(self, documents: Sequence[str], collection: str | None) -> dict[str, Any]:
        """Put documents into a collection, None: into none."""
        return {"moved": self._library.collections.move(documents, collection)}

    def tree(self, reference: str, version: int | None) -> dict[str, Any]:
        """Return a document's node tree."""
        return self._library.tree(reference, version).to_dict()

    def versions(self, reference: str) -> dict[str, Any]:
        """Return a document's versions."""
        document = self._library.document(reference)
        versions = self._library.versions(document.document_id)
        return {
            "document_id": document.document_id,
            "name": document.name,
            "versions": [version.to_dict() for version in versions],
        }

    def search(
        self, query: str, mode: str, regex: bool, top_k: int | None, filters: Filters, as_text: bool = False
    ) -> dict[str, Any]:
        """Search; ``as_text`` adds the text that other agents read also where no model has changed the hits."""
        finder = self._library.finder.pinned()
        found = finder.search(query, mode=mode, regex=regex, top_k=top_k, filters=filters)
        told = finder.enhanced(found, always_as_text=as_text).to_dict()
        return {name: value for name, value in told.items() if value or name not in ("condensed", "text")}

    def ask(
        self,
        question: str,
        filters: Filters,
        path: str = "auto",
        max_iterations: int | None = None,
        history: Sequence[tuple[str, str]] = (),
    ) -> dict[str, Any]:
        """Answer a question; ``history`` holds the earlier (role, text) turns, the oldest first."""
        made = self._library.ask(
            question, filters=filters, path=path, max_iterations=max_iterations, history=history
        )
        return made.to_dict()

    def difference(self, reference: str, before: int, after: int) -> dict[str, Any]:
        """Return what differs between two versions of a document."""
        return self._library.version_history.difference(reference, before, after).to_dict()

    def summarize(
        self, document: str | None, topic: str | None, collection: str | None, version: int | None = None,
        section: str = "", nodes: Sequence[str] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """Summarise a topic, the documents of a collection, or a document, a section of it or chosen nodes."""
        if topic:
            return self._library.topics.summary(topic).to_dict()
        summaries = self._library.summaries
        if collection:
            title = self._library.collections.get(collection).name
            ids = [one.document_id for one in within(self._library, [collection]).documents()]
            return summaries.documents(ids[:SUMMARISED], title=title).to_dict()
        made = summaries.document(document or "", version=version, section=section, node_ids=nodes)
        return made.to_dict()

    def topics(self, collections: Sequence[str] = ()) -> dict[str, Any]:
        """Return the topics with their documents, of collections alone, told anew where documents have changed."""
        if not self._outlives_call:
            self._library.topics.refresh()
        found = within(self._library, collections).topics.all()
        return {"topics": [topic.to_dict() for topic in found]}

    def merge_topics(self, topic: str, other: str) -> dict[str, Any]:
        """Put the documents of another topic into a topic, and return the topics."""
        self._library.topics.merge(topic, other)
        return self.topics()

    def report(
        self, subject: str, report_id: str, model: str, filters: Filters, on_progress: OnProgress
    ) -> dict[str, Any]:
        """Write a report on a subject, or what is missing of the one named, and return it."""
        begun = self.begin_report(subject, report_id, model, filters)
        self._library.reports.write_waiting(on_progress)
        return self.kept_report(begun["report_id"])

    def begin_report(self, subject: str, report_id: str, model: str, filters: Filters) -> dict[str, Any]:
        """Begin a report, or go on with the one named; it is written in the background."""
        kept = self._library.reports
        if report_id:
            return kept.resume(LOCAL_OWNER, report_id).to_dict()
        return kept.start(LOCAL_OWNER, subject, filters=filters, model=model).to_dict()

    def kept_report(self, report_id: str) -> dict[str, Any]:
        """Return a report as it stands."""
        return self._library.reports.get(LOCAL_OWNER, report_id).to_dict()

    def reports(self) -> dict[str, Any]:
        """Return the reports, without their texts."""
        return {"reports": [one.to_dict() for one in self._library.reports.list(LOCAL_OWNER)]}

    def remove(self, reference: str) -> dict[str, Any]:
        """Remove a document."""
        document = self._library.remove(reference)
        return {"removed": [{"document_id": document.document_id, "name": document.name}]}

    def reindex(self, reference: str | None, on_progress: OnProgress = untold) -> dict[str, Any]:
        """Parse originals again."""
        results = self._library.reindex(reference, on_progress)
        if not self._outlives_call:
            while self._library.storage.maintain():
                pass
            self._library.read_pending(on_progress)
            self._library.embed_pending()
            self._library.settle()
        return added(results)

    def doctor(self, deep: bool = False) -> dict[str, Any]:
        """Check the library; ``deep`` reads everything in it."""
        return {"checks": [check.to_dict() for check in self._library.doctor(deep)]}

    def back_up(self, target: str) -> dict[str, Any]:
        """Copy the library into an empty folder of this machine."""
        return copied(Path(target), self._library.back_up(Path(target)))

    def export_nodes(self, question: str, top_k: int | None, filters: Filters, out: Path) -> dict[str, Any]:
        """Write the nodes that a question finds below a folder, a file a document."""
        from engine.export.nodes import write_node_files

        files = self._library.finder.retrieved_nodes(question, filters=filters, top_k=top_k)
        return write_node_files(files, out)

    def export_indexes(self, reference: str, out: Path) -> dict[str, Any]:
        """Write a document's index artefacts below a folder."""
        return self._library.export_indexes(reference, out)


def copied(folder: Path, files: Mapping[str, tuple[int, str]]) -> dict[str, Any]:
    """Return the JSON of ``dropqa backup`` and ``restore``."""
    return {"folder": str(folder), "files": len(files), "bytes": sum(size for size, _ in files.values())}


def added(results: Sequence[AddResult]) -> dict[str, Any]:
    """Return the JSON of ``dropqa add``."""
    return {"documents": [result.to_dict() for result in results]}


def event_to_dict(event: Any) -> dict[str, Any]:
    """Return an answer event as JSON: ``{"token": text}``, ``{"discard": reason}`` or ``{"step": TraceStep}``.

    After ``discard`` the tokens so far are void.
    """
    from engine.answer.events import Discard, Token

    if isinstance(event, Token):
        return {"token": event.text}
    if isinstance(event, Discard):
        return {"discard": event.reason}
    return {"step": event.to_dict()}
