"""Page pictures to blocks: the lines that were read go through the layout of PDF text.

So columns, running headers, hyphenation and paragraphs that run on over a page come out as they do for a
page with text; each block then gets its lines as read, with their boxes and confidence.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.model import Block
from engine.parse.pdf_layout import Page
from engine.parse.pdf_text import Boxed, Line, box_around
from engine.parse.scan_text import PageText, give_leading, mean_confidence, settle_sizes, straightened, upwards
from engine.parse.sheet_regions import runs_of
from engine.providers.ocr import OcrLine

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
