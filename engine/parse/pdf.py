"""PDF to blocks: text in reading order with fonts and boxes, tables with ruling lines, pictures, outline."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.config import ParsingSettings
from engine.errors import EmptyFileError, LimitExceededError, UnreadableFileError
from engine.model import Block, BlockKind, ParsedFile
from engine.parse.pdf_beside import attachments_of, read_beside, with_comments
from engine.parse.pdf_contents import Contents, contents_of
from engine.parse.pdf_glyphs import join_glyphs
from engine.parse.pdf_grids import Drawings, Table, Word, grid_table, grids_of, read_drawings, words_from
from engine.parse.pdf_images import Picture, covers_page, drawn_figures, joined, read_pictures, without_repeated
from engine.parse.pdf_layout import Page, Placed, lay_out
from engine.parse.pdf_paragraphs import Flow, Paragraph, Vocabulary, flow_of, join_over_breaks, text_of, usual_leading
from engine.parse.pdf_running import running_lines, running_rows
from engine.parse.pdf_text import Line, box_around, clean, read_lines, turn_of, turned_back, widest_gap
from engine.parse.pdf_three_rules import three_ruled, with_gutters
from engine.parse.reading import Reading, read_scanned
from engine.parse.scan import OnProgress, broken_by, needs_reading, opened_pdf, pymupdf_module
from engine.parse.scan_text import named_pages
from engine.structure.sequences import heaviest

if TYPE_CHECKING:
    from engine.parse.mail_blocks import Attached

MEDIA_TYPE = "application/pdf"
# Of what tags say in place of what is printed, hyphens and the like make up less.
MORE_PRINTED = 1.05
# More drawings than this, in bytes (maps, plots), would take seconds: none of them is read.
MOST_CONTENT = 4_000_000


def parse_pdf(
    path: Path, settings: ParsingSettings, on_progress: OnProgress | None = None, reading: Reading | None = None,
    attached: Attached | None = None,
) -> ParsedFile:  # fmt: skip
    """Read a PDF into blocks in reading order; ``reading`` says what becomes of pages that are pictures.

    Files in it are read by ``attached``: sections of their own, behind the pages.

    Paragraph blocks carry ``evidence`` for headings: ``size``, ``bold`` (share 0..1), ``font``, ``color``,
    ``lines``, ``above`` (distance of baselines, in points), ``column`` (its bounds).
    Raises EncryptedFileError, EmptyFileError, LimitExceededError or UnreadableFileError.
    """
    with opened_pdf(path) as document:
        _check(document, settings)
        pages, warnings = _read_pages(document, on_progress)
        comments = [comment for page in pages for comment in page.comments]
        scans = read_scanned(path, pages, reading, on_progress)
        blocks = with_comments(scans.read.marked(blocks_of_pages(scans.pages)), comments)
        warnings += scans.warnings
        if attached:
            for attachment in attachments_of(document):
                blocks += [replace(block, page=None) for block in attached.section(attachment, 1)]
            warnings += [] if attached.depth else attached.warnings  # else the outer file tells them
        if not blocks and not any(page.pictures or page.scanned for page in pages):
            if document.is_repaired:
                raise UnreadableFileError("This PDF is damaged, and nothing on its pages can be read.")
            raise EmptyFileError("This PDF has no text and no pictures.")
        return ParsedFile(
            MEDIA_TYPE,
            blocks,
            title=clean((document.metadata or {}).get("title") or "").strip(),
            pages=len(pages),
            # Of pages that were turned sideways for reading as they are displayed.
            page_sizes=[(p.size[1], p.size[0]) if p.back and p.back[0] == 0 else p.size for p in pages],
            outline=_outline(document),
            warnings=warnings,
            unread_pages=scans.unread,
        )


def _check(document: Any, settings: ParsingSettings) -> None:
    if document.page_count == 0:
        raise EmptyFileError("This PDF has no pages. It may be cut off: get the file again.")
    if document.page_count > settings.max_pages:
        raise LimitExceededError(
            f"This PDF has {document.page_count} pages; the limit is {settings.max_pages}. "
            "Split it, or raise parsing.max_pages."
        )


def _read_pages(document: Any, on_progress: OnProgress | None) -> tuple[list[Page], list[str]]:
    pymupdf = pymupdf_module()
    pages: list[Page] = []
    broken: list[int] = []
    count = document.page_count
    for index in range(count):
        try:
            pages.append(_read_page(document[index], index + 1))
        except broken_by():
            broken.append(index + 1)
            pages.append(Page(index + 1, (612.0, 792.0)))
        if index % 20 == 19:
            pymupdf.TOOLS.store_shrink(50)
            if on_progress:
                on_progress("parse", 0.8 * (index + 1) / count)
    if len(broken) == count:
        raise UnreadableFileError("No page of this PDF can be read; it is damaged.")
    warnings = [f"{named_pages(broken)} could not be read: damaged."] if broken else []
    if unseen := [page.number for page in pages if page.unseen]:
        where = named_pages(unseen)
        warnings.append(f"Text that nobody sees (not painted, or as light as the paper) was left out: {where}.")
    return pages, warnings


def _read_page(page: Any, number: int) -> Page:
    text = _text_of(page)
    content = text.extractDICT()
    beside = read_beside(page, number, content)
    join_glyphs(content, text)
    shown = page.rotation_matrix
    turn = turn_of(content, shown)
    if turn:
        page.set_rotation((page.rotation + turn) % 360)
    matrix = tuple(page.rotation_matrix) if page.rotation else None
    size = (round(page.rect.width, 2), round(page.rect.height, 2))
    lines = [
        line
        for line in read_lines(content, number, matrix)
        if line.x1 > 0 and line.y1 > 0 and line.x0 < size[0] and line.y0 < size[1]
    ]
    pictures = read_pictures(page.get_image_info(), number, size, matrix) if page.get_images() else []
    scanned = needs_reading(page, text)
    pictures = [picture for picture in pictures if not covers_page(picture, size)]
    drawn = [] if len(page.read_contents()) > MOST_CONTENT else page.get_cdrawings()
    drawings = read_drawings(drawn, size, matrix)
    tables = _tables(drawings, lambda: words_from(beside.words(text.extractWORDS()), matrix), number)
    pictures = joined(pictures + drawn_figures(drawings, number, size, [*tables, *pictures]))
    back = tuple(page.derotation_matrix * shown) if turn else None
    return Page(
        number, size, lines, tables, pictures, scanned=scanned, back=back, comments=beside.comments,
        unseen=bool(beside.unseen),
    )  # fmt: skip


def _text_of(page: Any) -> Any:
    """Return the text of a page; what tags say in its place (ActualText) counts unless words are lost by it."""
    pymupdf = pymupdf_module()
    usual = pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_COLLECT_STYLES
    flags = (usual, usual | pymupdf.TEXT_IGNORE_ACTUALTEXT)
    tagged = page.parent.xref_get_key(page.parent.pdf_catalog(), "StructTreeRoot")[0] != "null"
    told, *printed = (page.get_textpage(flags=one) for one in flags[: 1 + tagged])
    lost = [text for text in printed if len(text.extractTEXT()) > MORE_PRINTED * len(told.extractTEXT())]
    return lost[0] if lost else told


def _tables(drawings: Drawings, words_on_page: Callable[[], list[Word]], number: int) -> list[Table]:
    grids = grids_of(drawings)
    ruled = {rule for across, _ in grids for rule in across}
    lone = [rule for rule in drawings.horizontal if rule not in ruled]
    if not grids and len(lone) < 3:
        return []
    words = words_on_page()
    grids = [with_gutters(grid, words) for grid in grids] + three_ruled(lone, words)
    return [table for grid in grids if (table := grid_table(number, *grid, words)) is not None]


def blocks_of_pages(pages: list[Page]) -> list[Block]:
    """Return the blocks of a document in reading order from what was read of its pages, in page order."""
    heights = [page.size[1] for page in pages]
    repeated = running_lines([page.lines for page in pages], heights)
    running = [_deduplicated([line for line in page.lines if id(line) in repeated]) for page in pages]
    for page in pages:
        page.lines = _deduplicated([line for line in page.lines if id(line) not in repeated])
    contents = contents_of([(page.number, page.lines) for page in pages])
    for page, pictures in zip(pages, without_repeated([page.pictures for page in pages]), strict=True):
        page.pictures, page.contents = pictures, contents.get(page.number)
    body = body_size(line for page in pages for line in page.lines)
    words = Vocabulary(page.lines for page in pages)
    columns: list[list[Placed]] = []
    for page in pages:
        columns += lay_out(page, body, columns[-1][-1] if columns else None)
    leading = usual_leading([item for item in column if isinstance(item, Line)] for column in columns)
    flow = join_over_breaks((flow_of(column, leading) for column in columns), body)
    blocks = [block for item in flow for block in _blocks_of(item, words)]
    for zone, rows in running_rows(running, heights):
        text, box = "\n".join(row.text for row in rows), box_around(row.bbox for row in rows)
        blocks.append(Block("paragraph", text, rows[0].page, box, metadata={"running": zone}))
    return turned_back(blocks, {page.number: page.back for page in pages if page.back is not None})


def _deduplicated(lines: list[Line]) -> list[Line]:
    """Drop lines printed twice at one place (shadows, fake bold), join those that repeat each other's end."""
    seen: set[tuple[str, int, int]] = set()
    kept: list[Line] = []
    for line in lines:
        key = (line.text, round(line.x0 / 2), round(line.baseline / 2))
        if key in seen:
            continue
        seen.add(key)
        before = kept[-1] if kept else line
        if abs(before.baseline - line.baseline) < 1 and before.x0 < line.x0 < before.x1 - 3:
            sizes = range(min(len(before.text), len(line.text)), 2, -1)
            if common := next((size for size in sizes if before.text.endswith(line.text[:size])), 0):
                kept[-1] = replace(before, text=before.text + line.text[common:], x1=max(before.x1, line.x1))
                continue
        kept.append(line)
    return kept


def body_size(lines: Iterator[Line]) -> float:
    """Return the font size of most of the text, in points (10 for a document without text)."""
    return heaviest(((line.size, len(line.text)) for line in lines), 10.0)


def _blocks_of(item: Flow, words: Vocabulary) -> list[Block]:
    if isinstance(item, Table):
        block = item.block()
        return [replace(block, page=item.page, bbox=box_around([item.bbox]))] if block is not None else []
    if isinstance(item, Picture):
        facts = {"width": item.width or None, "height": item.height or None, "ocr_text": item.text}
        return [Block("image", item.text, page=item.page, bbox=box_around([item.bbox]), metadata=facts)]
    if isinstance(item, Contents):
        texts = ((text_of(lines, words), box_around(line.bbox for line in lines)) for lines in item.entries)
        page, evidence = item.entries[0][0].page, {"contents": True}
        return [Block("list_item", text, page, box, evidence=evidence) for text, box in texts]
    return [_text_block(item, words)]


def _text_block(paragraph: Paragraph, words: Vocabulary) -> Block:
    lines = paragraph.lines
    first = lines[0]
    text = text_of(lines, words)
    letters = sum(len(line.text) for line in lines)
    evidence = {
        "size": heaviest(((line.size, 1) for line in lines), first.size),
        "top": max(line.top for line in lines),
        "bold": round(sum(line.bold * len(line.text) for line in lines) / letters, 2), "italic": first.italic,
        "underlined": sum(line.underlined * len(line.text) for line in lines) > 0.7 * letters,
        "lead": _lead(lines, words), "font": first.font, "color": first.color, "lines": len(lines),
        "above": paragraph.above, "column": (round(paragraph.left, 1), round(paragraph.right, 1)),
        "gap": round(max(widest_gap(line) / line.size for line in lines), 1), "upright": first.upright,
    }  # fmt: skip
    kind: BlockKind = "list_item" if paragraph.item else "paragraph"
    boxes = [box_around(line.bbox for line in part) for part in paragraph.parts]
    spans = [{"page": part[0].page, "bbox": list(box), "chars": len(text_of(part, words))}
             for part, box in zip(paragraph.parts, boxes, strict=True)]  # fmt: skip
    facts = {"spans": spans} if len(spans) > 1 else {}
    return Block(kind, text, first.page, boxes[0], evidence=evidence, metadata=facts)


def _lead(lines: Sequence[Line], words: Vocabulary) -> int:
    """Return how many characters at the start of a paragraph are marked; over lines that are so as a whole."""
    whole = list(itertools.takewhile(lambda line: line.lead == len(line.text), lines))
    after = [replace(line, text=line.text[: line.lead]) for line in lines[len(whole) :][:1] if line.lead]
    return len(text_of([*whole, *after], words)) if whole or after else 0


def _outline(document: Any) -> list[dict[str, Any]]:
    entries = []
    with suppress(RuntimeError, ValueError, TypeError):
        for level, title, page, facts in document.get_toc(simple=False):
            title, target = " ".join(clean(title).split()), facts.get("to")
            if title and page > 0:
                y = round(target.y, 1) if target else None
                entries.append({"level": level, "title": title, "page": page, "y": y})
    return entries
