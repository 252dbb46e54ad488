"""``dropqa repair``: a library whose catalog is lost, or too old, is made whole again from its original files."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from engine.config import Settings
from engine.errors import DropQAError
from engine.index.strategies import WITHOUT_MODEL_NOTHING
from engine.ingest import Ingest, OnProgress, Received, stages_of
from engine.model import AddResult, document_id_for
from engine.outdated import READING
from engine.parse.detect import detect
from engine.parse.worker import ParseWorker
from storage.base import Original, Storage
from storage.embedded import open_storage

SYNONYM_FILE = "synonyms.toml"
# What a kind of content is called at the end of a name, where that is not the kind itself.
_SUFFIXES = {"mail": "eml", "markdown": "md", "text": "txt", "picture": "png"}


def repair(
    folder: Path, load_settings: Callable[[Path], Settings], on_progress: OnProgress | None = None
) -> list[AddResult]:
    """Take in again every original that the catalog does not know, as the version that it was.

    A catalog that is missing, empty or damaged is replaced first, with conversations, topics and saved questions from
    the newest snapshot; the old one is kept in ``snapshots``. Nothing is deleted. What is interrupted goes on when it
    is called again. Raises LibraryLockedError, NotALibraryError, StorageError.
    """
    with closing(open_storage(folder, repair=True)) as storage:
        settings = load_settings(folder)  # a snapshot may just have brought them back
        parser = ParseWorker(settings.parsing_in_force, folder / SYNONYM_FILE, settings.summary)
        with closing(parser) as worker:
            if not storage.documents():
                storage.note_reading(READING)  # all of it is read now
            ingest = Ingest(storage, worker, worker, lambda: settings, folder / "ocr")
            return [_take_in(one, storage, ingest, settings, on_progress) for one in storage.strays()]


def _take_in(
    original: Original, storage: Storage, ingest: Ingest, settings: Settings, on_progress: OnProgress | None
) -> AddResult:
    name = original.name or f"recovered {original.sha256[:8]}"
    try:
        path = storage.files.verified(original.sha256)
        if not original.name:
            kind = detect(path, name)
            name = f"{name}.{_SUFFIXES.get(kind, kind)}"
        received = _received(replace(original, name=name), settings)
        return ingest.process(received, stages_of(name, on_progress))
    except DropQAError as error:
        return AddResult(original.document_id or None, name, None, "failed", error=str(error))


def _received(original: Original, settings: Settings) -> Received:
    strategy = original.strategy
    if strategy in WITHOUT_MODEL_NOTHING and not settings.indexing_llm.configured:
        strategy = "recursive"
    return Received(
        original.name, original.document_id or document_id_for(original.name), original.sha256, original.size,
        original.number or 1, known=False, strategy=strategy,  # type: ignore[arg-type]
        created_at=original.created_at or None,
    )  # fmt: skip
