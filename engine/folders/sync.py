"""A library in step with folders: one look at them, and what has changed since the last is taken in.

A file is told by its size and time, and only when these are others is it read. It is taken in once it has been quiet
for a while, in small commits; what is known of it is noted after the commit, and a look that was cut off between the
two finds by the content that there is nothing left to do. A file that is gone from one place and lies, with the same
content, in another is one that was moved: its document keeps its id, versions and topics.

A document whose file is gone is put away, and comes back with it. Nothing is put away because a folder cannot be
looked into, holds nothing at all any more, or lies on another file system than its files did: it was unmounted.
"""

import itertools
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from engine.config import Settings
from engine.errors import AccessError, NotFoundError, UnreadableFileError, UsageError
from engine.ingest import Ingest, Source
from engine.model import AddResult, Document, Value
from engine.parse.detect import SUFFIXES
from engine.parse.filename import clean_name
from storage.base import Storage
from storage.watched import WatchedFile


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a file system tells of a file: bytes, nanoseconds since 1970, number of the file system."""

    size: int
    modified: int
    device: int


# By path.
Facts = Mapping[str, FileFacts]
Watched = Mapping[str, WatchedFile]


def files_in(folder: Path, ignored: Callable[[str], bool]) -> tuple[dict[str, FileFacts], list[str]]:
    """Return the files below a folder by path, and the folders that could not be looked into.

    ``ignored`` is asked for every path below the folder, with ``/`` between its parts and behind a folder. Links are
    not followed: they may lead anywhere. Raises OSError when the folder itself cannot be looked into.
    """
    found: dict[str, FileFacts] = {}
    closed: list[str] = []
    waiting = [(str(folder), "")]
    while waiting:
        path, below = waiting.pop()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    name = f"{below}{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        if not ignored(f"{name}/"):
                            waiting.append((entry.path, f"{name}/"))
                    elif entry.is_file(follow_symlinks=False) and _is_text(name) and not ignored(name):
                        facts = entry.stat(follow_symlinks=False)
                        found[entry.path] = FileFacts(facts.st_size, facts.st_mtime_ns, facts.st_dev)
        except OSError:
            if not below:
                raise
            closed.append(path)
    return found, closed


def _is_text(name: str) -> bool:
    """Tell whether a file's name is one that a catalog can hold."""
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def ignoring(patterns: Sequence[str], suffixes: Collection[str]) -> Callable[[str], bool]:
    """Return what tells whether a path below a folder is left out.

    Hidden files and folders are, what has none of the suffixes, and what a pattern (``*``, ``?``, ``[…]``) matches:
    the whole path, or one of its parts.
    """

    def ignored(path: str) -> bool:
        name = path.rstrip("/").rpartition("/")[2]
        if name.startswith(".") or (not path.endswith("/") and Path(name).suffix.lower() not in suffixes):
            return True
        return any(fnmatchcase(one, pattern) for pattern in patterns for one in (path.rstrip("/"), name))

    return ignored


def sources_in(paths: Iterable[Path], recursive: bool, suffixes: Collection[str]) -> list[Source]:
    """Return the sources behind command-line paths.

    A file is named by its base name. A folder gives the files in it that have one of the ``suffixes``
    (below it, too, when recursive), named relative to the folder, so that equal names in subfolders stay apart.
    Hidden files and folders are left out. Raises UnreadableFileError for a path that does not exist.
    """
    sources: list[Source] = []
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*") if recursive else path.glob("*")):
                name = file.relative_to(path)
                hidden = any(part.startswith(".") for part in name.parts)
                if file.is_file() and not hidden and file.suffix.lower() in suffixes:
                    sources.append(Source(name.as_posix(), file))
        elif path.exists():
            sources.append(Source(path.name, path))
        else:
            raise UnreadableFileError(f"{path} does not exist. Check the path.")
    return sources


BATCH = 50  # files in one commit
SMALL_BYTES = 200_000
TEXT_SUFFIXES = frozenset({".md", ".txt"})
# Documents whose files are gone, each with where its file was; "" for one that is put away.
Lost = list[tuple[Document, str]]

Status = Literal["added", "updated", "moved", "archived", "removed", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class FileChange(Value):
    """What became of one file and its document."""

    path: str
    name: str
    document_id: str
    status: Status
    error: str | None = None


@dataclass(slots=True)
class FolderChanges(Value):
    """What one look at folders came to; ``waiting`` files are not quiet yet, ``missing`` folders were left alone."""

    documents: list[FileChange] = field(default_factory=list)
    waiting: int = 0
    missing: list[str] = field(default_factory=list)


def distinct(folders: Iterable[str | Path], library: Path) -> list[Path]:
    """Return the folders that are to be looked into, without those that lie in others.

    Raises UsageError for one that is in the library's own folder.
    """
    wanted = sorted({Path(folder).expanduser().resolve() for folder in folders})
    for folder in wanted:
        if folder == library or library in folder.parents:
            raise UsageError(f"{folder} is in the library's own folder. Name a folder outside it.")
    return [one for one in wanted if not any(other in one.parents for other in wanted)]


def check_folders(settings: Settings, folders: Sequence[str], library: Path) -> None:
    """Check folders that somebody who uses the library wants followed, beside those that are already.

    Raises UsageError for one that is not there, or in the library's own; AccessError for a library that is shared.
    """
    if settings.access.shared:
        raise AccessError("Only whoever runs this library says which folders it follows, in dropqa.toml.")
    for folder in set(folders) - set(settings.watch.folders):
        if not Path(folder).expanduser().is_dir():
            raise UsageError(f"{folder} is not a folder of the machine that this runs on. Check the path.")
    distinct(folders, library)


class FolderSync:
    """Keeps a library in step with folders; what is waiting to be quiet is remembered between two looks."""

    def __init__(
        self, storage: Storage, ingest: Ingest, settings: Callable[[], Settings], library: Path,
        stopped: Callable[[], bool] = lambda: False, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """``library`` is its own folder, which is never looked into; ``stopped`` tells whether to end a look early."""
        self._storage, self._ingest, self._settings, self._library = storage, ingest, settings, library
        self._stopped, self._clock = stopped, clock
        self._seen: dict[str, tuple[FileFacts | None, float]] = {}  # as first seen so, and when; None: gone
        self._lock = threading.Lock()

    def look(self, folders: Sequence[str | Path]) -> FolderChanges:
        """Look at folders once and take in what has changed.

        A file that cannot be read is told in the result and not tried again until it changes. Raises UsageError,
        StorageError (a full disk), CancelledError; what was taken in until then stays.
        """
        result = FolderChanges()
        with self._lock:
            for folder in distinct(folders, self._library):
                if not self._stopped():
                    self._look_at(folder, result)
        return result

    def _look_at(self, folder: Path, result: FolderChanges) -> None:
        known = self._storage.watched.below(folder)
        found, closed = self._files_in(folder)
        if not found and (known or not folder.is_dir()):
            result.missing.append(str(folder))
            return
        known = self._on_their_devices(known, found)
        gone = _gone(known, found, closed)
        before = {path: FileFacts(one.size, one.modified, one.device) for path, one in known.items()}
        changed = dict(found.items() - before.items())
        self._forget(path for path in self._seen.keys() - changed.keys() - gone.keys() if path.startswith(f"{folder}/"))
        quiet = self._quiet_or_moved(changed, gone)
        result.waiting += len(changed) - len(quiet)
        lost = self._lost(gone) if quiet else []
        for batch in _batches(quiet, known):
            if self._stopped():
                return
            self._take_in(folder, batch, known, gone, lost, result)
        self._let_go(gone, result)

    def _forget(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._seen.pop(path, None)

    def _quiet_or_moved(self, changed: Facts, gone: Watched) -> dict[str, FileFacts]:
        """Return the files that may be taken in: those that are as they were elsewhere need not be quiet."""
        places = {(file.size, file.modified) for file in gone.values()}
        return {
            path: facts
            for path, facts in changed.items()
            if (facts.size, facts.modified) in places or self._quiet(path, facts)
        }

    def _files_in(self, folder: Path) -> tuple[dict[str, FileFacts], tuple[str, ...]]:
        """Return the files of a folder by path, and how paths begin in folders that could not be looked into."""
        watch = self._settings().watch
        own = f"{self._library.relative_to(folder)}/" if folder in self._library.parents else ""
        ignored = ignoring(watch.ignore, watch.extensions or SUFFIXES)
        try:
            found, closed = files_in(folder, lambda path: path == own or ignored(path))
        except OSError:
            return {}, ()
        return found, tuple(f"{one}/" for one in closed)

    def _lost(self, gone: Watched) -> Lost:
        """Return the documents whose files are gone, those that are put away last."""
        documents = ((self._document(file), path) for path, file in gone.items())
        found = [(document, path) for document, path in documents if document is not None]
        return [*found, *((document, "") for document in self._storage.archived())]

    def _on_their_devices(self, known: dict[str, WatchedFile], found: Facts) -> dict[str, WatchedFile]:
        """Return what is known, with the numbers that its file systems have now: those may change at every mount."""
        now = {file.device: found[path].device for path, file in known.items() if path in found}
        if all(old == new for old, new in now.items()):
            return known
        renumbered = {path: replace(file, device=now.get(file.device, file.device)) for path, file in known.items()}
        self._storage.watched.put(renumbered.values())
        return renumbered

    def _quiet(self, path: str, facts: FileFacts | None) -> bool:
        """Tell whether a file has been as it is for a while, by this process's own looks and clock."""
        seen, now = self._seen.get(path), self._clock()
        if seen is None or seen[0] != facts:
            self._seen[path] = seen = facts, now
        return now - seen[1] >= self._settings().watch.quiet_seconds

    def _take_in(
        self, folder: Path, batch: Facts, known: Watched,
        gone: dict[str, WatchedFile], lost: Lost, result: FolderChanges,
    ) -> None:  # fmt: skip
        sources: dict[str, Source] = {}
        moved: dict[str, str] = {}  # from where, by path
        for path in batch:
            if document := self._document(known.get(path)):
                name = document.name
            else:
                if found := _moved(Path(path), lost):
                    document, moved[path] = found
                    gone.pop(moved[path], None)
                name = self._name(folder, path, document, sources.values())
            sources[path] = Source(name, Path(path), document_id=document.document_id if document else "")
        notes, left = [], []
        try:
            for path, added in self._add(sources):
                document_id = added.document_id or sources[path].document_id
                status: Status = "moved" if path in moved and added.status != "failed" else added.status
                result.documents.append(FileChange(path, added.name, document_id, status, added.error))
                facts, error = batch[path], added.error or ""
                notes.append(WatchedFile(path, document_id, facts.size, facts.modified, facts.device, error))
                left.append(moved.get(path, ""))
                self._seen.pop(path, None)
        finally:
            self._storage.watched.put(notes, left)

    def _document(self, file: WatchedFile | None) -> Document | None:
        """Return the document that a file is known to be the content of; None for one that was removed."""
        try:
            return self._storage.document(file.document_id, archived=True) if file else None
        except NotFoundError:
            return None

    def _name(self, folder: Path, path: str, moved: Document | None, others: Iterable[Source]) -> str:
        """Return what a file's document is called: its path from its folder's name on, unless another is called so."""
        taken = {source.name.casefold() for source in others}
        own = clean_name(f"{folder.name}/{Path(path).relative_to(folder).as_posix()}")
        stem, dot, suffix = own.rpartition(".")
        for number in itertools.count(2):
            named = self._ingest.document_named(own)
            free = named is None or (named == moved if moved else named.path in ("", path))
            if free and own.casefold() not in taken:
                break
            own = clean_name(f"{stem} ({number}){dot}{suffix}")
        return own

    def _add(self, sources: Mapping[str, Source]) -> Iterator[tuple[str, AddResult]]:
        """Add files, small texts in one commit; yield each one's path and result. Raises as :meth:`look`."""
        # A model is asked about each file by itself.
        together = {} if self._settings().indexing_llm.configured else _small_texts(sources)
        done = set()
        if together:
            by_name = {source.name: path for path, source in together.items()}
            for added in self._ingest.add_batch(list(together.values())):
                if added.status != "failed":  # else by itself, which tells whether it can be mended
                    done.add(by_name[added.name])
                    yield by_name[added.name], added
        for path, source in sources.items():
            if path not in done:
                yield path, self._add_one(source)

    def _add_one(self, source: Source) -> AddResult:
        try:
            received = self._ingest.receive(source)
            return received if isinstance(received, AddResult) else self._ingest.process(received)
        except UnreadableFileError as error:
            return AddResult(None, source.name, None, "failed", error=str(error))

    def _let_go(self, gone: Watched, result: FolderChanges) -> None:
        """Put the documents of files that have been gone for a while away, or remove them, in one commit."""
        files = [file for path, file in gone.items() if self._quiet(path, None)]
        result.waiting += len(gone) - len(files)
        if files:
            self._put_away(files, self._settings().watch.delete, result)
            self._storage.watched.put(gone=[file.path for file in files])
            self._forget(file.path for file in files)

    def _put_away(self, files: Sequence[WatchedFile], delete: bool, result: FolderChanges) -> None:
        removed: dict[str, set[str]] = {}
        with self._storage.unit_of_work() as unit:
            for file in files:
                document = self._document(file)
                if document is None or document.path != file.path:
                    continue  # removed already, or the content of another file by now
                if delete:
                    removed[document.document_id] = self._ingest.originals(document.document_id)
                    unit.delete(document.document_id)
                elif document.archived is None:
                    unit.archive(document.document_id)
                status: Status = "removed" if delete else "archived"
                result.documents.append(FileChange(file.path, document.name, document.document_id, status))
            unit.commit()
            for document_id, originals in removed.items():
                self._ingest.forget(document_id, originals)


def _gone(known: Watched, found: Facts, closed: tuple[str, ...]) -> dict[str, WatchedFile]:
    """Return the files that are no more where they were, as far as that can be seen: not in ``closed`` folders."""
    unseen = {path: known[path] for path in known if path not in found and not path.startswith(closed)}
    return {path: file for path, file in unseen.items() if not _unmounted(file)}


def _unmounted(file: WatchedFile) -> bool:
    """Tell whether the place of a file that is gone belongs to another file system than the file did."""
    for parent in Path(file.path).parents:
        try:
            return parent.stat().st_dev != file.device
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return True


def _moved(path: Path, lost: Lost) -> tuple[Document, str] | None:
    """Return what has the content of a file, and take it out of what is lost."""
    try:
        size = path.stat().st_size
        alike = [one for one in lost if one[0].size == size]
        sha256 = Source(path.name, path).sha256() if alike else ""
    except (OSError, UnreadableFileError):
        return None
    found = next((one for one in alike if one[0].sha256 == sha256), None)
    if found is not None:
        lost.remove(found)
    return found


def _small_texts(sources: Mapping[str, Source]) -> dict[str, Source]:
    """Return the small texts among some files, read."""
    found = {}
    for path in (path for path in sources if Path(path).suffix.lower() in TEXT_SUFFIXES):
        with suppress(OSError), Path(path).open("rb") as file:
            if 0 < len(data := file.read(SMALL_BYTES + 1)) <= SMALL_BYTES:
                found[path] = replace(sources[path], data=data)
    return found


def _batches(files: Facts, known: Watched) -> Iterator[dict[str, FileFacts]]:
    """Yield files in small groups, the small ones first, so that what is changed by hand does not wait for the rest."""
    order = sorted(files, key=lambda path: (files[path].size > SMALL_BYTES, path not in known, path))
    for start in range(0, len(order), BATCH):
        yield {path: files[path] for path in order[start : start + BATCH]}
