"""Pictures of pages, and of the images on them.

PDF is rendered with pdfium: 28 MB in memory where PyMuPDF takes 150 and more.
"""

from __future__ import annotations

import ctypes
import io
import threading
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from engine.errors import NotFoundError, UnreadableFileError
from engine.model import BBox, Node
from engine.parse.picture import stored_picture
from engine.parse.scan_image import SHOWN_SIDE, drawn_page, shown_picture

MAX_PIXELS = 12_000_000
PICTURE_DPI = 150
LEAST_POINTS = 4.0
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
    import pypdfium2

    with _pdfium:
        try:
            pdf = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError as error:
            raise UnreadableFileError(f"The page cannot be drawn: {error}.") from error
        try:
            if not 1 <= page <= len(pdf):
                raise NotFoundError(f"There is no page {page}; the document has {len(pdf)}.")
            sheet = pdf[page - 1]
            width, height = sheet.get_size()
            crop = _margins(box, width, height) if box else (0.0, 0.0, 0.0, 0.0)
            scale = dpi / 72
            pixels = (width - crop[0] - crop[2]) * (height - crop[1] - crop[3]) * scale * scale
            if pixels > MAX_PIXELS:
                scale *= (MAX_PIXELS / pixels) ** 0.5
            image = sheet.render(scale=scale, crop=crop).to_pil()
        except (pypdfium2.PdfiumError, ValueError) as error:
            raise UnreadableFileError(f"Page {page} cannot be drawn: {error}.") from error
        finally:
            pdf.close()
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@lru_cache(maxsize=256)
def words_on_page(path: Path, page: int, words: str, within: tuple[BBox, ...] = ()) -> tuple[BBox, ...]:
    """Return where words stand on page ``page`` (1-based) of a PDF: a box for each line of them.

    White space, hyphens and ligatures make no difference. Of several places the first is taken that lies in one of the
    boxes ``within``, else the first. Boxes are points as displayed, from the top left; none where the words are not
    found or the page cannot be read.
    """
    import pypdfium2
    from pypdfium2 import raw

    with _pdfium:
        try:
            pdf = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError:
            return ()
        try:
            if not 1 <= page <= len(pdf):
                return ()
            sheet = pdf[page - 1]
            text = sheet.get_textpage()
            count = text.count_chars()
            signs = _bare((chr(raw.FPDFText_GetUnicode(text, at)), at) for at in range(count))
            found = []
            for first, last in _runs(signs, "".join(sign for sign, _ in _bare((c, 0) for c in words))):
                rects = text.count_rects(first, last - first + 1)
                found.append(tuple(_shown(sheet, text.get_rect(at)) for at in range(rects)))
        except pypdfium2.PdfiumError:
            return ()
        finally:
            pdf.close()
    return next((boxes for boxes in found if _lies_in(boxes, within)), found[0] if found else ())


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


def _shown(sheet: object, rect: tuple[float, float, float, float]) -> BBox:
    """Return a rectangle of a page's own coordinates as it is displayed: turned, cropped, from the top left."""
    from pypdfium2 import raw

    fine = 100  # the answer is in whole units
    width, height = (round(side * fine) for side in sheet.get_size())  # type: ignore[attr-defined]
    corners = []
    for x, y in ((rect[0], rect[1]), (rect[2], rect[3])):
        left, top = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(sheet, 0, 0, width, height, 0, x, y, left, top)
        corners.append((left.value / fine, top.value / fine))
    (x0, y0), (x1, y1) = corners
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _lies_in(boxes: tuple[BBox, ...], within: tuple[BBox, ...]) -> bool:
    x, y = (boxes[0][0] + boxes[0][2]) / 2, (boxes[0][1] + boxes[0][3]) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in within)


def node_image(path: Path, media_type: str, node: Node, side: int = SHOWN_SIDE) -> bytes:
    """Return the picture that an image node of a file stands for, as PNG or JPEG of at most ``side`` pixels a side.

    Raises NotFoundError when the node is no image or the file does not hold it, UnreadableFileError or a
    subclass when it is damaged, too large or of a kind that cannot be shown (EMF, SVG).
    """
    if node.role != "image":
        raise NotFoundError(f"Node {node.node_id} is no image.")
    if node.metadata.get("whole_page"):
        return drawn_page(path, node.page or 1)
    if media_type == "application/pdf":
        if node.page is None or node.bbox is None:
            raise NotFoundError("It is not known where on the page this image lies.")
        return shown_picture(render_page(path, node.page, PICTURE_DPI, node.bbox), side)
    return shown_picture(stored_picture(path, str(node.metadata.get("source") or "")), side)


def _margins(box: BBox, width: float, height: float) -> tuple[float, float, float, float]:
    """Return what lies around a box on a page: left, bottom, right, top, as pdfium crops."""
    x0, y0 = max(0.0, min(box[0], width - LEAST_POINTS)), max(0.0, min(box[1], height - LEAST_POINTS))
    x1, y1 = min(width, max(box[2], x0 + LEAST_POINTS)), min(height, max(box[3], y0 + LEAST_POINTS))
    return (x0, height - y1, width - x1, y0)
