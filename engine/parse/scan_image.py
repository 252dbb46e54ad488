"""Picture files as documents, pictures inside documents; a size is checked before a pixel is decoded."""

import io
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from engine.config import ParsingSettings
from engine.errors import LimitExceededError, NotFoundError, ProviderError, UnreadableFileError, UnsupportedFormatError
from engine.model import Block, ParsedFile
from engine.parse.pdf_text import Line, rows_of, spaced
from engine.parse.scan import DPI, STAGE, OnProgress, read_image
from engine.parse.scan_text import PageText, blocks_of, reading_warnings, scaled, straightened
from engine.providers.ocr import Ocr

MEDIA_TYPES = {
    "PNG": "image/png", "JPEG": "image/jpeg", "MPO": "image/jpeg", "TIFF": "image/tiff", "WEBP": "image/webp",
}  # fmt: skip
FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
EMBEDDED_FORMATS = (*FORMATS, "GIF", "BMP")
MAX_PIXELS = 120_000_000
MAX_SIDE = 30_000
_TOO_LARGE = f"Pictures of more than {MAX_PIXELS // 1_000_000} million pixels are not opened: make it smaller."
# More pixels than an A3 sheet at 200 dpi has do not help the recogniser.
READ_SIDE = 3400
SHOWN_SIDE = 1600
LONGEST_PAGE = 842.0
# A resolution that a screen or camera wrote says nothing about paper.
PAPER_DPI = (120.0, 1300.0)
SMALLEST_PICTURE = 100
# What the recogniser makes of photographs and icons stays below: lone signs, and lines it is not sure of.
LEAST_CONFIDENCE, FEWEST_LETTERS = 0.7, 4
# So many times the height of letters is between cells, not between words.
WIDE_GAP = 1.5


def parse_image(
    path: Path, settings: ParsingSettings, ocr: Ocr | None, on_progress: OnProgress | None = None,
    cache_dir: Path | None = None,
) -> ParsedFile:  # fmt: skip
    """Read a picture file: a page each picture, an image block for it, and the text in it.

    Page sizes are in points, about A4 where the file's resolution is none of paper. Without ``ocr`` there is no text.
    Raises LimitExceededError for too many pixels or pages, UnsupportedFormatError, UnreadableFileError.
    """
    with _opened(path.open("rb")) as picture:
        media_type = MEDIA_TYPES[picture.format]
        count = _frames(picture, settings)
        texts: list[PageText] = []
        lacks: list[str] = []
        for number, (size, image) in enumerate(_pages(picture, count), 1):
            across, down = size[0] / image.shape[1], size[1] / image.shape[0]
            try:
                lines = scaled(read_image(image, ocr, cache_dir), across, down) if ocr is not None else []
            except ProviderError as error:
                lacks, lines, ocr = [str(error)], [], None
            texts.append(PageText(number, size, lines))
            if on_progress:
                on_progress(STAGE, number / count)
    pictures = [
        Block("image", "", page=text.page, bbox=(0.0, 0.0, *text.size), metadata={"whole_page": True}) for text in texts
    ]
    blocks = sorted([*pictures, *blocks_of(texts)], key=lambda block: block.page or 0)
    sizes, told = [text.size for text in texts], lacks + reading_warnings(texts)
    return ParsedFile(media_type, blocks, pages=len(texts), page_sizes=sizes, warnings=told)


def decoded_picture(data: bytes) -> np.ndarray:
    """Return a picture upright as BGR, uint8, at most READ_SIDE long. Raises as :func:`parse_image`."""
    with _opened(io.BytesIO(data), EMBEDDED_FORMATS) as picture:
        return _decoded(picture)


def text_in(image: np.ndarray, ocr: Ocr, cache_dir: Path | None = None) -> tuple[str, float]:
    """Return the text in a BGR picture, a line each, and its confidence, 0..1. Raises ProviderUnavailableError.

    What stands apart on a line, as the cells of a calendar or a table do, has " | " between.
    """
    lines = [line for line in read_image(image, ocr, cache_dir) if line.confidence >= LEAST_CONFIDENCE]
    # A Chinese character says as much as two letters.
    letters = sum(char.isalnum() * (2 - char.isascii()) for line in lines for char in line.text)
    if letters < FEWEST_LETTERS:
        return "", 0.0
    page = PageText(1, (float(image.shape[1]), float(image.shape[0])), lines)
    rows = rows_of(line for line, _ in straightened(page)[1])
    columns = [after.x0 for row in rows for after in _apart(row)]
    return "\n".join(_cells(row, columns) for row in rows), page.confidence


def _apart(row: Line) -> Iterator[Line]:
    """Yield the pieces of a row that a wide gap separates from the ones before."""
    for before, after in pairwise(row.pieces or ()):
        if after.x0 - before.x1 > WIDE_GAP * after.size:
            yield after


def _cells(row: Line, columns: Sequence[float]) -> str:
    """Return a row with its cells told apart: at wide gaps, and where a column of other rows begins."""
    first, *others = row.pieces or [row]
    apart = list(_apart(row))
    text = first.text
    for piece in others:
        begins = piece in apart or any(abs(piece.x0 - column) < piece.size / 2 for column in columns)
        text = f"{text} | {piece.text}" if begins else spaced(text, piece.text, gap=True)
    return text


def shown_picture(data: bytes, side: int = SHOWN_SIDE) -> bytes:
    """Return a picture upright, at most ``side`` pixels long, as PNG or JPEG. Raises as :func:`parse_image`."""
    with _opened(io.BytesIO(data), EMBEDDED_FORMATS) as picture:
        kind = "JPEG" if picture.format in ("JPEG", "MPO") else "PNG"
        return _saved(_decoded(picture), kind, side)


@lru_cache(maxsize=16)
def drawn_page(path: Path, page: int) -> bytes:
    """Return a page (1-based) of a picture file as PNG. Raises NotFoundError, else as :func:`parse_image`."""
    with _opened(path.open("rb")) as picture:
        try:
            picture.seek(page - 1)
        except (EOFError, OSError, ValueError) as error:
            raise NotFoundError(f"There is no page {page}.") from error
        _check_size(picture)
        return _saved(_decoded(picture, _resolution(picture)), "PNG", SHOWN_SIDE)


def _saved(image: np.ndarray, kind: str, side: int) -> bytes:
    from PIL import Image

    small = Image.fromarray(np.ascontiguousarray(image[:, :, ::-1]))
    small.thumbnail((side, side))
    buffer = io.BytesIO()
    small.save(buffer, kind, quality=88)
    return buffer.getvalue()


def _opened(file: Any, formats: tuple[str, ...] = FORMATS) -> Any:
    """Open a picture and check its declared size; nothing is decoded yet."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the limit here is our own
            picture = Image.open(file, formats=formats)
        _check_size(picture)
        return picture
    except (Image.DecompressionBombError, LimitExceededError) as error:
        file.close()
        raise LimitExceededError(_TOO_LARGE) from error
    except UnidentifiedImageError as error:
        file.close()
        raise UnsupportedFormatError("This is no PNG, JPEG, TIFF or WebP picture, or it is damaged.") from error
    except (OSError, ValueError, SyntaxError, TypeError, EOFError) as error:
        file.close()
        raise _damaged(error) from error


def _check_size(picture: Any) -> None:
    width, height = picture.size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise LimitExceededError(_TOO_LARGE)


def _damaged(error: Exception) -> UnreadableFileError:
    return UnreadableFileError(f"This picture is damaged and cannot be opened ({error}). Save it again and retry.")


def _frames(picture: Any, settings: ParsingSettings) -> int:
    """Return the number of pages: of a TIFF its pictures, one for the others (which may be animated)."""
    if picture.format != "TIFF":
        return 1
    try:
        count = int(picture.n_frames)
    except (OSError, ValueError, SyntaxError, TypeError, KeyError, EOFError):
        return 1  # the first can be opened, what follows it is damaged
    if count > settings.max_pages:
        raise LimitExceededError(
            f"This TIFF has {count} pages; the limit is {settings.max_pages}. Split it, or raise parsing.max_pages."
        )
    return count


def _pages(picture: Any, count: int) -> Iterator[tuple[tuple[float, float], np.ndarray]]:
    for index in range(count):
        if count > 1:
            picture.seek(index)
            _check_size(picture)
        dpi = _resolution(picture)
        width, height = (round(side * 72 / dots, 2) for side, dots in zip(picture.size, dpi, strict=True))
        image = _decoded(picture, dpi)
        turned = (image.shape[1] < image.shape[0]) != (width < height)
        yield (height, width) if turned else (width, height), image


def _resolution(picture: Any) -> tuple[float, float]:
    """Return dots an inch across and down, from the file or such that the page is about A4."""
    try:
        across, down = (float(value) for value in picture.info.get("dpi", (0, 0)))
    except (TypeError, ValueError, ZeroDivisionError):
        across = down = 0.0
    if PAPER_DPI[0] <= max(across, down) <= PAPER_DPI[1] and min(across, down) >= 0.4 * max(across, down):
        return across, down
    dpi = max(float(DPI), max(picture.size) * 72 / LONGEST_PAGE)
    return dpi, dpi


def _decoded(picture: Any, dpi: tuple[float, float] = (1.0, 1.0)) -> np.ndarray:
    """Return the picture upright as BGR, on white, with square pixels, at most READ_SIDE long."""
    from PIL import Image, ImageOps

    try:
        picture.draft("RGB", (READ_SIDE, READ_SIDE))  # a JPEG is decoded at half size where that is enough
        picture.load()
        image = _on_white(picture)
        finest = max(dpi)
        width, height = image.width * finest / dpi[0], image.height * finest / dpi[1]
        scale = min(1.0, READ_SIDE / max(width, height))
        target = (max(1, round(width * scale)), max(1, round(height * scale)))
        if target != image.size:
            image = image.resize(target, Image.Resampling.LANCZOS, reducing_gap=2.0)
        upright = ImageOps.exif_transpose(image)
    except (OSError, ValueError, SyntaxError, TypeError, KeyError, EOFError, MemoryError) as error:
        raise _damaged(error) from error
    return np.ascontiguousarray(np.asarray(upright)[:, :, ::-1])


def _on_white(picture: Any) -> Any:
    from PIL import Image

    if picture.mode.startswith(("I", "F")):
        values = np.asarray(picture, np.float32)
        low, high = float(values.min()), float(values.max())
        return Image.fromarray(((values - low) * (255 / max(high - low, 1e-6))).astype(np.uint8)).convert("RGB")
    if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
        rgba = picture.convert("RGBA")
        white = Image.new("RGB", rgba.size, (255, 255, 255))
        white.paste(rgba, mask=rgba.getchannel("A"))
        return white
    rgb = picture.convert("RGB")
    rgb.info.update(picture.info)
    return rgb
