"""How well headings and trees are found, and how fast, against gold trees, side by side with other tools.

    uv run --with "pymupdf4llm<2" --with "markitdown[docx,pptx,xlsx,pdf]" \\
        python benchmarks/trees.py DATA_FOLDER [--only WORD] [--misses] [--json] [--ours]

DATA_FOLDER holds ``toc_gold`` (PDFs without their bookmarks, which are the gold), ``law_trees_zh`` (statutes as
PDF, Word and Markdown), ``docling_gt`` (Office, web pages and Markdown with reference Markdown); PDFs with
bookmarks are taken from ``--bookmarks FOLDER``. A heading counts when its title (without case, spaces, punctuation
and number) and its page (±1) agree; F1 is the mean over files. Level and parent accuracy are over the headings
found: a level is right when it equals the gold level after shifting all levels of the file by one constant.
``to depth`` leaves out found headings deeper than any gold heading. The document's title, which our tree has at
its root and other tools as a heading, counts for all of them where the gold lists it, and for none where it does
not. Other tools are scored on the same files when they are installed; none is needed by DropQA.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import importlib
import importlib.util
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from heading_scores import Entry, Score, matches, score, without_title

from engine.config import ParsingSettings
from engine.model import ParsedFile
from engine.structure.tree import build_tree

FORMATS = {"pymupdf4llm": (".pdf",), "markitdown": (".pdf", ".docx", ".pptx", ".xlsx", ".html", ".md")}


@dataclass(frozen=True, slots=True)
class Found:
    """What one tool makes of a file: its headings, the title of the document, pages, CPU seconds."""

    headings: list[Entry]
    title: str
    pages: int
    seconds: float


def our_headings(path: Path, hide_bookmarks: bool = False) -> Found:
    """Return the headings of our tree of a file, the root's title before them."""
    start = time.process_time()
    parsed = parse(path)
    if hide_bookmarks:
        parsed = replace(parsed, outline=[])
    tree = build_tree(
        parsed,
        document_id="d",
        name=path.name,
        sha256=hashlib.sha256(path.name.encode()).hexdigest(),
        version=1,
        settings=ParsingSettings(),
    )
    seconds = time.process_time() - start
    # Generated sections stand for no heading in the file; a title that was given a meaning counts as printed. Headings
    # that run into a paragraph are never bookmarks: no gold here tells them from what is no heading.
    unknown = {"generated", "run_in"} if path.suffix == ".pdf" else {"generated"}
    sections = [n for n in tree.nodes if n.role == "section" and not any(map(n.metadata.get, unknown))]
    headings = [
        Entry(node.level or node.depth, node.metadata.get("original_title") or node.title, node.page)
        for node in sections
    ]
    title = tree.nodes[0].title
    if path.suffix == ".pdf":
        headings.insert(0, Entry(0, title, 1))
    return Found(headings, title, tree.pages or 1, seconds)


def parse(path: Path) -> ParsedFile:
    """Parse a file with the parser of its format."""
    if path.suffix == ".pdf":
        from engine.parse.pdf import parse_pdf

        return parse_pdf(path, ParsingSettings())
    from engine.parse.dispatch import parse_file

    return parse_file(path, path.name, ParsingSettings())


def pymupdf4llm_headings(path: Path, _hide_bookmarks: bool = False) -> Found:
    """Return the headings in the Markdown that pymupdf4llm makes of a PDF."""
    tool: Any = importlib.import_module("pymupdf4llm")
    start = time.process_time()
    chunks: list[dict[str, Any]] = tool.to_markdown(str(path), page_chunks=True, show_progress=False)
    seconds = time.process_time() - start
    entries = [
        Entry(entry.level, entry.title, number)
        for number, chunk in enumerate(chunks, 1)
        for entry in markdown_headings(chunk["text"])
    ]
    return Found(entries, "", len(chunks), seconds)


def markitdown_headings(path: Path, _hide_bookmarks: bool = False) -> Found:
    """Return the headings in the Markdown that markitdown makes of a file."""
    tool: Any = importlib.import_module("markitdown")
    start = time.process_time()
    try:
        text = tool.MarkItDown(enable_plugins=False).convert(str(path)).markdown
    except (tool.FileConversionException, tool.UnsupportedFormatException):
        text = ""
    return Found(list(markdown_headings(text)), "", 1, time.process_time() - start)


def markdown_headings(text: str) -> Iterator[Entry]:
    """Yield the ``#`` headings of Markdown outside code fences."""
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        match = re.match(r"(#{1,6})\s+(.*)", line)
        if match and not fenced:
            words = html.unescape(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[2]))
            yield Entry(len(match[1]), re.sub(r"[*_`\\]", "", words).strip(), None)


def toc_entries(items: Iterable[dict[str, Any]]) -> list[Entry]:
    """Return the gold entries of a tree file."""
    return [Entry(item["level"], item["title"], item["page1"]) for item in items]


def cases(folder: Path, bookmarks: Path | None) -> Iterator[tuple[str, Path, list[Entry]]]:
    """Yield (set, file, gold headings) of everything there is to measure."""
    for gold in sorted((folder / "toc_gold/toc").glob("*.json")):
        data = json.loads(gold.read_text("utf-8"))
        yield "pdf without bookmarks", folder / "toc_gold/pdfs" / f"{gold.stem}.pdf", toc_entries(data["toc"])
    for kind in ("pdf", "docx", "md"):
        for gold in sorted((folder / "law_trees_zh/tree").glob("*.json")):
            entries = toc_entries(json.loads(gold.read_text("utf-8"))["toc"])
            if kind != "pdf":
                entries = [Entry(entry.level, entry.title, None) for entry in entries]
            yield f"statutes {kind}", folder / "law_trees_zh" / kind / f"{gold.stem}.{kind}", entries
    for kind in ("docx", "pptx", "xlsx", "html", "md"):
        for path in sorted((folder / "docling_gt" / kind).glob(f"*.{kind[:3]}*")):
            reference = folder / "docling_gt" / kind / "gt" / f"{path.name}.md"
            if reference.exists():
                yield f"reference {kind}", path, list(markdown_headings(reference.read_text("utf-8")))
    if bookmarks is not None:
        for path, entries in bookmarked(bookmarks):
            yield "pdf with bookmarks", path, entries
            yield "pdf bookmarks hidden", path, entries


def bookmarked(folder: Path) -> Iterator[tuple[Path, list[Entry]]]:
    """Yield the PDFs of a folder that have at least three bookmarks, with those as gold."""
    pymupdf: Any = importlib.import_module("pymupdf")
    for path in sorted(folder.rglob("*.pdf")):
        with pymupdf.open(path) as document:
            toc = [] if document.needs_pass else document.get_toc()
        if len(toc) >= 3:
            yield path, [Entry(level, title, page) for level, title, page in toc if page > 0]


def run(
    todo: Iterable[tuple[str, Path, list[Entry]]],
    headings: Callable[[Path, bool], Found],
    titles: dict[Path, str],
    show_misses: bool,
) -> list[Score]:
    """Score every case and print a line for each; ``titles`` are the documents' own, filled by the first tool."""
    scores = []
    for set_name, path, gold in todo:
        made = headings(path, set_name.endswith("hidden"))
        found = without_title(gold, made.headings, titles.setdefault(path, made.title))
        result = score(set_name, path.name, gold, found, made.pages, made.seconds)
        scores.append(result)
        print(
            f"{set_name:22} {path.name[:34]:34} gold {result.gold:4} found {result.found:4} F1 {result.f1:.3f} "
            f"P {result.precision:.2f} R {result.recall:.2f} to depth {result.f1_to_depth:.3f} "
            f"level {_figure(result.level)} parent {_figure(result.parent)} {result.pages_per_second:6.0f} pages/s",
            flush=True,
        )
        if show_misses:
            _print_misses(gold, found)
    return scores


def _print_misses(gold: Sequence[Entry], found: Sequence[Entry]) -> None:
    pairs = matches(gold, found)
    taken_gold, taken_found = {g for g, _ in pairs}, {f for _, f in pairs}
    for index, entry in enumerate(gold):
        if index not in taken_gold:
            print(f"      missed p{entry.page} {entry.level} {entry.title[:90]}")
    for index, entry in enumerate(found):
        if index not in taken_found:
            print(f"      extra  p{entry.page} {entry.level} {entry.title[:90]}")


def _figure(value: float | None) -> str:
    return "  – " if value is None else f"{value:.2f}"


def summary(scores: Sequence[Score]) -> dict[str, dict[str, float]]:
    """Return the means over the files of each set."""
    result = {}
    for set_name in dict.fromkeys(item.set for item in scores):
        group = [item for item in scores if item.set == set_name]
        seconds = sum(item.pages / item.pages_per_second for item in group if item.pages_per_second)
        result[set_name] = {
            "files": len(group),
            "f1": mean(item.f1 for item in group),
            "f1_to_depth": mean(item.f1_to_depth for item in group),
            "level": mean([item.level for item in group if item.level is not None] or [0.0]),
            "parent": mean([item.parent for item in group if item.parent is not None] or [0.0]),
            "pages_per_second": sum(item.pages for item in group) / seconds if seconds else 0.0,
        }
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--bookmarks", type=Path, help="a folder with PDFs that have bookmarks")
    parser.add_argument("--only", default="", help="only sets or files with this word")
    parser.add_argument("--misses", action="store_true", help="print what was missed and what was too much")
    parser.add_argument("--ours", action="store_true", help="leave out the other tools")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    todo = [case for case in cases(options.data, options.bookmarks) if options.only in f"{case[0]} {case[1].name}"]
    if any(case[1].suffix == ".pdf" for case in todo):
        import pymupdf  # noqa: F401 - its load time is not the parser's
    titles: dict[Path, str] = {}
    scores = {"ours": run(todo, our_headings, titles, options.misses)}
    tools = {"pymupdf4llm": pymupdf4llm_headings, "markitdown": markitdown_headings}
    for name, headings in () if options.ours else tools.items():
        if importlib.util.find_spec(name) is None:
            print(f"{name} is not installed: not scored beside ours (see --help).")
            continue
        print(name)
        some = [case for case in todo if case[1].suffix in FORMATS[name]]
        scores[name] = run(some, headings, titles, options.misses)
    report = {name: summary(items) for name, items in scores.items()}
    if options.json:
        files = {name: [asdict(item) for item in items] for name, items in scores.items()}
        print(json.dumps({**report, "files": files}, ensure_ascii=False))
        return
    for set_name in report["ours"]:
        for name, sets in report.items():
            if set_name in sets:
                figures = " ".join(f"{label} {value:.3f}" for label, value in sets[set_name].items())
                print(f"{set_name:22} {name:12} {figures}")


if __name__ == "__main__":
    main()
