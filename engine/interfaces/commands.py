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
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.backends import open_database, open_folder
from engine.config import Settings
from engine.errors import DropQAError, UsageError
from engine.interfaces import render, services
from engine.interfaces.client import Api, opened
from engine.interfaces.render import Result
from engine.interfaces.sharing_commands import collections, keys, password
from engine.model import ROLES, Filters, Tree, Version
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


def report_error(error: DropQAError, as_json: bool) -> None:
    """Tell an error on stderr, and as JSON on stdout where that was asked for."""
    print(f"dropqa: {error}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": str(error), "type": type(error).__name__}, ensure_ascii=False))


def add(options: argparse.Namespace) -> Result:
    """Add files and folders."""
    from engine.folders.files import sources_in
    from engine.parse.detect import SUFFIXES

    sources = sources_in([Path(path).expanduser() for path in options.paths], options.recursive, SUFFIXES)
    sources = [
        replace(source, strategy=options.strategy, collection=options.collection) for source in sources
    ]
    with opened(options) as api:
        return api.add(sources, options.wait, _progress)


def watch(options: argparse.Namespace) -> Result:
    """Keep the library in step with folders, until interrupted or, with ``--once``, until all that is quiet is in."""
    from engine.folders.sync import FolderChanges
    from engine.folders.watcher import FolderWatcher

    folders = [str(_path(one)) for one in options.folders]
    for one in folders:
        if not Path(one).is_dir():
            raise UsageError(f"{one} is not a folder. Check the path.")
    total = FolderChanges()
    own = library_folder(options.library)
    poll_seconds = load_settings(own if own.is_dir() else None).watch.poll_seconds

    def look(_: Sequence[str]) -> FolderChanges:
        told = api.follow(folders, _progress)
        found = FolderChanges.from_dict(told)
        total.documents += found.documents
        total.waiting, total.missing = found.waiting, found.missing
        for one in found.documents:
            print(f"{one.status:<10} {one.name}{f': {one.error}' if one.error else ''}", file=sys.stderr)
        return found

    with opened(options, background=not options.once) as api:
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
    worker = ParseWorker(settings.parsing_in_force, summary=settings.summary)
    try:
        tree = parse_file(Path(options.file).expanduser(), settings, worker)
    finally:
        worker.close()
    return tree.to_dict()


def search(options: argparse.Namespace) -> Result:
    """Search the library."""
    if options.regex and options.mode != "keyword":
        raise UsageError("--regex goes with --mode keyword.")
    with opened(options) as api:
        return api.search(
            options.query, options.mode, options.regex, options.top_k, _filters(options), options.text
        )


def ask(options: argparse.Namespace) -> Result:
    """Answer a question."""
    history = _history(options.history) if options.history else ()
    with opened(options) as api:
        return api.ask(options.question, _filters(options), options.path, options.max_iterations, history)


def _history(file: str) -> list[tuple[str, str]]:
    """Return the earlier messages in a file as (role, text). Raises UsageError."""
    try:
        turns = json.loads(Path(file).expanduser().read_text("utf-8"))
        found = [(turn["role"], turn["text"]) for turn in turns]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"{file} holds no messages that can be read ({type(error).__name__}). {_TURNS}"
        ) from error
    if not all(role in ("user", "assistant") and isinstance(text, str) for role, text in found):
        raise UsageError(f"{file} holds a message of somebody else. {_TURNS}")
    return found


def report(options: argparse.Namespace) -> Result:
    """Write a report, or what is missing of one, and its file; or list the reports."""
    from engine.export.report_file import report_file
    from engine.model import Report

    out = Path(options.out).expanduser() if options.out else None
    if bool(options.subject) + bool(options.resume) + options.list != 1:
        raise UsageError("Say what the report is to be about, or --resume one, or --list them.")
    if out is not None:  # a wrong name is told before anything is written
        report_file(Report("", "", 0.0), out.suffix.lstrip(".").lower())
    with opened(options) as api:
        if options.list:
            return api.reports()
        made = api.report(options.subject or "", options.resume, options.model, _filters(options), _progress)
    if out is not None:
        try:
            out.write_bytes(report_file(Report.from_dict(made), out.suffix.lstrip(".").lower()))
        except OSError as error:
            told = f"The report is {made['report_id']}, but {out} cannot be written: {error.strerror}."
            raise UsageError(told) from error
        made["file"] = str(out.resolve())
    return made


def evaluate(options: argparse.Namespace) -> Result:
    """Measure retrieval on a dataset, in the library that was named or in a temporary one."""
    from engine.evaluate.runs import evaluate as run_evaluation
    from engine.library import Library
    from engine.shared_library import temporary_library

    modes = [options.mode] if options.mode else ["hybrid", "semantic", "fulltext", "keyword"]
    opening: Any = Library.open(options.library, background=False) if options.library else temporary_library()
    with opening as library:
        return run_evaluation(
            library,
            Path(options.dataset),
            modes=modes,
            limit=options.limit,
            ablate=options.ablate,
            answers=options.answers,
            strategy=options.strategy,
        )


def repair(options: argparse.Namespace) -> Result:
    """Make a library whole again from its original files."""
    from engine.interfaces.api import added
    from engine.interfaces.repair import repair as repair_library

    return added(repair_library(library_folder(options.library), load_settings, _progress))


def restore(options: argparse.Namespace) -> Result:
    """Make the library folder from a backup."""
    from engine.interfaces.api import copied
    from storage.embedded import restore as restore_library

    folder = library_folder(options.library)
    return copied(folder, restore_library(_path(options.folder), folder))


def export(options: argparse.Namespace) -> Result:
    """Write files for other programs."""
    out = _path(options.out)
    with opened(options) as api:
        if options.what == "indexes":
            return api.export_indexes(options.document, out)
        return api.export_nodes(options.question, options.top_k, _filters(options), out)


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
            raise UsageError(
                f"There is no library in {folder}. Name the folder of one, or the address of a database."
            )
        opened = open_folder(folder, settings.ann)
    assert isinstance(opened, CatalogStorage)
    return opened


def _told(place: str) -> str:
    from storage.postgres.address import where

    return where(place) if "://" in place else str(_path(place))


def _copied(done: int, versions: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {versions} versions", end="" if done < versions else "\n", file=sys.stderr)


def _topics(api: Api, options: argparse.Namespace) -> Result:
    return api.merge_topics(*options.merge) if options.merge else api.topics(options.collection)


def _over(call: Callable[[Api, argparse.Namespace], Result]) -> Callable[[argparse.Namespace], Result]:
    """Return what makes a call with the library opened."""

    def command(options: argparse.Namespace) -> Result:
        with opened(options) as api:
            return call(api, options)

    return command


def _some_failed(result: Result) -> bool:
    return any(document["status"] == "failed" for document in result["documents"])


class Command(NamedTuple):
    """What a command does, how it is told at a terminal, and whether it has failed."""

    run: Callable[[argparse.Namespace], Result]
    told: Callable[[Result, argparse.Namespace], str]
    failed: Callable[[Result], bool] = lambda _result: False


COMMANDS = {
    "add": Command(add, render.added, _some_failed),
    "list": Command(_over(lambda api, options: api.documents(options.collection)), render.documents),
    "collections": Command(collections, render.collections),
    "parse": Command(parse, render.tree),
    "tree": Command(_over(lambda api, options: api.tree(options.document, options.version)), render.tree),
    "search": Command(search, render.hits),
    "ask": Command(ask, render.answer),
    "report": Command(report, render.report, lambda result: result.get("state", "done") != "done"),
    "versions": Command(_over(lambda api, options: api.versions(options.document)), render.versions),
    "diff": Command(
        _over(lambda api, options: api.difference(options.document, options.before, options.after)),
        render.difference,
    ),
    "topics": Command(_over(_topics), render.topics),
    "summarize": Command(
        _over(
            lambda api, options: api.summarize(
                options.document, options.topic, options.collection, options.version, options.section
            )
        ),
        render.summary,
    ),
    "remove": Command(_over(lambda api, options: api.remove(options.document)), render.removed),
    "reindex": Command(
        _over(lambda api, options: api.reindex(None if options.all else options.document, _progress)),
        render.added,
        _some_failed,
    ),
    "export": Command(export, render.exported),
    "eval": Command(evaluate, render.evaluation),
    "doctor": Command(
        _over(lambda api, options: api.doctor(options.deep)),
        render.checks,
        lambda result: not all(check["ok"] for check in result["checks"]),
    ),
    "repair": Command(repair, render.repaired, _some_failed),
    "password": Command(password, render.password),
    "watch": Command(watch, render.watched, _some_failed),
    "keys": Command(keys, render.keys),
    "backup": Command(_over(lambda api, options: api.back_up(str(_path(options.folder)))), render.copied),
    "restore": Command(restore, render.copied),
    "migrate": Command(migrate, render.migrated),
}
SERVERS: dict[str, Callable[[argparse.Namespace], int]] = {
    "app": services.start_app, "serve": services.serve, "mcp": services.mcp,
    "indexer": services.indexer, "server": services.server,
}  # fmt: skip


def _path(given: str | Path) -> Path:
    return Path(given).expanduser().resolve()


def _filters(options: argparse.Namespace) -> Filters:
    for role in options.role:
        if role not in ROLES:
            raise UsageError(f"{role} is not a role; the roles are {', '.join(ROLES)}.")
    return Filters.of(options)


def _progress(name: str, stage: str, share: float) -> None:
    if sys.stderr.isatty():
        print(
            f"\r\033[K{stage} {share:4.0%} {name}", end="" if share < 1 else "\n", file=sys.stderr, flush=True
        )
