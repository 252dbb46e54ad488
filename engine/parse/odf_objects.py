"""Objects in OpenDocument frames: charts as tables of their data, formulas as their source."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import islice
from typing import Any

from engine.model import Block
from engine.parse.mathml import linear
from engine.parse.odf_package import CHART, DRAW, HREF, MATHML, OFFICE, SVG, TABLE, TEXT, points, whole
from engine.parse.ooxml import Package
from engine.parse.table_text import Cell, table_block

MAX_ROWS, MAX_COLUMNS = 2000, 50


def picture_of(frame: Any) -> Block | None:
    """Return the picture of a frame with its description and size in points, None when it holds none."""
    image = frame.find(f"{DRAW}image")
    if image is None:
        return None
    alt = description(frame)
    source = image.get(HREF, "")
    facts = {
        "alt": alt,
        "width": points(frame.get(f"{SVG}width")),
        "height": points(frame.get(f"{SVG}height")),
        "source": "" if source.startswith("data:") else source[:500],
    }
    return Block("image", alt, metadata=facts)


def description(frame: Any) -> str:
    """Return a frame's title or description for people who cannot see it."""
    for name in ("desc", "title"):
        if text := " ".join((frame.findtext(f"{SVG}{name}") or "").split()):
            return text
    return ""


def object_blocks(frame: Any, package: Package) -> Iterator[Block]:
    """Yield what the embedded object of a frame says: a chart's data, a formula."""
    root = _contents(frame, package)
    if root is None:
        return
    if root.tag == f"{MATHML}math":
        if text := linear(root):
            yield Block("equation", text)
        return
    for chart in root.iter(f"{CHART}chart"):
        yield from _chart(chart)


def formula_of(frame: Any, package: Package) -> str:
    """Return the formula in a frame, "" when it holds something else."""
    if frame.find(f"{DRAW}object") is None:
        return ""
    root = _contents(frame, package)
    return linear(root) if root is not None and root.tag == f"{MATHML}math" else ""


def _contents(frame: Any, package: Package) -> Any | None:
    element = frame.find(f"{DRAW}object")
    if element is None:
        return None
    for inner in element.iter(f"{MATHML}math", f"{OFFICE}document"):
        return inner
    href = element.get(HREF, "")
    if not href or ":" in href:
        return None
    return package.xml(posixpath.normpath(posixpath.join("/", href, "content.xml")).lstrip("/"))


def _chart(chart: Any) -> Iterator[Block]:
    caption = " ".join("".join(text for text in _title(chart)).split())
    cells: list[Cell] = []
    rows = islice(chart.iter(f"{TABLE}table-row"), MAX_ROWS)
    for number, row in enumerate(rows):
        column = 0
        for cell in row.iter(f"{TABLE}table-cell"):
            words = ("".join(paragraph.itertext()) for paragraph in cell.iterchildren(f"{TEXT}p"))
            text = " ".join(" ".join(words).split())
            for _ in range(max(min(whole(cell.get(f"{TABLE}number-columns-repeated"), 1), MAX_COLUMNS), 1)):
                if column < MAX_COLUMNS:
                    cells.append(Cell("" if text == "NaN" else text, number, column))
                column += 1
    kind = chart.get(f"{CHART}class", "").rpartition(":")[2]
    block = table_block(cells, header_rows=1, caption=caption, chart=kind)
    if block is not None:
        if caption:
            yield Block("caption", caption)
        yield block


def _title(chart: Any) -> Iterator[str]:
    title = chart.find(f"{CHART}title")
    if title is not None:
        yield from title.itertext()
