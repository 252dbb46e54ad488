"""Parts beside a Word document's body: notes, charts, diagrams."""

from typing import Any

from engine.model import Block
from engine.parse.ooxml import A, C, W, integer
from engine.parse.table_text import Cell, table_block

MAX_POINTS = 2000


def notes_of(root: Any | None) -> dict[str, tuple[int, Any]]:
    """Return footnotes, endnotes or comments by id: the number as shown, and the element."""
    shown = (note for note in (() if root is None else root) if note.get(f"{W}type", "normal") == "normal")
    return {note.get(f"{W}id", ""): (number, note) for number, note in enumerate(shown, 1)}


def chart_block(root: Any | None) -> Block | None:
    """Return a chart's cached values as a table: categories down, one column a series."""
    if root is None:
        return None
    title = root.find(f".//{C}title")
    words = "" if title is None else " ".join("".join(title.itertext(f"{A}t", with_tail=False)).split())
    kinds = (plot.tag for plot in root.iterfind(f".//{C}plotArea/*") if plot.tag.endswith("Chart"))
    cells: list[Cell] = []
    for column, item in enumerate(list(root.iter(f"{C}ser"))[:50], 1):
        cells.append(Cell(_points(item.find(f"{C}tx")).get(0, f"{column}"), 0, column))
        categories = _points(item.find(f"{C}cat"), item.find(f"{C}xVal"))
        values = _points(item.find(f"{C}val"), item.find(f"{C}yVal"))
        for row in sorted(values)[:MAX_POINTS]:
            if column == 1:
                cells.append(Cell(categories.get(row, str(row + 1)), row + 1, 0))
            cells.append(Cell(values[row], row + 1, column))
    cells.sort(key=lambda cell: (cell.row, cell.column))
    kind = next(kinds, "").removeprefix(C).removesuffix("Chart")
    return table_block(cells, header_rows=1, caption=words, chart=kind)


def _points(*holders: Any | None) -> dict[int, str]:
    for holder in holders:
        if holder is not None:
            points = {integer(p.get("idx")): _shown(p.findtext(f"{C}v") or "") for p in holder.iter(f"{C}pt")}
            single = holder.findtext(f"{C}v")
            return points or ({0: single} if single else {})
    return {}


def _shown(text: str) -> str:
    """Return a number without the noise of binary fractions (4.4000000000000004)."""
    try:
        return text if len(text) < 14 else f"{float(text):.12g}"
    except ValueError:
        return text


def diagram_text(root: Any | None) -> str:
    """Return the words of a SmartArt diagram, one shape a line."""
    if root is None:
        return ""
    bodies = (e for e in root.iter() if e.tag.endswith("}t") and e.find(f"{A}p") is not None)
    lines = (" ".join("".join(body.itertext(f"{A}t", with_tail=False)).split()) for body in bodies)
    return "\n".join(line for line in lines if line)
