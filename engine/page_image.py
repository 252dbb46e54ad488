"""Pictures of pages and of the images on them, and where the text of a page stands.

PDF is rendered with pdfium: 28 MB in memory where PyMuPDF takes 150 and more.
"""

import ctypes
import io
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from engine.errors import NotFoundError, UnreadableFileError
from engine.model import BBox, Node, hull
from engine.parse.picture import embedded, stored_picture
from engine.parse.scan_image import SHOWN_SIDE, drawn_page, shown_picture

MAX_PIXELS = 12_000_000
PICTURE_DPI = 150
LEAST_POINTS = 4.0
SMALL_DPI, SMALL_SIDE = 24, 220
WIDE_GAP = 1.0  # in heights of the line
HYPHENS = "\x02\ufffe"  # at the end of a line, as pdfium tells them
# pdfium is not thread-safe, whichever document it works on.
_pdfium = threading.Lock()


def page_of(path: Path, media_type: str, name: str, page: int, dpi: int) -> bytes:
    """Return page ``page`` (1-based) of a PDF or picture as PNG. Raises NotFoundError, UnreadableFileError."""
    if media_type.startswith("image/"):
        return drawn_page(path, page)
    if media_type != "application/pdf":
        raise UnreadableFileError(f"{name} has no page pictures; only PDF files do.")
    return render_page(path, page, dpi)


@lru_cache(maxsize=64)
def render_page(path: Path, page: int, dpi: int = 110, box: BBox | None = None) -> bytes:
    """Return page ``page`` (1-based), or what lies in a box of it (points as displayed, from the top left), as PNG.

    It is drawn at ``dpi`` dots an inch, smaller when that would be huge. Raises NotFoundError when there is no
    such page, UnreadableFileError when it cannot be drawn.
    """
    with _opened(path, page) as sheet:
        width, height = sheet.get_size()
        crop = _margins(box, width, height) if box else (0.0, 0.0, 0.0, 0.0)
        scale = dpi / 72
        pixels = (width - crop[0] - crop[2]) * (height - crop[1] - crop[3]) * scale * scale
        if pixels > MAX_PIXELS:
            scale *= (MAX_PIXELS / pixels) ** 0.5
        image = sheet.render(scale=scale, crop=crop).to_pil()
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@contextmanager
def _opened(path: Path, page: int) -> Iterator[Any]:
    """Give page ``page`` (1-based) of a PDF, to this thread alone. Raises NotFoundError, UnreadableFileError."""
    import pypdfium2

    with _pdfium:
        pdf = None
        try:
            pdf = pypdfium2.PdfDocument(path)
            if not 1 <= page <= len(pdf):
                raise NotFoundError(f"There is no page {page}; the document has {len(pdf)}.")
            yield pdf[page - 1]
        except (pypdfium2.PdfiumError, ValueError) as error:
            raise UnreadableFileError(f"Page {page} cannot be drawn: {error}.") from error
        finally:
            if pdf is not None:
                pdf.close()


@lru_cache(maxsize=512)
def small_picture(path: Path, media_type: str, page: int) -> bytes:
    """Return page ``page`` (1-based) of a PDF or picture as a small JPEG. Raises NotFoundError, UnreadableFileError."""
    from PIL import Image

    image = Image.open(io.BytesIO(page_of(path, media_type, path.name, page, SMALL_DPI))).convert("RGB")
    image.thumbnail((SMALL_SIDE, SMALL_SIDE))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=70)
    return buffer.getvalue()


@lru_cache(maxsize=64)
def text_on_page(path: Path, page: int) -> tuple[tuple[BBox, str], ...]:
    """Return the text of page ``page`` (1-based) of a PDF as it is set: stretches of lines with their boxes.

    A line ends where the PDF ends it; one with wide gaps in it (a row of a table) is several stretches, of which all
    but the last end with a space. Boxes are points as displayed, from the top left. Nothing where none can be read.
    """
    stretches: list[tuple[BBox, str]] = []
    with suppress(NotFoundError, UnreadableFileError), _opened(path, page) as sheet:
        for ends, signs in groupby(_signs(sheet), lambda one: one[0] in "\r\n"):
            stretches += () if ends else _stretches(signs)
    return tuple(stretches)


def _signs(sheet: Any) -> Iterator[tuple[str, BBox | None]]:
    """Yield the characters of a page with their boxes; white space has none."""
    from pypdfium2 import raw

    text, shown = sheet.get_textpage(), _shower(sheet)
    for at in range(text.count_chars()):
        sign = chr(raw.FPDFText_GetUnicode(text, at))
        sign = "-" if sign in HYPHENS else sign
        yield sign, None if sign.isspace() else shown(text.get_charbox(at, loose=True))


def _stretches(line: Iterable[tuple[str, BBox | None]]) -> Iterator[tuple[BBox, str]]:
    """Yield the stretches of a line between its wide gaps."""
    words: str = ""
    around: BBox | None = None
    for sign, box in line:
        if box is None:
            words += sign if words else ""
            continue
        if around and (gap := _gap(around, box)):
            yield around, words.rstrip() + (" " if gap == "in line" else "")
            words, around = "", None
        words += sign
        around = hull((around or box, box))
    if around:
        yield around, words.rstrip()


@lru_cache(maxsize=256)
def words_on_page(path: Path, page: int, words: str, within: tuple[BBox, ...] = ()) -> tuple[BBox, ...]:
    """Return where words stand on page ``page`` (1-based) of a PDF: a box for each line of them.

    White space, hyphens and ligatures make no difference. Of several places the first is taken that lies in one of the
    boxes ``within``, else the first. Boxes are points as displayed, from the top left; none where the words are not
    found or the page cannot be read.
    """
    from pypdfium2 import raw

    found: list[tuple[BBox, ...]] = []
    with suppress(NotFoundError, UnreadableFileError), _opened(path, page) as sheet:
        text = sheet.get_textpage()
        count = text.count_chars()
        shown = _shower(sheet)
        signs = _bare((chr(raw.FPDFText_GetUnicode(text, at)), at) for at in range(count))
        for first, last in _runs(signs, "".join(sign for sign, _ in _bare((c, 0) for c in words))):
            rects = text.count_rects(first, last - first + 1)
            found.append(_lines_of(shown(text.get_rect(at)) for at in range(rects)))
    return next((boxes for boxes in found if _lies_in(boxes, within)), found[0] if found else ())


def _lines_of(boxes: Iterable[BBox]) -> tuple[BBox, ...]:
    """Return a box for what stands side by side on a line: justified Chinese comes letter by letter."""
    lines: list[BBox] = []
    for x0, y0, x1, y1 in boxes:
        left, top, right, bottom = lines[-1] if lines else (0.0, -1.0, 0.0, -1.0)
        high = min(y1 - y0, bottom - top)
        if min(y1, bottom) - max(y0, top) > high / 2 and -high < x0 - right < 4 * high:
            lines[-1] = left, min(top, y0), max(right, x1), max(bottom, y1)
        else:
            lines.append((x0, y0, x1, y1))
    return tuple(lines)


def _bare(signs: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return (letter, position) without white space and hyphens, ligatures taken apart."""
    return [
        (letter, at)
        for sign, at in signs
        for letter in unicodedata.normalize("NFKC", sign)
        if not letter.isspace() and unicodedata.category(letter) not in ("Pd", "Cc", "Cf", "Cn")
    ]


def _runs(signs: list[tuple[str, int]], sought: str) -> Iterable[tuple[int, int]]:
    """Yield the first and last position of each place where ``sought`` stands."""
    text = "".join(letter for letter, _ in signs)
    at = text.find(sought) if sought else -1
    while at >= 0:
        yield signs[at][1], signs[at + len(sought) - 1][1]
        at = text.find(sought, at + len(sought))


def _shower(sheet: Any) -> Callable[[BBox], BBox]:
    """Return what gives a rectangle of a page's own coordinates as displayed: turned, cropped, from the top left."""
    from pypdfium2 import raw

    fine = 100  # the answer is in whole units
    width, height = (round(side * fine) for side in sheet.get_size())

    def point(x: float, y: float) -> tuple[float, float]:
        left, top = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(sheet, 0, 0, width, height, 0, x, y, left, top)
        return left.value / fine, top.value / fine

    def shown(rect: BBox) -> BBox:
        (x0, y0), (x1, y1) = point(rect[0], rect[1]), point(rect[2], rect[3])
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    return shown


def _gap(line: BBox, sign: BBox) -> str:
    """Tell where what follows stands: "below" a line (after a hyphen), farther on "in line", or at its end ("")."""
    if sign[1] >= line[3] or sign[3] <= line[1]:
        return "below"
    return "in line" if sign[0] - line[2] > WIDE_GAP * (line[3] - line[1]) else ""


def _lies_in(boxes: tuple[BBox, ...], within: tuple[BBox, ...]) -> bool:
    x, y = (boxes[0][0] + boxes[0][2]) / 2, (boxes[0][1] + boxes[0][3]) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in within)


def node_image(path: Path, media_type: str, node: Node, side: int = SHOWN_SIDE) -> bytes:
    """Return the picture of an image, or of a table on a page, as PNG or JPEG of at most ``side`` pixels a side.

    Raises NotFoundError when there is none or the file does not hold it, UnreadableFileError or a
    subclass when it is damaged, too large or of a kind that cannot be shown (EMF, SVG).
    """
    if node.role not in ("image", "table"):
        raise NotFoundError(f"Node {node.node_id} is no image.")
    if node.metadata.get("whole_page"):
        return drawn_page(path, node.page or 1)
    if media_type == "application/pdf" and node.page and node.bbox:
        return shown_picture(render_page(path, node.page, PICTURE_DPI, node.bbox), side)
    return shown_picture(stored_picture(path, _source_of(node)), side)


def _source_of(node: Node) -> str:
    return str(node.metadata.get("source") or "")


def has_picture(media_type: str, node: Node) -> bool:
    """Tell whether a file of this type holds a picture of a node: an image in it, what lies in a box of a page."""
    if media_type == "application/pdf" and node.role in ("image", "table") and node.page and node.bbox:
        return True
    if node.role != "image" or node.metadata.get("whole_page"):
        return node.role == "image"
    source = _source_of(node)
    return embedded(source) or (bool(source) and "://" not in source and not media_type.startswith("text/"))


def _margins(box: BBox, width: float, height: float) -> tuple[float, float, float, float]:
    """Return what lies around a box on a page: left, bottom, right, top, as pdfium crops."""
    x0, y0 = max(0.0, min(box[0], width - LEAST_POINTS)), max(0.0, min(box[1], height - LEAST_POINTS))
    x1, y1 = min(width, max(box[2], x0 + LEAST_POINTS)), min(height, max(box[3], y0 + LEAST_POINTS))
    return (x0, height - y1, width - x1, y0)
