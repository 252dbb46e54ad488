"""How the words of a web page look, by elements and their own styles: it tells headings where no tag does."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from selectolax.lexbor import LexborNode

from engine.parse.docx_styles import look
from engine.structure.run_in import lead_of

ENDS_PAGE = re.compile(r"(?:page-)?break-(before|after)\s*:\s*(?:always|page)\b", re.I)
_STYLE = re.compile(r"(?:^|;)\s*(font|font-size|font-weight|font-style|text-decoration(?:-line)?)\s*:\s*([^;]*)", re.I)
_SIZE = re.compile(r"(?:^|\s)(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})\s*(pt|px|em|rem|%)(?!\w)")
_POINTS = {"pt": 1.0, "px": 0.75, "rem": 12.0}
_WEIGHT = re.compile(r"\b(?:(bold|bolder|[6-9]00)|(normal|lighter|[1-5]00))\b")
_SLANT = re.compile(r"\b(?:(italic|oblique)|(normal))\b")
# What <font size="1"> to "7" are in points.
_FONT_SIZES = (7.5, 10.0, 12.0, 13.5, 18.0, 24.0, 36.0)
_TAGS = {"bold": ("b", "strong"), "italic": ("i", "em", "cite"), "underlined": ("u", "ins")}
_MARKS = {tag: mark for mark, tags in _TAGS.items() for tag in tags}


class Look(NamedTuple):
    """How words look: their size in points and their marks."""

    size: float = 12.0
    bold: bool = False
    italic: bool = False
    underlined: bool = False


def look_within(outer: Look, node: LexborNode) -> Look:
    """Return how words look in an element that stands among words of the ``outer`` look."""
    tag, facts = node.tag or "", node.attributes
    if mark := _MARKS.get(tag):
        outer = outer._replace(**{mark: True})
    if tag == "font" and (stated := (facts.get("size") or "").strip()).isdecimal():
        outer = outer._replace(size=_FONT_SIZES[min(max(int(stated[:3]), 1), 7) - 1])
    # The line under a link says where it leads, no more.
    inner = _styled(outer, style) if (style := facts.get("style")) else outer
    return inner._replace(underlined=outer.underlined) if tag == "a" else inner


@lru_cache(maxsize=4096)
def _styled(outer: Look, style: str) -> Look:
    size, bold, italic, underlined = outer
    for name, value in _STYLE.findall(style.lower()):
        whole = name == "font"
        if name in ("font", "font-size") and (stated := _SIZE.search(value)):
            size = float(stated[1]) * _worth(stated[2], outer.size)
        if name in ("font", "font-weight"):
            bold = _is_set(_WEIGHT, value, bold and not whole)
        if name in ("font", "font-style"):
            italic = _is_set(_SLANT, value, italic and not whole)
        underlined |= name.startswith("text-decoration") and "underline" in value
    return Look(min(size, 200.0), bold, italic, underlined)


def _worth(unit: str, around: float) -> float:
    """Return how many points a unit is among words of a size."""
    return _POINTS.get(unit) or around / (100 if unit == "%" else 1)


def _is_set(words: re.Pattern[str], value: str, usual: bool) -> bool:
    found = words.search(value)
    return bool(found[1]) if found else usual


def evidence_of(text: str, parts: Sequence[tuple[str, Look]]) -> dict[str, Any]:
    """Return the look of a block that reads as ``text`` from its words."""
    letters: Counter[Look] = Counter()
    for words, own in parts:
        letters[own] += sum(map(str.isalnum, words))
    letters += Counter()
    if not letters:
        return {}
    bold = sum(count for own, count in letters.items() if own.bold) / letters.total()
    marks = [(words, (own.bold, own.italic, own.underlined)) for words, own in parts]
    return look(letters.most_common(1)[0][0].size, False) | {
        "bold": float(bold > 0.9), "top": max(own.size for own in letters), "lead": lead_of(text, marks),
        "italic": all(own.italic for own in letters), "underlined": all(own.underlined for own in letters),
    }  # fmt: skip
