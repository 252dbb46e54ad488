"""Parts beside a Word document's body: notes, charts, diagrams."""

from __future__ import annotations

from typing import Any

from engine.model import Block
from engine.parse.ooxml import A, C, W, integer
from engine.parse.table_text import Cell, table_block

MAX_POINTS = 2000


def notes_of(root: Any | None) -> dict[str, tuple[int, list[Any]]]:
    """Return footnotes or endnotes by id: the number as shown, and the paragraphs."""
    notes: dict[str, tuple[int, list[Any]]] = {}
    for note in root if root is not None else ():
        if note.get(f"{W}type", "normal") == "normal":
            notes[note.get(f"{W}id", "")] = (len(notes) + 1, list(note.iter(f"{W}p")))
    return notes


def chart_block(root: Any | None) -> Block | None:
    """Return a chart's cached values as a table: categories down, one column a series."""
    if root is None:
        return None
    title = _title(root.find(f".//{C}title"))
    plot = root.find(f".//{C}plotArea")
    kinds = [] if plot is None else [c.tag.removeprefix(C) for c in plot if c.tag.endswith("Chart")]
    series = list(root.iter(f"{C}ser"))[:50]
    cells: list[Cell] = []
    for column, item in enumerate(series, 1):
        cells.append(Cell(_points(item.find(f"{C}tx")).get(0, f"{column}"), 0, column))
        categories = _points(item.find(f"{C}cat"), item.find(f"{C}xVal"))
        values = _points(item.find(f"{C}val"), item.find(f"{C}yVal"))
        for row in sorted(values)[:MAX_POINTS]:
            if column == 1:
                cells.append(Cell(categories.get(row, str(row + 1)), row + 1, 0))
            cells.append(Cell(values[row], row + 1, column))
    cells.sort(key=lambda cell: (cell.row, cell.column))
    kind = kinds[0].removesuffix("Chart") if kinds else ""
    return table_block(cells, header_rows=1, caption=title, chart=kind)


def _title(element: Any | None) -> str:
    if element is None:
        return ""
    return " ".join("".join(t.text or "" for t in element.iter(f"{A}t")).split())


def _points(*holders: Any | None) -> dict[int, str]:
    for holder in holders:
        if holder is not None:
            points = {integer(p.get("idx")): _shown(p.findtext(f"{C}v") or "") for p in holder.iter(f"{C}pt")}
            single = holder.findtext(f"{C}v")
            return points or ({0: single} if single else {})
    return {}


def _shown(text: str) -> str:
    """Return a number without the noise of binary fractions (4.4000000000000004)."""
    if len(text) < 14:
        return text
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text


def diagram_text(root: Any | None) -> str:
    """Return the words of a SmartArt diagram, one shape a line."""
    if root is None:
        return ""
    bodies = [
        element for element in root.iter() if element.tag.endswith("}t") and element.find(f"{A}p") is not None
    ]
    lines = (" ".join("".join(t.text or "" for t in body.iter(f"{A}t")).split()) for body in bodies)
    return "\n".join(line for line in lines if line)
