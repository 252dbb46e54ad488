"""Captions of figures and tables: recognising them, their labels, and the block each belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.model import Block

LABEL = re.compile(
    r"^(?P<label>(?:(?P<word>fig(?:ure|\.)?|table|tab\.|chart|exhibit|scheme|plate|algorithm|listing|box|diagram|graph|"
    r"map|photo|image|abbildung|tabelle|tableau)\s*"
    r"(?P<number>(?:[A-Z]{1,2}[.\-–]?)?\d{1,3}(?:[.\-–]\d{1,3}){0,3}\s?[a-z]?(?![a-z\d])|[IVX]{1,5}(?![a-z])))"
    r"|(?:续?(?P<zh>图表|附图|附表|图|圖|表)\s*(?P<zhnumber>\d{1,3}(?:[.\-–—]\d{1,3}){0,3}|[一二三四五六七八九十]{1,3})))"
    r"(?P<end>\s*[.:：|︱—–\-]+\s*|\s+|$|(?=[\u4e00-\u9fff]))",
    re.IGNORECASE,
)
TABLE_WORDS = ("table", "tab", "tabelle", "tableau", "表", "附表")
# "Exhibit 3" or 图表 3 may be a table; what these name never is.
_FIGURE_ONLY = re.compile(
    r"(?:fig|abbildung|plate|photo|image|map|diagram|graph|scheme)|续?附?[图圖](?!表)", re.IGNORECASE
)
# Names that programs give to drawings: they say nothing of what is seen there.
_PROGRAM_NAME = re.compile(r"(?:chart|diagram|graph|map|image|photo|图表)\s*\d+", re.IGNORECASE)
LONGEST, LONGEST_PUNCTUATED = 600, 1500
LONGEST_NAME = 160
# A title that begins with a number ("2023 sales by plant", 3个水库的水位), not a sentence that does.
_NUMBER_FIRST = re.compile(r"\d[\d.,/%\-–—~～至]*\s?(?=[^\W\d_])")
_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|will|would|(?-i:may)|must|should|shows?|showed|shown|lists?|"
    r"listed|gives?|gave|given|presents?|presented|contains?|contained|summari[sz]es?|summari[sz]ed|compares?|"
    r"reported|provides?|provided|indicates?|indicated|illustrates?|illustrated|includes?|displays?|describes?|"
    r"suggests?|reveals?|depicts?|demonstrates?|highlights?|sets out)\b"
    r"|[显顯]示|表明|反映|列出|列示|给出|給出|可[知见見以]|[看示]出|说明了|說明了|[为為]了|指出|描述了|表示",
    re.IGNORECASE,
)
# A line over a table that is its title though nothing marks it: "合并资产负债表 2019年12月31日", "Summary of leases".
LONGEST_TITLE, LINES_ABOVE = 80, 4
_DATE_AFTER = re.compile(r"[\s\d年月日度季至—–\-~、./（）()]+$")
_TITLE = re.compile(
    r"(?:表|明细|明細|清单|清單|一览|一覽)$|\b(?:statements? of|balance sheets?|schedule of|summary of|list of|"
    r"overview of)\b",
    re.IGNORECASE,
)
# Lines between a title and its table: who made it up, in which unit, of when.
_BESIDE_TITLE = re.compile(
    r"^\s*[（(]?\s*(?:编制单位|編制單位|单位|單位|金额单位|货币单位|币种|日期"
    r"|(?:in|amounts? in|expressed in|dollars in)\b|unit|currency|for the|as (?:of|at)\b"
    r"|(?:year|period|month)s? ended)|^[\s\d年月日]+$",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"[（(\s]*(?:续|續|接上|cont)", re.IGNORECASE)


def caption_label(text: str, *, prominent: bool = False) -> str | None:
    """Return the label of a caption ("Figure 3b", "表2"), or None when the text is no caption.

    A sentence that begins with a reference ("Table 2 shows …") is no caption unless the text is
    ``prominent``: short, in a font or place of its own.
    """
    match = LABEL.match(text)
    if not match or len(text) > (LONGEST_PUNCTUATED if match["end"].strip() else LONGEST):
        return None
    rest = text[match.end() :]
    punctuated = bool(match["end"].strip())
    if not (punctuated or not rest or prominent):
        goes_on = rest.rstrip().endswith((".", "。", ",", "，", ";", "；"))
        if goes_on or len(rest) >= LONGEST_NAME or not _begins_name(rest):
            return None
    if match["zh"] and not punctuated and rest[:1] in "中所的可是为示":
        return None
    return re.sub(r"\s+", " ", match["label"]).strip()


def _begins_name(rest: str) -> bool:
    """Tell whether what follows a label without a mark between them is a title."""
    if _NUMBER_FIRST.match(rest):
        return _SAYS.search(rest) is None
    return rest[0].isupper() or rest[0] in '(（“"' or not rest[0].isascii()


def alternative_caption(block: Block) -> tuple[str, str]:
    """Return the alternative text of a picture that is its caption ("Figure 3b: Costs"), with the label; else ""."""
    text = " ".join(str(block.metadata.get("alt") or "").split())
    label = "" if _PROGRAM_NAME.fullmatch(text) else caption_label(text, prominent=True) or ""
    return (text, label) if label and not names_table(label) else ("", "")


def names_table(label: str) -> bool:
    """Tell whether a label names a table rather than a figure."""
    return label.casefold().startswith(TABLE_WORDS)


def owners_of(blocks: Sequence[Block], labels: dict[int, str]) -> dict[int, int]:
    """Return for caption indexes the index of the table or image that each belongs to.

    A caption belongs to the nearest block of its kind just before or after it (three blocks away at most),
    on its page; a table's caption looks below first, a figure's above first. What a format itself sets over a
    table (``metadata["table_below"]``) belongs to that one. A block gets one caption; a figure's is never a table's.
    """
    owners: dict[int, int] = {}
    taken: set[int] = set()
    for index, label in labels.items():
        table = names_table(label)
        order: tuple[int, ...] = (1, -1, 2, -2, 3, -3) if table else (-1, 1, -2, 2, -3, 3)
        wanted: tuple[str, ...] = ("table", "image") if table else ("image", "table")
        if _FIGURE_ONLY.match(label):
            wanted = ("image",)
        if blocks[index].metadata.get("table_below"):
            order, wanted = (1,), ("table",)
        for kind, other in ((kind, index + step) for kind in wanted for step in order):
            free = 0 <= other < len(blocks) and other not in taken and blocks[other].kind == kind
            if free and _near(blocks[index], blocks[other]):
                owners[index] = other
                taken.add(other)
                break
    return owners


def title_above(blocks: Sequence[Block], index: int) -> str:
    """Return the line over a table, on its page, that is its title by its words; "" when there is none.

    Lines that say the unit, the date or who made the table up may stand between them.
    """
    for other in range(index - 1, max(-1, index - 1 - LINES_ABOVE), -1):
        block = blocks[other]
        text = " ".join(block.text.split())
        if block.kind != "paragraph" or block.page != blocks[index].page or len(text) > LONGEST_TITLE:
            return ""
        if _is_title(text):
            return text
        if not _BESIDE_TITLE.match(text):
            return ""
    return ""


def _is_title(text: str) -> bool:
    ends = text.endswith((".", "。", ";", "；", ":", "："))
    return bool(_TITLE.search(_DATE_AFTER.sub("", text))) and not ends and not _CONTINUED.match(text)


def _near(caption: Block, other: Block) -> bool:
    if caption.page != other.page:
        return False
    if caption.bbox is None or other.bbox is None:
        return True
    gap = max(other.bbox[1] - caption.bbox[3], caption.bbox[1] - other.bbox[3], 0)
    overlap = min(caption.bbox[2], other.bbox[2]) - max(caption.bbox[0], other.bbox[0])
    return gap < 60 and overlap > 0
