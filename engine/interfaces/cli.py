"""The command line. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from engine.errors import CancelledError, DropQAError, UsageError

MODES = ("hybrid", "semantic", "fulltext", "keyword")
# As engine.answer.answerer.PATHS, which would take too long to import here.
PATHS = ("auto", "direct", "agent")
# As engine.config.Strategy, which would take too long to import here.
STRATEGIES = ("recursive", "semantic", "sliding", "contextual", "hierarchical", "questions")
# Filters that may be given any number of times.
_LISTS = {
    "collection": ("C", "only what is in this one (id or name)"),
    "document": ("D", "only in this id or name"),
    "topic": ("T", "only documents of this topic (id or name)"),
    "role": ("R", "only nodes of this role"),
    "unit": ("U", "only where this unit stands (%%, USD, kg)"),
    "chart-type": ("C", "only this kind of chart (bar, line)"),
    "col-type": ("T", "only tables with a column of this type (number, percent, date)"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 it failed, 2 bad usage."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    options = _parser().parse_args(arguments)
    from engine.interfaces import commands
    from engine.interfaces.stopping import terminate_as_interrupt

    terminate_as_interrupt()
    try:
        return commands.run(options)
    except (KeyboardInterrupt, CancelledError):
        print("Stopped.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except DropQAError as error:
        commands.report_error(error, options.json)
        return 2 if isinstance(error, UsageError) else 1
    except Exception as error:
        if os.environ.get("DROPQA_DEBUG"):
            raise
        text = (
            f"Unexpected {type(error).__name__}: {error}. DROPQA_DEBUG=1 shows where; the library is intact."
        )
        commands.report_error(DropQAError(text), options.json)
        return 1


def program() -> int:
    """Run one command as a program: :func:`main`, and the end of the process where a stop left work behind."""
    code = main()
    background = sys.modules.get("engine.background")
    if background is not None and background.left_behind():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


def _shared() -> argparse.ArgumentParser:
    """Return the options that stand before or after the command.

    Made anew for the program and for its commands: parents share their options by reference, and the program's
    defaults would undo, in the command, what was given before it.
    """
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    shared.add_argument(
        "--library", metavar="DIR", help="library folder (else DROPQA_LIBRARY, else ~/.dropqa)"
    )
    shared.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    return shared


def _parser() -> argparse.ArgumentParser:
    shared = _shared()
    parser = argparse.ArgumentParser(
        prog="dropqa",
        description="Ask your documents; every sentence of an answer points at the place it came from.",
        parents=[_shared()],
        allow_abbrev=False,
    )
    parser.set_defaults(command="app", library=None, json=False, port=None, no_browser=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    parser.set_defaults(command="app")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, parents=[shared], allow_abbrev=False)

    # The app is the default command: its options work without its name, too.
    for one in (parser, command("app", "start the web app (the default)")):
        one.add_argument(
            "--port", type=_port, default=argparse.SUPPRESS, metavar="N", help="port of the app (8501)"
        )
        one.add_argument(
            "--no-browser", action="store_true", default=argparse.SUPPRESS, help="do not open the browser"
        )

    serve = command("serve", "serve REST (/api), chat completions (/v1) and MCP (/mcp) without the pages")
    mcp = command("mcp", "serve MCP to an agent over stdin and stdout")
    mcp.add_argument("--http", action="store_true", help="over HTTP at /mcp instead, as `dropqa serve` does")
    for one in (serve, mcp):
        one.add_argument("--host", default=None, metavar="H", help="address to listen on (127.0.0.1)")
        one.add_argument("--port", type=_port, default=argparse.SUPPRESS, metavar="N", help="port (8501)")

    for name, text in (
        ("indexer", "take in what is queued in a database's library, and folders; no pages"),
        ("server", "serve a database's library, and leave what is added to indexers"),
    ):
        service = command(name, text)
        service.add_argument("--config", metavar="FILE", help=f"settings as YAML: config/{name}.example.yaml")

    add = command("add", "add files or folders")
    add.add_argument("paths", nargs="+", metavar="PATH")
    add.add_argument("--recursive", action="store_true", help="take subfolders, too")
    add.add_argument("--wait", action="store_true", help="wait until semantic search knows them, too")
    add.add_argument(
        "--strategy",
        choices=STRATEGIES,
        default=None,
        help="how they are indexed (else as before, or as set up)",
    )
    add.add_argument("--collection", default=None, metavar="C", help="put them into this one (id or name)")

    _add_lists(command("list", "list the documents"), "collection")

    parse = command("parse", "print the node tree of a file; nothing is stored")
    parse.add_argument("file", metavar="FILE")

    tree = command("tree", "print the node tree of a document")
    _add_document(tree)
    _add_number(tree, "--version")

    search = command("search", "find nodes")
    search.add_argument("query", metavar="QUERY")
    search.add_argument("--mode", choices=MODES, default="hybrid")
    search.add_argument("--regex", action="store_true", help="QUERY is a regular expression (keyword mode)")
    search.add_argument("--text", action="store_true", help="as the text that other agents read")
    _add_number(search, "--top-k", "K")
    _add_filters(search)

    ask = command("ask", "answer a question from the documents")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--trace", action="store_true", help="show the steps on the way")
    ask.add_argument(
        "--path", choices=PATHS, default="auto", help="one search, the agent, or as the question needs (auto)"
    )
    _add_number(ask, "--max-iterations", text="most rounds of the agent")
    ask.add_argument(
        "--history", default=None, metavar="FILE",
        help='earlier messages, the oldest first, as JSON: [{"role": "user", "text": "…"}, {"role": "assistant", …}]',
    )  # fmt: skip
    _add_filters(ask)

    report = command("report", "write a report over many documents, with an outline, sections and sources")
    report.add_argument("subject", nargs="?", default=None, metavar="SUBJECT", help="what it is to be about")
    report.add_argument(
        "--out", default=None, metavar="FILE", help="write it as .docx, .pdf or .md (else print it)"
    )
    report.add_argument("--model", default="", metavar="M", help="one of the endpoint's (else as set up)")
    report.add_argument("--resume", default="", metavar="ID", help="write what is missing of this report")
    report.add_argument("--list", action="store_true", help="list the reports")
    _add_filters(report)

    _add_document(command("versions", "list a document's versions"))

    diff = command("diff", "tell what differs between two versions of a document, by section")
    _add_document(diff)
    diff.add_argument("before", type=_positive, metavar="A", help="number of a version")
    diff.add_argument("after", type=_positive, metavar="B", help="number of the version to compare it with")

    summarize = command("summarize", "summarise a document, or a section of it, with the places it draws on")
    subject = summarize.add_mutually_exclusive_group(required=True)
    subject.add_argument("document", nargs="?", metavar="DOC", help="id or name")
    subject.add_argument(
        "--topic", default=None, metavar="T", help="the documents of this topic (id or name)"
    )
    subject.add_argument("--collection", default=None, metavar="C", help="the documents of this collection")
    summarize.add_argument(
        "--section", default="", metavar="TEXT", help="only the section with this in its title"
    )
    _add_number(summarize, "--version")

    topics = command("topics", "list the topics with their documents")
    topics.add_argument(
        "--merge",
        nargs=2,
        default=None,
        metavar=("A", "B"),
        help="put the documents of topic B into A (id or name)",
    )

    _add_lists(topics, "collection")

    collections = command("collections", "list the collections, make or change one, or move documents")
    act = collections.add_mutually_exclusive_group()
    act.add_argument("--create", default=None, metavar="NAME", help="make an empty collection")
    act.add_argument("--rename", nargs=2, default=None, metavar=("C", "NAME"), help="give it another name")
    act.add_argument("--delete", default=None, metavar="C", help="forget it; its documents stay")
    act.add_argument(
        "--move",
        nargs="+",
        default=None,
        metavar=("C", "DOC"),
        help='put documents into it; "" takes them out',
    )
    act.add_argument(
        "--share",
        default=None,
        metavar="C",
        help="say who may see it; without --reader and --editor: everyone",
    )
    for who, text in (("reader", "who may read it"), ("editor", "who may read and change it")):
        collections.add_argument(
            f"--{who}", action="append", default=[], metavar="WHO",
            help=f"{text}: an address, its ending (@example.org) or a group",
        )  # fmt: skip

    _add_document(command("remove", "remove a document with all its versions"))

    reindex = command("reindex", "parse documents again")
    which = reindex.add_mutually_exclusive_group(required=True)
    which.add_argument("document", nargs="?", metavar="DOC", help="id or name")
    which.add_argument("--all", action="store_true", help="all documents")

    export = command("export", "write files for other programs")
    kinds = export.add_subparsers(title="what", metavar="WHAT", dest="what", required=True)
    for name, text, argument in (
        ("nodes", "write the nodes that a question finds, a JSON file a document", "question"),
        ("indexes", "write the index artefacts of a document", "document"),
    ):
        kind = kinds.add_parser(name, help=text, description=text, parents=[shared], allow_abbrev=False)
        kind.add_argument(argument, metavar="QUESTION" if name == "nodes" else "DOC")
        kind.add_argument("--out", required=True, metavar="DIR", help="folder to write to")
        if name == "nodes":
            _add_number(kind, "--top-k", "K")
            _add_filters(kind)

    evaluate = command("eval", "measure retrieval on a folder of questions with known answers")
    evaluate.add_argument(
        "dataset", metavar="DATASET", help="folder with corpus.jsonl (or pdfs/), queries.jsonl, qrels.tsv"
    )
    evaluate.add_argument(
        "--mode", choices=(*MODES, "agent"), default=None, help="only this mode (else all, hybrid first)"
    )
    evaluate.add_argument(
        "--ablate", action="store_true", help="measure the stages of retrieval, one more each time"
    )
    evaluate.add_argument(
        "--answers", action="store_true", help="ask the questions, too, and compare with the set's answers"
    )
    _add_number(evaluate, "--limit", text="only the first N questions")
    evaluate.add_argument(
        "--strategy", choices=STRATEGIES, default=None, help="how the set is indexed (else as set up)"
    )

    watch = command("watch", "keep the library in step with folders")
    watch.add_argument("folders", nargs="+", metavar="DIR")
    watch.add_argument(
        "--once", action="store_true", help="take in what has changed since the last time, and end"
    )

    backup = command("backup", "copy the library, while it is used, into an empty folder")
    backup.add_argument("folder", metavar="DIR")

    migrate = command("migrate", "copy a library from a folder into a database, or the other way")
    migrate.add_argument(
        "source", metavar="FROM", help="folder of a library, or postgresql://… of a database"
    )
    migrate.add_argument("target", metavar="TO", help="empty folder, or address of an empty database")
    migrate.add_argument(
        "--originals", metavar="DIR", help="where a database's originals are (library folder)"
    )
    restore = command("restore", "make the library folder, which must be empty, from a backup")
    restore.add_argument("folder", metavar="DIR")

    password = command("password", "ask everybody who opens the app for a password")
    password.add_argument("--remove", action="store_true", help="ask for none any more")
    password.add_argument(
        "--print", action="store_true", help="only print the hash, for secrets.toml or a variable"
    )

    keys = command("keys", "list the API keys of the library, make or revoke one")
    which = keys.add_mutually_exclusive_group()
    which.add_argument("--create", default=None, metavar="NAME", help="make a key; its text is shown once")
    which.add_argument("--revoke", default=None, metavar="NAME", help="name or id")
    keys.add_argument("--scope", choices=("read", "write"), default="read", help="what it may do (read)")
    keys.add_argument(
        "--collection",
        action="append",
        default=[],
        metavar="C",
        help="bind a new key to this collection alone",
    )

    doctor = command("doctor", "check the library, the models and this machine")
    doctor.add_argument("--deep", action="store_true", help="read everything that is stored")

    command(
        "repair", "take in originals that the catalog does not know; a lost or damaged catalog is made anew"
    )
    return parser


def _add_document(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", metavar="DOC", help="id or name")


def _add_number(
    parser: argparse.ArgumentParser, option: str, metavar: str = "N", text: str | None = None
) -> None:
    parser.add_argument(option, type=_positive, default=None, metavar=metavar, help=text)


def _add_lists(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add filters that may be given any number of times."""
    for name in names:
        metavar, text = _LISTS[name]
        parser.add_argument(f"--{name}", action="append", default=[], metavar=metavar, help=text)


def _add_filters(parser: argparse.ArgumentParser) -> None:
    _add_lists(parser, *_LISTS)
    parser.add_argument(
        "--section", default=None, metavar="TEXT", help="only below a section title with this text"
    )
    _add_number(parser, "--version", text="in version N (else current)")
    parser.add_argument(
        "--pages", type=_pages, default=None, metavar="A-B", help="only on these pages (from 1)"
    )
    parser.add_argument(
        "--level", action="append", type=_positive, default=[], metavar="N", help="only headings of level N"
    )
    numbers = parser.add_mutually_exclusive_group()
    numbers.add_argument(
        "--numbers", dest="has_numbers", action="store_true", default=None, help="only with figures"
    )
    numbers.add_argument(
        "--no-numbers", dest="has_numbers", action="store_false", help="only without figures"
    )


def _pages(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    pages = _positive(first), _positive(last or first)
    if pages[0] > pages[1]:
        raise argparse.ArgumentTypeError("must be a page or FIRST-LAST")
    return pages


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _port(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 65535:
        raise argparse.ArgumentTypeError("must be between 1 and 65535")
    return number


if __name__ == "__main__":
    sys.exit(program())
