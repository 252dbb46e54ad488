"""The versions of one library's documents: what differs, going back, letting go."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain

from engine.answer.events import OnEvent
from engine.errors import NotFoundError, ProviderError, UsageError
from engine.ingest import Source
from engine.model import Answer, Document, Filters, SearchResult, Version
from engine.providers.llm import Llm
from engine.versions.answering import Telling, cannot_tell
from engine.versions.asking import Numbers, VersionQuestion, read
from engine.versions.changes import Difference
from engine.versions.difference import difference
from storage.base import Storage


class VersionHistory:
    """Compares, restores and deletes versions. All methods may be called from any thread."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def difference(self, reference: str, before: int, after: int) -> Difference:
        """Return how version ``after`` differs from version ``before``. Raises NotFoundError, UsageError."""
        document = self._storage.document(reference)
        if before == after:
            raise UsageError(f"Version {before} is compared with itself. Give two different versions.")
        for version in (before, after):
            self._version(document, version)
        trees = [self._storage.tree(document.document_id, version) for version in (before, after)]
        return difference(*trees)

    def answer(
        self, question: str, filters: Filters, ask: Callable[..., Answer],
        search: Callable[..., SearchResult], llm: Llm | None = None, on_event: OnEvent | None = None,
    ) -> Answer | None:  # fmt: skip
        """Answer a question about versions; None for any other question.

        ``ask`` answers an ordinary question within filters: what is asked of an old version is asked of it alone.
        With a model it is asked what changed, too, over what did. ``search`` finds where a subject stands.
        """
        numbers = cache(lambda key: sorted(one.version for one in self._storage.versions(key)))
        asked = None
        if documents := [one for one in self._storage.documents_within(filters) if one.versions > 1]:
            with suppress(ProviderError):  # without its model only an ordinary question is left
                asked = read(question, filters, documents, numbers)
        if asked is None:
            return None
        if asked.kind in ("which", "unknown"):
            return cannot_tell(question, asked, numbers)
        if asked.kind == "as_of":
            within = replace(filters, documents=(asked.documents[0].document_id,), version=asked.before)
            return ask(asked.question, within)
        told = self._told(question, asked, filters, numbers, search)
        write = partial(ask, question, filters) if llm else None
        return None if told is None else told.answer(on_event or (lambda _event: None), write)

    def _told(
        self, question: str, asked: VersionQuestion, filters: Filters, numbers: Numbers,
        search: Callable[..., SearchResult],
    ) -> Telling | None:  # fmt: skip
        """Return what changed between the versions that are meant; None where nothing did and all is not sure."""
        ids = [one.document_id for one in asked.documents]
        if not asked.named:  # the one that tells of it, of all
            best = search(asked.question, filters=filters, top_k=1).hits
            ids = [hit.document_id for hit in best if hit.document_id in ids]
        if not ids:
            return None
        known, told = numbers(ids[0]), None
        spans = [(asked.before, asked.after)] if asked.numbered else [tuple(known[-2:]), (known[0], known[-1])]
        for span in dict.fromkeys(spans):
            told = self._compared(question, asked.question, ids[0], span, search)
            if told.found_about:
                return told
        return told if asked.sure else None

    def _compared(
        self, question: str, subject: str, document: str, versions: Sequence[int], search: Callable[..., SearchResult]
    ) -> Telling:
        trees = [self._storage.tree(document, one) for one in versions]
        within = [Filters(documents=(document,), version=one) for one in versions]
        places = [search(subject, filters=one, top_k=1).hits for one in within] if subject else []
        return Telling(question, subject, difference(*trees), trees, chain.from_iterable(places))

    def source(self, reference: str, version: int) -> Source:
        """Return a version's original as a file that can be added again under its name. Raises NotFoundError."""
        document = self._storage.document(reference)
        found = self._version(document, version)
        return Source(document.name, self._storage.files.verified(found.sha256))

    def _version(self, document: Document, version: int) -> Version:
        for found in self._storage.versions(document.document_id):
            if found.version == version:
                return found
        raise NotFoundError(f"{document.name} has no version {version}. `dropqa versions` lists them.")

    def delete(self, reference: str, version: int) -> Document:
        """Delete one version and return the document as it is then: the newest that is left is current.

        Raises NotFoundError, UsageError for the only version.
        """
        document = self._storage.document(reference)
        self._version(document, version)
        with self._storage.unit_of_work() as unit:
            unit.delete_version(document.document_id, version)
            unit.commit()
        return self._storage.document(document.document_id)
