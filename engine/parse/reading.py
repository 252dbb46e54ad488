"""Pages and pictures of a file that are pictures of text: read now, left to a later run, or not read at all.

The text in a picture inside a document is read once, whatever document it stands in.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import Any

from engine.config import ParsingSettings
from engine.errors import NotFoundError, ProviderError, UnreadableFileError
from engine.model import Node, ParsedFile, Tree
from engine.parse.pdf_layout import Page
from engine.parse.picture import embedded, package_pictures, stored_picture
from engine.parse.scan import STAGE, OnProgress, drawn, opened_pdf, read_pages
from engine.parse.scan_image import SMALLEST_PICTURE, decoded_picture, parse_image, text_in
from engine.parse.scan_text import ReadPages, named_pages, reading_warnings
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


PDF = "application/pdf"
# A picture of 100 by 100 pixels packs into this at least, unless it is a flat colour.
FEWEST_BYTES = 2000
SMALLEST_POINTS = 36.0
MOST_PICTURES = 500


def with_picture_texts(tree: Tree, path: Path, reading: Reading | None, on_progress: OnProgress | None = None) -> Tree:
    """Return the tree with ``ocr_text`` and ``ocr_confidence`` (0..1) on image nodes that hold text.

    Where ``reading`` leaves it to a later run, ``unread_pictures`` is how many there are to read. A picture
    that cannot be read has ``ocr_error``, and a warning counts them.
    """
    if reading is None or not reading.pictures:
        return tree
    wanted = _wanted(tree, path)
    if reading.ocr is None or not wanted:
        return replace(tree, unread_pictures=len(wanted))
    facts: dict[str, dict[str, Any]] = {}
    warnings: list[str] = []
    read: dict[str, dict[str, Any]] = {}
    with opened_pdf(path) if tree.media_type == PDF else nullcontext() as document:
        for done, node in enumerate(wanted, 1):
            source = str(node.metadata.get("source") or "")
            try:
                facts[node.node_id] = (source and read.get(source)) or _facts(node, path, document, reading)
            except ProviderError as error:
                warnings.append(f"The text in pictures was not read. {error}")
                break
            read[source] = facts[node.node_id]
            if on_progress:
                on_progress(STAGE, done / len(wanted))
    if failed := sum("ocr_error" in found for found in facts.values()):
        which = "1 picture" if failed == 1 else f"{failed} pictures"
        warnings.append(f"{which} could not be opened to read the text in them.")
    nodes = []
    for node in tree.nodes:  # what was read in a picture is its text: what is found by it can be quoted
        own = facts.get(node.node_id, {})
        text = "\n".join(dict.fromkeys(filter(None, (node.text, own.get("ocr_text")))))
        nodes.append(replace(node, text=text, metadata=node.metadata | own))
    return replace(tree, nodes=nodes, warnings=[*tree.warnings, *warnings])


def _wanted(tree: Tree, path: Path) -> list[Node]:
    done = ("whole_page", "ocr_text")
    images = [node for node in tree.nodes if node.role == "image" and not any(map(node.metadata.get, done))]
    if not images:
        return []
    if tree.media_type == PDF:
        return [node for node in images if _large_on_page(node)][:MOST_PICTURES]
    sources, parts = [str(node.metadata.get("source") or "") for node in images], package_pictures(path)
    large = [embedded(one) or parts.get(one.lower().lstrip("./"), 0) >= FEWEST_BYTES for one in sources]
    return list(compress(images, large))[:MOST_PICTURES]


def _large_on_page(node: Node) -> bool:
    if node.page is None or node.bbox is None:
        return False
    x0, y0, x1, y1 = node.bbox
    pixels = (node.metadata.get("width") or 0, node.metadata.get("height") or 0)
    return min(pixels) >= SMALLEST_PICTURE and min(x1 - x0, y1 - y0) >= SMALLEST_POINTS


def _facts(node: Node, path: Path, document: Any, reading: Reading) -> dict[str, Any]:
    assert reading.ocr is not None
    try:
        if document is not None and node.page is not None and node.bbox is not None:
            image = drawn(document, node.page, node.bbox)
        else:
            image = decoded_picture(stored_picture(path, str(node.metadata.get("source") or "")))
    except (UnreadableFileError, NotFoundError) as error:
        return {"ocr_error": str(error)}
    if min(image.shape[:2]) < SMALLEST_PICTURE:
        return {}
    text, confidence = text_in(image, reading.ocr, reading.cache_dir)
    return {"ocr_text": text, "ocr_confidence": round(confidence, 3)} if text else {}
