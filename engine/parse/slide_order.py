"""The order in which the shapes of a slide are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from engine.model import BBox

MAX_CUTS = 20
MAX_SLIDES = 5000
MAX_TITLE = 300
DEFAULT_SIZE = (720.0, 540.0)


class Placed(Protocol):
    """Something with a box in points, None where it has no place."""

    @property
    def box(self) -> BBox | None:
        """The box, from the slide's top left."""


S = TypeVar("S", bound=Placed)


def inside(box: BBox | None, size: tuple[float, float]) -> BBox | None:
    """Return the part of a box that lies on a slide of that size, None where nothing does."""
    if box is None:
        return None
    cut = (max(box[0], 0.0), max(box[1], 0.0), min(box[2], size[0]), min(box[3], size[1]))
    return cut if cut[0] < cut[2] and cut[1] < cut[3] else None


def in_reading_order(shapes: Sequence[S], size: tuple[float, float]) -> list[S]:
    """Return the shapes from top to bottom, those side by side from left to right, columns one after the other.

    The slide is cut where an empty band runs across it, then each part where one runs down it (a recursive
    XY cut). Shapes without a place come last, in the file's order.
    """
    placed = [shape for shape in shapes if shape.box is not None]
    rest = [shape for shape in shapes if shape.box is None]
    return [*_cut(placed, size, 0), *rest]


def _cut(shapes: list[S], size: tuple[float, float], depth: int) -> list[S]:
    if len(shapes) < 2 or depth > MAX_CUTS:
        return shapes
    for low, high in ((1, 3), (0, 2)):
        parts = _bands(shapes, low, high, size[low] * 0.01)
        if len(parts) > 1:
            return [shape for part in parts for shape in _cut(part, size, depth + 1)]
    height = size[1] * 0.03
    return sorted(
        shapes, key=lambda shape: (round(shape.box[1] / height), shape.box[0]) if shape.box else (0, 0.0)
    )


def _bands(shapes: list[S], low: int, high: int, slack: float) -> list[list[S]]:
    """Part shapes where no shape reaches across; shapes may overlap by a little."""
    ordered = sorted(shapes, key=lambda shape: shape.box[low] if shape.box else 0.0)
    parts: list[list[S]] = []
    reach = 0.0
    for shape in ordered:
        box = shape.box or (0.0, 0.0, 0.0, 0.0)
        if parts and box[low] < reach - slack:
            parts[-1].append(shape)
            reach = max(reach, box[high])
        else:
            parts.append([shape])
            reach = box[high]
    return parts
