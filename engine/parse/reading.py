"""Pages of a file that are pictures of text: read now, left to a later run, or not read at all."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.config import ParsingSettings
from engine.errors import ProviderError
from engine.model import ParsedFile
from engine.parse.pdf_layout import Page
from engine.parse.scan import OnProgress, read_pages
from engine.parse.scan_blocks import ReadPages, named_pages, reading_warnings
from engine.parse.scan_image import parse_image
from engine.providers.ocr import Ocr


@dataclass(frozen=True, slots=True)
class Reading:
    """The wish to read pictures of text: with ``ocr``, or in a later run when it is None.

    ``cache_dir`` keeps what was read, so that a run that was cut off loses nothing. ``pictures`` asks for the
    text in pictures inside the document, too, not only for that of pages without text.
    """

    ocr: Ocr | None = None
    cache_dir: Path | None = None
    pictures: bool = False


@dataclass(frozen=True, slots=True)
class ScannedPages:
    """All pages of a PDF, pictures of text replaced by what was read; ``unread`` are still to be read."""

    pages: list[Page]
    read: ReadPages
    warnings: list[str] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)


def read_scanned(
    path: Path, pages: Sequence[Page], reading: Reading | None, on_progress: OnProgress | None = None
) -> ScannedPages:
    """Read the ``scanned`` pages, without ``reading`` none. Where the recogniser cannot start, a warning says why."""
    wanted = [page.number for page in pages if page.scanned]
    nothing = ReadPages([])
    if not wanted:
        return ScannedPages(list(pages), nothing)
    if reading is None or reading.ocr is None:
        return ScannedPages(list(pages), nothing, [_unread(wanted, reading)], wanted if reading else [])
    try:
        texts = list(read_pages(path, wanted, reading.ocr, reading.cache_dir, on_progress))
    except ProviderError as error:
        return ScannedPages(list(pages), nothing, [_unread(wanted, reading, str(error))], wanted)
    read = ReadPages([text for text in texts if text.lines])
    by_number = {page.number: page for page in read.pages}
    return ScannedPages([by_number.get(page.number, page) for page in pages], read, reading_warnings(texts))


def read_picture_file(
    path: Path, settings: ParsingSettings, reading: Reading | None, on_progress: OnProgress | None = None
) -> ParsedFile:
    """Return a picture file as a document, without text while reading is to come. Raises as ``parse_image``."""
    if reading is not None and reading.ocr is not None:
        return parse_image(path, settings, reading.ocr, on_progress, reading.cache_dir)
    parsed = parse_image(path, settings, None, on_progress)
    pages = list(range(1, (parsed.pages or 0) + 1))
    return replace(parsed, warnings=[_unread(pages, reading)], unread_pages=pages if reading else [])


def _unread(pages: list[int], reading: Reading | None, why: str = "") -> str:
    """Say that pages are pictures, and ``why`` they were not read: switched off, or waiting, where none is given."""
    told = f"{named_pages(pages)} {'is a picture' if len(pages) == 1 else 'are pictures'}"
    if reading is None:
        why = "Text recognition is switched off (setting ocr.enabled)."
    waiting = "; what they say is found as soon as text recognition has read it."
    return told + (f" without text. {why}" if why else waiting)
