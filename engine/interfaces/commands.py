"""What each command does: call the API, print its JSON or a plain rendering of it."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.backends import open_database, open_folder
from engine.config import Settings
from engine.errors import UsageError
from engine.interfaces import render, services
from engine.interfaces.client import on_library, opened, told_on_stderr
from engine.interfaces.render import Result
from engine.model import Tree, Version
from engine.settings_sources import library_folder, load_settings

if TYPE_CHECKING:
    from storage.base import VersionWrite
    from storage.catalog.store import CatalogStorage

# What `dropqa watch --once` waits for files that are still being written.
LONGEST_WAIT_SECONDS, TICK_SECONDS = 30.0, 0.25
_TURNS = 'Write a JSON list of {"role": "user" or "assistant", "text": "…"}.'


def run(options: argparse.Namespace) -> int:
    """Run the parsed command line and return the exit code. Raises DropQAError."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s: %(message)s")
    if options.command in SERVERS:
        return SERVERS[options.command](options)
    command = COMMANDS[options.command]
    result = command.run(options)
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    elif text := command.told(result, options):
        print(text)
    return 1 if command.failed(result) else 0


def watch(options: argparse.Namespace) -> Result:
    """Keep the library in step with folders, until interrupted or, with ``--once``, until all that is quiet is in."""
    from engine.folders.sync import FolderChanges
    from engine.folders.watcher import FolderWatcher

    folders, follow = options.folders, argparse.Namespace(command="follow", folders=options.folders)
    for one in folders:
        if not Path(one).is_dir():
            raise UsageError(f"{one} is not a folder. Check the path.")
    total = FolderChanges()
    own = library_folder(options.library)
    poll_seconds = load_settings(own if own.is_dir() else None).watch.poll_seconds

    def look(_: Sequence[str]) -> FolderChanges:
        told = do(follow, told_on_stderr)
        found = FolderChanges.from_dict(told)
        total.documents += found.documents
        total.waiting, total.missing = found.waiting, found.missing
        for one in found.documents:
            print(f"{one.status:<10} {one.name}{f': {one.error}' if one.error else ''}", file=sys.stderr)
        return found

    with opened(options, background=not options.once) as do:
        if options.once:
            until = time.monotonic() + LONGEST_WAIT_SECONDS
            while look(folders).waiting and time.monotonic() < until:
                time.sleep(TICK_SECONDS)
        else:
            with contextlib.suppress(KeyboardInterrupt):
                FolderWatcher(lambda: folders, lambda: poll_seconds, look).follow(threading.Event())
    return total.to_dict()


def parse(options: argparse.Namespace) -> Result:
    """Parse one file without a library."""
    from engine.ingest import parse_file
    from engine.parse.worker import ParseWorker

    settings = load_settings()
    with contextlib.closing(ParseWorker(settings.parsing_in_force, summary=settings.summary)) as worker:
        return parse_file(Path(options.file).expanduser(), settings, worker).to_dict()


def ask(options: argparse.Namespace) -> Result:
    """Answer a question, as a follow-up where earlier messages are given."""
    options.history = _history(options.history) if options.history else []
    return on_library(options)


def _history(file: str) -> list[tuple[str, str]]:
    """Return the earlier messages in a file as (role, text). Raises UsageError."""
    from pydantic import TypeAdapter

    from engine.interfaces.rest_shapes import TurnBody

    try:
        turns = TypeAdapter(list[TurnBody]).validate_json(Path(file).expanduser().read_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} holds no messages that can be read ({type(error).__name__}). {_TURNS}") from error
    return [(turn.role, turn.text) for turn in turns]


def report(options: argparse.Namespace) -> Result:
    """Write a report, or what is missing of one, and its file; or list the reports."""
    from engine.export.report_file import report_file
    from engine.model import Report

    out = Path(options.out).expanduser() if options.out else None
    if bool(options.subject) + bool(options.resume) + options.list != 1:
        raise UsageError("Say what the report is to be about, or --resume one, or --list them.")
    if out is not None:  # a wrong name is told before anything is written
        report_file(Report("", "", 0.0), out.suffix.lstrip(".").lower())
    made = on_library(options)
    if out is not None and not options.list:
        try:
            out.write_bytes(report_file(Report.from_dict(made), out.suffix.lstrip(".").lower()))
        except OSError as error:
            told = f"The report is {made['report_id']}, but {out} cannot be written: {error.strerror}."
            raise UsageError(told) from error
        made["file"] = str(out.resolve())
    return made


def evaluate(options: argparse.Namespace) -> Result:
    """Measure retrieval on a dataset, in the library that was named or in a temporary one."""
    if options.library:
        return on_library(options)
    from engine.interfaces.library_commands import ON_LIBRARY
    from engine.shared_library import temporary_library

    with temporary_library() as library:
        return ON_LIBRARY["eval"](library, options, told_on_stderr)


def repair(options: argparse.Namespace) -> Result:
    """Make a library whole again from its original files."""
    from engine.interfaces.library_commands import added
    from engine.interfaces.repair import repair as repair_library

    return added(repair_library(library_folder(options.library), load_settings, told_on_stderr))


def restore(options: argparse.Namespace) -> Result:
    """Make the library folder from a backup."""
    from engine.interfaces.library_commands import copied
    from storage.embedded import restore as restore_library

    folder = library_folder(options.library)
    return copied(str(folder), restore_library(Path(options.folder), folder))


def migrate(options: argparse.Namespace) -> Result:
    """Copy a library into one that holds nothing; both are closed to others meanwhile where they are folders."""
    from storage.catalog.transfer import transfer

    folder = library_folder(options.library)
    settings = load_settings(folder)
    own = settings if "://" in options.source else load_settings(_path(options.source))
    originals = _path(options.originals or settings.database.originals or folder)
    if options.source == options.target:
        raise UsageError("A library is not copied onto itself. Name another folder or database.")
    with (
        contextlib.closing(_opened(options.source, originals, settings, there=True)) as source,
        contextlib.closing(_opened(options.target, originals, settings, there=False)) as target,
    ):
        counts = transfer(source, target, lambda tree, version: _written_anew(tree, version, own), _copied)
    return {"copied": counts, "from": _told(options.source), "to": _told(options.target)}


def _written_anew(tree: Tree, version: Version, settings: Settings) -> VersionWrite:
    from engine.index.strategies import strategy_of
    from engine.ingest import Received, version_write

    received = Received(
        tree.name, tree.document_id, version.sha256, version.size, version.version, known=False,
        strategy=strategy_of(version), created_at=version.created_at,
    )  # fmt: skip
    return version_write(tree, received, settings, version.seconds)


def _opened(place: str, originals: Path, settings: Settings, *, there: bool) -> CatalogStorage:
    from storage.catalog.store import CatalogStorage
    from storage.embedded.marker import recognise

    if "://" in place:
        opened = open_database(place, originals, settings.ann)
    else:
        folder = _path(place)
        if there and recognise(folder) == "new":
            raise UsageError(f"There is no library in {folder}. Name the folder of one, or the address of a database.")
        opened = open_folder(folder, settings.ann)
    assert isinstance(opened, CatalogStorage)
    return opened


def _told(place: str) -> str:
    from storage.postgres.address import where

    return where(place) if "://" in place else str(_path(place))


def _copied(done: int, versions: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {versions} versions", end="" if done < versions else "\n", file=sys.stderr)


def _some_failed(result: Result) -> bool:
    return any(document["status"] == "failed" for document in result["documents"])


def password(options: argparse.Namespace) -> Result:
    """Ask for a password, and keep its hash in the library's settings or print it; or ask for none any more."""
    from engine.interfaces.login import LONGEST_PASSWORD, SHORTEST_PASSWORD, hash_password
    from engine.settings_sources import save_settings

    folder = library_folder(options.library)
    hashed = ""
    if not options.remove:
        given = _secret("Password: ")
        if not SHORTEST_PASSWORD <= len(given) <= LONGEST_PASSWORD:
            raise UsageError(f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.")
        if sys.stdin.isatty() and _secret("Again: ") != given:
            raise UsageError("The two passwords differ.")
        hashed = hash_password(given)
    if not options.print:
        _refuse_others(folder)
        folder.mkdir(parents=True, exist_ok=True)
        save_settings(folder, {"access.password_hash": hashed})
    return {"password_hash": hashed, "saved": not options.print, "library": str(folder)}


def keys(options: argparse.Namespace) -> Result:
    """List the API keys, make one or revoke one; an app that has the library open goes by them at once."""
    from engine.interfaces.keys import ApiKeys

    folder = library_folder(options.library)
    _refuse_others(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known = ApiKeys(folder)
    result: Result = {}
    if options.create is not None:
        bound = []
        if options.collection:
            bound = on_library(argparse.Namespace(**vars(options) | {"command": "collection_ids"}))["ids"]
        result["key"] = known.create(options.create, options.scope, bound)[1]
    elif options.revoke is not None:
        result["revoked"] = known.revoke(options.revoke).to_dict()
    return {"keys": [key.to_dict() for key in known.all()], **result}


def _refuse_others(folder: Path) -> None:
    """Raise NotALibraryError for a folder that holds other things; that of a library in a database has no catalog."""
    from storage.embedded import refuse_others

    if not load_settings(folder).database.url:
        refuse_others(folder)


def _secret(prompt: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    import getpass

    return getpass.getpass(prompt, sys.stderr)


class Command(NamedTuple):
    """How what a command did is told at a terminal, what it does, and whether it has failed."""

    told: Callable[[Result, argparse.Namespace], str]
    run: Callable[[argparse.Namespace], Result] = on_library
    failed: Callable[[Result], bool] = lambda _result: False


COMMANDS = {
    "add": Command(render.added, failed=_some_failed),
    "list": Command(render.documents),
    "collections": Command(render.collections),
    "parse": Command(render.tree, parse),
    "tree": Command(render.tree),
    "search": Command(render.hits),
    "ask": Command(render.answer, ask),
    "report": Command(render.report, report, lambda result: result.get("state", "done") != "done"),
    "versions": Command(render.versions),
    "diff": Command(render.difference),
    "topics": Command(render.topics),
    "summarize": Command(render.summary),
    "remove": Command(render.removed),
    "reindex": Command(render.added, failed=_some_failed),
    "export": Command(render.exported),
    "eval": Command(render.evaluation, evaluate),
    "doctor": Command(render.checks, failed=lambda result: not all(check["ok"] for check in result["checks"])),
    "repair": Command(render.repaired, repair, _some_failed),
    "password": Command(render.password, password),
    "watch": Command(render.watched, watch, _some_failed),
    "keys": Command(render.keys, keys),
    "backup": Command(render.copied),
    "restore": Command(render.copied, restore),
    "migrate": Command(render.migrated, migrate),
}
SERVERS: dict[str, Callable[[argparse.Namespace], int]] = {
    "app": services.start_app, "serve": services.serve, "mcp": services.mcp,
    "indexer": services.indexer, "server": services.server,
}  # fmt: skip


def _path(given: str | Path) -> Path:
    return Path(given).expanduser().resolve()
