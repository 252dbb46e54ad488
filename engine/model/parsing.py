"""What a format parser gives: blocks in reading order."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from engine.model.tree import BBox
from engine.model.values import Value

BlockKind = Literal["heading", "paragraph", "list_item", "table", "image", "caption", "equation", "code"]


@dataclass(frozen=True, slots=True)
class Block(Value):
    """One piece of a document in reading order, as a format parser saw it.

    ``level`` is a heading's or list item's depth (1 = top) where the format states it, else None and
    ``structure`` infers it from ``evidence`` (``size`` in points, ``bold``, ``font`` …). A table block has
    ``metadata["rows"]`` (list of rows of cell texts) and may have ``columns``, ``caption``, ``label``; ``text`` is
    its rows as lines. ``metadata["spans"]`` lists ``{"page", "bbox"}`` for a block that continues in another column
    or page.
    """

    kind: BlockKind
    text: str
    page: int | None = None
    bbox: BBox | None = None
    level: int | None = None
    cell: str | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def spans(self) -> list[dict[str, Any]]:
        """Where it stands: page, box, and letters where they are known; nothing without a page."""
        alone = {"page": self.page, "bbox": self.bbox, "chars": len(self.text)}
        return list(self.metadata.get("spans") or ([alone] if self.page and self.bbox else []))

    def part(self, start: int, end: int) -> Self:
        """Return a block with characters ``start`` to ``end`` of the text, at the pages where these stand."""
        spans = _between(self.spans, start, end)
        facts = {key: value for key, value in self.metadata.items() if key != "spans"}
        if len(spans) > 1:
            facts["spans"] = spans
        page, box = (spans[0]["page"], spans[0]["bbox"]) if spans else (self.page, self.bbox)
        return replace(self, text=self.text[start:end], page=page, bbox=tuple(box) if box else None, metadata=facts)


def _between(spans: Sequence[dict[str, Any]], start: int, end: int) -> Sequence[dict[str, Any]]:
    """Return the spans that hold characters ``start`` to ``end``; all of them where lengths are unknown."""
    if not all("chars" in span for span in spans):
        return spans
    kept, at = [], 0
    for span in spans:
        low, high = max(start, at), min(end, at + span["chars"])
        at += span["chars"]
        if low < high:
            kept.append({**span, "chars": high - low})
    return kept or spans[-1:]


@dataclass(frozen=True, slots=True)
class ParsedFile(Value):
    """What a format parser returns: blocks in reading order and facts about the file.

    ``pages`` is the number of pages, slides or sheets (None where the format has none);
    ``page_sizes`` holds (width, height) in points for each. ``outline`` is the file's own table of
    contents as ``{"level", "title", "page", "y"}``. ``warnings`` say what could not be read, ``unread_pages`` are
    pictures of text that wait for text recognition.
    """

    media_type: str
    blocks: list[Block]
    title: str = ""
    pages: int | None = None
    page_sizes: list[tuple[float, float]] = field(default_factory=list)
    outline: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unread_pages: list[int] = field(default_factory=list)
