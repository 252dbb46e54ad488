"""Printed tables of contents: pages of entries that end in page numbers, and what they list."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.parse.pdf_text import Boxed, Line, box_around, rows_of, spaced
from engine.structure.section_kinds import is_contents_title

LEADER = re.compile(r"\s*(?:(?:\.\s?){3,}|…+(?:\s?\.)*|_{4,}|(?:·\s?){4,}|(?:-\s){4,}|⋯+)\s*")
LABEL = re.compile(r"^(?:page\s+|第\s*)?(\d{1,4}|[ivxlc]{1,7})(?:\s*页)?$", re.IGNORECASE)
LOOK_AT_PAGES = 30
FEWEST = 4
PAGE_COLUMN = ("page", "pages")


@dataclass(slots=True)
class Entry:
    """An entry: its lines, its title, and the page label it names (0 when roman)."""

    lines: list[Line]
    title: str
    label: int
    bold: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as it is handed on in ``ParsedFile.contents``."""
        first, last = self.lines[0], self.lines[-1]
        return {
            "title": self.title, "label": self.label, "page": first.page, "indent": round(first.x0, 1),
            "size": last.size, "bold": self.bold,
        }  # fmt: skip


@dataclass(slots=True)
class Contents(Boxed):
    """The entries of one page, the ids of the lines that they take, and their box in points."""

    entries: list[Entry]
    taken: set[int]


def contents_of(pages: Sequence[tuple[int, list[Line]]]) -> dict[int, Contents]:
    """Return the contents entries by page number, for the pages that are part of a table of contents.

    ``pages`` are (page number, lines) in order, all of the document. Only the first pages are
    looked at; a page counts when at least four of its rows end in page numbers that mostly grow, and these are
    most of its rows, or it bears a title like "Contents", or goes on from such a page.
    """
    found: dict[int, Contents] = {}
    running = False
    count = len(pages)
    for number, lines in pages[: max(LOOK_AT_PAGES, count // 10)]:
        rows = rows_of(line for line in lines if line.upright)
        entries = [(index, parsed) for index, row in enumerate(rows) if (parsed := _entry(row)) is not None]
        titled = any(is_contents_title(row.text) for row in rows)
        leaders = sum(bool(LEADER.search(rows[index].text)) for index, _ in entries)
        share = len(entries) / len(rows) if rows else 0.0
        needed = 0.2 if titled or leaders >= FEWEST else 0.35 if running else 0.6
        running = False
        if len(entries) < FEWEST or share < needed or not _grows([label for _, (_, label) in entries], count):
            continue
        found[number] = _contents(rows, dict(entries))
        running = True
    return found


def _entry(row: Line) -> tuple[str, int] | None:
    """Return (title, label) when a row ends in a page number set apart from its text, else None."""
    if row.pieces:
        last = row.pieces[-1]
        match = LABEL.match(last.text.strip(" .·…"))
        if match and last.x0 - row.pieces[-2].x1 > -1:
            return _titled(row.text.removesuffix(last.text), match[1])
    parts = LEADER.split(row.text)
    if len(parts) >= 2 and (match := LABEL.match(parts[-1].strip())):
        return _titled(" ".join(parts[:-1]), match[1])
    return None


def _titled(title: str, label: str) -> tuple[str, int] | None:
    title = LEADER.sub(" ", title).strip(" .…·")
    if sum(char.isalpha() for char in title) < 2 or len(title) > 250:
        return None
    return title, int(label) if label.isdigit() else 0


def _grows(labels: list[int], count: int) -> bool:
    numbers = [label for label in labels if label]
    if len(numbers) < 2:
        return len(labels) >= FEWEST
    steps = sum(a <= b for a, b in itertools.pairwise(numbers))
    return steps >= 0.75 * (len(numbers) - 1) and sorted(numbers)[len(numbers) // 2] <= count + 50


def _contents(rows: list[Line], entries: dict[int, tuple[str, int]]) -> Contents:
    """Gather the rows of each entry: wrapped ones before its page number, those of a part that has none."""
    first, last = min(entries), max(entries)
    runs: list[list[int]] = []
    for index in range(max(0, first - 1), last + 1):
        if index not in entries and is_contents_title(rows[index].text):
            continue
        if runs and runs[-1][-1] not in entries and _wraps(rows[runs[-1][-1]], rows[index]):
            runs[-1].append(index)
        else:
            runs.append([index])
    found: list[Entry] = []
    taken: set[int] = set()
    for run in runs if runs[0] != [first - 1] else runs[1:]:
        lines = [rows[index] for index in run]
        title, label = entries.get(run[-1], (lines[-1].text, 0))
        for line in reversed(lines[:-1]):
            title = spaced(line.text, title, True)
        taken.update(id(piece) for line in lines for piece in (line, *(line.pieces or ())))
        if run[-1] in entries or (sum(map(str.isalpha, title)) > 1 and title.casefold() not in PAGE_COLUMN):
            bold = lines[0].bold > 0.8 or bool(run[-1] in entries and lines[0].lead)
            found.append(Entry(lines, title, label, bold))
    return Contents(*box_around(line.bbox for entry in found for line in entry.lines), found, taken)


def _wraps(row: Line, following: Line) -> bool:
    """Tell whether an entry that begins in one row goes on in the next."""
    near = following.baseline - row.baseline < 1.9 * max(row.size, following.size)
    alike = abs(row.size - following.size) < 0.6
    numbered = following.text[:1].isdigit() or following.text[:1] in "第•"
    return near and alike and not numbered and following.x0 >= row.x0 - 1 and len(row.text) > 15
