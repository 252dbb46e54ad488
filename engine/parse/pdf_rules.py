"""Straight ruling lines and painted areas of a PDF page, from its vector drawings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.parse.pdf_text import Boxed, rotate_box

THIN = 2.6
SHORTEST = 8.0
MOST_DRAWINGS = 20_000
SNAP = 2.0
# A path of more segments than this with curves among them is one shape (an outline, a glyph, a plotted line).
MANY_ITEMS = 6


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal or vertical line: ``at`` is its y (or x), ``start`` to ``end`` its extent, in points."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Drawings:
    """The drawings of a page: ruling lines by direction, painted boxes, and boxes of everything else."""

    horizontal: list[Rule] = field(default_factory=list)
    vertical: list[Rule] = field(default_factory=list)
    panels: list[Boxed] = field(default_factory=list)
    shapes: list[Boxed] = field(default_factory=list)


def read_drawings(paths: Sequence[dict[str, Any]], size: tuple[float, float], matrix: Any) -> Drawings:
    """Sort PyMuPDF's drawings on the page; white fills are left out, and absurdly many give none."""
    drawings = Drawings()
    if len(paths) > MOST_DRAWINGS:
        return drawings
    for path in paths:
        if path["type"] in ("clip", "group"):
            continue
        filled = path.get("fill")
        stroked = path.get("color") is not None and "s" in path["type"]
        if not stroked and (filled is None or min(filled) > 0.98 or path.get("fill_opacity") == 0):
            continue
        items = path["items"]
        if len(items) > MANY_ITEMS and any(item[0] == "c" for item in items):
            items = [("c", path["rect"][:2], path["rect"][2:])]
        for item in items:
            _add(drawings, item, stroked, filled, size, matrix)
    drawings.horizontal = merged(drawings.horizontal)
    drawings.vertical = merged(drawings.vertical)
    return drawings


def _add(
    drawings: Drawings,
    item: Sequence[Any],
    stroked: bool,
    filled: Any,
    size: tuple[float, float],
    matrix: Any,
) -> None:
    kind = item[0]
    box = tuple(item[1])
    if kind != "re":
        points = item[1] if kind == "qu" else [point for point in item[1:] if isinstance(point, tuple)]
        xs, ys = zip(*points, strict=True)
        box = (min(xs), min(ys), max(xs), max(ys))
    x0, y0, x1, y1 = rotate_box(box, matrix)
    x0, y0, x1, y1 = max(x0, 0.0), max(y0, 0.0), min(x1, size[0]), min(y1, size[1])
    if x1 < x0 or y1 < y0:
        return
    width, height = x1 - x0, y1 - y0
    if kind in ("l", "re", "qu") and min(width, height) <= THIN and max(width, height) >= SHORTEST:
        if width > height:
            drawings.horizontal.append(Rule((y0 + y1) / 2, x0, x1))
        else:
            drawings.vertical.append(Rule((x0 + x1) / 2, y0, y1))
        return
    if kind != "re" and kind != "qu":
        drawings.shapes.append(Boxed(x0, y0, x1, y1))
        return
    if stroked and max(width, height) >= SHORTEST:
        drawings.horizontal += [Rule(y0, x0, x1), Rule(y1, x0, x1)]
        drawings.vertical += [Rule(x0, y0, y1), Rule(x1, y0, y1)]
    if filled is not None and min(filled) <= 0.98:
        drawings.panels.append(Boxed(x0, y0, x1, y1))


def merged(rules: Iterable[Rule]) -> list[Rule]:
    """Join pieces that lie on one line and touch."""
    result: list[Rule] = []
    row: list[Rule] = []
    for rule in sorted(rules, key=lambda item: item.at):
        if row and rule.at - row[0].at > SNAP:
            result += _merged_row(row)
            row = []
        row.append(rule)
    return result + _merged_row(row)


def _merged_row(row: list[Rule]) -> list[Rule]:
    joined: list[Rule] = []
    for rule in sorted(row, key=lambda item: item.start):
        if joined and rule.start <= joined[-1].end + 3:
            last = joined[-1]
            joined[-1] = Rule(last.at, last.start, max(last.end, rule.end))
        else:
            joined.append(rule)
    return joined
