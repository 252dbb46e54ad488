"""What each command does: call the API, print its JSON or a plain rendering of it."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.errors import DropQAError, LibraryLockedError, UsageError
from engine.interfaces import logs, render
from engine.interfaces.client import announced, connect, withdraw
from engine.interfaces.mcp_http import MISSING
from engine.interfaces.migration import migrate
from engine.interfaces.opening import Api, opened
from engine.interfaces.services import indexer, server
from engine.interfaces.sharing_commands import collections, keys, password
from engine.model import ROLES, Filters
from engine.settings_sources import library_folder, load_settings

Result = dict[str, Any]
# What `dropqa watch --once` waits for files that are still being written.
LONGEST_WAIT_SECONDS, TICK_SECONDS = 30.0, 0.25
_TURNS = 'Write a JSON list of {"role": "user" or "assistant", "text": "…"}.'


def run(options: argparse.Namespace) -> int:
    """Run the parsed command line and return the exit code. Raises DropQAError."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s: %(message)s")
    if options.command in SERVERS:
        return SERVERS[options.command](options)
    result, failed = COMMANDS[options.command](options)
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        text = render.RENDERERS[options.command](result, options)
        if text:
            print(text)
    return 1 if failed else 0


def report_error(error: DropQAError, as_json: bool) -> None:
    """Tell an error on stderr, and as JSON on stdout where that was asked for."""
    print(f"dropqa: {error}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": str(error), "type": type(error).__name__}, ensure_ascii=False))


def start_app(options: argparse.Namespace) -> int:
    """Serve the web app until it is stopped."""
    folder, host, port = _address(options)
    import asgi
    from engine.shared_library import shared_library

    os.chdir(Path(asgi.__file__).parent)  # Streamlit reads .streamlit/config.toml from there
    sys.argv = [asgi.__file__]  # and looks for pages beside the file that was started
    # It takes the options given below for a change of its file, and says so.
    logging.getLogger("streamlit.config").disabled = True
    flags = {"server.port": options.port, **getattr(options, "flags", {})}
    library = shared_library(folder, secrets=asgi.streamlit_secrets(), flags=flags)
    logs.configure(library.settings)
    with _serving(folder, host, port):
        asgi.app.run(
            config={
                "server.port": port,
                "server.address": host,
                "server.headless": options.no_browser,
                "server.allowedHosts": served_names(host, library.settings.server.allowed_hosts),
            }
        )
    return 0


def serve(options: argparse.Namespace) -> int:
    """Serve what programs come in by, without the pages, until it is stopped."""
    folder, host, port = _address(options)
    import uvicorn

    from engine.interfaces.doors import create_server
    from engine.shared_library import shared_library

    library = shared_library(folder, flags={"server.port": options.port})
    logs.configure(library.settings)
    with _serving(folder, host, port):
        uvicorn.run(create_server(lambda: library, folder), host=host, port=port, log_config=None)
    return 0


def mcp(options: argparse.Namespace) -> int:
    """Serve MCP to one client over stdin and stdout, or to any over HTTP."""
    if find_spec("mcp") is None:
        raise UsageError(MISSING)
    if options.http:
        return serve(options)
    import anyio

    from engine.interfaces.mcp_server import create_mcp, serve_app_over_stdio, serve_stdio
    from engine.shared_library import close_shared_libraries, shared_library

    folder = library_folder(options.library)
    try:
        library = shared_library(folder)
    except LibraryLockedError as locked:
        connect(folder, locked)
        anyio.run(serve_app_over_stdio, folder)
        return 0
    try:
        anyio.run(serve_stdio, create_mcp(lambda: library))
    finally:
        close_shared_libraries()
    return 0


def _address(options: argparse.Namespace) -> tuple[Path, str, int]:
    """Return the library's folder, and the host and the free port to serve it at. Raises UsageError."""
    import socket

    folder = library_folder(options.library)
    settings = load_settings(folder if folder.is_dir() else None, flags=getattr(options, "flags", {}))
    host, port = getattr(options, "host", None) or settings.server.host, options.port or settings.server.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(f"Port {port} is in use. Choose another one with --port.") from error
    os.environ["DROPQA_LIBRARY"] = str(folder)
    # Read by the web server, which would otherwise believe every program on this machine.
    os.environ["FORWARDED_ALLOW_IPS"] = ",".join(settings.server.trusted_proxies)
    return folder, host, port


@contextlib.contextmanager
def _serving(folder: Path, host: str, port: int) -> Iterator[None]:
    """Tell where the library is served, and leave nothing open at the end."""
    from engine.interfaces import stopping
    from engine.shared_library import close_shared_libraries, end_work

    url = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"
    print(f"DropQA is at {url} (library {folder}). Ctrl-C ends it.", file=sys.stderr)

    def release() -> None:
        withdraw(folder)
        close_shared_libraries()

    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"
    try:
        with announced(folder, address), stopping.limited(end_work, release):
            yield
    finally:
        close_shared_libraries()


def served_names(host: str, allowed: Sequence[str]) -> list[str]:
    """Return the host names that pages are served to; a page of another site cannot pass for one of them.

    An app that listens on all addresses without ``server.allowed_hosts`` is reached by names nobody knows here;
    the empty list means that any will do.
    """
    if host in ("0.0.0.0", "::") and not allowed:
        return []
    return [
        *dict.fromkeys(
            ("localhost", "127.0.0.1", "::1", *(() if host in ("0.0.0.0", "::") else (host,)), *allowed)
        )
    ]


def add(options: argparse.Namespace) -> tuple[Result, bool]:
    """Add files and folders."""
    from engine.folders.files import sources_in
    from engine.parse.detect import SUFFIXES

    sources = sources_in([Path(path).expanduser() for path in options.paths], options.recursive, SUFFIXES)
    sources = [
        replace(source, strategy=options.strategy, collection=options.collection) for source in sources
    ]
    with opened(options) as api:
        result = api.add(sources, options.wait, _progress)
    return result, any(document["status"] == "failed" for document in result["documents"])


def watch(options: argparse.Namespace) -> tuple[Result, bool]:
    """Keep the library in step with folders, until interrupted or, with ``--once``, until all that is quiet is in."""
    from engine.folders.sync import FileChange, FolderChanges
    from engine.folders.watcher import FolderWatcher

    folders = [str(Path(one).expanduser().resolve()) for one in options.folders]
    for one in folders:
        if not Path(one).is_dir():
            raise UsageError(f"{one} is not a folder. Check the path.")
    total = FolderChanges()
    own = library_folder(options.library)
    poll_seconds = load_settings(own if own.is_dir() else None).watch.poll_seconds

    def look(_: Sequence[str]) -> FolderChanges:
        told = api.follow(folders, _progress)
        found = FolderChanges(
            [FileChange(**one) for one in told["documents"]], told["waiting"], told["missing"]
        )
        total.changes += found.changes
        total.waiting, total.missing = found.waiting, found.missing
        for one in found.changes:
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
    return total.to_dict(), any(one.status == "failed" for one in total.changes)


def parse(options: argparse.Namespace) -> tuple[Result, bool]:
    """Parse one file without a library."""
    from engine.ingest import parse_file
    from engine.parse.worker import ParseWorker

    settings = load_settings()
    worker = ParseWorker(settings.parsing_in_force, summary=settings.summary)
    try:
        tree = parse_file(Path(options.file).expanduser(), settings, worker)
    finally:
        worker.close()
    return tree.to_dict(), False


def search(options: argparse.Namespace) -> tuple[Result, bool]:
    """Search the library."""
    if options.regex and options.mode != "keyword":
        raise UsageError("--regex goes with --mode keyword.")
    with opened(options) as api:
        found = api.search(
            options.query, options.mode, options.regex, options.top_k, _filters(options), options.text
        )
        return found, False


def ask(options: argparse.Namespace) -> tuple[Result, bool]:
    """Answer a question."""
    history = _history(options.history) if options.history else ()
    with opened(options) as api:
        return (
            api.ask(options.question, _filters(options), options.path, options.max_iterations, history),
            False,
        )


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


def report(options: argparse.Namespace) -> tuple[Result, bool]:
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
            return api.reports(), False
        made = api.report(options.subject or "", options.resume, options.model, _filters(options), _progress)
    if out is not None:
        try:
            out.write_bytes(report_file(Report.from_dict(made), out.suffix.lstrip(".").lower()))
        except OSError as error:
            told = f"The report is {made['report_id']}, but {out} cannot be written: {error.strerror}."
            raise UsageError(told) from error
        made["file"] = str(out.resolve())
    return made, made["state"] != "done"


def reindex(options: argparse.Namespace) -> tuple[Result, bool]:
    """Parse documents again."""
    with opened(options) as api:
        result = api.reindex(None if options.all else options.document, _progress)
    return result, any(document["status"] == "failed" for document in result["documents"])


def evaluate(options: argparse.Namespace) -> tuple[Result, bool]:
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
        ), False


def doctor(options: argparse.Namespace) -> tuple[Result, bool]:
    """Check the library."""
    with opened(options) as api:
        result = api.doctor(options.deep)
    return result, not all(check["ok"] for check in result["checks"])


def repair(options: argparse.Namespace) -> tuple[Result, bool]:
    """Make a library whole again from its original files."""
    from engine.interfaces.api import added
    from engine.interfaces.repair import repair as repair_library

    results = repair_library(library_folder(options.library), load_settings, _progress)
    return added(results), any(result.status == "failed" for result in results)


def restore(options: argparse.Namespace) -> tuple[Result, bool]:
    """Make the library folder from a backup."""
    from engine.interfaces.api import copied
    from storage.embedded import restore as restore_library

    folder = library_folder(options.library)
    return copied(folder, restore_library(Path(options.folder).expanduser().resolve(), folder)), False


def export(options: argparse.Namespace) -> tuple[Result, bool]:
    """Write files for other programs."""
    out = Path(options.out).expanduser().resolve()
    with opened(options) as api:
        if options.what == "indexes":
            return api.export_indexes(options.document, out), False
        return api.export_nodes(options.question, options.top_k, _filters(options), out), False


def _over(
    call: Callable[[Api, argparse.Namespace], Result],
) -> Callable[[argparse.Namespace], tuple[Result, bool]]:
    def command(options: argparse.Namespace) -> tuple[Result, bool]:
        with opened(options) as api:
            return call(api, options), False

    return command


COMMANDS: dict[str, Callable[[argparse.Namespace], tuple[Result, bool]]] = {
    "add": add,
    "list": _over(lambda api, options: api.documents(options.collection)),
    "collections": collections,
    "parse": parse,
    "tree": _over(lambda api, options: api.tree(options.document, options.version)),
    "search": search,
    "ask": ask,
    "report": report,
    "versions": _over(lambda api, options: api.versions(options.document)),
    "diff": _over(lambda api, options: api.difference(options.document, options.before, options.after)),
    "topics": _over(
        lambda api, options: (
            api.merge_topics(*options.merge) if options.merge else api.topics(options.collection)
        )
    ),
    "summarize": _over(
        lambda api, options: (
            api.summarize_topic(options.topic)
            if options.topic
            else api.summarize_collection(options.collection)
            if options.collection
            else api.summarize(options.document, options.version, options.section, [])
        )
    ),
    "remove": _over(lambda api, options: api.remove(options.document)),
    "reindex": reindex,
    "export": export,
    "eval": evaluate,
    "doctor": doctor,
    "repair": repair,
    "password": password,
    "watch": watch,
    "keys": keys,
    "backup": _over(lambda api, options: api.back_up(str(Path(options.folder).expanduser().resolve()))),
    "restore": restore,
    "migrate": migrate,
}


SERVERS: dict[str, Callable[[argparse.Namespace], int]] = {
    "app": start_app, "serve": serve, "mcp": mcp, "indexer": indexer, "server": server,
}  # fmt: skip


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
