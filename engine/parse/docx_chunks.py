"""Parts of a Word file in another format (``w:altChunk``), and its headers and footers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.errors import UnreadableFileError
from engine.model import Block
from engine.parse.detect import detect
from engine.parse.ooxml import Package, R, Relationship, W


def chunk_blocks(package: Package, part: str) -> list[Block] | None:
    """Return the blocks of an embedded part, None where it is of a kind that is not read or damaged.

    What a Word file in a Word file embeds in turn is not followed.
    """
    from engine.parse.dispatch import parse_bytes
    from engine.parse.docx import parse_docx
    from engine.parse.mail import read_eml
    from engine.parse.mail_blocks import body_blocks

    data = package.data(part)
    if not data:
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


def running_parts(body: Any, relationships: dict[str, Relationship]) -> list[Relationship]:
    """Return the headers and footers that the sections of a document refer to, each once."""
    references = body.iter(f"{W}headerReference", f"{W}footerReference")
    found = dict.fromkeys(relationships.get(item.get(f"{R}id", "")) for item in references)
    return [part for part in found if part is not None and not part.external]
