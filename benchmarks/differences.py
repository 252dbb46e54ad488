"""Measure whether a difference between two versions is told where it is, and nothing else is.

    python benchmarks/differences.py FOLDER [--documents 8] [--edits 48] [--show]

FOLDER holds documents of any kind with headings. Each is read, cut to a readable length and written anew as
Markdown and as Word; then edits are made by script: a number changed, a section added, removed, moved,
a heading renamed, a table row replaced. Every edited file becomes a version of its own beside the first one. An
edit is right when the difference reports it under its section; anything else that is reported is wrong. What
is embedded again is counted with vectors made of random numbers; it must lie in the section that was edited,
unless the edit gave the whole document another title, which every vector holds.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import UnreadableFileError
from engine.ingest import Source
from engine.library import Library
from engine.model import Tree
from engine.shared_library import temporary_library
from engine.versions.changes import Change, Difference

FORMATS = (".md", ".docx", ".pdf", ".html", ".pptx", ".epub")
MOST_ITEMS, LEAST_SECTIONS = 250, 5
MODEL = "random@1"
NUMBER = re.compile(r"(?<![\w.])\d{2,4}(?![\w.])|(?<=[\u4e00-\u9fff])\d{2,4}|[二三四五六七八九]十(?=[日天个年人])")


@dataclass(frozen=True)
class Item:
    """A heading (``level``), a paragraph, or a table (``rows``)."""

    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Edit:
    """An edited document and what is to be reported: the kind, the section's title, the texts."""

    kind: str
    items: list[Item]
    title: str
    before: str = ""
    after: str = ""


def main() -> None:
    """Make the documents and edits, compare, print one line a kind and the total."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=8)
    parser.add_argument("--edits", type=int, default=48)
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    options = parser.parse_args()
    chance = random.Random(17)
    counts: Counter[str] = Counter()
    by_kind: dict[str, Counter[str]] = {kind: Counter() for kind in EDITS}
    with temporary_library() as library:
        documents = [items for items in _documents(library, options.folder) if items]
        chance.shuffle(documents)
        documents = documents[: options.documents]
        plans = [(items, suffix, kind) for kind in EDITS for suffix in (".md", ".docx") for items in documents]
        chance.shuffle(plans)
        for items, suffix, kind in plans:
            if sum(by_kind[kind].values()) >= -(-options.edits // len(EDITS)):
                continue
            edit = EDITS[kind](items, chance)
            if edit is None:
                continue
            name = f"{documents.index(items)}{suffix}"
            verdict = _judge(library, name, items, edit, counts, options.show)
            by_kind[kind][verdict] += 1
    for kind, verdicts in by_kind.items():
        print(json.dumps({"edit": kind, **verdicts}))
    edits = sum(sum(verdicts.values()) for verdicts in by_kind.values())
    right = sum(verdicts["right"] for verdicts in by_kind.values())
    print(json.dumps({
        "documents": len(documents), "edits": edits, "right": round(right / max(edits, 1), 3),
        "unchanged_sections_reported": counts["wrong"], "nodes": counts["nodes"],
        "embedded_again": counts["embedded"], "embedded_elsewhere": counts["elsewhere"],
        "embedded_for_a_new_document_title": counts["by title"],
        "cpu_ms_a_difference": round(1000 * counts["cpu_us"] / 1e6 / max(edits, 1), 1),
    }))  # fmt: skip


def _documents(library: Library, folder: Path) -> Iterator[list[Item]]:
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in FORMATS and path.is_file()]
    for path in paths:
        if path.stat().st_size > 3_000_000:
            continue
        try:
            items = _items(library.parse_file(path))
        except UnreadableFileError:
            continue
        if sum(item.level > 0 for item in items) >= LEAST_SECTIONS:
            yield items


def _items(tree: Tree) -> list[Item]:
    """Return a document as headings, paragraphs and tables; a heading that is there twice is left out."""
    items: list[Item] = []
    seen: set[str] = set()
    for node in tree.nodes[1:]:
        text = " ".join((node.title or node.text).split())
        rows = tuple(
            tuple(" ".join(str(cell or "").split()) for cell in row) for row in node.metadata.get("rows") or ()
        )
        if node.role == "section" and text and not node.metadata.get("generated") and text.casefold() not in seen:
            seen.add(text.casefold())
            items.append(Item(text, level=min(node.depth, 6)))
        elif node.role == "table" and len(rows) > 2 and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            items.append(Item(rows=rows))
        elif node.role in ("paragraph", "list") and text:
            items.append(Item(text))
        if len(items) >= MOST_ITEMS:
            break
    return items


# --- edits -------------------------------------------------------------------------------------------


def _blocks(items: list[Item], level: int | None = None) -> list[tuple[int, int]]:
    """Return (start, end) of the sections with their subsections."""
    found = []
    for start, item in enumerate(items):
        if item.level and (level is None or item.level == level):
            end = next((i for i in range(start + 1, len(items)) if 0 < items[i].level <= item.level), len(items))
            found.append((start, end))
    return found


def _holder(items: list[Item], at: int) -> str:
    return next((items[i].text for i in range(at, -1, -1) if items[i].level), "")


def _number(items: list[Item], chance: random.Random) -> Edit | None:
    places = [i for i, item in enumerate(items) if not item.level and NUMBER.search(item.text) and _holder(items, i)]
    if not places:
        return None
    at = chance.choice(places)
    found = chance.choice(list(NUMBER.finditer(items[at].text)))
    new = str(int(found[0]) + chance.randint(11, 97)) if found[0].isdecimal() else f"{found[0]}六"
    text = items[at].text[: found.start()] + new + items[at].text[found.end() :]
    edited = [*items[:at], replace(items[at], text=text), *items[at + 1 :]]
    return Edit("changed number", edited, _holder(items, at), found[0], new)


def _added(items: list[Item], chance: random.Random) -> Edit | None:
    start, end = chance.choice(_blocks(items))
    wide = any("\u4e00" <= char <= "\u9fff" for char in items[start].text)
    title = "补充规定与说明" if wide else "Supplementary remarks"
    text = (
        "本节由后来的修订加入，说明新的办理期限为三十七天，并由专门的小组负责。"
        if wide
        else "This part came with a later revision; it sets a period of thirty-seven days for every request."
    )
    new = [Item(title, level=items[start].level), Item(text)]
    return Edit("added section", [*items[:end], *new, *items[end:]], title, "", text)


def _removed(items: list[Item], chance: random.Random) -> Edit | None:
    leaves = [
        (start, end)
        for start, end in _blocks(items)
        if start and end - start > 1 and not any(item.level for item in items[start + 1 : end])
    ]
    if not leaves:
        return None
    start, end = chance.choice(leaves)
    text = next((item.text for item in items[start + 1 : end] if item.text), "")
    return Edit("removed section", [*items[:start], *items[end:]], items[start].text, text, "")


def _moved(items: list[Item], chance: random.Random) -> Edit | None:
    choices = []
    for start, end in _blocks(items):
        siblings = _siblings(items, start)
        for place, (other, other_end) in enumerate(siblings):
            if abs(place - siblings.index((start, end))) > 1:
                choices.append((start, end, other if other < start else other_end))
    if not choices:
        return None
    start, end, to = chance.choice(choices)
    part, rest_before, rest_after = items[start:end], items[: min(start, to)], items[max(end, to) :]
    between = items[to:start] if to < start else items[end:to]
    middle = [*part, *between] if to < start else [*between, *part]
    return Edit("moved section", [*rest_before, *middle, *rest_after], items[start].text)


def _siblings(items: list[Item], start: int) -> list[tuple[int, int]]:
    level = items[start].level
    low = next((i for i in range(start - 1, -1, -1) if 0 < items[i].level < level), -1)
    high = next((i for i in range(start + 1, len(items)) if 0 < items[i].level < level), len(items))
    return [(a, b) for a, b in _blocks(items, level) if low < a < high]


def _renamed(items: list[Item], chance: random.Random) -> Edit | None:
    start, _ = chance.choice(_blocks(items))
    old = items[start].text
    wide = any("\u4e00" <= char <= "\u9fff" for char in old)
    new = f"{old}（修订）" if wide and chance.random() < 0.5 else "有关事项" if wide else f"On {old.lower()} again"
    return Edit(
        "renamed heading",
        [*items[:start], replace(items[start], text=new), *items[start + 1 :]],
        new,
        old,
        new,
    )


def _row(items: list[Item], chance: random.Random) -> Edit | None:
    tables = [i for i, item in enumerate(items) if item.rows and _holder(items, i)]
    if not tables:  # give the document one
        start, _ = chance.choice(_blocks(items))
        table = Item(
            rows=(
                ("Item", "2024", "2025"),
                ("North", "412", "431"),
                ("South", "95", "88"),
                ("West", "71", "70"),
            )
        )
        items[start + 1 : start + 1] = [Item("Figures by region."), table]
        tables = [start + 2]
    at = chance.choice(tables)
    rows = list(items[at].rows)
    place = chance.randrange(1, len(rows))
    new = tuple(f"{cell[:12]}{chance.randint(101, 998)}" for cell in rows[place])
    edited = replace(items[at], rows=(*rows[:place], new, *rows[place + 1 :]))
    return Edit(
        "replaced table row",
        [*items[:at], edited, *items[at + 1 :]],
        _holder(items, at),
        rows[place][0],
        new[0],
    )


EDITS: dict[str, Callable[[list[Item], random.Random], Edit | None]] = {
    "changed number": _number,
    "added section": _added,
    "removed section": _removed,
    "moved section": _moved,
    "renamed heading": _renamed,
    "replaced table row": _row,
}


# --- files -------------------------------------------------------------------------------------------


def _file(items: list[Item], suffix: str) -> bytes:
    return _markdown(items) if suffix == ".md" else _word(items)


def _markdown(items: list[Item]) -> bytes:
    def escaped(text: str) -> str:
        return re.sub(r"([\\`*_{}\[\]<>()#+\-.!|~&$=:^])", r"\\\1", text)

    parts = []
    for item in items:
        if item.rows:
            lines = ["| " + " | ".join(escaped(cell) or " " for cell in row) + " |" for row in item.rows]
            parts.append("\n".join([lines[0], "|" + " --- |" * len(item.rows[0]), *lines[1:]]))
        else:
            parts.append("#" * item.level + (" " if item.level else "") + escaped(item.text))
    return "\n\n".join(parts).encode()


def _word(items: list[Item]) -> bytes:
    import docx

    document = docx.Document()
    for item in items:
        if item.rows:
            table = document.add_table(len(item.rows), len(item.rows[0]), style="Table Grid")
            for row, cells in zip(table.rows, item.rows, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
        elif item.level:
            document.add_heading(item.text, item.level)
        else:
            document.add_paragraph(item.text)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


# --- judging -----------------------------------------------------------------------------------------


def _judge(library: Library, name: str, items: list[Item], edit: Edit, counts: Counter[str], show: bool) -> str:
    name = f"{len(items)}-{name}"
    [first] = library.add([Source(name, _file(items, Path(name).suffix))])
    if first.status == "failed":
        return "unread"
    _embed(library)
    [second] = library.add([Source(name, _file(edit.items, Path(name).suffix))])
    embedded = _embed(library)
    started = time.process_time_ns()
    found = library.version_history.difference(name, first.version or 1, second.version or 2)
    counts["cpu_us"] += (time.process_time_ns() - started) // 1000
    counts["nodes"] += second.nodes
    counts["embedded"] += len(embedded)
    right, wrong = _found(found, edit)
    named = {_plain(part) for change in [*right, *_all(found)] for part in change.path} | {_plain(edit.title)}
    elsewhere = [path for path in embedded if path and not named & {_plain(part) for part in path}]
    counts["wrong"] += len(wrong)
    trees = [library.tree(name, version) for version in (first.version, second.version)]
    titled = trees[0].nodes[0].title == trees[1].nodes[0].title
    counts["elsewhere" if titled else "by title"] += len(elsewhere)
    elsewhere = elsewhere if titled else []
    if show and (wrong or elsewhere or not right):
        print(f"{name} {edit.kind} {edit.title!r} {edit.before!r} -> {edit.after!r}")
        for kind in ("added", "removed", "changed", "moved", "renamed"):
            for change in getattr(found, kind):
                print("   ", kind, change.path, repr(change.before[:80]), "->", repr(change.after[:80]))
        print("    elsewhere", elsewhere[:3])
    return "right" if right else "missed"


def _embed(library: Library) -> list[list[str]]:
    """Give every node a vector; return the section paths of those that had none."""
    paths = []
    storage = library.storage
    while missing := storage.nodes_without_vector(MODEL, 500):
        keys, texts = [key for key, _ in missing], [text for _, text in missing]
        vectors = np.random.default_rng(1).standard_normal((len(keys), 8)).astype(np.float32)
        storage.add_vectors(MODEL, keys, texts, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
        paths += [stored.path for stored in storage.snapshot().nodes(keys)]
    return paths


def _all(found: Difference) -> list[Change]:
    return [*found.added, *found.removed, *found.changed, *found.moved, *found.renamed]


def _found(found: Difference, edit: Edit) -> tuple[list[Change], list[Change]]:
    """Return the changes that report the edit, and those that report something else."""
    lists: dict[str, list[Change]] = {
        "changed number": found.changed, "replaced table row": found.changed, "added section": found.added,
        "removed section": found.removed, "moved section": found.moved, "renamed heading": found.renamed,
    }  # fmt: skip
    right = [
        change
        for change in lists[edit.kind]
        if _plain(edit.title) in [_plain(title) for title in change.path]  # a generated section may lie below
        and _plain(edit.before) in _plain(change.before if edit.kind != "moved section" else "" + edit.before)
        and _plain(edit.after) in _plain(change.after if edit.kind != "moved section" else "" + edit.after)
    ]
    return right[:1], [change for change in _all(found) if change not in right[:1]]


def _plain(text: Any) -> str:
    return re.sub(r"\W+", "", str(text)).casefold()


if __name__ == "__main__":
    main()
