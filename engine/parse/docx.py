"""Word files (.docx) -> blocks, read from their XML: order, styles, numbering, tables, notes as Word shows them.

Changes that Word tracks are taken as accepted and noted at their block. Generated tables of contents are left out,
headers and footers come last. Headings come from styles and outline levels; the looks of paragraphs tell others
(``engine.structure.headings``).
"""

from dataclasses import replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.errors import UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.detect import detect
from engine.parse.docx_inline import Inline, InlineReader
from engine.parse.docx_numbering import Label, Numberings
from engine.parse.docx_parts import WRAPPERS, chart_block, diagram_text, notes_of, read_table
from engine.parse.docx_styles import Style, Styles, below_title, look_of, title_in
from engine.parse.equations import write_equations
from engine.parse.limits import check_blocks
from engine.parse.ooxml import MC, M, Package, R, W, integer, parts_by_kind, value
from engine.structure.numbering import bullet
from engine.structure.sentences import split_long

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAX_HEADING, MAX_DEPTH, MAX_CHANGES = 300, 40, 100
HIDDEN = "There is text in this Word file that Word hides; it was left out."
_STYLE, _NUMBERING, _OUTLINE, _MARK = (f"{W}{name}" for name in ("pStyle", "numPr", "outlineLvl", "rPr"))
_Properties = dict[str, Any]


def parse_docx(path: Path, name: str, *, follow_chunks: bool = True) -> ParsedFile:
    """Return the blocks of a Word file; ``follow_chunks`` reads what it embeds, too. Raises as ``parse_file``."""
    with Package(path, name) as package:
        what = "is a Word file without a readable text part"
        part, root = package.document("word/document.xml", what, "Word", f"{W}body")
        write_equations(root)
        body = root.find(f"{W}body")
        reader = _BodyReader(package, part, name, follow_chunks)
        reader.walk(body)
        blocks = reader.finish() + reader.running(body)
        stated = title_in(blocks, package.stated_title())
    return ParsedFile(MEDIA_TYPE, blocks, title=stated, warnings=reader.warnings)


class _BodyReader:
    """Walks the body and gathers blocks; knows the styles, numberings, notes and relationships."""

    def __init__(self, package: Package, part: str, name: str, follow_chunks: bool = False) -> None:
        self.warnings: list[str] = []
        self._package = package
        self._follow_chunks = follow_chunks
        self._name = name
        self._relationships = package.relationships(part)
        kinds = parts_by_kind(self._relationships)
        self._styles = Styles(self._part(kinds.get("styles"), "styles"))
        self._numberings = Numberings(self._part(kinds.get("numbering"), "numbering"))
        self._notes = {
            kind: notes_of(self._part(kinds.get(f"{kind}s"), f"{kind}s")) for kind in ("footnote", "endnote", "comment")
        }
        self._inline = InlineReader()
        self._blocks: list[Block] = []
        self._pending_notes: list[Block] = []
        self._held: list[str] = []
        self._changes: list[dict[str, str]] = []
        self._boxes = 0

    def _part(self, target: str | None, what: str) -> Any | None:
        root = self._package.xml(target) if target else None
        if target and root is None:
            self.warnings.append(f"The {what} of this Word file are missing or damaged.")
        elif root is not None:
            write_equations(root)
        return root

    def walk(self, container: Any, depth: int = 0) -> None:
        """Read what a container holds, in order."""
        if depth > MAX_DEPTH:
            return
        for element in container:
            tag = element.tag
            if tag == f"{W}p":
                self._paragraph(element, depth)
            elif tag == f"{W}tbl":
                self._table(element, depth)
            elif tag == f"{W}sdt":
                content = element.find(f"{W}sdtContent")
                gallery = value(element.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery"))
                if content is not None and gallery != "Table of Contents":
                    self.walk(content, depth + 1)
            elif tag in WRAPPERS:
                self.walk(element, depth + 1)
            elif tag == f"{MC}AlternateContent":
                branch = element.find(f"{MC}Choice")
                self.walk(branch if branch is not None else element, depth + 1)
            elif tag == f"{W}altChunk":
                self._chunk(element)
            elif tag in {f"{M}oMathPara", f"{M}oMath"}:
                self._equations(self._inline.read(element))

    def _chunk(self, element: Any) -> None:
        item = self._relationships.get(element.get(f"{R}id", ""))
        blocks = _chunk_blocks(self._package, item.part) if item and self._follow_chunks else None
        if blocks is None:
            self.warnings.append("A part in another format is embedded in this Word file and was not read.")
        for block in blocks or ():
            self._add(block)

    def running(self, body: Any) -> list[Block]:
        """Return what headers and footers say, marked as such."""
        found: list[Block] = []
        references = body.iter(f"{W}headerReference", f"{W}footerReference")
        for part in dict.fromkeys(self._relationships.get(item.get(f"{R}id", "")) for item in references):
            root = self._package.xml(part.part) if part else None
            if part and root is not None:
                write_equations(root)
                reader = _BodyReader(self._package, part.part, self._name)
                reader.walk(root)
                facts = {"running": part.kind}
                found += [replace(b, metadata=b.metadata | facts) for b in reader._blocks if b.text]
        return found

    def finish(self) -> list[Block]:
        """Return all blocks, with levels put under the title."""
        self._flush_notes()
        blocks = self._blocks
        if self._changes and blocks:
            blocks[-1] = replace(blocks[-1], metadata={"changes": self._changes} | blocks[-1].metadata)
        return _joined_code(below_title(blocks))

    def _paragraph(self, element: Any, depth: int) -> None:
        properties = _properties(element)
        style = self._styles.of(value(properties.get(_STYLE)))
        inline = self._inline.read(element)
        self._note_changes(inline)
        inline.parts[:0] = self._held
        self._held = []
        mark = properties.get(_MARK)
        if mark is not None and next(mark.iterchildren(f"{W}del"), None) is not None and not inline.equations:
            self._held = inline.parts
            return
        label = self._label(properties, style, bool(inline.text or inline.pictures))
        if inline.text and not style.contents:
            level = 1 if style.title else _outline_level(properties, style)
            look = {} if self._boxes else look_of(element, style, self._styles.body_size, inline.text)
            self._text(inline, style, label, level, look)
        self._extras(inline, depth)

    def _text(self, inline: Inline, style: Style, label: Label | None, level: int | None, look: Any) -> None:
        text, code = inline.text, "".join(inline.parts).rstrip()
        if inline.equations and inline.only_math:
            self._equations(inline)
        elif style.title or (level is not None and len(text) <= MAX_HEADING):
            number = f"{label.text}{label.gap}" if label is not None and label.ordered and label.text else ""
            look = {"title": True} if style.title else look
            self._add(Block("heading", number + " ".join(text.split()), level=level or 1, evidence=look))
        elif style.code:
            self._add(Block("code", code or text))
        elif style.caption:
            self._add(Block("caption", text))
        elif label is not None:
            shown = f"{label.text}{label.gap}{text}" if label.ordered else text
            if look.get("lead"):
                look["lead"] += len(shown) - len(text)
            self._add(Block("list_item", shown, level=label.level + 1, evidence=look if label.ordered else {}))
        elif marker := bullet(text):
            self._add(Block("list_item", marker.rest, level=1))
        else:
            first, *rest = split_long(text)
            self._add(Block("paragraph", first, evidence=look))
            for piece in rest:
                self._add(Block("paragraph", piece, evidence=look | {"lead": 0}))

    def _equations(self, inline: Inline) -> None:
        for equation in inline.equations:
            self._add(Block("equation", equation))

    def _label(self, properties: _Properties, style: Style, filled: bool) -> Label | None:
        own = {item.tag: item.get(f"{W}val") for item in properties.get(_NUMBERING, ())}
        num_id, level = own.get(f"{W}numId", style.num_id), own.get(f"{W}ilvl")
        if num_id in {None, "0"} or not filled:
            return None
        stated = integer(level) if level is not None else style.num_level
        return self._numberings.label(num_id, stated, style.style_id)

    def _extras(self, inline: Inline, depth: int) -> None:
        for key, facts in inline.pictures:
            if relationship := self._relationships.get(key or ""):
                facts["source"] = relationship.target[:500]
            self._add(Block("image", facts["alt"], metadata=facts))
        for chart in inline.charts:
            if block := chart_block(self._package.related(self._relationships, chart)):
                self._add(block)
        for diagram in inline.diagrams:
            if text := diagram_text(self._package.related(self._relationships, diagram)):
                self._add(Block("paragraph", text, metadata={"diagram": True}))
        for box in inline.boxes:
            # A box is read by a reader of its own: fields around it are not its fields.
            outer, self._inline = self._inline, InlineReader()
            self._boxes += 1
            self.walk(box, depth + 1)
            self._boxes -= 1
            self._inline = outer
        for kind, note_id in inline.notes:
            number, note = self._notes[kind].get(note_id, (0, None))
            paragraphs = () if note is None else note.iter(f"{W}p")
            if text := "\n".join(t for p in paragraphs if (t := InlineReader().read(p).text)):
                said = {"author": note.get(f"{W}author", "")} if kind == "comment" else {"number": number}
                self._pending_notes.append(Block("paragraph", text, metadata={"note": kind} | said))

    def _table(self, element: Any, depth: int) -> None:
        table = read_table(element, InlineReader(), self._cell_label)
        if table.single is not None:
            self.walk(table.single, depth + 1)
            return
        for inline in table.inlines:
            self._note_changes(inline)
        if table.block is not None:
            self._add(table.block)
        for inline in table.inlines:
            self._extras(inline, depth)

    def _cell_label(self, paragraph: Any, filled: bool) -> str:
        properties = _properties(paragraph)
        label = self._label(properties, self._styles.of(value(properties.get(_STYLE))), filled)
        return f"{label.text}{label.gap}" if label is not None else ""

    def _note_changes(self, inline: Inline) -> None:
        self._changes = (self._changes + inline.changes)[:MAX_CHANGES]
        if inline.hidden and HIDDEN not in self.warnings:
            self.warnings.append(HIDDEN)

    def _add(self, block: Block) -> None:
        if block.kind != "list_item":
            self._flush_notes()
        if self._changes:
            block = replace(block, metadata=block.metadata | {"changes": self._changes})
            self._changes = []
        self._blocks.append(block)
        check_blocks(len(self._blocks), self._name)

    def _flush_notes(self) -> None:
        self._blocks += self._pending_notes
        self._pending_notes = []


def _properties(paragraph: Any) -> _Properties:
    for holder in paragraph.iterchildren(f"{W}pPr"):
        return {item.tag: item for item in holder.iterchildren(_STYLE, _NUMBERING, _OUTLINE, _MARK)}
    return {}


def _outline_level(properties: _Properties, style: Style) -> int | None:
    direct = value(properties.get(_OUTLINE))
    level = integer(direct, 9) + 1
    return style.heading if direct is None else level if level < 10 else None


def _joined_code(blocks: list[Block]) -> list[Block]:
    """Join lines of code, each a paragraph in Word."""
    found: list[Block] = []
    for is_code, group in groupby(blocks, lambda block: block.kind == "code"):
        lines = list(group)
        found += [Block("code", "\n".join(line.text for line in lines))] if is_code else lines
    return found


def _chunk_blocks(package: Package, part: str) -> list[Block] | None:
    """Return the blocks of an embedded part, of a Word file without its own; None where it cannot be read."""
    from engine.parse.dispatch import parse_bytes
    from engine.parse.mail import read_eml
    from engine.parse.mail_blocks import body_blocks

    if not (data := package.data(part)):
        return None
    try:
        with TemporaryDirectory(prefix="dropqa-docx-") as folder:
            path = Path(folder, "part")
            path.write_bytes(data)
            kind = detect(path, part)
            if kind == "docx":
                return parse_docx(path, part, follow_chunks=False).blocks
        if kind == "mail":  # a web page with its pictures (.mht)
            return [block for body in read_eml(data, part).bodies for block in body_blocks(body, part)]
        return parse_bytes(data, part).blocks
    except UnreadableFileError:
        return None
