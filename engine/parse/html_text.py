"""The words of an HTML element as a browser would show them, without markup; how deep elements may stand.

How the words look, by elements and their own styles, tells headings where no tag does.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from selectolax.lexbor import LexborNode

from engine.parse.docx_styles import look
from engine.structure.run_in import lead_of

INVISIBLE = frozenset({
    "script", "style", "noscript", "template", "svg", "head", "link", "meta", "iframe", "object", "embed",
    "canvas", "video", "audio", "map", "select", "button", "input", "textarea", "datalist", "progress",
    "meter", "dialog", "rt", "rp", "_comment", "-comment", "!doctype",
})  # fmt: skip
MAX_DEPTH = 150
_NEW_LINE = frozenset({
    "address", "article", "blockquote", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "li", "ol", "p", "pre", "section", "table", "ul", "tr",
})  # fmt: skip
_NO_DISPLAY = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_SOFT = re.compile("[\u00ad\u200b\u2060\ufeff]")

# The time that the tree builder takes grows with the square of the depth. As browsers do (Chromium: 512 levels),
# elements below a certain depth are not opened; their text stays.
MAX_OPEN = 500
_TAG = re.compile(
    r"<!--(?:.*?-->|.*)"  # what is not ended goes on to the end of the page, as in browsers
    r"|<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)\b(?:.*?</(?P=raw)\b|.*)"
    r"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*)",
    re.I | re.S,
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# Elements that one of their own kind ends: they are never open in each other.
_ENDED_BY_SIBLING = frozenset("li dt dd tr td th p option tbody thead tfoot".split())
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


def collapsed(parts: Iterable[str]) -> str:
    """Return text with runs of white space as one blank; ``\\v`` stands for a line break."""
    text = _SOFT.sub("", "".join(parts))
    if "\v" not in text:
        return " ".join(text.split())
    return "\n".join(line for raw in text.split("\v") if (line := " ".join(raw.split())))


def is_hidden(node: LexborNode) -> bool:
    """Tell whether an element is not shown: hidden, not displayed, or not for screen readers."""
    facts = node.attributes
    unseen = "hidden" in facts or facts.get("aria-hidden") == "true"
    return unseen or _NO_DISPLAY.search(facts.get("style") or "") is not None


def plain_text(node: LexborNode) -> str:
    """Return an element's words, a line each, `` | `` between cells of inner tables."""
    parts: list[str] = []
    _gather(node, parts, 0)
    return collapsed(parts)


def _gather(node: LexborNode, parts: list[str], depth: int) -> None:
    if depth > MAX_DEPTH:
        parts.append(node.text(deep=True))
        return
    for child in node.iter(include_text=True):
        tag = child.tag
        if tag == "-text":
            parts.append(child.text_content or "")
        elif tag == "br":
            parts.append("\v")
        elif tag == "math":
            parts.append(math_text(child))
        elif tag not in INVISIBLE and not is_hidden(child):
            around = "\v" if tag in _NEW_LINE else ""
            parts.append(around)
            _gather(child, parts, depth + 1)
            parts.append(" | " if tag in {"td", "th"} and _before_cell(child) else around)


def _before_cell(node: LexborNode) -> bool:
    following = node.next
    while following is not None and following.tag == "-text":
        following = following.next
    return following is not None and following.tag in {"td", "th"}


def math_text(node: LexborNode) -> str:
    """Return a formula as the TeX that comes with it, else its words."""
    source = node.css_first("annotation[encoding='application/x-tex']")
    text = source.text() if source is not None else node.attributes.get("alttext") or node.text()
    return " ".join(text.split())


def bounded(page: str) -> str:
    """Return the page; where more elements stand in each other than that, without the tags of the innermost ones."""
    kept: list[str] = []
    taken = 0
    stack: list[str] = []
    open_now: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for tag in _TAG.finditer(page):
        name = (tag["name"] or "").lower()
        if not name or name in _VOID or name in _ENDED_BY_SIBLING:
            continue
        if not tag["end"] and len(stack) < MAX_OPEN:
            stack.append(name)
            open_now[name] += 1
        elif not tag["end"] or left_out[name]:
            left_out[name] += -1 if tag["end"] else 1
            kept.append(page[taken : tag.start()])
            taken = page.find(">", tag.end()) + 1 or len(page)
        elif open_now[name]:
            inside = len(stack) - 1 - stack[::-1].index(name)
            open_now.subtract(stack[inside:])
            del stack[inside:]
    return "".join(kept) + page[taken:]


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
