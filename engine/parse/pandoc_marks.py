"""What pandoc does not keep of a paragraph, as private characters of Unicode before its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Block
from engine.parse.docx_styles import below_title, look

BOLD, TITLE, NOTE = "\ue001", "\ue002", "\ue004"
_MARKS = re.compile(f"[{BOLD}{TITLE}]|{NOTE}\\d+{NOTE}")
_NOTED = re.compile(f"{NOTE}(\\d+){NOTE}")
# The number that leads to a note, and the arrow that leads back from it.
_REFERENCE = re.compile(r"<a\s[^>]*footnote-ref[^>]*>\s*<sup>(\d+)</sup>\s*</a>")
_BACK = re.compile(r"(\d+)\. (.*?)\s*↩\ufe0e?$", re.S)
# Tables, and paragraphs that are bold from end to end.
_PARTS = re.compile(r"(<table.*?</table>)|<p>(?=<strong>)((?:(?!</strong>(?!</)|</p>).)+</strong>)</p>", re.S)


def with_marks(page: str) -> str:
    """Return a page with marks before its bold paragraphs and in place of references to notes, none in tables."""
    page = _REFERENCE.sub(rf"{NOTE}\1{NOTE}", page)
    return _PARTS.sub(lambda part: _MARKS.sub("", part[1]) if part[1] else f"<p>{BOLD}{part[2]}</p>", page)


def as_marked(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks as their marks say, a note behind what refers to it; looks where there are no headings."""
    found: list[Block] = []
    stated = any(block.kind == "heading" and TITLE not in block.text[:2] for block in blocks)
    notes = {note[1]: note[2] for block in blocks if (note := _BACK.match(block.text))}
    for block in blocks:
        text = block.text
        if _BACK.match(text):
            continue
        noted = [number for number in _NOTED.findall(text) if number in notes]
        bold = BOLD in text[:2]
        if TITLE in text[:2] and block.kind in {"paragraph", "heading"}:
            block = replace(block, kind="heading", level=1, evidence={"title": True})
        text = _MARKS.sub("", text).strip() if block.kind != "code" else text
        if not stated and block.kind in {"paragraph", "list_item"}:
            block = replace(block, evidence=look(12.0, bold))
        if text or block.kind == "image":
            found.append(replace(block, text=text))
        found += [_note(number, notes.pop(number)) for number in dict.fromkeys(noted)]
    found += [_note(number, text) for number, text in notes.items()]
    return below_title(found) if any(block.evidence.get("title") for block in found) else found


def _note(number: str, text: str) -> Block:
    return Block("paragraph", _MARKS.sub("", text), metadata={"note": "footnote", "number": number})
