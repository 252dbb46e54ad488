"""Lines of text on a PDF page, with font, size and place.

Coordinates are points from the top left of the page as displayed. A line is one run of text on one
baseline; what a wide gap separates (table cells, columns) stays separate until the page's layout is known.
Pages whose text runs sideways or upside down are turned upright for reading, boxes turned back afterwards.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine.model import BBox, Block, hull
from engine.structure.run_in import WORD, Marks, lead_of
from engine.structure.sequences import heaviest

BOLD_FONT = re.compile(r"bold|black|heavy|demi(?!l)|cmbx|-medi(?:um)?(?:ital)?$|semibd|\bbd\b", re.IGNORECASE)
BOLD_FLAG, ITALIC_FLAG = 16, 2
# Character flags of MuPDF: underlined, bold by double strike; filled and stroked, as Word makes Chinese letters bold.
UNDERLINED, FAKE_BOLD, STROKED = 2, 8, 16 | 32
# Symbol fonts put their glyphs in the private use area; these are the bullets among them.
BULLETS = dict.fromkeys(map(ord, "\uf0b7\uf0a7\uf0d8\uf0a8\uf076\uf06c\uf0fc\uf0be\uf0b2\uf06e\uf0e8\uf0de\uf0f0"), "•")
# Fonts without a map to Unicode give U+FFFD; what they leave unmapped is mostly the space.
SPACES = dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\t\r\n\ufffd"), " ")
CLEAN = BULLETS | SPACES
# Other private glyphs (braces built of parts, logos) say nothing as text, nor do control characters.
SILENT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200d\u2060\ufeff\ue000-\uf8ff]")
_OT1 = dict(zip("\v\f\r\x0e\x0f", ("ff", "fi", "fl", "ffi", "ffl"), strict=True))  # in TeX's fonts (The TeXbook, F)
_TEX_LIGATURE = re.compile(r"[\v\f\x0e\x0f](?=[a-z])|(?<=[a-z])[\v\f\x0e\x0f]|(?<! )\r(?=[a-z])")
# Compatibility forms that are the same letter in print: ligatures, CJK radicals and compatibility ideographs.
SAME_LETTER = re.compile("[\ufb00-\ufb06\u2e80-\u2fd5\uf900-\ufaff]")
BLANKS = re.compile(" {2,}")
# Hebrew, Arabic and the like, which run to the left.
_LEFTWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

Matrix = tuple[float, float, float, float, float, float]


@dataclass(slots=True)
class Boxed:
    """Anything with a place on the page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def bbox(self) -> BBox:
        """The box as ``(x0, y0, x1, y1)``."""
        return (self.x0, self.y0, self.x1, self.y1)

    def holds(self, other: Boxed, slack: float) -> bool:
        """Tell whether the middle of another lies inside, give or take ``slack``."""
        x, y = (other.x0 + other.x1) / 2, (other.y0 + other.y1) / 2
        return self.x0 - slack <= x <= self.x1 + slack and self.y0 - slack <= y <= self.y1 + slack

    def meets(self, other: Boxed, near: float = 0.0) -> bool:
        """Tell whether the two share a place, or are no further apart than ``near``."""
        beside = self.x0 <= other.x1 + near and other.x0 <= self.x1 + near
        return beside and self.y0 <= other.y1 + near and other.y0 <= self.y1 + near


@dataclass(slots=True)
class Line(Boxed):
    """A run of text on one baseline. ``bold`` and ``underlined`` are shares of its letters, 0..1.

    ``size`` is that of most letters, ``top`` the largest of any letter (they differ in small capitals). ``lead`` is
    how many characters at its start are bold, italic or underlined, up to the first that are not so.
    ``pieces`` are the parts of a visual row that gaps separate (None for ordinary text).
    """

    text: str
    page: int
    baseline: float
    size: float
    bold: float
    italic: bool
    font: str
    color: int
    upright: bool = True
    top: float = 0.0
    underlined: float = 0.0
    lead: int = 0
    pieces: list[Line] | None = None


def clean(text: str) -> str:
    """Return text without invisible characters, with plain spaces and without print ligatures."""
    if text.isascii() and text.isprintable():
        return text
    if " " in text or "\r" not in text:  # else it is the space of its font
        text = _TEX_LIGATURE.sub(lambda match: _OT1[match[0]], text)
    text = SILENT.sub("", text.translate(CLEAN))
    if SAME_LETTER.search(text):
        text = SAME_LETTER.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return text


def is_cjk(char: str) -> bool:
    """Tell whether a character is written without spaces between words (Han, kana, full-width signs)."""
    code = ord(char)
    return 0x2E80 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0xFF00 <= code <= 0xFF60 or code >= 0x20000


def lines_in(page_dict: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the lines of PyMuPDF's ``dict`` or ``rawdict``."""
    return (line for block in page_dict["blocks"] for line in block.get("lines", ()))


def read_lines(page_dict: dict[str, Any], page: int, matrix: Sequence[float] | None) -> list[Line]:
    """Return the lines of PyMuPDF's ``dict``; ``matrix`` turns to displayed coordinates, None without rotation."""
    return [line for raw in lines_in(page_dict) if (line := _line(raw, page, matrix)) is not None]


def _line(raw: dict[str, Any], page: int, matrix: Sequence[float] | None) -> Line | None:
    spans = [(clean(span["text"]), span) for span in raw["spans"]]
    whole = BLANKS.sub(" ", "".join(part for part, _ in spans))
    text = whole.strip()
    if not text:
        return None
    sizes, fonts, top = Counter[float](), Counter[tuple[str, int]](), 0.0
    for part, span in spans:
        if count := _letters(part):
            size = max(1.0, round(span["size"], 1))
            sizes[size] += count
            fonts[span["font"], span["color"]] += count
            top = max(top, size if any(map(str.isalnum, part)) else 0.0)
    origin = max(spans, key=lambda one: _letters(one[0]))[1]["origin"]
    box, rightwards, baseline = rotate_box(raw["bbox"], matrix), raw["dir"][0], origin[1]
    if whole[0] == " " and _leftwards(text):  # it is on the right
        box = (box[0], box[1], max(box[0], box[2] - 0.2 * top), box[3])
    if matrix is not None:
        a, b, c, d, _, f = matrix
        rightwards = raw["dir"][0] * a + raw["dir"][1] * c
        baseline = origin[0] * b + origin[1] * d + f
    font, color = max(fonts, key=fonts.__getitem__)
    size, letters, upright = max(sizes, key=sizes.__getitem__), sizes.total(), rightwards > 0.94
    marks = [(part, _marks(span)) for part, span in spans]
    bold, italic, underlined = (sum(_letters(part) * mark[n] for part, mark in marks) / letters for n in range(3))
    return Line(
        *box, text, page,
        baseline if upright else box[3], size, bold, italic > 0.5, font, color, upright,
        top or size, underlined, lead_of(text, marks),
    )  # fmt: skip


def _letters(text: str) -> int:
    return len(text) - text.count(" ")


def _marks(span: dict[str, Any]) -> Marks:
    """Tell whether a span is bold, italic, underlined."""
    flags, drawn = span["flags"], span["char_flags"]
    made = drawn & FAKE_BOLD or drawn & STROKED == STROKED
    bold = flags & BOLD_FLAG or made or _bold_name(span["font"])
    return bool(bold), bool(flags & ITALIC_FLAG), bool(drawn & UNDERLINED)


@lru_cache(maxsize=10_000)
def _bold_name(font: str) -> bool:
    return bool(BOLD_FONT.search(font.rpartition("+")[2]))


def rotate_box(box: Sequence[float], matrix: Sequence[float] | None) -> BBox:
    """Return the box of a rectangle after an affine transform ``(a, b, c, d, e, f)``, if there is one."""
    if matrix is None:
        return (box[0], box[1], box[2], box[3])
    a, b, c, d, e, f = matrix
    xs = [x * a + y * c + e for x in (box[0], box[2]) for y in (box[1], box[3])]
    ys = [x * b + y * d + f for x in (box[0], box[2]) for y in (box[1], box[3])]
    return (min(xs), min(ys), max(xs), max(ys))


def box_around(boxes: Iterable[Sequence[float]]) -> BBox:
    """Return the box around boxes, rounded to hundredths of a point."""
    x0, y0, x1, y1 = hull(boxes)
    return (round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))


def join_pieces(pieces: list[Line]) -> Line:
    """Return one line from the pieces of a visual row, given from left to right; its text is as it is read."""
    if len(pieces) == 1:
        return pieces[0]
    read = pieces[::-1] if _leftwards("".join(piece.text for piece in pieces)) else pieces
    text, lead, marked = "", 0, True
    for before, piece in zip([read[0], *read], read, strict=False):
        gap = max(piece.x0 - before.x1, before.x0 - piece.x1)
        text = spaced(text, piece.text, gap > 0.12 * piece.size)
        if marked and piece.lead:
            lead = len(text) - len(piece.text) + piece.lead
        marked &= piece.lead == len(piece.text) or not WORD.search(piece.text)
    main = max(pieces, key=lambda piece: len(piece.text))
    total = sum(len(piece.text) for piece in pieces)
    return Line(
        *hull(p.bbox for p in pieces), text, main.page, main.baseline, main.size,
        sum(p.bold * len(p.text) for p in pieces) / total,
        main.italic, main.font, main.color, True,
        max(p.top for p in pieces), sum(p.underlined * len(p.text) for p in pieces) / total, lead, pieces,
    )  # fmt: skip


def _leftwards(text: str) -> bool:
    return 2 * len(_LEFTWARDS.findall(text)) > sum(map(str.isalpha, text))


def widest_gap(line: Line) -> float:
    """Return the widest gap between the pieces of a row, in points (0 for a row of one piece)."""
    pieces = line.pieces or ()
    return max((after.x0 - before.x1 for before, after in itertools.pairwise(pieces)), default=0.0)


def spaced(left: str, right: str, gap: bool) -> str:
    """Join two texts, with a space where there is a gap and the script uses spaces."""
    if not left or not right:
        return left or right
    return left + right if not gap or unspaced(left[-1], right[0]) else f"{left} {right}"


def unspaced(left: str, right: str) -> bool:
    """Tell whether no space stands between two characters: Chinese ones, or one and a quotation mark or a dash."""
    return any(map(is_cjk, (left, right))) and all(is_cjk(char) or char in "“”‘’…—" for char in (left, right))


def rows_of(lines: Iterable[Line]) -> list[Line]:
    """Gather lines that share a baseline into visual rows, top to bottom, each from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: (item.baseline, item.x0)):
        if row := next((row for row in reversed(rows[-6:]) if _same_baseline(row, line)), None):
            row.append(line)
        else:
            rows.append([line])
    joined = (join_pieces(sorted(row, key=lambda piece: piece.x0)) for row in rows)
    return sorted(joined, key=lambda row: row.baseline)


def _same_baseline(row: list[Line], line: Line) -> bool:
    main = max(row, key=lambda piece: piece.size)
    apart = all(line.x0 > piece.x1 - 0.3 * piece.size or line.x1 < piece.x0 + 0.3 * piece.size for piece in row)
    drop, (small, large) = abs(line.baseline - main.baseline), sorted((line.size, main.size))
    return apart and (drop < 0.25 * small or (drop < 0.5 * large and small < 0.8 * large))


def turn_of(page_dict: dict[str, Any], shown: Sequence[float]) -> int:
    """Return the degrees to turn a page clockwise so that most of its letters run to the right: 0, 90, 180 or 270.

    ``page_dict`` is PyMuPDF's ``dict`` output, ``shown`` the matrix of the page's rotation.
    """
    lines = [(*line["dir"], line["spans"]) for line in lines_in(page_dict)]
    turned = ((x * shown[0] + y * shown[2], x * shown[1] + y * shown[3], spans) for x, y, spans in lines)
    letters = (((round(x), round(y)), sum(len(span["text"]) for span in spans)) for x, y, spans in turned)
    return {(0, -1): 90, (-1, 0): 180, (0, 1): 270}.get(heaviest(letters, (1, 0)), 0)


def turned_back(blocks: Sequence[Block], back: dict[int, Matrix]) -> list[Block]:
    """Return the blocks with the boxes of turned pages (by page number) as on the page as displayed."""
    if not back:
        return list(blocks)
    result = []
    for block in blocks:
        facts, box = dict(block.metadata), block.bbox
        if spans := facts.get("spans"):
            turned = (_turned(span["bbox"], back.get(span["page"])) for span in spans)
            facts["spans"] = [span | {"bbox": list(one)} for span, one in zip(spans, turned, strict=True)]
        if box is not None and block.page in back:
            box = _turned(box, back[block.page])
            # The edges of a table's cells hold for the page as it was turned for reading only.
            facts.pop("edges", None)
        result.append(replace(block, bbox=box, metadata=facts))
    return result


def _turned(box: Sequence[float], matrix: Matrix | None) -> BBox:
    return box_around([rotate_box(box, matrix)])
