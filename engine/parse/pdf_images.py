"""Pictures on a PDF page, as boxes with their size in pixels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.parse.pdf_text import rotate_box

SMALLEST = 24.0
BACKGROUND = 0.85


@dataclass(frozen=True, slots=True)
class Picture:
    """An image on a page: box in points as displayed, size in pixels."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    width: int
    height: int

    @property
    def bbox(self) -> tuple[float, float, float, float]:
        """The box as ``(x0, y0, x1, y1)``."""
        return (self.x0, self.y0, self.x1, self.y1)


def read_pictures(
    infos: Iterable[dict[str, Any]], page: int, size: tuple[float, float], matrix: Any
) -> list[Picture]:
    """Return the pictures of a page from PyMuPDF's image infos; strips of one picture are joined.

    Left out are specks (under 24 pt in a direction) and what lies outside the page.
    """
    width, height = size
    pictures: list[Picture] = []
    for info in infos:
        x0, y0, x1, y1 = rotate_box(info["bbox"], matrix) if matrix is not None else info["bbox"]
        x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(width, x1), min(height, y1)
        if x1 - x0 < 1 or y1 - y0 < 1:
            continue
        pictures.append(Picture(page, x0, y0, x1, y1, info["width"], info["height"]))
    joined = _join_strips(pictures) if len(pictures) < 400 else []
    return [p for p in joined if p.x1 - p.x0 >= SMALLEST and p.y1 - p.y0 >= SMALLEST]


def _join_strips(pictures: list[Picture]) -> list[Picture]:
    """Join pictures that touch or overlap: one figure is often stored as many strips or layers."""
    groups: list[Picture] = []
    for picture in sorted(pictures, key=lambda item: (item.y0, item.x0)):
        merged = picture
        rest = []
        for group in groups:
            if _touch(group, merged):
                merged = Picture(
                    merged.page,
                    min(group.x0, merged.x0), min(group.y0, merged.y0),
                    max(group.x1, merged.x1), max(group.y1, merged.y1),
                    max(group.width, merged.width), max(group.height, merged.height),
                )  # fmt: skip
            else:
                rest.append(group)
        groups = [*rest, merged]
    return groups


def _touch(a: Picture, b: Picture) -> bool:
    return a.x0 <= b.x1 + 1 and b.x0 <= a.x1 + 1 and a.y0 <= b.y1 + 1 and b.y0 <= a.y1 + 1


def covers_page(picture: Picture, size: tuple[float, float]) -> bool:
    """Tell whether a picture fills (nearly) the whole page: a scan or a background."""
    area = (picture.x1 - picture.x0) * (picture.y1 - picture.y0)
    return area > BACKGROUND * size[0] * size[1]


def without_repeated(pages: list[list[Picture]]) -> list[list[Picture]]:
    """Drop pictures that stand at the same place on three or more pages and a quarter of all: logos, rules."""
    counts = Counter(key for pictures in pages for key in {_place(picture) for picture in pictures})
    limit = max(3, 0.25 * len(pages))
    return [[p for p in pictures if counts[_place(p)] < limit] for pictures in pages]


def _place(picture: Picture) -> tuple[int, int, int, int, int, int]:
    x0, y0, x1, y1 = (round(value / 3) for value in picture.bbox)
    return (x0, y0, x1, y1, picture.width, picture.height)
