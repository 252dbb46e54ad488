"""OpenDocument texts (.odt) -> blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.model import Block, ParsedFile
from engine.parse.docx_headings import inferred_headings
from engine.parse.odf_body import BodyReader
from engine.parse.odf_package import OFFICE, content_of, stated_title, styles_of
from engine.parse.ooxml import Package

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"


def parse_odt(path: Path, name: str) -> ParsedFile:
    """Return the blocks of an OpenDocument text; one without heading styles has headings told by their looks.

    Raises UnreadableFileError when its contents are missing or broken, EncryptedFileError when it is locked,
    LimitExceededError for a bomb or more blocks than a tree can hold.
    """
    with Package(path, name) as package:
        root = content_of(package, name, "text")
        reader = BodyReader(package, styles_of(package.xml("styles.xml"), root), name)
        for body in root.iterfind(f"{OFFICE}body/*"):
            reader.walk(body)
        blocks = reader.finish()
        if not any(block.kind == "heading" and not block.evidence.get("title") for block in blocks):
            blocks = inferred_headings(blocks, reader.looks)
        stated = stated_title(package)
    title = next((block.text for block in blocks if block.evidence.get("title")), "")
    if title:
        blocks = [_below_title(block) for block in blocks]
    elif any(stated == block.text for block in blocks[:20]):
        title = stated
    return ParsedFile(MEDIA_TYPE, blocks, title=title)


def _below_title(block: Block) -> Block:
    if block.kind != "heading" or block.evidence.get("title") or block.level is None:
        return block
    return replace(block, level=min(block.level + 1, 10))
