"""PowerPoint files (.pptx) -> blocks: a slide is a section; text, lists, tables, charts, pictures, notes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.model import Block, ParsedFile
from engine.parse.docx_parts import chart_block, diagram_text
from engine.parse.equations import write_equations
from engine.parse.limits import MAX_TITLE, check_blocks, check_slides
from engine.parse.ooxml import DIAGRAM, A, C, Package, R, Relationship, integer, value
from engine.parse.pptx_text import P, Shape, paragraphs_of, shapes_of, table_of, text_blocks, title_among

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_TITLES = frozenset({"title", "ctrTitle"})
# What masters set with bullets.
_ITEMS = frozenset({"", "obj", "body"})
# What stands on every slide belongs to none; date and number say nothing.
_RUNNING = {"dt": "", "sldNum": "", "ftr": "footer", "hdr": "header"}


def parse_pptx(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a presentation, ``page`` the number of the slide. Raises as ``parse_file``."""
    with Package(path, name) as package:
        reader = _SlidesReader(package, name)
        blocks = reader.blocks()
        stated = package.stated_title()
    titles = [b.text for b in blocks if b.kind == "heading" and not b.metadata.get("generated")]
    # Templates leave a title of their own in the properties; the first slide's is the one that is shown.
    title = titles[0] if titles and blocks[0].text == titles[0] else stated or Path(name).stem
    return ParsedFile(MEDIA_TYPE, blocks + reader.running, title=title, pages=reader.slides, warnings=reader.warnings)


class _SlidesReader:
    """Reads the slides in their order."""

    def __init__(self, package: Package, name: str) -> None:
        self.warnings: list[str] = []
        self.running: list[Block] = []
        self.slides = 0
        self._package = package
        self._name = name
        what = "is a PowerPoint file without a readable presentation"
        part, self._root = package.document("ppt/presentation.xml", what, "PowerPoint")
        self._relationships = package.relationships(part)
        self._height = integer(value(self._root.find(f"{P}sldSz"), "cy"), 6858000)
        usual = self._root.find(f"{P}defaultTextStyle/{A}lvl1pPr/{A}defRPr")
        self._letters = integer(value(usual, "sz"), 1800)

    def blocks(self) -> list[Block]:
        """Return the blocks of all slides."""
        entries = self._root.findall(f"{P}sldIdLst/{P}sldId")
        check_slides(len(entries), self._name)
        blocks: list[Block] = []
        for entry in entries:
            self.slides += 1
            relationship = self._relationships.get(entry.get(f"{R}id", ""))
            part = relationship.part if relationship else ""
            root = self._package.xml(part)
            if root is None:
                self.warnings.append(f"Slide {self.slides} is missing or damaged.")
                continue
            write_equations(root)
            blocks += self._slide(root, part)
            check_blocks(len(blocks), self._name)
        return blocks

    def _slide(self, root: Any, part: str) -> list[Block]:
        page = self.slides
        related = self._package.relationships(part)
        tree = root.find(f"{P}cSld/{P}spTree")
        shapes = [] if tree is None else list(shapes_of(tree))
        title = next((s for s in shapes if s.placeholder in _TITLES and s.text), None)
        if title is None:
            own = (shape for shape in shapes if shape.placeholder not in _RUNNING)
            title = title_among([s for s in own if s.element.getparent() is tree], self._height, self._letters)
        facts: dict[str, Any] = {}
        if root.get("show") in {"0", "false"}:
            facts["hidden"] = True
            self.warnings.append(f"Slide {page} is hidden in PowerPoint; it was read.")
        found: list[Block] = []
        for shape in (s for s in shapes if s is not title):
            if shape.placeholder not in _RUNNING:
                found += [replace(block, page=page) for block in self._of_shape(shape, related)]
            elif (zone := _RUNNING[shape.placeholder]) and shape.text:
                self.running.append(Block("paragraph", shape.text, page, metadata={"running": zone}))
        found += [replace(block, page=page) for block in self._notes(related)]
        if title is None and not found:
            return []
        text = " ".join(title.text.split())[:MAX_TITLE] if title is not None else f"Slide {page}"
        if title is None:
            facts |= {"generated": True, "title_generated": True}
        return [Block("heading", text, page, level=1, metadata=facts), *found]

    def _of_shape(self, shape: Shape, related: dict[str, Relationship]) -> Iterator[Block]:
        if shape.kind == "pic":
            picture = related.get(value(shape.element.find(f"{P}blipFill/{A}blip"), f"{R}embed") or "")
            source = picture.part[:500] if picture else ""
            yield Block("image", shape.alt, metadata={"alt": shape.alt, "source": source})
        elif shape.kind == "graphicFrame":
            yield from self._graphic(shape.element, related)
        else:
            yield from text_blocks(shape.element, items=shape.placeholder in _ITEMS)

    def _graphic(self, element: Any, related: dict[str, Relationship]) -> Iterator[Block]:
        table = element.find(f".//{A}tbl")
        if table is not None:
            if block := table_of(table):
                yield block
            return
        for reference in element.iter(f"{C}chart"):
            if block := chart_block(self._package.related(related, reference.get(f"{R}id", ""))):
                if caption := block.metadata.get("caption"):
                    yield Block("caption", caption)
                yield block
            else:
                self.warnings.append(f"A chart on slide {self.slides} holds no data.")
        for reference in element.iter(DIAGRAM):
            if text := diagram_text(self._package.related(related, reference.get(f"{R}dm", ""))):
                yield Block("paragraph", text, metadata={"diagram": True})

    def _notes(self, related: dict[str, Relationship]) -> Iterator[Block]:
        for item in related.values():
            root = self._package.xml(item.part) if item.kind in {"notesSlide", "comments"} else None
            if root is None:
                continue
            if item.kind == "notesSlide":
                bodies = root.iterfind(f".//{P}sp/{P}nvSpPr/{P}nvPr/{P}ph[@type='body']/../../../{P}txBody")
                for paragraph in (one for body in bodies for one in paragraphs_of(body)):
                    yield Block("paragraph", paragraph.text, metadata={"note": "speaker"})
                continue
            for comment in root:
                found = (one.text for body in comment.iter("{*}txBody") for one in paragraphs_of(body))
                if words := (comment.findtext(f"{P}text") or "\n".join(found)).strip():
                    yield Block("paragraph", words, metadata={"note": "comment"})
