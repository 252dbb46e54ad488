"""What a format parser gives: blocks in reading order."""

from dataclasses import dataclass, field
from typing import Any, Literal

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
