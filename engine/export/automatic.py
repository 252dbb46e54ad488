"""Files for other programs that nobody asked for one by one: ``[export] on_ingest`` and ``on_question``.

Nothing fails for them: what cannot be written is told in the log.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import NotFoundError, StorageError
from engine.export.indexes import FOLDER
from engine.export.nodes import doc_id_of, node_files, write_node_files
from engine.kept_file import KeptFile
from engine.model import Filters, SearchResult
from storage.base import Storage

if TYPE_CHECKING:
    from engine.library import Library

log = logging.getLogger(__name__)
WRITTEN = "written.json"


def write_new_indexes(library: Library, out: Path, stopped: Callable[[], bool]) -> None:
    """Write the index artefacts of every document that has changed since its were, once its vectors are there.

    Those of documents that are gone are deleted.
    """
    folder, snapshot = out / FOLDER, library.storage.snapshot()
    model = library.embedder.name if library.embedder else None
    documents = {one.document_id: one for one in library.documents()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with KeptFile(folder / WRITTEN).changing("documents") as written:
            for gone in written.keys() - documents.keys():
                shutil.rmtree(folder / written.pop(gone)["doc_id"], ignore_errors=True)
            for key, one in documents.items():
                # Whenever a version is written its nodes get new keys.
                first = snapshot.scope(Filters((key,))).keys[:1].tolist()
                now = {"doc_id": doc_id_of(one.name), "state": f"{first} {one.embedded} {model}"}
                if stopped() or written.get(key) == now or (model and one.embedded < one.retrievable):
                    continue
                library.export_indexes(key, out)
                written[key] = now
    except (NotFoundError, StorageError, OSError) as error:  # removed meanwhile, or the disk is full
        log.warning("The index files were not all written: %s", error)


def write_found(result: SearchResult, storage: Storage, out: Path) -> None:
    """Write what a question found, a file a document (seed 000)."""
    try:
        write_node_files(node_files(result, storage, datetime.now().astimezone()), out)
    except (NotFoundError, StorageError) as error:
        log.warning("What was found for a question was not written: %s", error)
