"""The words of an HTML element as a browser would show them, without markup; how deep elements may stand."""

import re
from collections import Counter
from collections.abc import Iterable

from selectolax.lexbor import LexborNode

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
