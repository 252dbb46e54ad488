"""Captions of figures and tables: recognising them, their labels, and the block each belongs to."""

import re
from collections.abc import Iterator, Sequence

from engine.language import compiled, patterns
from engine.model import Block

_WORDS = {name: compiled(words) for name, words in patterns("document_parts")["captions"].items()}
TABLE_WORDS = ("table", "tab", "tabelle", "tableau", "表", "附表")
LONGEST, LONGEST_PUNCTUATED = 600, 1500
LONGEST_NAME = 160
# A title that begins with a number: "2023 sales by plant", 3个水库的水位.
_NUMBER_FIRST = re.compile(r"\d[\d.,/%\-–—~～至]*\s?(?=[^\W\d_])")
LONGEST_TITLE, LINES_ABOVE = 80, 4
_DATE_AFTER = re.compile(r"[\s\d年月日度季至—–\-~、./（）()]+$")


def caption_label(text: str, *, prominent: bool = False) -> str | None:
    """Return the label of a caption ("Figure 3b", "表2"), or None when the text is no caption.

    A sentence that begins with a reference ("Table 2 shows …") is no caption unless the text is
    ``prominent``: short, in a font or place of its own.
    """
    match = _WORDS["label"].match(text)
    punctuated = match is not None and bool(match["end"].strip())
    if match is None or len(text) > (LONGEST_PUNCTUATED if punctuated else LONGEST):
        return None
    rest = text[match.end() :]
    if not (punctuated or not rest or prominent):
        goes_on = rest.rstrip().endswith((".", "。", ",", "，", ";", "；"))
        begins = rest[0].isupper() or rest[0] in '(（“"' or not rest[0].isascii()
        if goes_on or len(rest) >= LONGEST_NAME or not (begins or _NUMBER_FIRST.match(rest)):
            return None
    return re.sub(r"\s+", " ", match["label"]).strip()


def alternative_caption(block: Block) -> tuple[str, str]:
    """Return the alternative text of a picture that is its caption ("Figure 3b: Costs"), with the label; else ""."""
    text = " ".join(str(block.metadata.get("alt") or "").split())
    label = "" if _WORDS["program_name"].fullmatch(text) else caption_label(text, prominent=True) or ""
    return (text, label) if label and not names_table(label) else ("", "")


def names_table(label: str) -> bool:
    """Tell whether a label names a table rather than a figure."""
    return label.casefold().startswith(TABLE_WORDS)


def owners_of(blocks: Sequence[Block], labels: dict[int, str]) -> dict[int, int]:
    """Return for caption indexes the index of the table or image that each belongs to.

    A caption belongs to the nearest block of its kind just before or after it (three blocks away at most),
    on its page; a table's caption looks below first, but where more of them have a table above only; a figure's above
    first. What a format itself sets over a table (``metadata["table_below"]``) belongs to that one. A block gets one
    caption; a figure's is never a table's.
    """
    tables = {n for n, block in enumerate(blocks) if block.kind == "table"}
    beside = [(n - 1 in tables) - (n + 1 in tables) for n, label in labels.items() if names_table(label)]
    first = -1 if sum(beside) > 0 else 1
    owners: dict[int, int] = {}
    for index, label in labels.items():
        free = [(kind, index + step) for kind, step in _wanted(blocks[index], label, first)
                if 0 <= index + step < len(blocks) and index + step not in owners.values()]  # fmt: skip
        fit = (n for kind, n in free if blocks[n].kind == kind and _near(blocks[index], blocks[n]))
        if (owner := next(fit, None)) is not None:
            owners[index] = owner
    return owners


def _wanted(caption: Block, label: str, first: int) -> Iterator[tuple[str, int]]:
    """Yield kinds of blocks with how far they are from a caption, the likeliest first; ``first`` is that of tables."""
    if caption.metadata.get("table_below"):
        yield "table", 1
        return
    kinds, side = (("table", "image"), first) if names_table(label) else (("image", "table"), -1)
    for kind in kinds[: 1 if _WORDS["figure_only"].match(label) else 2]:
        yield from ((kind, side * step) for far in (1, 2, 3) for step in (far, -far))


def title_above(blocks: Sequence[Block], index: int) -> str:
    """Return the line over a table, on its page, that is its title by its words; "" when there is none.

    Lines that say the unit, the date or who made the table up may stand between them.
    """
    for other in range(index - 1, max(-1, index - 1 - LINES_ABOVE), -1):
        block = blocks[other]
        text = " ".join(block.text.split())
        if block.kind != "paragraph" or block.page != blocks[index].page or len(text) > LONGEST_TITLE:
            return ""
        ended = text.endswith((".", "。", ";", "；", ":", "：")) or _WORDS["continued"].match(text)
        if not ended and _WORDS["title"].search(_DATE_AFTER.sub("", text)):
            return text
        if not _WORDS["beside_title"].match(text):
            return ""
    return ""


def _near(caption: Block, other: Block) -> bool:
    if caption.page != other.page or caption.bbox is None or other.bbox is None:
        return caption.page == other.page
    gap = max(other.bbox[1] - caption.bbox[3], caption.bbox[1] - other.bbox[3], 0)
    overlap = min(caption.bbox[2], other.bbox[2]) - max(caption.bbox[0], other.bbox[0])
    return gap < 60 and overlap > 0
