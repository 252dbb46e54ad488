"""How text looks: that of most of a document, that of a block, and titles known by their words."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.language import compiled, patterns
from engine.model import Block
from engine.structure.sequences import heaviest

NAMED = compiled(patterns("document_parts")["headings"]["named"])
Style = tuple[float, bool, int, bool, str, int]


class Look(NamedTuple):
    """What ordinary text of the document looks like: ``leading`` is its distance of baselines in points."""

    size: float
    bold: bool
    font: str
    color: int
    leading: float


def look_of(blocks: Sequence[Block]) -> Look:
    """Return the look of most of the document's text."""
    own = [block for block in blocks if "size" in block.evidence]
    size = heaviest(((block.evidence["size"], len(block.text)) for block in own), 10.0)
    usual = [(block, block.evidence) for block in own if abs(block.evidence["size"] - size) < 0.6]
    fonts = (((look["font"], look["color"], look["bold"] > 0.8), len(block.text)) for block, look in usual)
    font, color, bold = heaviest(fonts, ("", 0, False))
    high = ((block.bbox[3] - block.bbox[1] - 1.1 * size, look["lines"]) for block, look in usual
            if look["lines"] > 2 and block.bbox and not block.metadata.get("spans"))  # fmt: skip
    leading = heaviest(((round(2 * height / (lines - 1)) / 2, lines) for height, lines in high), 1.25 * size)
    return Look(size, bold, font, color, leading)


def style_of(block: Block) -> Style:
    """Return what makes two headings look alike: size, bold, italic (1) or underlined (2), capitals, font, colour."""
    evidence = block.evidence
    letters = [char for char in block.text if char.isalpha()]
    capitals = sum(char.isupper() for char in letters)
    caps = len(letters) > 3 and letters[0].isascii() and capitals >= 0.9 * len(letters)
    size, slope = round(size_of(block, caps) * 2) / 2, evidence.get("italic", 0) + 2 * evidence.get("underlined", 0)
    return (size, evidence.get("bold", 0) > 0.7, slope, caps,
            evidence.get("font", ""), evidence.get("color", 0))  # fmt: skip


def size_of(block: Block, caps: bool) -> float:
    """Return a block's size in points; small capitals count with the size of their first letters."""
    return float(block.evidence.get("top" if caps else "size", 10.0))


def is_named(text: str) -> bool:
    """Tell whether a text is a heading by its words alone ("Abstract", "References", 参考文献)."""
    return bool(NAMED.fullmatch(text.strip(" .:：")))


def is_han(text: str) -> bool:
    """Tell whether a text is mostly Chinese characters."""
    return sum("\u4e00" <= char <= "\u9fff" for char in text) * 2 > len(text)
