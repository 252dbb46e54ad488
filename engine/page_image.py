"""Pictures of PDF pages, rendered with pdfium (28 MB in memory where PyMuPDF takes 150 and more)."""

from __future__ import annotations

import io
import threading
from functools import lru_cache
from pathlib import Path

from engine.errors import NotFoundError, UnreadableFileError

MAX_PIXELS = 12_000_000
# pdfium is not thread-safe, whichever document it works on.
_pdfium = threading.Lock()


@lru_cache(maxsize=64)
def render_page(path: Path, page: int, dpi: int = 110) -> bytes:
    """Return page ``page`` (1-based) as PNG at ``dpi`` dots an inch, smaller when the page is huge.

    Raises NotFoundError when there is no such page, UnreadableFileError when it cannot be drawn.
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
            scale = dpi / 72
            pixels = width * height * scale * scale
            if pixels > MAX_PIXELS:
                scale *= (MAX_PIXELS / pixels) ** 0.5
            image = sheet.render(scale=scale).to_pil()
        except pypdfium2.PdfiumError as error:
            raise UnreadableFileError(f"Page {page} cannot be drawn: {error}.") from error
        finally:
            pdf.close()
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
