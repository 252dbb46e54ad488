"""Headings inferred from how a text looks: size, weight, numbers and white space (PDF without bookmarks).

Each short block collects evidence for and against being a heading; a style (font, size, weight, colour) that
only ever prints short isolated lines counts for all of its lines, one that prints running text against them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.model import Block
from engine.structure.captions import caption_label
from engine.structure.contents_pages import contents_lines, is_contents_title
from engine.structure.numbering import Numbering, numbering_of

LONGEST = 220
MOST_LINES = 4
THRESHOLD = 2.0
LETTERS = re.compile(r"[^\W\d_]")
Style = tuple[float, bool, bool, bool, str, int]


@dataclass(frozen=True, slots=True)
class Heading:
    """A block found to be a heading: its index among the blocks, its score, its number, its style."""

    index: int
    score: float
    number: Numbering | None
    style: Style


@dataclass(frozen=True, slots=True)
class Look:
    """What ordinary text of the document looks like."""

    size: float
    bold: bool
    font: str
    color: int
    leading: float


def look_of(blocks: Sequence[Block]) -> Look:
    """Return the look of most of the document's text."""
    sizes: Counter[float] = Counter()
    for block in blocks:
        if "size" in block.evidence:
            sizes[block.evidence["size"]] += len(block.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    fonts: Counter[tuple[str, int, bool]] = Counter()
    leadings: Counter[float] = Counter()
    for block in blocks:
        evidence = block.evidence
        if "size" in evidence and abs(evidence["size"] - size) < 0.6:
            fonts[evidence["font"], evidence["color"], evidence["bold"] > 0.8] += len(block.text)
            if evidence["lines"] > 2 and block.bbox and not block.metadata.get("spans"):
                height = block.bbox[3] - block.bbox[1]
                leadings[round(height / evidence["lines"], 0)] += 1
    font, color, bold = fonts.most_common(1)[0][0] if fonts else ("", 0, False)
    leading = leadings.most_common(1)[0][0] if leadings else 1.25 * size
    return Look(size, bold, font, color, leading)


def style_of(block: Block) -> Style:
    """Return what makes two headings look alike: size, bold, italic, capitals, font, colour."""
    evidence = block.evidence
    letters = [char for char in block.text if char.isalpha()]
    caps = len(letters) > 3 and all(char.isupper() for char in letters) and letters[0].isascii()
    size = round(size_of(block, caps) * 2) / 2
    return (size, evidence.get("bold", 0) > 0.7, bool(evidence.get("italic")), caps,
            evidence.get("font", ""), evidence.get("color", 0))  # fmt: skip


def size_of(block: Block, caps: bool) -> float:
    """Return a block's size in points; small capitals count with the size of their first letters."""
    evidence = block.evidence
    return float(evidence.get("top" if caps else "size", 10.0))


def find_headings(blocks: Sequence[Block]) -> list[Heading]:
    """Return the blocks that are headings, in reading order."""
    look = look_of(blocks)
    listed = contents_lines(blocks)
    purity = _purity(blocks)
    found = []
    for index, block in enumerate(blocks):
        if index in listed or not _possible(block):
            continue
        style = style_of(block)
        number = numbering_of(block.text)
        score = _score(block, look, number, style, purity[style])
        if score >= THRESHOLD:
            found.append(Heading(index, score, number, style))
    return found


def _possible(block: Block) -> bool:
    evidence = block.evidence
    if block.kind not in ("paragraph", "list_item", "heading") or "size" not in evidence:
        return False
    text = block.text
    if len(text) > LONGEST or evidence["lines"] > MOST_LINES or not evidence["upright"]:
        return False
    letters = len(LETTERS.findall(text))
    if letters < 2 or letters < 0.4 * len(text.replace(" ", "")):
        return False
    if text[-1] in ",，;；、" or text[0] in ",.;:)]、，。•–—-":
        return False
    return caption_label(text) is None


def _purity(blocks: Sequence[Block]) -> dict[Style, float]:
    """Return for each style the share of its text that stands in short blocks."""
    short: dict[Style, int] = defaultdict(int)
    total: dict[Style, int] = defaultdict(int)
    for block in blocks:
        if "size" in block.evidence:
            style = style_of(block)
            total[style] += len(block.text)
            if len(block.text) < 120 and block.evidence["lines"] <= 3:
                short[style] += len(block.text)
    return {style: short[style] / count for style, count in total.items() if count} | {}


def _score(block: Block, look: Look, number: Numbering | None, style: Style, purity: float) -> float:
    evidence, text = block.evidence, block.text
    ratio = size_of(block, style[3]) / look.size
    score = 0.0
    if ratio >= 1.5:
        score += 3
    elif ratio >= 1.2:
        score += 2.2
    elif ratio >= 1.07:
        score += 1.3
    elif ratio <= 0.93:
        score -= 1.0
    if style[1] and not look.bold:
        score += 1.3
    if style[3]:
        score += 0.8
    if evidence["font"] != look.font:
        score += 0.3
    if evidence["color"] != look.color:
        score += 0.4
    score += _number_score(number)
    above = evidence["above"]
    score += 0.5 if above is None or above > 1.35 * look.leading else -0.7
    if text[-1] in ".。":
        score -= 1.5
    elif text[-1] in ":：":
        score -= 0.8
    if text[0].islower():
        score -= 1.5
    if len(text) > 110:
        score -= 1
    if evidence["pieces"] > 2:
        score -= 1
    if is_contents_title(text):
        score += 1
    return score + 1.2 * (purity - 0.6)


def _number_score(number: Numbering | None) -> float:
    if number is None:
        return 0.0
    if number.kind in ("chinese_unit", "word"):
        return -1.0 if number.unit.endswith(("条", "款")) else 1.5
    return {"decimal": 1.2, "number": 0.6, "roman": 0.8, "chinese": 0.8, "letter": 0.4}.get(number.kind, 0.0)
