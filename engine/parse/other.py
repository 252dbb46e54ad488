"""The long tail, which ``unstructured`` turns into web pages with pandoc: reStructuredText, Org, LaTeX and others.

pandoc runs in its sandbox: what a file asks to include, from the disk or the network, is left out. The page is
read by our own parser, which keeps numbers, figures and footnotes.
"""

from __future__ import annotations

import logging
import os
import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeGuard

from engine.errors import UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.encoding import decode

OtherKind = Literal["rst", "org", "latex", "ipynb", "fb2", "docbook", "jats"]
FORMATS: dict[OtherKind, tuple[str, str]] = {
    "rst": ("reStructuredText", "text/x-rst"),
    "org": ("Org", "text/org"),
    "latex": ("LaTeX", "application/x-latex"),
    "ipynb": ("a Jupyter notebook", "application/x-ipynb+json"),
    "fb2": ("a FictionBook", "application/x-fictionbook+xml"),
    "docbook": ("DocBook", "application/docbook+xml"),
    "jats": ("a JATS article", "application/jats+xml"),
}
# pandoc's limit on its own memory, as its documentation advises for files from strangers.
_PANDOC_MEMORY = "-M1500m"
_TITLES = {
    "org": re.compile(r"^#\+title:[ \t]*(\S.*)$", re.I | re.M),
    "latex": re.compile(r"\\title\s*\{((?:[^{}\\]|\\.|\{[^{}]*\})+)\}"),
    "fb2": re.compile(r"<book-title[^>]*>([^<]+)<"),
    "docbook": re.compile(r"<title[^>]*>([^<]+)<"),
    "jats": re.compile(r"<article-title[^>]*>([^<]+)<"),
}
# pandoc takes the abstract for a fact about the file and leaves it out of the page.
_ABSTRACT = re.compile(r"\\begin\{abstract\}(.*?)\\end\{abstract\}", re.S)
_MARKUP = re.compile(r"\\\\|\\[a-zA-Z]+\*?|[{}~]")
_BACK = re.compile(r"\s*↩\ufe0e?$")


def is_other(kind: str) -> TypeGuard[OtherKind]:
    """Tell whether files of this kind are read by way of a web page."""
    return kind in FORMATS


def parse_other(path: Path, kind: OtherKind, name: str) -> ParsedFile:
    """Return the blocks of the file. Raises UnreadableFileError when it cannot be read as what it seems to be."""
    what, media_type = FORMATS[kind]
    # It would send usage statistics and print a notice.
    os.environ.update(DO_NOT_TRACK="1", SCARF_NO_ANALYTICS="true", UNSTRUCTURED_DISABLE_NOTICE="1")
    os.environ.setdefault("GHCRTS", _PANDOC_MEMORY)
    logging.getLogger("pypandoc").setLevel(logging.ERROR)
    from unstructured.file_utils.file_conversion import convert_file_to_html_text_using_pandoc

    from engine.parse.html import parse_html

    text = decode(path.read_bytes()).text
    source = _ABSTRACT.sub(r"\\section*{Abstract} \1 \\bigskip", text) if kind == "latex" else text
    try:
        page = convert_file_to_html_text_using_pandoc(source_format=kind, file=BytesIO(source.encode()))
    except (RuntimeError, ValueError, OSError) as error:
        raise UnreadableFileError(
            f"{name} seems to be {what} but could not be read as such. Save it as plain text, Markdown or PDF "
            "and add that."
        ) from error
    blocks = [_plain(block) for block in parse_html(page.encode(), name).blocks]
    title = _title(kind, text)
    if title and not any(block.text == title for block in blocks[:3]):
        below = [replace(b, level=(b.level or 1) + 1) if b.kind == "heading" else b for b in blocks]
        blocks = [Block("heading", title, level=1, evidence={"style": "title", "title": True}), *below]
    return ParsedFile(media_type, blocks, title=title)


def _title(kind: OtherKind, text: str) -> str:
    """Return the title that the file states beside its text, which pandoc leaves out of the page."""
    pattern = _TITLES.get(kind)
    found = pattern.search(text) if pattern else None
    if found is None:
        return ""
    return " ".join((_MARKUP.sub(" ", found[1]) if kind == "latex" else found[1]).split())[:300]


def _plain(block: Block) -> Block:
    """Drop the arrow that leads from a note back to its mark."""
    return replace(block, text=_BACK.sub("", block.text)) if block.kind == "list_item" else block
