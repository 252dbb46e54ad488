"""What is to be known about a search beside its hits, in the language of the question."""

import re
import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path

from engine.model import Filters, Job, document_id_for
from engine.retrieve.document_names import named_documents
from engine.retrieve.query import is_unspaced

# Jobs after which more of a file can be found.
READING = ("ingest", "ocr")
# Notes that are true of every question for a while.
PREPARATION = ("no_embedder", "no_vectors", "vectors_missing", "being_read", "others_being_read")
_NAMED_FILES = 3
_HOLE = re.compile(r"\\\{[^}]*\\\}")
NOTES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def note(question: str, name: str, **values: object) -> str:
    """Return a note by its name, in Chinese for a Chinese question, else in English."""
    english, chinese = NOTES[name]
    return (chinese if is_unspaced(question) else english).format(**values)


def tells_of_preparation(remark: str) -> str | None:
    """Return the name of a note that tells what the library is not ready for yet, whatever was asked; else None."""
    kinds = ((name, _HOLE.sub(".+", re.escape(text))) for name in PREPARATION for text in NOTES[name])
    return next((name for name, pattern in kinds if re.fullmatch(pattern, remark)), None)


def being_read(question: str, filters: Filters, waiting: Sequence[Job], collected: Collection[str] = ()) -> list[str]:
    """Return a note on files not read to their end, of those in the filters; ``collected`` are their collections'.

    By name are told those that a question names or is limited to; of others it says only how many there are.
    """
    files = _files(filters, waiting, collected)
    if not files:
        return []
    naming = named_documents(question, files)
    names = [files[key] for key in (naming.documents if naming else files if filters.documents else ())]
    if not names:
        return [note(question, "others_being_read", count=len(files))]
    told = ", ".join(names[:_NAMED_FILES])
    return [note(question, "being_read", names=told + (" …" if len(names) > _NAMED_FILES else ""))]


def _files(filters: Filters, waiting: Sequence[Job], collected: Collection[str]) -> dict[str, str]:
    """Return the names, by document id, of the files in the filters that wait to be read."""
    asked = set(filters.documents)
    named = ((job.document_id or document_id_for(job.name), job.name) for job in waiting if job.kind in READING)
    files = {key: name for key, name in named if not asked or asked & {key, name}}
    return {key: files[key] for key in files if key in collected} if filters.collections else files
