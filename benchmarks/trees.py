"""How well headings and trees are found, and how fast, against gold trees.

    python benchmarks/trees.py DATA_FOLDER [--only WORD] [--misses] [--json]

DATA_FOLDER holds ``toc_gold`` (PDFs without their bookmarks, which are the gold), ``law_trees_zh`` (statutes as
PDF, Word and Markdown), ``docling_gt`` (Office, web pages and Markdown with reference Markdown); PDFs with
bookmarks are taken from ``--bookmarks FOLDER``. A heading counts when its title (without case, spaces, punctuation and
number) and its page (±1) agree; F1 is the mean over files. Level and parent accuracy are over the headings
found: a level is right when it equals the gold level after shifting all levels of the file by one constant.
``to depth`` leaves out found headings deeper than any gold heading. ``pymupdf4llm`` is scored beside ours when
it is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import importlib
import json
import re
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.config import ParsingSettings
from engine.model import ParsedFile
from engine.structure.numbering import without_number
from engine.structure.tree import build_tree

NOISE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One heading of a tree: level (1 = top), title, page (1-based, None where there is none)."""

    level: int
    title: str
    page: int | None


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one file; accuracies are None without found headings, ``pages_per_second`` is CPU."""

    set: str
    name: str
    gold: int
    found: int
    f1: float
    precision: float
    recall: float
    f1_to_depth: float
    level: float | None
    parent: float | None
    pages: int
    pages_per_second: float


def keys(title: str) -> set[str]:
    """Return the forms of a title that count as equal: with its number and without."""
    text = unicodedata.normalize("NFKC", title).strip()
    full, bare = NOISE.sub("", text).casefold(), NOISE.sub("", without_number(text)).casefold()
    lettered = NOISE.sub("", re.sub(r"^[A-Z][.)]?\s+", "", text)).casefold()
    return {form for form in (full, bare, lettered) if form}


def matches(gold: Sequence[Entry], found: Sequence[Entry]) -> list[tuple[int, int]]:
    """Return pairs (gold index, found index) with equal titles and pages at most one apart, each used once."""
    waiting: dict[str, list[int]] = {}
    for index, entry in enumerate(found):
        for form in keys(entry.title):
            waiting.setdefault(form, []).append(index)
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for slack in (0, 1):
        for index, entry in enumerate(gold):
            if index in pairs:
                continue
            others = sorted({other for form in keys(entry.title) for other in waiting.get(form, ())} - used)
            for other in others:
                page = found[other].page
                if entry.page is None or page is None or abs(page - entry.page) <= slack:
                    pairs[index] = other
                    used.add(other)
                    break
    return sorted(pairs.items())


def f1(common: int, gold: int, found: int) -> float:
    """Return the harmonic mean of precision and recall (1 when there is nothing to find and nothing found)."""
    return 1.0 if gold == found == 0 else 2 * common / (gold + found)


def parents(entries: Sequence[Entry]) -> list[int | None]:
    """Return for each heading the index of the heading above it, None at the top."""
    result: list[int | None] = []
    stack: list[int] = []
    for index, entry in enumerate(entries):
        while stack and entries[stack[-1]].level >= entry.level:
            stack.pop()
        result.append(stack[-1] if stack else None)
        stack.append(index)
    return result


def score(
    set_name: str, name: str, gold: Sequence[Entry], found: Sequence[Entry], pages: int, seconds: float
) -> Score:
    """Compare the found headings of one file with the gold."""
    pairs = matches(gold, found)
    deepest = max((entry.level for entry in gold), default=0)
    shifts = Counter(gold[g].level - found[f].level for g, f in pairs)
    shift = shifts.most_common(1)[0][0] if shifts else 0
    shallow = [entry for entry in found if entry.level + shift <= deepest]
    gold_parents, found_parents = parents(gold), parents(found)
    to_found = dict(pairs)
    right = 0
    for g, f in pairs:
        above = gold_parents[g]
        if above is None:
            parent = found_parents[f]
            right += parent is None or parent not in to_found.values()
        else:
            right += to_found.get(above, -1) == found_parents[f]
    return Score(
        set_name,
        name,
        len(gold),
        len(found),
        f1(len(pairs), len(gold), len(found)),
        len(pairs) / len(found) if found else float(not gold),
        len(pairs) / len(gold) if gold else 1.0,
        f1(len(matches(gold, shallow)), len(gold), len(shallow)),
        shifts[shift] / len(pairs) if pairs else None,
        right / len(pairs) if pairs else None,
        pages,
        pages / seconds if seconds else 0.0,
    )


def our_headings(path: Path, hide_bookmarks: bool = False) -> tuple[list[Entry], int, float]:
    """Return the headings of our tree of a file, its pages, and the CPU seconds that parsing took."""
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
    # A slide without a title gets one made for it; no heading stands in the file.
    sections = [n for n in tree.nodes if n.role == "section" and not n.metadata.get("generated")]
    return (
        [Entry(node.level or node.depth, node.title, node.page) for node in sections],
        tree.pages or 1,
        seconds,
    )


def parse(path: Path) -> ParsedFile:
    """Parse a file with the parser of its format."""
    if path.suffix == ".pdf":
        from engine.parse.pdf import parse_pdf

        return parse_pdf(path, ParsingSettings())
    from engine.parse.dispatch import parse_file

    return parse_file(path, path.name, ParsingSettings())


def pymupdf4llm_headings(path: Path, _hide_bookmarks: bool = False) -> tuple[list[Entry], int, float]:
    """Return the headings in the Markdown that pymupdf4llm makes of a PDF."""
    import pymupdf4llm

    start = time.process_time()
    chunks: list[dict[str, Any]] = pymupdf4llm.to_markdown(str(path), page_chunks=True, show_progress=False)
    seconds = time.process_time() - start
    entries = [
        Entry(entry.level, entry.title, number)
        for number, chunk in enumerate(chunks, 1)
        for entry in markdown_headings(chunk["text"])
    ]
    return entries, len(chunks), seconds


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
    headings: Callable[[Path, bool], tuple[list[Entry], int, float]],
    show_misses: bool,
) -> list[Score]:
    """Score every case and print a line for each."""
    scores = []
    for set_name, path, gold in todo:
        found, pages, seconds = headings(path, set_name.endswith("hidden"))
        result = score(set_name, path.name, gold, found, pages, seconds)
        scores.append(result)
        print(
            f"{set_name:22} {path.name[:34]:34} gold {result.gold:4} found {result.found:4} F1 {result.f1:.3f} "
            f"P {result.precision:.2f} R {result.recall:.2f} to depth {result.f1_to_depth:.3f} "
            f"level {_figure(result.level)} parent {_figure(result.parent)} {result.pages_per_second:6.0f} pages/s",
            flush=True,
        )
        if show_misses:
            pairs = matches(gold, found)
            taken_gold, taken_found = {g for g, _ in pairs}, {f for _, f in pairs}
            for index, entry in enumerate(gold):
                if index not in taken_gold:
                    print(f"      missed p{entry.page} {entry.level} {entry.title[:90]}")
            for index, entry in enumerate(found):
                if index not in taken_found:
                    print(f"      extra  p{entry.page} {entry.level} {entry.title[:90]}")
    return scores


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--bookmarks", type=Path, help="a folder with PDFs that have bookmarks")
    parser.add_argument("--only", default="", help="only sets or files with this word")
    parser.add_argument("--misses", action="store_true", help="print what was missed and what was too much")
    parser.add_argument(
        "--with", dest="other", choices=["pymupdf4llm"], help="score this beside ours (PDF only)"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    todo = [
        case for case in cases(options.data, options.bookmarks) if options.only in f"{case[0]} {case[1].name}"
    ]
    if any(case[1].suffix == ".pdf" for case in todo):
        import pymupdf  # noqa: F401 - its load time is not the parser's
    scores = run(todo, our_headings, options.misses)
    report: dict[str, Any] = {"ours": summary(scores)}
    if options.other:
        scores += run(
            [case for case in todo if case[1].suffix == ".pdf"], pymupdf4llm_headings, options.misses
        )
        report[options.other] = summary(scores[len(todo) :])
    if options.json:
        print(json.dumps({**report, "files": [asdict(item) for item in scores]}, ensure_ascii=False))
        return
    for name, sets in report.items():
        for set_name, figures in sets.items():
            print(
                f"{name:12} {set_name:22}",
                " ".join(f"{label} {value:.3f}" for label, value in figures.items()),
            )


if __name__ == "__main__":
    main()
