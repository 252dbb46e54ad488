"""Scanned PDF pages: which need reading, and reading them; what was read is kept by the hash of the picture."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from engine.errors import EncryptedFileError, UnreadableFileError
from engine.model import BBox
from engine.parse.scan_text import PageText, lines_from, mean_confidence, scaled
from engine.providers.ocr import Ocr, OcrLine

OnProgress = Callable[[str, float], None]
STAGE = "ocr"
DPI = 200
MAX_PIXELS = 16_000_000
# Pictures in a PDF larger than this are not decoded: 16,000 by 12,500 is an A0 sheet at 350 dpi.
MAX_PICTURE_PIXELS = 200_000_000
FEW_LETTERS, SOME_LETTERS = 20, 200
MOST_OF_PAGE = 0.6
# Letters turned into outlines leave paths without text: this many on a page are more than rules and charts.
MANY_PATHS, MANY_BYTES = 400, 4_000_000
# Text that reads below this may stand upside down; the right reading gains at least the second figure.
DOUBTFUL, GAIN = 0.8, 0.1
DOUBTED_LETTERS = 10
# What fonts that do not say which letters they draw leave: replacement, private and control characters.
_UNKNOWN = re.compile("[\ufffd\ue000-\uf8ff\x01-\x08\x0e-\x1f\x80-\x9f]")


def needs_reading(page: Any, textpage: Any) -> bool:
    """Tell whether a page is to be read: a picture or outlines with hardly any text, or fonts without letters."""
    pymupdf = pymupdf_module()
    try:
        text = "".join(textpage.extractTEXT().split())
        unknown = len(_UNKNOWN.findall(text))
        letters = len(text) - unknown
        if letters >= SOME_LETTERS:
            return unknown > FEW_LETTERS and unknown > sum(map(str.isalnum, text))
        if unknown > FEW_LETTERS and unknown > letters:
            return True
        if letters < FEW_LETTERS:
            large = page.get_images() or len(page.read_contents()) > MANY_BYTES
            return bool(large) or len(page.get_cdrawings()) > MANY_PATHS
        area = abs(page.rect)
        return any(abs(pymupdf.Rect(info["bbox"]) & page.rect) > MOST_OF_PAGE * area for info in page.get_image_info())
    except broken_by():
        return False


def read_pages(
    path: Path, pages: Sequence[int], ocr: Ocr, cache_dir: Path | None = None, on_progress: OnProgress | None = None
) -> Iterator[PageText]:
    """Read PDF pages (1-based) as they are asked for; one that cannot be drawn has an ``error`` and no lines.

    ``cache_dir`` keeps what was read; ``on_progress`` gets "ocr" and the share done. Raises ProviderUnavailableError
    when the recogniser cannot start, EncryptedFileError or UnreadableFileError.
    """
    with opened_pdf(path) as document:
        for done, number in enumerate(pages):
            yield _read_page(document, number, ocr, cache_dir)
            if on_progress:
                on_progress(STAGE, (done + 1) / len(pages))


def _read_page(document: Any, number: int, ocr: Ocr, cache_dir: Path | None) -> PageText:
    rect = document[number - 1].rect
    size = (round(rect.width, 2), round(rect.height, 2))
    try:
        image = drawn(document, number)
    except UnreadableFileError as error:
        return PageText(number, size, error=str(error))
    across, down = size[0] / image.shape[1], size[1] / image.shape[0]
    return PageText(number, size, scaled(read_image(image, ocr, cache_dir), across, down))


def drawn(document: Any, number: int, box: BBox | None = None) -> np.ndarray:
    """Return a page (1-based), or a box on it in points, as a BGR picture at 200 dpi. Raises UnreadableFileError."""
    pymupdf = pymupdf_module()
    try:
        page = document[number - 1]
        if any(image[2] * image[3] > MAX_PICTURE_PIXELS for image in page.get_images()):
            raise UnreadableFileError("its picture is larger than any scanner makes.")
        part = pymupdf.Rect(box) if box else page.rect
        zoom = min(DPI / 72, (MAX_PIXELS / max(abs(part), 1.0)) ** 0.5)
        matrix, clip = pymupdf.Matrix(zoom, zoom), part if box else None
        pixmap = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csRGB, alpha=False, clip=clip)
    except broken_by() as error:
        raise UnreadableFileError("it cannot be drawn, the file is damaged there.") from error
    rgb = np.frombuffer(pixmap.samples_mv, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    image = np.ascontiguousarray(rgb[:, :, ::-1])
    del rgb, pixmap
    pymupdf.TOOLS.store_shrink(100)  # a decoded scan would stay in memory beside the recogniser's own
    return image


def read_image(image: np.ndarray, ocr: Ocr, cache_dir: Path | None = None) -> list[OcrLine]:
    """Return the lines in a BGR picture, turned any way, corners in pixels; ``cache_dir`` keeps what was read."""
    kept = cache_dir / f"{_key(image, ocr)}.json" if cache_dir else None
    if kept is not None and kept.exists():
        try:
            return lines_from(orjson.loads(kept.read_bytes()))
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            kept.unlink(missing_ok=True)
    lines = _read_either_way(image, ocr)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        temporary = kept.with_suffix(".tmp")
        temporary.write_bytes(orjson.dumps([line.to_dict() for line in lines]))
        temporary.replace(kept)
    return lines


def _key(image: np.ndarray, ocr: Ocr) -> str:
    digest = hashlib.sha256(f"{ocr.name} {image.shape}".encode())
    digest.update(np.ascontiguousarray(image).data)
    return digest.hexdigest()


def _read_either_way(image: np.ndarray, ocr: Ocr) -> list[OcrLine]:
    """Read the picture, and once more upside down when a part of it is doubtful; keep the better reading.

    The recogniser takes tall boxes for text that runs from top to bottom, so these two readings cover all
    four directions, and a table set sideways on an upright page.
    """
    upright, sideways = _by_direction(ocr.read(image))
    if not _doubtful(upright) and not _doubtful(sideways):
        return upright + sideways
    height, width = image.shape[:2]
    turned = [_turned(line, width, height) for line in ocr.read(np.ascontiguousarray(image[::-1, ::-1]))]
    upright_turned, sideways_turned = _by_direction(turned)
    return _better(upright, upright_turned) + _better(sideways, sideways_turned)


def _by_direction(lines: Sequence[OcrLine]) -> tuple[list[OcrLine], list[OcrLine]]:
    """Part lines that run along the picture from those that run up or down it."""
    parts: tuple[list[OcrLine], list[OcrLine]] = ([], [])
    for line in lines:
        (x0, y0), (x1, y1) = line.quad[:2]
        parts[abs(y1 - y0) > abs(x1 - x0)].append(line)
    return parts


def _doubtful(lines: Sequence[OcrLine]) -> bool:
    return sum(len(line.text) for line in lines) >= DOUBTED_LETTERS and mean_confidence(lines) < DOUBTFUL


def _better(first: list[OcrLine], second: list[OcrLine]) -> list[OcrLine]:
    return second if second and mean_confidence(second) > mean_confidence(first) + GAIN else first


def _turned(line: OcrLine, width: int, height: int) -> OcrLine:
    a, b, c, d = ((width - x, height - y) for x, y in line.quad)
    return OcrLine(line.text, (a, b, c, d), line.confidence)


def pymupdf_module() -> Any:
    """Return PyMuPDF, loaded at first use (150 MB) and untyped."""
    import pymupdf

    return pymupdf


def broken_by() -> tuple[type[Exception], ...]:
    """Return what PyMuPDF raises at what is damaged in a PDF."""
    usual = (RuntimeError, ValueError, TypeError, LookupError, AttributeError, MemoryError)
    return (*usual, pymupdf_module().mupdf.FzErrorBase)


def opened_pdf(path: Path) -> Any:
    """Return a PDF opened with PyMuPDF. Raises EncryptedFileError or UnreadableFileError."""
    pymupdf = pymupdf_module()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        document = pymupdf.open(path, filetype="pdf")
        if not document.needs_pass:
            len(document)  # a damaged page tree shows only now
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError, ValueError) as error:
        raise UnreadableFileError("This PDF is damaged and cannot be opened. Save it again and retry.") from error
    if document.needs_pass:
        document.close()
        raise EncryptedFileError("This PDF is protected by a password. Remove the protection and add it again.")
    return document
