"""The words of an HTML element as a browser would show them, without markup."""

from __future__ import annotations

import re
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


def collapsed(parts: Iterable[str]) -> str:
    """Return text with runs of white space as one blank; ``\\v`` stands for a line break."""
    text = _SOFT.sub("", "".join(parts))
    if "\v" not in text:
        return " ".join(text.split())
    return "\n".join(line for raw in text.split("\v") if (line := " ".join(raw.split())))


def is_hidden(node: LexborNode) -> bool:
    """Tell whether an element is not shown: hidden, not displayed, or not for screen readers."""
    facts = node.attributes
    if not facts:
        return False
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
