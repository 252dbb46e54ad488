"""Documents that an earlier DropQA read otherwise than this one: they are read again in the background, once."""

from contextlib import suppress

from engine.errors import StorageError
from engine.ingest import Ingest, once_more
from storage.base import Storage

# Counts up whenever files are read otherwise than before.
READING = 9


def queue_outdated(storage: Storage, ingest: Ingest, *, worked_off: bool) -> None:
    """Queue a library's documents where it is older and its queue is ``worked_off``; on a full disk next time."""
    if storage.read_only or storage.reading() >= READING:
        return
    with storage.alone("outdated documents") as alone:
        documents = storage.documents()
        if alone and storage.reading() < READING and (worked_off or not documents):
            with suppress(StorageError):
                for document in documents:
                    ingest.queue(once_more(document))
                storage.note_reading(READING)
