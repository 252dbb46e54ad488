"""Pictures on a PDF page: images, and drawings such as charts, with the words printed inside them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from engine.parse.pdf_grids import Drawings
from engine.parse.pdf_text import Boxed, Line, box_around, is_cjk, rotate_box

SMALLEST, BACKGROUND, NEAR, CELL = 24.0, 0.85, 8.0, 6.0
MOST_PICTURES, FEWEST_SHAPES = 400, 6


@dataclass(slots=True)
class Picture(Boxed):
    """An image or drawing on a page: box in points as displayed, size in pixels (0 for a drawing), and the
    words that are printed inside it."""

    page: int
    width: int
    height: int
    text: str = ""


def read_pictures(infos: Iterable[dict[str, Any]], page: int, size: tuple[float, float], matrix: Any) -> list[Picture]:
    """Return the pictures from PyMuPDF's image infos, strips of one joined, without specks and what is off the page."""
    pictures: list[Picture] = []
    for info in infos:
        x0, y0, x1, y1 = rotate_box(info["bbox"], matrix)
        x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(size[0], x1), min(size[1], y1)
        if x1 - x0 >= 1 and y1 - y0 >= 1:
            pictures.append(Picture(x0, y0, x1, y1, page, info["width"], info["height"]))
    return [p for p in joined(pictures) if p.x1 - p.x0 >= SMALLEST and p.y1 - p.y0 >= SMALLEST]


def joined(pictures: list[Picture]) -> list[Picture]:
    """Join pictures that (nearly) touch, strips and layers of one figure; hundreds are ornaments: none is returned."""
    if len(pictures) > MOST_PICTURES:
        return []
    groups: list[Picture] = []
    for picture in sorted(pictures, key=lambda item: (item.y0, item.x0)):
        merged, rest = picture, []
        for group in groups:
            if group.meets(merged, NEAR):
                pixels = max(group.width, merged.width), max(group.height, merged.height)
                merged = Picture(*box_around((group.bbox, merged.bbox)), merged.page, *pixels)
            else:
                rest.append(group)
        groups = [*rest, merged]
    return groups


def covers_page(picture: Picture, size: tuple[float, float]) -> bool:
    """Tell whether a picture fills (nearly) the whole page: a scan or a background."""
    area = (picture.x1 - picture.x0) * (picture.y1 - picture.y0)
    return area > BACKGROUND * size[0] * size[1]


def without_repeated(pages: Sequence[list[Picture]]) -> list[list[Picture]]:
    """Drop pictures that stand at the same place on three or more pages and a quarter of all: logos, rules."""
    places = [[tuple(round(side / 3) for side in picture.bbox) for picture in page] for page in pages]
    counts = Counter(place for page in places for place in set(page))
    limit = max(3, 0.25 * len(pages))
    kept = ([counts[place] < limit for place in own] for own in places)
    return [list(compress(page, own)) for page, own in zip(pages, kept, strict=True)]


def drawn_figures(drawings: Drawings, page: int, size: tuple[float, float], taken: Sequence[Boxed]) -> list[Picture]:
    """Return where drawings crowd outside ``taken``: connected areas of a raster of 6 pt cells."""
    if len(drawings.shapes) < FEWEST_SHAPES:
        return []
    import cv2

    touched = np.zeros((int(size[1] / CELL) + 1, int(size[0] / CELL) + 1), np.uint8)
    for shape in (*drawings.shapes, *drawings.panels):
        x0, y0, x1, y1 = shape.bbox
        large = (x1 - x0) * (y1 - y0) > 0.5 * size[0] * size[1]
        if not large and not any(other.holds(shape, 2) for other in taken):
            touched[int(y0 / CELL) : int(y1 / CELL) + 1, int(x0 / CELL) : int(x1 / CELL) + 1] = 1
    joined_cells = cv2.dilate(touched, np.ones((1, 2), np.uint8))
    _, area_of, areas, _ = cv2.connectedComponentsWithStats(joined_cells)
    counts = Counter(
        int(area_of[int((shape.y0 + shape.y1) / 2 / CELL), int((shape.x0 + shape.x1) / 2 / CELL)])
        for shape in drawings.shapes
    )
    figures = []
    for area, (left, top, wide, high, _) in enumerate(areas.tolist()):
        x0, y0 = left * CELL, top * CELL
        x1, y1 = min(size[0], x0 + (wide - 1) * CELL), min(size[1], y0 + high * CELL)
        if area and min(x1 - x0, y1 - y0) >= 2 * SMALLEST and counts[area] >= FEWEST_SHAPES:
            figures.append(Picture(x0, y0, x1, y1, page, 0, 0))
    return figures


def take_words(pictures: list[Picture], lines: list[Line]) -> tuple[list[Picture], list[Line]]:
    """Return the pictures with the words in them, and the lines left; those under running text are backgrounds."""
    kept: list[Picture] = []
    left = lines
    for picture in pictures:
        inside = [line for line in left if picture.holds(line, 2)]
        if not inside:
            kept.append(picture)
        elif not _is_prose(inside) and (picture.width or len(inside) > 2):
            words = {id(line) for line in inside}
            left = [line for line in left if id(line) not in words]
            kept.append(replace(picture, text=" ".join(line.text for line in inside)))
    return kept, left


def _is_prose(lines: Sequence[Line]) -> bool:
    """Tell whether over 35 % of the letters stand in lines that read as running text (long, mostly letters)."""
    texts = [line.text for line in lines]
    long = [text for text in texts if len(text) > 45 or (len(text) > 22 and is_cjk(text[0]))]
    running = [len(text) for text in long if sum(map(str.isalpha, text)) > 0.7 * len(text)]
    return sum(running) > 0.35 * sum(map(len, texts))
