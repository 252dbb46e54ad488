"""One stream of Rich Text paragraphs -> blocks: the body, a footnote, a text box."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.model import Block
from engine.parse.docx_headings import TYPEWRITER, Look
from engine.parse.limits import check_blocks
from engine.parse.list_marker import bullet
from engine.parse.paragraphs import pieces
from engine.parse.rtf_table import MAX_COLUMNS, Definition, Table

MAX_HEADING = 300
_SURROGATE = re.compile("[\ud800-\udfff]")
_CAPTIONS = frozenset({"caption", "table", "figure", "illustration", "drawing"})


class Style(NamedTuple):
    """A paragraph style: its name in lower case, its outline level from 1 (None: it is no heading)."""

    name: str = ""
    level: int | None = None


NO_STYLE = Style()


@dataclass(slots=True)
class Paragraph:
    """What a paragraph says of itself when it ends."""

    style: Style = NO_STYLE
    outline: int | None = None
    list_level: int = 1
    centred: bool = False
    nesting: int = 0


@dataclass
class Flow:
    """Gathers words until a paragraph, cell or row ends."""

    name: str
    kind: str = ""
    blocks: list[Block] = field(default_factory=list)
    looks: dict[int, Look] = field(default_factory=dict)
    marker: str = ""
    definition: Definition = field(default_factory=Definition)
    has_title: bool = False
    _parts: list[str] = field(default_factory=list)
    _sizes: Counter[float] = field(default_factory=Counter)
    _bold: int = 0
    _typed: int = 0
    _lines: list[str] = field(default_factory=list)
    _cells: list[str] = field(default_factory=list)
    _inner_lines: list[str] = field(default_factory=list)
    _inner_cells: list[str] = field(default_factory=list)
    _table: Table | None = None
    _after: list[Block] = field(default_factory=list)

    def add(self, text: str, size: float, bold: bool, font: str) -> None:
        """Take words in a look; ``\\v`` is a line break."""
        self._parts.append(text)
        if text.strip():
            self._sizes[size] += len(text)
            self._bold += len(text) if bold else 0
            self._typed += len(text) if font.startswith(TYPEWRITER) else 0

    def hang(self, block: Block) -> None:
        """Take a picture, note or box; it comes after the paragraph or table at hand."""
        self._after.append(block)

    def end_paragraph(self, paragraph: Paragraph) -> None:
        """End a paragraph: in a cell it is a line of the cell, else a block."""
        if paragraph.nesting > 1:
            self._inner_lines.append(self._words(in_cell=True))
        elif paragraph.nesting == 1:
            self._lines.append(self._words(in_cell=True))
        else:
            self._end_table()
            self._emit(paragraph)
            self._flush_hanging()

    def end_cell(self) -> None:
        """End a cell of the row at hand."""
        self._lines.append(self._words(in_cell=True))
        if len(self._cells) < MAX_COLUMNS:
            self._cells.append("\n".join(line for line in self._lines if line))
        self._lines = []

    def end_inner_cell(self) -> None:
        """End a cell of a table inside a cell."""
        self._inner_lines.append(self._words(in_cell=True))
        self._inner_cells.append(" ".join(line for line in self._inner_lines if line))
        self._inner_lines = []

    def end_inner_row(self) -> None:
        """End a row of a table inside a cell: it becomes a line of the cell."""
        self._lines.append(" | ".join(self._inner_cells).strip(" |"))
        self._inner_cells = []

    def end_row(self) -> None:
        """End a row of the table at hand."""
        if self._cells:
            self._table = self._table or Table()
            self._table.rows.append((self.definition, self._cells))
        self._cells = []

    def finish(self) -> list[Block]:
        """End what is open and return the blocks."""
        if self._lines or self._cells:
            self.end_cell()
            self.end_row()
        self.end_paragraph(Paragraph())
        return self.blocks

    def _words(self, in_cell: bool = False) -> str:
        """Return the words at hand with the number beside them; in a cell, with the bullet, too."""
        raw = "".join(self._parts)
        if _SURROGATE.search(raw):
            raw = raw.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        lines = raw.split("\v")
        text = "\n".join(shown for line in lines if (shown := " ".join(line.split())))
        if self.marker and text and (in_cell or not _is_bullet(self.marker)):
            text = f"{'•' if _is_bullet(self.marker) else self.marker} {text}"
        self._parts, self.marker = [], ""
        self._sizes, self._bold, self._typed = Counter(), 0, 0
        return text

    def _look(self, centred: bool) -> Look:
        total = self._sizes.total()
        size = max(self._sizes, default=0.0)
        return Look(size, bool(total) and self._bold == total, centred, bool(total) and self._typed == total)

    def _emit(self, paragraph: Paragraph) -> None:
        look, marker, raw = self._look(paragraph.centred), self.marker, "".join(self._parts)
        text = self._words()
        if not text or paragraph.style.name.startswith(("toc ", "contents ")):
            return
        style = paragraph.style
        level = paragraph.outline or style.level
        if (level or style.name == "title") and len(text) <= MAX_HEADING:
            self._heading(" ".join(text.split()), level, style)
        elif style.name in _CAPTIONS:
            self._push(Block("caption", text))
        elif marker:
            ordered = not _is_bullet(marker)
            facts = {"marker": marker if ordered else "•", "ordered": ordered}
            self._push(Block("list_item", text, level=paragraph.list_level, metadata=facts), look)
        elif found := bullet(text):
            self._push(Block("list_item", found.rest, level=1, metadata={"marker": "•", "ordered": False}))
        elif look.typewriter and style.name not in {"", "normal", "plain text"}:
            self._push(Block("code", raw.replace("\v", "\n").rstrip()))
        else:
            for piece in pieces(text):
                self._push(Block("paragraph", piece), look)

    def _heading(self, text: str, level: int | None, style: Style) -> None:
        title = style.name == "title"
        evidence = {"style": style.name} | ({"title": True} if title else {})
        self.has_title = self.has_title or title
        self._push(Block("heading", text, level=1 if title else level, evidence=evidence))

    def _push(self, block: Block, look: Look | None = None) -> None:
        if look is not None:
            self.looks[len(self.blocks)] = look
        self.blocks.append(block)
        if len(self.blocks) % 1000 == 0:
            check_blocks(len(self.blocks), self.name)

    def _end_table(self) -> None:
        if self._table is not None:
            block = self._table.block(self.name)
            self._table = None
            if block is not None:
                self._push(block)
                self._flush_hanging()

    def _flush_hanging(self) -> None:
        self.blocks += self._after
        self._after = []


def _is_bullet(marker: str) -> bool:
    """Tell whether a mark beside an item counts nothing; Word draws hollow bullets with the letter o."""
    return marker == "o" or not any(character.isalnum() for character in marker)
