"""Headers and footers: what they say is kept once, behind everything else, where the text itself does not say it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Block

PAGE_NUMBER = re.compile(
    r"^(?:page|p\.|seite|第)?\s*[-–—\[(|•·]*\s*(?:[a-z]{1,2}-)?(\d{1,4}|[ivxlc]{1,7})\s*[-–—\])|•·]*\s*页?"
    r"(?:\s*(?:of|/|von|de|共)\s*\d{1,4}\s*页?)?$",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W_]+")


def without_running(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Return the blocks of the text, and those of headers and footers (``metadata["running"]``) that add to it.

    A header that only repeats words of the text (titles, names of chapters) adds nothing; what is kept has the
    ``metadata["kind"]`` "header" or "footer".
    """
    body = [block for block in blocks if "running" not in block.metadata]
    if len(body) == len(blocks):
        return body, []
    said = "\n".join(_words(block.text) for block in body)
    kept: list[Block] = []
    for block in (block for block in blocks if "running" in block.metadata):
        rows = block.metadata.get("rows", ())
        if rows and len(rows[0]) == 2:  # names and their values, as forms have them
            pairs = [dict.fromkeys(cell.rstrip(" :：") for cell in row if cell) for row in rows]
            block = replace(block, text="\n".join(map(": ".join, pairs)))
        lines = [line for line in block.text.split("\n") if not PAGE_NUMBER.match(line)]
        words = [_words(line) for line in lines]
        if any(one.strip() and one not in said for one in words):
            said = "\n".join([said, *words])
            facts = {key: value for key, value in block.metadata.items() if key == "ocr_lines"}
            facts["kind"], text = block.metadata["running"], "\n".join(lines)
            kept.append(replace(block, kind="paragraph", text=text, level=None, cell=None, metadata=facts))
    return body, kept


def _words(text: str) -> str:
    return f" {' '.join(_WORDS.findall(text.casefold()))} "
