"""Printed tables of contents: pages of entries that end in page numbers."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.parse.pdf_grids import FIGURE
from engine.parse.pdf_text import Boxed, Line, box_around, rows_of
from engine.structure.section_kinds import is_contents_title

LEADER = re.compile(r"\s*(?:(?:\.\s?){3,}|…+(?:\s?\.)*|_{4,}|(?:·\s?){4,}|(?:-\s){4,}|⋯+)\s*")
LABEL = re.compile(r"^(?:page\s+|第\s*)?(\d{1,4}|[ivxlc]{1,7})(?:\s*页)?$", re.IGNORECASE)
LOOK_AT_PAGES = 30
FEWEST, LONGEST = 4, 250


@dataclass(slots=True)
class Contents(Boxed):
    """The lines of each entry of one page, the ids of the lines that they take, and their box in points."""

    entries: list[list[Line]]
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
        labels = {n: label for n, row in enumerate(rows) if (label := _label(row)) is not None}
        titled = any(is_contents_title(row.text) for row in rows)
        leaders = sum(bool(LEADER.search(rows[index].text)) for index in labels)
        share = len(labels) / len(rows) if rows else 0.0
        needed = 0.2 if titled or leaders >= FEWEST else 0.35 if running else 0.6
        running = len(labels) >= FEWEST and share >= needed and _grows([*labels.values()], count)
        if running:
            found[number] = _contents(rows, labels)
    return found


def _label(row: Line) -> int | None:
    """Return the page number that a row ends in, set apart from a title (0 where it is Roman), else None."""
    title, match = "", None
    if row.pieces:
        before, last = row.pieces[-2:]
        if FIGURE.fullmatch(before.text) and len(row.pieces) > 2:
            return None  # a row of figures
        match = LABEL.match(last.text.strip(" .·…")) if last.x0 - before.x1 > -1 else None
        title = row.text.removesuffix(last.text)
    if match is None:
        *titles, behind = LEADER.split(row.text)
        match = LABEL.match(behind.strip()) if titles else None
        title = " ".join(titles)
    title = LEADER.sub(" ", title).strip(" .…·")
    if match is None or sum(map(str.isalpha, title)) < 2 or len(title) > LONGEST:
        return None
    return int(match[1]) if match[1].isdigit() else 0


def _grows(labels: list[int], count: int) -> bool:
    numbers = [label for label in labels if label]
    if len(numbers) < 2:
        return len(labels) >= FEWEST
    steps = sum(a <= b for a, b in itertools.pairwise(numbers))
    return steps >= 0.75 * (len(numbers) - 1) and sorted(numbers)[len(numbers) // 2] <= count + 50


def _contents(rows: list[Line], labels: Collection[int]) -> Contents:
    """Gather the rows of each entry: down to the one with its page number."""
    ends = [index + 1 for index in labels]
    entries = [rows[start:end] for start, end in itertools.pairwise([ends[0] - 1, *ends])]
    lines = [line for entry in entries for line in entry]
    taken = {id(piece) for line in lines for piece in (line, *(line.pieces or ()))}
    return Contents(*box_around(line.bbox for line in lines), entries, taken)
