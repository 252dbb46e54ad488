"""How a paragraph of Word looks, for documents that use no heading styles; the title and what stands below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.model import Block
from engine.parse.docx_styles import Style
from engine.parse.ooxml import W, integer, is_on, value


def look(size: float, bold: bool) -> dict[str, Any]:
    """Return how text without a page looks, as :func:`engine.structure.headings.find_headings` takes it."""
    return {
        "size": size, "top": size, "bold": float(bold), "italic": False, "font": "", "color": 0,
        "lines": 1, "column": (0.0, 0.0), "gap": 0.0, "upright": True,
    }  # fmt: skip


def look_of(paragraph: Any, style: Style, default_size: float) -> dict[str, Any]:
    """Return the look of a paragraph's text, from its runs, else its style."""
    bold, size, seen = True, 0.0, False
    for run in paragraph.iter(f"{W}r"):
        if run.find(f"{W}t") is None:
            continue
        seen = True
        switch = run.find(f"{W}rPr/{W}b")
        bold = bold and (style.bold if switch is None else is_on(switch))
        size = max(size, integer(value(run.find(f"{W}rPr/{W}sz"))) / 2)
    return look(size or style.size or default_size, bold and seen)


def title_in(blocks: list[Block], noted: str) -> str:
    """Return the Title paragraph, else the title in the file's properties where the text bears it out."""
    borne_out = noted if noted and any(noted == block.text for block in blocks[:20]) else ""
    return next((block.text for block in blocks if block.evidence.get("title")), borne_out)


def below_title(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with the levels of headings under that of a title."""
    return [
        replace(block, level=min((block.level or 1) + 1, 9))
        if block.kind == "heading" and not block.evidence.get("title")
        else block
        for block in blocks
    ]
