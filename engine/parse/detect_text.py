"""Kinds of text that have marks of their own: mail, reStructuredText, Org, LaTeX, notebooks, XML books."""

from __future__ import annotations

import re
from email.parser import BytesHeaderParser

from engine.parse.other import OtherKind

MAIL_SUFFIXES = frozenset({".eml", ".mht", ".mhtml"})
_MAIL_HEADERS = frozenset({
    "from", "to", "cc", "bcc", "subject", "date", "received", "return-path", "message-id", "mime-version",
    "content-type", "delivered-to", "reply-to", "sender", "in-reply-to", "references", "dkim-signature",
})  # fmt: skip
# At least one of these: a memo begins with "To:" and "Subject:", too.
_SURE_HEADERS = frozenset({"from", "received", "return-path", "message-id", "mime-version"})
_RST = frozenset({".rst", ".rest"})
_ORG = re.compile(r"^(?:\*+ \S|#\+[a-z_]+:)", re.I | re.M)
_ORG_KEYWORD = re.compile(r"^#\+(?:title|author|options|begin_\w+|startup):?", re.I | re.M)
_DIRECTIVE = re.compile(
    r"^\.\. (?:toctree|code-block|note|warning|image|figure|contents|math|_[\w -]+|include|list-table|automodule|"
    r"highlight|seealso|versionadded|deprecated|table|csv-table|admonition|sourcecode|index)::?", re.M,
)  # fmt: skip
_UNDERLINED = re.compile(r"^\S[^\n]*\n([=\-~^\"'*+#])\1{2,}\s*$", re.M)
_LATEX = re.compile(r"(?:\s|%[^\n]*\n)*\\(?:documentclass|documentstyle|begin\{document\})")
_LATEX_PART = re.compile(r"^\s*\\(?:chapter|section|subsection|begin|input|newcommand|usepackage)\b", re.M)


def is_mail(head: bytes, name: str) -> bool:
    """Tell whether a text begins with the headers of a message: nothing but headers down to the first blank line."""
    named = name.lower().endswith(tuple(MAIL_SUFFIXES))
    message = BytesHeaderParser().parsebytes(head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n"))
    known = {header.lower() for header in message} & _MAIL_HEADERS
    if message.defects:
        return named and len(known) >= 2
    return len(known) >= (1 if named else 2) and bool(known & _SURE_HEADERS or named)


def other_kind(head: bytes, suffix: str) -> OtherKind | None:
    """Return the kind of a text with marks of its own; a suffix that is also a word needs a mark to go with it."""
    text = head.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")
    if text.lstrip().startswith("<"):
        return _xml_kind(text)
    if text.lstrip().startswith("{"):
        return "ipynb" if '"cell_type"' in text or (suffix == ".ipynb" and '"cells"' in text) else None
    if _LATEX.match(text) or (suffix == ".tex" and _LATEX_PART.search(text)):
        return "latex"
    if (suffix == ".org" and _ORG.search(text)) or len(_ORG_KEYWORD.findall(text)) >= 2:
        return "org"
    plain = suffix in {"", ".txt"} and len(_DIRECTIVE.findall(text)) >= 2 and _UNDERLINED.search(text)
    return "rst" if suffix in _RST or plain else None


def _xml_kind(text: str) -> OtherKind | None:
    start = text[:4000]
    if "<FictionBook" in start:
        return "fb2"
    if "docbook.org/ns/docbook" in start or "//DTD DocBook" in start:
        return "docbook"
    return "jats" if "<article" in start and re.search(r"JATS|//NLM//DTD", start) else None
