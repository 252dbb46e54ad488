"""Text from documents and models, made harmless before it is shown on a page or written into a file.

Viewers of Markdown fetch images from anywhere and open foreign links; Streamlit draws icons, emoji, colours, Mermaid
and LaTeX besides, in labels and tooltips, too. :func:`plain` shows a text exactly as it
stands; :func:`safe_markdown` keeps the formatting of an answer (emphasis, lists, tables, code) and drops
everything that could load, link or disguise. What it returns is parsed once more by a Markdown parser and
shown as plain text if an image, a link or HTML has survived.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markdown_it import MarkdownIt

WORD_JOINER = "\u2060"
# Hold citation marks while the rest is made harmless (private-use characters).
MARK_START, MARK_END = "\ue000", "\ue001"
_PUNCTUATION = re.compile(r"([!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])")
# ":name:" becomes an emoji or an icon, and an address a link, even where their punctuation is escaped.
_SHORTCODE = re.compile(r":(?=[\w+\-/]{1,60}:)")
_DISGUISED = re.compile(r"\\:(?=[\w\\+\-/]{1,80}:|\\/)|www(?=\\\.)", re.IGNORECASE)
# An image or a link.
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[^()]*)?\)")
_URL = re.compile(
    r"(?:(?:https?|ftp)://|www\.|mailto:)[^\s<>`|，。；、）】」]*[^\s<>`|，。；、）】」.,;:!?'\")\]*_]", re.IGNORECASE
)
# What begins with a run of backticks and has more of them is no fence, but code in a line.
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})\s*([\w+#.-]*)")
_HEADING = re.compile(r"^(\s{0,3})#{1,6}(?=\s)")
_ESCAPED = re.compile(r"([\[\]<$~:])")
# What stands for itself within a line of any Markdown once it is escaped; an address is no link then.
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~&]|(?<=http):|(?<=https):|(?<=ftp):|(?<=mailto):|(?<=www)\.)", re.I)
_MARK = re.compile(r"\\\[(\d{1,3})\\\]")
_HARMFUL = frozenset({"image", "link_open", "html_block", "html_inline"})
_HELD = re.compile(rf"{MARK_START}(\d+){MARK_END}")


def plain(text: str) -> str:
    """Return Markdown that shows a text, in one line, exactly as it stands."""
    escaped = _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))
    return _DISGUISED.sub(lambda found: found[0] + WORD_JOINER, escaped)


def literal(text: str) -> str:
    """Return Markdown for a file that shows a text, in one line, as it stands, and reads well itself."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def safe_markdown(text: str, mark: Callable[[int], str] = "[{}]".format) -> str:
    """Return an answer's Markdown without images, links, HTML, directives and LaTeX.

    Citation marks ``[1]`` outside code become what ``mark`` makes of their number. A raw address is shown
    as code, so that it is not a link.
    """
    text = text.translate({ord(MARK_START): None, ord(MARK_END): None})
    result = "\n".join(_safe_lines(text.replace("\r\n", "\n").split("\n")))
    if not _harmless(result):
        result = _marks(plain(text))
    return _HELD.sub(lambda held: mark(int(held[1])), result)


def _safe_lines(lines: Sequence[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not line[found.end(1) :].strip():
                fence = ""
            yield line
        elif found:
            fence = found[1]
            yield fence + ("" if found[2].lower() == "mermaid" else found[2])
        else:
            spans = _code_spans(_HEADING.sub(r"\1#####", line))
            yield "".join(part if code else _safe_text(part) for code, part in spans)
    if fence:
        yield fence


def _safe_text(text: str) -> str:
    previous = ""
    while previous != text:
        previous, text = text, _LINK.sub(r"\1", text)
    parts: list[str] = []
    end = 0
    for url in _URL.finditer(text):
        parts += [_escape(text[end : url.start()]), "`", url[0], "`"]
        end = url.end()
    parts.append(_escape(text[end:]))
    return "".join(parts)


def _escape(text: str) -> str:
    text = _SHORTCODE.sub(f":{WORD_JOINER}", text)
    return _marks(_ESCAPED.sub(r"\\\1", re.sub(r"\\(?=[\[\]<$~:])", "", text)))


def _marks(text: str) -> str:
    return _MARK.sub(rf"{MARK_START}\1{MARK_END}", text)


def _code_spans(line: str) -> list[tuple[bool, str]]:
    """Split a line into (is code, text). A span with a cell border in it is not trusted to be one."""
    parts: list[tuple[bool, str]] = []
    start = position = 0
    while (opening := line.find("`", position)) >= 0:
        width = len(line[opening:]) - len(line[opening:].lstrip("`"))
        position = opening + width
        if opening and line[opening - 1] == "\\":
            continue
        closing = re.compile(rf"(?<!`)`{{{width}}}(?!`)").search(line, position)
        if closing is None or "|" in line[opening : closing.end()]:
            continue
        parts += [(False, line[start:opening]), (True, line[opening : closing.end()])]
        start = position = closing.end()
    parts.append((False, line[start:]))
    return parts


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable("table")


def _harmless(markdown: str) -> bool:
    items = [item for token in _parser().parse(markdown) for item in (token, *(token.children or ()))]
    mermaid = any(item.type == "fence" and "mermaid" in item.info.lower() for item in items)
    return not mermaid and _HARMFUL.isdisjoint(item.type for item in items)
