"""The order in which the shapes of a slide are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import LimitExceededError
from engine.model import BBox

MAX_CUTS = 20
MAX_SLIDES = 5000
MAX_TITLE = 300
DEFAULT_SIZE = (720.0, 540.0)


@dataclass(slots=True)
class Shape:
    """A shape of a slide, box in points; ``placeholder`` is its type ("" for content, None for none)."""

    kind: str
    element: Any
    box: BBox | None = None
    placeholder: str | None = None
    index: str = "0"
    alt: str = ""
    picture: str = ""
    text: str = ""
    inherited: list[Any] = field(default_factory=list)


def check_slides(count: int, name: str) -> None:
    """Refuse a presentation with more slides than fit. Raises LimitExceededError."""
    if count > MAX_SLIDES:
        raise LimitExceededError(f"{name} has {count:,} slides; the limit is {MAX_SLIDES:,}. Split it.")


def inside(box: BBox | None, size: tuple[float, float]) -> BBox | None:
    """Return the part of a box that lies on a slide of that size, None where nothing does."""
    if box is None:
        return None
    cut = (max(box[0], 0.0), max(box[1], 0.0), min(box[2], size[0]), min(box[3], size[1]))
    return cut if cut[0] < cut[2] and cut[1] < cut[3] else None


def in_reading_order(shapes: Sequence[Shape], size: tuple[float, float]) -> list[Shape]:
    """Return the shapes as one reads, by a recursive XY cut of the slide; those without a place come last."""
    placed = [(shape.box, shape) for shape in shapes if shape.box is not None]
    return [*_cut(placed, size, 0), *(shape for shape in shapes if shape.box is None)]


def _cut(placed: list[tuple[BBox, Shape]], size: tuple[float, float], depth: int) -> Iterator[Shape]:
    for low in (1, 0) if len(placed) > 1 and depth <= MAX_CUTS else ():
        parts = _bands(placed, low, size[low] * 0.01)
        if len(parts) > 1:
            for part in parts:
                yield from _cut(part, size, depth + 1)
            return
    height = size[1] * 0.03
    yield from (shape for _, shape in sorted(placed, key=lambda one: (round(one[0][1] / height), one[0][0])))


def _bands(placed: list[tuple[BBox, Shape]], low: int, slack: float) -> list[list[tuple[BBox, Shape]]]:
    """Part shapes where no shape reaches across; shapes may overlap by a little."""
    parts: list[list[tuple[BBox, Shape]]] = []
    reach = 0.0
    for box, shape in sorted(placed, key=lambda one: one[0][low]):
        if not parts or box[low] >= reach - slack:
            parts.append([])
            reach = box[low + 2]
        parts[-1].append((box, shape))
        reach = max(reach, box[low + 2])
    return parts
