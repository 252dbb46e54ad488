"""The command line. Nothing heavy is imported before a command needs it."""

import argparse
import contextlib
import functools
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from engine.errors import CancelledError, DropQAError, UsageError

MODES = ("hybrid", "semantic", "fulltext", "keyword")
# As engine.answer.answerer.PATHS, which would take too long to import here.
PATHS = ("auto", "direct", "agent")
# As engine.config.Strategy, which would take too long to import here.
STRATEGIES = ("recursive", "semantic", "sliding", "contextual", "hierarchical", "questions")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 it failed, 2 bad usage."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parser().parse_args(arguments)
        from engine.interfaces import commands
        from engine.interfaces.stopping import terminate_as_interrupt

        terminate_as_interrupt()
        return commands.run(options)
    except (KeyboardInterrupt, CancelledError):
        print("Stopped.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except DropQAError as error:
        report_error(error, as_json)
        return 2 if isinstance(error, UsageError) else 1
    except Exception as error:
        if os.environ.get("DROPQA_DEBUG"):
            raise
        text = f"Unexpected {type(error).__name__}: {error}. DROPQA_DEBUG=1 shows where; the library is intact."
        report_error(DropQAError(text), as_json)
        return 1


def report_error(error: DropQAError, as_json: bool) -> None:
    """Tell an error on stderr, and as JSON on stdout where that was asked for."""
    print(f"dropqa: {error}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": str(error), "type": type(error).__name__}, ensure_ascii=False))


def program() -> int:
    """Run one command as a program: :func:`main`, and the end of the process at once where a library was opened.

    It is closed by then. To take what it held in memory apart lasts seconds, and native code in which a step that was
    left behind still runs may abort a usual end.
    """
    code = main()
    if "engine.background" in sys.modules:
        with contextlib.suppress(OSError, ValueError):  # nobody reads on
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return code


# --- what arguments are made of ------------------------------------------------------------------------

# Adds an argument to a parser, or to a group of it.
Argument = Callable[[Any], object]
# What a command is for, and its arguments.
Command = tuple[str, *tuple[Argument, ...]]


def _value(name: str, metavar: str | tuple[str, str] | None = None, text: str = "", **how: Any) -> Argument:
    return lambda to: to.add_argument(name, metavar=metavar, help=text or None, **how)


def _flag(name: str, text: str, **how: Any) -> Argument:
    return lambda to: to.add_argument(name, action="store_true", help=text, **how)


def _number(name: str, metavar: str = "N", text: str = "") -> Argument:
    return _value(name, metavar, text, type=_positive)


def _list(name: str, metavar: str, text: str, **how: Any) -> Argument:
    """An argument that may be given any number of times."""
    return _value(name, metavar, text, action="append", default=[], **how)


def _one_of(*arguments: Argument, required: bool = False) -> Argument:
    """Arguments of which one at most is given, or just one where that is ``required``."""

    def add(to: argparse.ArgumentParser) -> None:
        group = to.add_mutually_exclusive_group(required=required)
        for argument in arguments:
            argument(group)

    return add


def _path(text: str) -> str:
    return os.path.abspath(os.path.expanduser(text))  # noqa: PTH100, PTH111


def _pages(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    pages = _positive(first), _positive(last or first)
    if pages[0] > pages[1]:
        raise argparse.ArgumentTypeError("must be a page or FIRST-LAST")
    return pages


def _positive(text: str, most: int = sys.maxsize) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError("must be a number from 1" + f" to {most}" * (most < sys.maxsize))
    return int(text)


_port = functools.partial(_positive, most=65535)

# --- the commands --------------------------------------------------------------------------------------

DOCUMENT = _value("document", "DOC", "id or name")
CONFIG = "settings as YAML: config/{}.example.yaml"
OUT = _value("--out", "DIR", "folder to write to", required=True, type=_path)
COLLECTION = _list("--collection", "C", "only what is in this one (id or name)")
FILTERS = (
    COLLECTION,
    _list("--document", "D", "only in this id or name"),
    _list("--topic", "T", "only documents of this topic (id or name)"),
    _list("--role", "R", "only nodes of this role"),
    _list("--unit", "U", "only where this unit stands (%%, USD, kg)"),
    _list("--chart-type", "C", "only this kind of chart (bar, line)"),
    _list("--col-type", "T", "only tables with a column of this type (number, percent, date)"),
    _value("--section", "TEXT", "only below a section title with this text"),
    _number("--version", text="in version N (else current)"),
    _value("--pages", "A-B", "only on these pages (from 1)", type=_pages),
    _list("--level", "N", "only headings of level N", type=_positive),
    lambda to: to.add_argument(
        "--numbers", dest="has_numbers", action=argparse.BooleanOptionalAction, help="only with, or without, figures"
    ),
)
APP = (
    _value("--port", "N", "port of the app (8501)", type=_port, default=argparse.SUPPRESS),
    _flag("--no-browser", "do not open the browser", default=argparse.SUPPRESS),
)
SERVED = (
    _value("--host", "H", "address to listen on (127.0.0.1)"),
    _value("--port", "N", "port (8501)", type=_port, default=argparse.SUPPRESS),
)
EXPORTS: dict[str, Command] = {
    "nodes": (
        "write the nodes that a question finds, a JSON file a document",
        _value("question", "QUESTION"),
        OUT,
        _number("--top-k", "K"),
        *FILTERS,
    ),
    "indexes": ("write the index artefacts of a document", DOCUMENT, OUT),
}
COMMANDS: dict[str, Command] = {
    "app": ("start the web app (the default)", *APP),
    "serve": ("serve REST (/api), chat completions (/v1) and MCP (/mcp) without the pages", *SERVED),
    "mcp": (
        "serve MCP to an agent over stdin and stdout",
        _flag("--http", "over HTTP at /mcp instead, as `dropqa serve` does"),
        *SERVED,
    ),
    "indexer": (
        "take in what is queued in a database's library, and folders; no pages",
        _value("--config", "FILE", CONFIG.format("indexer")),
    ),
    "server": (
        "serve a database's library, and leave what is added to indexers",
        _value("--config", "FILE", CONFIG.format("server")),
    ),
    "add": (
        "add files or folders",
        _value("paths", "PATH", nargs="+", type=_path),
        _flag("--recursive", "take subfolders, too"),
        _flag("--wait", "wait until semantic search knows them, too"),
        _value("--strategy", None, "how they are indexed (else as before, or as set up)", choices=STRATEGIES),
        _value("--collection", "C", "put them into this one (id or name)"),
    ),
    "list": ("list the documents", COLLECTION),
    "parse": ("print the node tree of a file; nothing is stored", _value("file", "FILE")),
    "tree": ("print the node tree of a document", DOCUMENT, _number("--version")),
    "search": (
        "find nodes",
        _value("query", "QUERY"),
        _value("--mode", choices=MODES, default="hybrid"),
        _flag("--regex", "QUERY is a regular expression (keyword mode)"),
        _flag("--text", "as the text that other agents read"),
        _number("--top-k", "K"),
        *FILTERS,
    ),
    "ask": (
        "answer a question from the documents",
        _value("question", "QUESTION"),
        _flag("--trace", "show the steps on the way"),
        _value("--path", None, "one search, the agent, or as the question needs (auto)", choices=PATHS, default="auto"),
        _number("--max-iterations", text="most rounds of the agent"),
        _value(
            "--history",
            "FILE",
            'earlier messages, the oldest first, as JSON: [{"role": "user", "text": "…"}, {"role": "assistant", …}]',
        ),
        *FILTERS,
    ),
    "report": (
        "write a report over many documents, with an outline, sections and sources",
        _value("subject", "SUBJECT", "what it is to be about", nargs="?"),
        _value("--out", "FILE", "write it as .docx, .pdf or .md (else print it)"),
        _value("--model", "M", "one of the endpoint's (else as set up)", default=""),
        _value("--resume", "ID", "write what is missing of this report", default=""),
        _flag("--list", "list the reports"),
        *FILTERS,
    ),
    "versions": ("list a document's versions", DOCUMENT),
    "diff": (
        "tell what differs between two versions of a document, by section",
        DOCUMENT,
        _number("before", "A", "number of a version"),
        _number("after", "B", "number of the version to compare it with"),
    ),
    "summarize": (
        "summarise a document, or a section of it, with the places it draws on",
        _one_of(
            _value("document", "DOC", "id or name", nargs="?"),
            _value("--topic", "T", "the documents of this topic (id or name)"),
            _value("--collection", "C", "the documents of this collection"),
            required=True,
        ),
        _value("--section", "TEXT", "only the section with this in its title", default=""),
        _number("--version"),
    ),
    "topics": (
        "list the topics with their documents",
        _value("--merge", ("A", "B"), "put the documents of topic B into A (id or name)", nargs=2),
        COLLECTION,
    ),
    "collections": (
        "list the collections, make or change one, or move documents",
        _one_of(
            _value("--create", "NAME", "make an empty collection"),
            _value("--rename", ("C", "NAME"), "give it another name", nargs=2),
            _value("--delete", "C", "forget it; its documents stay"),
            _value("--move", ("C", "DOC"), 'put documents into it; "" takes them out', nargs="+"),
            _value("--share", "C", "say who may see it; without --reader and --editor: everyone"),
        ),
        _list("--reader", "WHO", "who may read it: an address, its ending (@example.org) or a group"),
        _list("--editor", "WHO", "who may read and change it: an address, its ending (@example.org) or a group"),
    ),
    "remove": ("remove a document with all its versions", DOCUMENT),
    "reindex": (
        "parse documents again",
        _one_of(_value("document", "DOC", "id or name", nargs="?"), _flag("--all", "all documents"), required=True),
    ),
    "export": (
        "write files for other programs",
        lambda to: _add(EXPORTS, to, title="what", metavar="WHAT", dest="what", required=True),
    ),
    "eval": (
        "measure retrieval on a folder of questions with known answers",
        _value("dataset", "DATASET", "folder with corpus.jsonl (or pdfs/), queries.jsonl, qrels.tsv", type=_path),
        _value("--mode", None, "only this mode (else all, hybrid first)", choices=(*MODES, "agent")),
        _flag("--ablate", "measure the stages of retrieval, one more each time"),
        _flag("--answers", "ask the questions, too, and compare with the set's answers"),
        _number("--limit", text="only the first N questions"),
        _value("--strategy", None, "how the set is indexed (else as set up)", choices=STRATEGIES),
    ),
    "watch": (
        "keep the library in step with folders",
        _value("folders", "DIR", nargs="+", type=_path),
        _flag("--once", "take in what has changed since the last time, and end"),
    ),
    "backup": ("copy the library, while it is used, into an empty folder", _value("folder", "DIR", type=_path)),
    "migrate": (
        "copy a library from a folder into a database, or the other way",
        _value("source", "FROM", "folder of a library, or postgresql://… of a database"),
        _value("target", "TO", "empty folder, or address of an empty database"),
        _value("--originals", "DIR", "where a database's originals are (library folder)"),
    ),
    "restore": ("make the library folder, which must be empty, from a backup", _value("folder", "DIR", type=_path)),
    "password": (
        "ask everybody who opens the app for a password",
        _flag("--remove", "ask for none any more"),
        _flag("--print", "only print the hash, for secrets.toml or a variable"),
    ),
    "keys": (
        "list the API keys of the library, make or revoke one",
        _one_of(
            _value("--create", "NAME", "make a key; its text is shown once"), _value("--revoke", "NAME", "name or id")
        ),
        _value("--scope", None, "what it may do (read)", choices=("read", "write"), default="read"),
        _list("--collection", "C", "bind a new key to this collection alone"),
    ),
    "doctor": ("check the library, the models and this machine", _flag("--deep", "read everything that is stored")),
    "repair": ("take in originals that the catalog does not know; a lost or damaged catalog is made anew",),
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}. `{self.prog} --help` tells what can be given.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dropqa",
        description="Ask your documents; every sentence of an answer points at the place it came from.",
        parents=[_shared()],
        allow_abbrev=False,
    )
    parser.set_defaults(command="app", library=None, json=False, port=None, no_browser=False)
    _add(COMMANDS, parser, title="commands", metavar="COMMAND", dest="command")
    parser.set_defaults(command="app")
    for argument in APP:  # the default command: its options work without its name, too
        argument(parser)
    return parser


def _add(commands: Mapping[str, Command], parser: argparse.ArgumentParser, **how: Any) -> None:
    made, shared = parser.add_subparsers(**how), _shared()
    for name, (text, *arguments) in commands.items():
        one = made.add_parser(name, help=text, description=text, parents=[shared], allow_abbrev=False)
        for argument in arguments:
            argument(one)


def _shared() -> argparse.ArgumentParser:
    """Return the options that stand before or after the command.

    Made anew for the program and for its commands: parents share their options by reference, and the program's
    defaults would undo, in the command, what was given before it.
    """
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    shared.add_argument("--library", metavar="DIR", help="library folder (else DROPQA_LIBRARY, else ~/.dropqa)")
    shared.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    return shared


if __name__ == "__main__":
    sys.exit(program())
