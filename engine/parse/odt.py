"""OpenDocument texts (.odt) -> blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.model import Block, ParsedFile
from engine.parse.docx_headings import inferred_headings
from engine.parse.odf_body import BodyReader
from engine.parse.odf_package import OFFICE, STYLE, content_of, stated_title, styles_of
from engine.parse.ooxml import Package

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"


def parse_odt(path: Path, name: str) -> ParsedFile:
    """Return the blocks of an OpenDocument text; one without heading styles has headings told by their looks.

    Raises UnreadableFileError when its contents are missing or broken, EncryptedFileError when it is locked,
    LimitExceededError for a bomb or more blocks than a tree can hold.
    """
    with Package(path, name) as package:
        root = content_of(package, name, "text")
        pages = package.xml("styles.xml")
        styles = styles_of(pages, root)
        reader = BodyReader(package, styles, name)
        for body in root.iterfind(f"{OFFICE}body/*"):
            reader.walk(body)
        blocks = reader.finish()
        if not any(block.kind == "heading" and not block.evidence.get("title") for block in blocks):
            blocks = inferred_headings(blocks, reader.looks)
        stated = stated_title(package)
        running = [
            replace(block, metadata=block.metadata | {"running": zone})
            for zone in ("header", "footer")
            for element in (pages.iter(f"{STYLE}{zone}") if pages is not None else ())
            for block in _blocks_in(element, BodyReader(package, styles, name))
        ]
    title = next((block.text for block in blocks if block.evidence.get("title")), "")
    if title:
        blocks = [_below_title(block) for block in blocks]
    elif any(stated == block.text for block in blocks[:20]):
        title = stated
    return ParsedFile(MEDIA_TYPE, blocks + running, title=title)


def _blocks_in(container: Any, reader: BodyReader) -> list[Block]:
    reader.walk(container)
    return [block for block in reader.finish() if block.text]


def _below_title(block: Block) -> Block:
    if block.kind != "heading" or block.evidence.get("title") or block.level is None:
        return block
    return replace(block, level=min(block.level + 1, 10))
