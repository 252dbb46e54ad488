"""Take a question set into a library, and tell which passage a hit belongs to.

The passages of a corpus go in as text documents, one each; a set of pages goes in as its PDF files, and its
passages are pages, ``<file name without .pdf>#<page from 0>``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.errors import StorageError
from engine.evaluate.datasets import Dataset, Passage, Question
from engine.evaluate.evidence import Gold
from engine.ingest import Source
from engine.model import Hit, document_id_for
from engine.parse.filename import clean_name

if TYPE_CHECKING:
    from engine.config import Strategy
    from engine.library import Library


@dataclass(frozen=True)
class Intake:
    """What became of a set: passage or file names by document id, seconds, size and reuse of vectors."""

    library: Library
    names: Mapping[str, str]
    of_pages: bool
    seconds: float
    size: dict[str, Any]
    cache: dict[str, int]

    def passage_of(self, hit: Hit) -> str | None:
        """Return the id of the passage that a hit belongs to, None for another document's."""
        return self.passage_at(hit.document_id, hit.page)

    def passage_at(self, document_id: str, page: int | None) -> str | None:
        """Return the id of the passage that a place of a document belongs to, None for another document's."""
        name = self.names.get(document_id)
        if name is None or not self.of_pages:
            return name
        return None if page is None else f"{name}#{page - 1}"

    def gold(self, question: Question) -> Gold | None:
        """Return a question's evidence, None where the set has no answers or no pages."""
        answers = question.facts.get("answers")
        if not self.of_pages or not isinstance(answers, list):
            return None
        documents = {passage.rpartition("#")[0] for passage in question.gold}
        nodes = [
            node
            for document_id, name in self.names.items()
            if name in documents
            for node in self.library.tree(document_id).nodes
            if node.page is not None and f"{name}#{node.page - 1}" in question.gold
        ]
        return Gold(question.gold, nodes, [str(answer) for answer in answers])


def take_in(library: Library, dataset: Dataset, strategy: Strategy | None = None) -> Intake:
    """Add a set, indexed by a strategy, and compute its vectors.

    Raises StorageError when a passage or file cannot be taken in.
    """
    started = time.perf_counter()
    names = _added(library, dataset, strategy)
    embedded = library.embed_pending()
    while library.storage.maintain():
        pass
    after = library.status()
    seconds = round(time.perf_counter() - started, 2)
    cache = {"vectors": after.embedded, "computed": embedded, "reused": after.embedded - embedded}
    # The originals are not counted: they are as large however they are indexed.
    kept = [one for one in library.folder.rglob("*") if one.relative_to(library.folder).parts[0] != "files"]
    made = sum(one.stat().st_size for one in kept if one.is_file())
    size = {"nodes": after.nodes, "bytes": made, "peak_memory_mb": peak_memory_mb()}
    return Intake(library, names, bool(dataset.files), seconds, size, cache)


def _added(library: Library, dataset: Dataset, strategy: Strategy | None) -> dict[str, str]:
    """Add the files or texts of a set; return their names by document id. Raises StorageError."""
    if dataset.files:
        results = library.add([Source(clean_name(path.name), path, strategy) for path in dataset.files])
        names = {document_id_for(clean_name(path.name)): path.stem for path in dataset.files}
    else:
        texts = (f"{one.title}\n\n{one.text}" if one.title else one.text for one in dataset.passages)
        results = library.add_texts(zip(map(_name, dataset.passages), texts, strict=True), strategy)
        names = {document_id_for(_name(one)): one.passage_id for one in dataset.passages}
    if failed := [result for result in results if result.status == "failed"]:
        raise StorageError(f"{len(failed)} passages could not be added; {failed[0].name}: {failed[0].error}")
    return names


def peak_memory_mb() -> float | None:
    """Return the most memory that this process has used, in MB; None where the system does not tell."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def _name(passage: Passage) -> str:
    return clean_name(f"{passage.passage_id}.txt")
