"""What was read from page pictures, as the lines of text that the PDF layout takes, and the blocks that it makes.

A page may be skewed or turned: the angle is told from the lines, the layout works on straightened coordinates, and
boxes that others see stay those of the page as displayed. So columns, running headers, hyphenation and paragraphs that
run on over a page come out as they do for a page with text; each block then gets its lines as read, with their boxes
and confidence.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from engine.model import Block
from engine.parse.pdf_layout import Page
from engine.parse.pdf_paragraphs import WIDEST
from engine.parse.pdf_text import Boxed, Line, box_around, clean, is_cjk
from engine.parse.sheet_regions import runs_of
from engine.providers.ocr import OcrLine, Point, Quad
from engine.structure.numbering import numbering_of

FONT = "ocr"
# Below this a line is more often texture than text.
LEAST_CONFIDENCE = 0.5
# The detector's boxes are this much higher than the size of type.
HEIGHT = 1.2
# How far estimated sizes of one type lie apart: a share, and more for short texts (a share of a wide letter).
SAME_SIZE, SHORT = 0.08, 0.25
# So many letters tell how wide letters of a type are; boxes are as much (of their height) wider than what is in them.
LONG, AROUND = 15, 0.2
# By its box's height a line's type may be so much smaller or larger than by its letters' width.
LOWER, HIGHER = 0.75, 1.35
# The widths of letters in sizes of type.
_WIDTHS = dict.fromkeys("fijlrtI.,:;'|!()[]-/ ", 0.3) | dict.fromkeys("mwMW%@—", 0.85)


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page picture, corners in points as displayed; ``error`` says why it could not be read."""

    page: int
    size: tuple[float, float]
    lines: list[OcrLine] = field(default_factory=list)
    error: str = ""

    @property
    def confidence(self) -> float:
        """The mean confidence over the letters, 0..1; 1 for a page without text."""
        return mean_confidence(self.lines)


def lines_from(rows: Sequence[Mapping[str, Any]]) -> list[OcrLine]:
    """Build recognised lines from the dicts that their ``to_dict`` gave."""
    return [OcrLine(row["text"], _quad(row["quad"]), row["confidence"]) for row in rows]


def scaled(lines: Sequence[OcrLine], across: float, down: float) -> list[OcrLine]:
    """Return the lines with their corners multiplied, such as from pixels to points."""
    corners = ([(round(x * across, 2), round(y * down, 2)) for x, y in line.quad] for line in lines)
    return [replace(line, quad=_quad(quad)) for line, quad in zip(lines, corners, strict=True)]


def _quad(points: Sequence[Sequence[float]]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def mean_confidence(lines: Sequence[OcrLine]) -> float:
    """Return the mean confidence over the letters of lines, 0..1; 1 for none."""
    letters = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / letters if letters else 1.0


def page_angle(lines: Sequence[OcrLine]) -> float:
    """Return the direction of most text in degrees, clockwise from rightwards: 0 on a straight page.

    It is the median over the lines, longer ones counting more.
    """
    words = sorted((_angle(line), math.dist(*line.quad[:2])) for line in lines if len(line.text) > 2)
    half = sum(length for _, length in words) / 2
    for angle, length in words:
        half -= length
        if half <= 0:
            return angle
    return 0.0


def _angle(line: OcrLine) -> float:
    (x0, y0), (x1, y1) = line.quad[0], line.quad[1]
    # From -45 up, so that text upside down (180) does not fall apart into 179 and -179.
    return (math.degrees(math.atan2(y1 - y0, x1 - x0)) + 45) % 360 - 45


def straightened(page: PageText) -> tuple[tuple[float, float], list[tuple[Line, OcrLine]]]:
    """Return the page's size when turned upright, and its lines there, each with the line as read.

    Lines of little confidence are left out. Sizes of type are estimates, see :func:`type_size`.
    """
    angle = page_angle(page.lines)
    width, height = page.size
    upright = (height, width) if round(angle / 90) % 2 else (width, height)
    cos, sin = math.cos(math.radians(-angle)), math.sin(math.radians(-angle))

    def turn(point: Point) -> Point:
        x, y = point[0] - width / 2, point[1] - height / 2
        return (x * cos - y * sin + upright[0] / 2, x * sin + y * cos + upright[1] / 2)

    pairs = []
    for read in page.lines:
        text = clean(read.text).strip()
        if not text or read.confidence < LEAST_CONFIDENCE:
            continue
        corners = [turn(point) for point in read.quad]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        box = (min(xs), min(ys), max(xs), max(ys))
        level = abs((_angle(read) - angle + 180) % 360 - 180) < 20
        size = type_size(read)
        baseline = (box[1] + box[3]) / 2 + 0.35 * size if level else box[3]
        line = Line(*box, text, page.page, baseline, size, 0.0, False, FONT, 0, level, top=size)
        pairs.append((line, read))
    return upright, pairs


def type_size(line: OcrLine) -> float:
    """Return the estimated size of type, in the unit of the corners."""
    return round(max(math.dist(line.quad[0], line.quad[3]), math.dist(line.quad[1], line.quad[2])) / HEIGHT, 1)


def settle_sizes(lines: Sequence[Line]) -> None:
    """Set estimated sizes that are nearly alike to one value, the document's commonest first.

    Boxes of one type differ in height by the letters in them; the width of these tells more.
    """
    rest = [line for line in lines if line.text]
    _measure(rest)
    while rest:
        weights = Counter[float]()
        for line in rest:
            weights[line.size] += len(line.text)
        near = {one: [n for size, n in weights.items() if abs(size - one) <= SAME_SIZE * one / 2] for one in weights}
        best = max(weights, key=lambda size: sum(near[size]))
        alike = [line for line in rest if abs(line.size - best) <= best * (SAME_SIZE + SHORT / _in_print(line.text))]
        letters = sum(len(line.text) for line in alike)
        common = round(sum(line.size * len(line.text) for line in alike) / letters, 1)
        taken = {id(line) for line in alike}
        rest = [line for line in rest if id(line) not in taken]
        for line in alike:
            line.size = line.top = common


def _measure(lines: Sequence[Line]) -> None:
    """Set the sizes of lines by the widths of their letters."""
    long = [line for line in lines if line.upright and len(line.text) >= LONG]
    scale = median(line.size * _in_print(line.text) / _width(line) for line in long) if long else 0.0
    for line in lines:
        if long and line.upright:
            size = scale * _width(line) / _in_print(line.text)
            line.size = line.top = round(min(max(size, LOWER * line.size), HIGHER * line.size), 1)


def _width(line: Line) -> float:
    return line.x1 - line.x0 - AROUND * HEIGHT * line.size


def _in_print(text: str) -> float:
    """Return how wide a text is in sizes of its type; of Chinese signs at its end half are white."""
    number = numbering_of(text)
    white = 0.75 * (number is not None and number.kind == "chinese_unit") - 0.5 * (text[-1] in "。，、；：）")
    wide = (1.0 if is_cjk(char) else _WIDTHS.get(char) or (0.68 if char.isupper() else 0.48) for char in text)
    return max(0.3, sum(wide) + white)


def give_leading(lines: Sequence[Line]) -> None:
    """Make the lines of a page as high as those of a font: with the space that parts them from the next.

    The detector's boxes are as high as the ink, and the layout would see white space between all lines.
    """
    steps = []
    ordered = sorted(lines, key=lambda line: line.baseline)
    for index, line in enumerate(ordered):
        below = (o for o in ordered[index + 1 :] if o.x0 < line.x1 and line.x0 < o.x1 and o.size == line.size)
        step = next((o.baseline - line.baseline for o in below), 0.0)
        if 0.9 * line.size < step < WIDEST * line.size:
            steps.append(step / line.size)
    usual = median(steps) if steps else 1.2
    for line in lines:
        if line.upright:
            middle, half = (line.y0 + line.y1) / 2, 0.48 * usual * line.size
            line.y0, line.y1 = min(line.y0, middle - half), max(line.y1, middle + half)


def upwards(lines: Sequence[Line]) -> list[Line]:
    """Return lines that run up or down as read upwards, from left to right, as tables are turned in print."""
    return sorted(lines, key=lambda line: (round((line.x0 + line.x1) / 2 / line.size), -line.y1))


HARD_TO_READ = 0.9


class ReadPages:
    """Pages that were read, ready for the layout: ``pages`` are its input, :meth:`marked` completes its output."""

    def __init__(self, texts: Sequence[PageText]) -> None:
        self.pages: list[Page] = []
        self._lines: dict[int, list[tuple[Line, OcrLine]]] = {}
        for text in texts:
            size, pairs = straightened(text)
            self._lines[text.page] = pairs
            self.pages.append(Page(text.page, size))
        settle_sizes([line for pairs in self._lines.values() for line, _ in pairs])
        for page in self.pages:
            lines = [line for line, _ in self._lines[page.number]]
            give_leading(lines)
            page.lines = [line for line in lines if line.upright]
            page.lines += upwards([line for line in lines if not line.upright])

    def marked(self, blocks: Sequence[Block]) -> list[Block]:
        """Return the blocks, those from read pages with evidence, lines and boxes as displayed.

        ``evidence`` gains ``ocr`` and ``confidence`` (mean over letters);
        ``metadata["ocr_lines"]`` lists ``{"text", "page", "bbox", "confidence"}``.
        """
        return [self._marked(block) for block in blocks]

    def _marked(self, block: Block) -> Block:
        spans = block.metadata.get("spans") or [{"page": block.page, "bbox": block.bbox}]
        parts = [(span["page"], self._inside(span["page"], span["bbox"])) for span in spans]
        read = [(page, line) for page, lines in parts for line in lines]
        if not read:
            return block
        confidence = round(mean_confidence([line for _, line in read]), 3)
        metadata = block.metadata | {"ocr_lines": [
            {"text": o.text, "page": page, "bbox": list(box_around([o.box])), "confidence": round(o.confidence, 3)}
            for page, o in read
        ]}  # fmt: skip
        boxes = [
            {"page": page, "bbox": list(box_around(line.box for line in found) if found else span["bbox"])}
            for span, (page, found) in zip(spans, parts, strict=True)
        ]
        if "spans" in block.metadata:
            metadata["spans"] = boxes
        evidence = block.evidence | {"ocr": True, "confidence": confidence}
        return replace(block, bbox=tuple(boxes[0]["bbox"]), evidence=evidence, metadata=metadata)

    def _inside(self, page: int, box: Sequence[float] | None) -> list[OcrLine]:
        place = Boxed(*box) if box is not None else None
        return [read for line, read in self._lines.get(page, ()) if place and place.holds(line, 0)]


def blocks_of(texts: Sequence[PageText]) -> list[Block]:
    """Return the blocks of a document whose every page was read, in reading order."""
    from engine.parse.pdf import blocks_of_pages

    read = ReadPages(texts)
    return read.marked(blocks_of_pages(read.pages))


def reading_warnings(texts: Sequence[PageText]) -> list[str]:
    """Say which pages could not be read, and which were hard to read and should be checked."""
    warnings = [f"{named_pages([text.page])} could not be read: {text.error}" for text in texts if text.error]
    hard = [text.page for text in texts if text.lines and text.confidence < HARD_TO_READ]
    if hard:
        verb = "was" if len(hard) == 1 else "were"
        warnings.append(f"{named_pages(hard)} {verb} hard to read: check the recognised text against the picture.")
    return warnings


def named_pages(numbers: Sequence[int]) -> str:
    """Return "Page 3" or "Pages 3-5, 8" for page numbers in order."""
    names = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs_of(numbers)]
    return ("Page " if len(numbers) == 1 else "Pages ") + ", ".join(names)
