"""The long tail (Rich Text, e-books, LaTeX …), which ``unstructured`` turns into web pages with pandoc.

pandoc runs in its sandbox: what a file asks to include, from the disk or the network, is left out.
"""

import logging
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Literal
from zipfile import ZipFile

from engine.errors import EncryptedFileError, UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.docx_styles import below_title, look
from engine.parse.encoding import decode
from engine.parse.ooxml import Package
from engine.parse.rtf import TITLE, in_unicode

OtherKind = Literal["rst", "org", "latex", "ipynb", "fb2", "docbook", "jats", "rtf", "epub", "odt"]
FORMATS: dict[str, tuple[str, str]] = {
    "rst": ("reStructuredText", "text/x-rst"), "org": ("Org", "text/org"), "latex": ("LaTeX", "application/x-latex"),
    "ipynb": ("a Jupyter notebook", "application/x-ipynb+json"),
    "fb2": ("a FictionBook", "application/x-fictionbook+xml"), "docbook": ("DocBook", "application/docbook+xml"),
    "jats": ("a JATS article", "application/jats+xml"), "rtf": ("Rich Text", "application/rtf"),
    "odt": ("an OpenDocument text", "application/vnd.oasis.opendocument.text"),
    "epub": ("an EPUB book", "application/epub+zip"),
}  # fmt: skip
# pandoc's limit on its own memory, as its documentation advises for files from strangers.
PANDOC_MEMORY = "-M1500m"
_TITLES = {
    "org": re.compile(r"^#\+title:[ \t]*(\S.*)$", re.I | re.M),
    "latex": re.compile(r"\\title\s*\{((?:[^{}\\]|\\.|\{[^{}]*\})+)\}"),
    "fb2": re.compile(r"<book-title[^>]*>([^<]+)<"),
    "docbook": re.compile(r"<title[^>]*>([^<]+)<"),
    "epub": re.compile(r"<dc:title[^>]*>([^<]+)<"),
    "jats": re.compile(r"<article-title[^>]*>([^<]+)<"),
}
# pandoc takes the abstract for a fact about the file and leaves it out of the page.
_ABSTRACT = re.compile(r"\\begin\{abstract\}(.*?)\\end\{abstract\}", re.S)
# ".. list-table ::" is a directive for docutils; pandoc takes it for a comment and leaves all below it out.
_DIRECTIVE = re.compile(r"^([ \t]*\.\.[ \t]+[\w-]+)[ \t]+(?=::)", re.M)
_MARKUP = re.compile(r"\\\\|\\[a-zA-Z]+\*?|[{}~]")
# Pictures without words count where they stand in an element for pictures.
_PICTURE = re.compile(r"<img\s[^>]*>")
# Fonts may be scrambled in any book; other encryption is copy protection.
_METHOD = re.compile(rb"EncryptionMethod[^>]*Algorithm\s*=\s*[\"']([^\"']*)")
_FONT_SCRAMBLING = {b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC"}

# What pandoc does not keep of a paragraph, as private characters of Unicode before its words.
BOLD, NOTE = "\ue001", "\ue004"
_MARKS = re.compile(f"[{BOLD}{TITLE}]|{NOTE}\\d+{NOTE}")
_NOTED = re.compile(f"{NOTE}(\\d+){NOTE}")
# The number that leads to a note, and the arrow that leads back from it.
_REFERENCE = re.compile(r"<a\s[^>]*footnote-ref[^>]*>\s*<sup>(\d+)</sup>\s*</a>")
_BACK = re.compile(r"(\d+)\. (.*?)\s*↩\ufe0e?$", re.S)
# Tables, and paragraphs that are bold from end to end.
_PARTS = re.compile(r"(<table.*?</table>)|<p>(?=<strong>)((?:(?!</strong>(?!</)|</p>).)+</strong>)</p>", re.S)


def parse_other(data: bytes, kind: str, name: str) -> ParsedFile:
    """Return the blocks of the file. Raises EncryptedFileError or UnreadableFileError."""
    blocks = blocks_by_pandoc(_source(data, kind, name), kind, name)
    title = _title(kind, data)
    if kind == "epub":
        parts = ZipFile(BytesIO(data)).namelist()
        blocks = [_with_part(block, parts) for block in blocks]
    elif title and not any(block.text == title for block in blocks[:3]):
        blocks = below_title([Block("heading", title, level=1, evidence={"title": True}), *blocks])
    return ParsedFile(FORMATS[kind][1], blocks, title=title)


def blocks_by_pandoc(data: bytes, kind: str, name: str) -> list[Block]:
    """Return the blocks of the page that pandoc makes of a file. Raises UnreadableFileError when it makes none."""
    from engine.parse.html import parse_html

    page = _page(data, kind, name).replace(' alt="image"', "")
    page = _with_marks(_PICTURE.sub(r"<picture>\g<0></picture>", page))
    return _as_marked(parse_html(page.encode(), name).blocks)


def _source(data: bytes, kind: str, name: str) -> bytes:
    """Return what pandoc gets to read."""
    if kind == "epub":
        if set(_METHOD.findall(_member(data, "META-INF/encryption.xml"))) - _FONT_SCRAMBLING:
            raise EncryptedFileError(f"{name} has copy protection (DRM). Get a copy without it and add that.")
        return data
    if kind == "rtf":
        return in_unicode(data, name)
    text = decode(data).text
    if kind == "rst":
        text = _DIRECTIVE.sub(r"\1", text)
    return (_ABSTRACT.sub(r"\\section*{Abstract} \1 \\bigskip", text) if kind == "latex" else text).encode()


def _member(data: bytes, ending: str) -> bytes:
    """Return the first member of a package whose name ends so, b"" without one."""
    try:
        with Package(BytesIO(data), "") as package:
            return package.data(next((one for one in package.parts() if one.endswith(ending)), "")) or b""
    except UnreadableFileError:
        return b""


def _with_part(block: Block, parts: Sequence[str]) -> Block:
    """Name a picture of a book by its part of the package; pandoc names it from the folder of the list of parts."""
    source = str(block.metadata.get("source") or "").removeprefix("../") if block.kind == "image" else ""
    if not source or ":" in source:
        return block
    part = next((one for one in parts if f"/{one}".endswith(f"/{source}")), source)
    return replace(block, metadata=block.metadata | {"source": part})


def _page(data: bytes, kind: str, name: str) -> str:
    # It would send usage statistics and print a notice.
    os.environ.update(DO_NOT_TRACK="1", SCARF_NO_ANALYTICS="true", UNSTRUCTURED_DISABLE_NOTICE="1")
    os.environ.setdefault("GHCRTS", PANDOC_MEMORY)
    logging.getLogger("pypandoc").setLevel(logging.ERROR)
    from unstructured.errors import UnprocessableEntityError
    from unstructured.file_utils.file_conversion import convert_file_to_html_text_using_pandoc

    try:
        return convert_file_to_html_text_using_pandoc(source_format=kind, file=BytesIO(data))
    except (RuntimeError, ValueError, OSError, UnprocessableEntityError) as error:
        raise UnreadableFileError(
            f"{name} seems to be {FORMATS[kind][0]} but could not be read as such: it may be damaged. Save it "
            "again, or as plain text, Markdown or PDF, and add that."
        ) from error


def _title(kind: str, data: bytes) -> str:
    """Return the title that the file states beside its text, which pandoc leaves out of the page."""
    pattern = _TITLES.get(kind)
    stated = _member(data, ".opf") if kind == "epub" else data
    found = pattern.search(decode(stated).text) if pattern and stated else None
    if found is None:
        return ""
    return " ".join((_MARKUP.sub(" ", found[1]) if kind == "latex" else found[1]).split())[:300]


def _with_marks(page: str) -> str:
    """Return a page with marks before its bold paragraphs and in place of references to notes, none in tables."""
    page = _REFERENCE.sub(rf"{NOTE}\1{NOTE}", page)
    return _PARTS.sub(lambda part: _MARKS.sub("", part[1]) if part[1] else f"<p>{BOLD}{part[2]}</p>", page)


def _as_marked(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks as their marks say, a note behind what refers to it; looks where there are no headings."""
    found: list[Block] = []
    stated = any(block.kind == "heading" and TITLE not in block.text[:2] for block in blocks)
    notes = {note[1]: note[2] for block in blocks if (note := _BACK.match(block.text))}
    for block in blocks:
        text = block.text
        if _BACK.match(text):
            continue
        noted = [number for number in _NOTED.findall(text) if number in notes]
        bold = BOLD in text[:2]
        if TITLE in text[:2] and block.kind in {"paragraph", "heading"}:
            block = replace(block, kind="heading", level=1, evidence={"title": True})
        text = _MARKS.sub("", text).strip() if block.kind != "code" else text
        if not stated and block.kind in {"paragraph", "list_item"}:
            block = replace(block, evidence=look(12.0, bold))
        if text or block.kind == "image":
            found.append(replace(block, text=text))
        found += [_note(number, notes.pop(number)) for number in dict.fromkeys(noted)]
    found += [_note(number, text) for number, text in notes.items()]
    return below_title(found) if any(block.evidence.get("title") for block in found) else found


def _note(number: str, text: str) -> Block:
    return Block("paragraph", _MARKS.sub("", text), metadata={"note": "footnote", "number": number})
