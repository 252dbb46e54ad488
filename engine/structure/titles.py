"""The title of a document: what its file states, checked against the first pages, else the largest text there."""

from collections.abc import Sequence
from pathlib import PurePath

from engine.language import compiled, patterns
from engine.model import Block, ParsedFile
from engine.structure.captions import caption_label
from engine.structure.outline import normal

SHORTEST, LONGEST = 4, 300
NOT_A_TITLE = compiled(patterns("summaries")["no_title"])


def title_of(parsed: ParsedFile, blocks: Sequence[Block], name: str) -> str:
    """Return the title of a document; ``blocks`` are its blocks with headings marked, ``name`` its file name.

    In order: the file's stated title when its first pages show it; a lone top heading at the very start; the
    largest text of the first page (PDF); the stated title; the file name without its ending.
    """
    stated = parsed.title.strip()
    usable = _fits(stated) and not NOT_A_TITLE.search(stated)
    first = [block for block in blocks[:60] if block.page is None or block.page <= 2]
    if usable and any(normal(stated) in normal(block.text[:LONGEST]) for block in first):
        return stated
    if printed := _largest(first):
        return printed
    if usable:
        return stated
    start = next((block for block in blocks if block.text), None)
    written = start is not None and start.kind == "heading" and not start.metadata.get("generated")
    return start.text if start and written and _fits(start.text) else PurePath(name).stem or name


def _fits(text: str) -> bool:
    """Tell whether a text is as long as a title is; two Chinese characters are."""
    return len(text.encode("utf-8", "replace")) >= SHORTEST and len(text) <= LONGEST


def _largest(blocks: Sequence[Block]) -> str:
    """Return the largest text of the first page, with the lines of the same size that follow it, or ""."""
    page = [
        b
        for b in blocks
        if b.page == 1 and "size" in b.evidence and b.evidence.get("upright") and b.text
        and b.kind != "table" and caption_label(b.text) is None
    ]  # fmt: skip
    first = max((b for b in page if _fits(b.text)), key=lambda b: float(b.evidence["size"]), default=None)
    usual = sorted(b.evidence["size"] for b in page)[len(page) // 2] if page else 0.0
    if first is None or first.evidence["size"] < 1.15 * usual:
        return ""
    start, size = page.index(first), first.evidence["size"]
    parts = [page[start].text]
    for block in page[start + 1 : start + 3]:
        if abs(block.evidence["size"] - size) > 0.5 or block.kind == "heading":
            break
        parts.append(block.text)
    title = " ".join(parts)
    return title if len(title) <= LONGEST else ""
