"""EPUB books -> blocks: the chapters in reading order, each read as the web page it is.

The book's own table of contents (EPUB 3 navigation document or EPUB 2 NCX) gives the levels of chapters and
names those whose pages have no heading (EPUB 3.3, sections 5 and 7; OPF 2.0.1).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from engine.errors import EncryptedFileError, UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.html import parse_html
from engine.parse.limits import check_blocks
from engine.parse.ooxml import DC, Package

MEDIA_TYPE = "application/epub+zip"
MAX_ENTRIES = 20_000
MAX_DEPTH = 12
# A declaration without entities of its own, as older books begin with.
_FONT_SCRAMBLING = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", ""})


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents: its depth from 1, its words, the part and anchor it leads to."""

    level: int
    title: str
    part: str
    anchor: str


def parse_epub(path: Path, name: str) -> ParsedFile:
    """Return the blocks of a book in the order of its spine.

    Raises EncryptedFileError for a book with copy protection, UnreadableFileError when its parts are not listed,
    LimitExceededError for a bomb or more blocks than a tree can hold.
    """
    with Package(path, name) as package:
        book = _Book(package, name)
        blocks = book.blocks()
    return ParsedFile(MEDIA_TYPE, blocks, title=book.title, warnings=book.warnings)


class _Book:
    """Knows the parts of a book, their order and the table of contents."""

    def __init__(self, package: Package, name: str) -> None:
        self.warnings: list[str] = []
        self._package = package
        self._name = name
        self._refuse_protected()
        part = self._package_part()
        root = None if part is None else self._package.xml(part)
        if root is None:
            raise UnreadableFileError(
                f"{name} is an EPUB book whose list of parts is missing or damaged. Get a new copy."
            )
        self._folder = posixpath.dirname(part or "")
        self._items = {item.get("id", ""): item for item in root.iterfind("{*}manifest/{*}item")}
        self._root = root
        self.title = " ".join((root.findtext(f".//{DC}title") or "").split())

    def _refuse_protected(self) -> None:
        """Fonts may be scrambled in any book; other encryption is copy protection."""
        data = self._package.data("META-INF/encryption.xml") or b""
        methods = re.findall(rb"EncryptionMethod[^>]*Algorithm\s*=\s*[\"']([^\"']*)", data)
        if any(method not in _FONT_SCRAMBLING for method in methods):
            raise EncryptedFileError(
                f"{self._name} has copy protection (DRM). Get a copy without it and add that."
            )

    def _package_part(self) -> str | None:
        container = self._package.xml("META-INF/container.xml")
        for rootfile in container.iter("{*}rootfile") if container is not None else ():
            if target := rootfile.get("full-path"):
                return str(target)
        return next((part for part in self._package.parts() if part.endswith(".opf")), None)

    def _part(self, href: str, base: str) -> str:
        return posixpath.normpath(posixpath.join("/", base, unquote(href))).lstrip("/")

    def blocks(self) -> list[Block]:
        """Return the blocks of all chapters."""
        entries: dict[str, list[Entry]] = {}
        contents = list(self._contents())
        for entry in contents:
            entries.setdefault(entry.part, []).append(entry)
        navigation = self._navigation_part()
        blocks: list[Block] = []
        below = 0
        for part in self._spine():
            if part == navigation:
                continue
            data = self._package.data(part)
            if data is None:
                self.warnings.append(f"The part {part} of this book is missing or damaged.")
                continue
            own = entries.get(part, [])
            found = [self._with_part(block, part) for block in parse_html(data, self._name).blocks]
            found, below = _chapter(found, own, below, self.title)
            blocks += found
            check_blocks(len(blocks), self._name)
        return blocks

    def _with_part(self, block: Block, part: str) -> Block:
        """Name a picture by its part of the book."""
        source = block.metadata.get("source") if block.kind == "image" else ""
        if not source or ":" in source:
            return block
        return replace(
            block, metadata=block.metadata | {"source": self._part(source, posixpath.dirname(part))}
        )

    def _spine(self) -> Iterator[str]:
        for reference in self._root.iterfind("{*}spine/{*}itemref"):
            item = self._items.get(reference.get("idref", ""))
            if item is not None and item.get("media-type", "") in _PAGES:
                yield self._part(item.get("href", ""), self._folder)

    def _navigation_part(self) -> str | None:
        for item in self._items.values():
            if "nav" in (item.get("properties") or "").split():
                return self._part(item.get("href", ""), self._folder)
        return None

    def _contents(self) -> Iterator[Entry]:
        """Yield the table of contents, the newer kind first."""
        found: list[Entry] = []
        if part := self._navigation_part():
            root = self._package.xml(part)
            for nav in root.iter("{*}nav") if root is not None else ():
                kinds = [value for key, value in nav.attrib.items() if key.endswith("}type")]
                if "toc" in kinds:
                    found = list(self._nav_entries(nav, posixpath.dirname(part), 1))
        if not found:
            spine = self._root.find("{*}spine")
            item = self._items.get(spine.get("toc", "")) if spine is not None else None
            part = self._part(item.get("href", ""), self._folder) if item is not None else ""
            root = self._package.xml(part) if part else None
            for points in root.iter("{*}navMap") if root is not None else ():
                found = list(self._ncx_entries(points, posixpath.dirname(part), 1))
        yield from found[:MAX_ENTRIES]

    def _nav_entries(self, nav: Any, base: str, level: int) -> Iterator[Entry]:
        for item in nav.iterfind("{*}ol/{*}li") if level <= MAX_DEPTH else ():
            link = item.find("{*}a")
            if link is not None:
                yield self._entry(level, "".join(link.itertext()), link.get("href", ""), base)
            yield from self._nav_entries(item, base, level + 1)

    def _ncx_entries(self, points: Any, base: str, level: int) -> Iterator[Entry]:
        for point in points.iterfind("{*}navPoint") if level <= MAX_DEPTH else ():
            content = point.find("{*}content")
            words = point.findtext("{*}navLabel/{*}text") or ""
            yield self._entry(level, words, content.get("src", "") if content is not None else "", base)
            yield from self._ncx_entries(point, base, level + 1)

    def _entry(self, level: int, title: str, href: str, base: str) -> Entry:
        target, _, anchor = href.partition("#")
        return Entry(level, " ".join(title.split()), self._part(target, base) if target else "", anchor)


def _chapter(blocks: list[Block], entries: list[Entry], below: int, title: str) -> tuple[list[Block], int]:
    """Return a chapter's blocks with the levels of the table of contents, and the level of what follows it.

    A page without an entry goes on below the one before it. Headings of a page keep their distances; the
    first heading that the contents name sets where the page stands; so does the book's title, which contents
    call "Title page".
    """
    heads = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    named = {_normal(entry.title): entry.level for entry in entries}
    if not entries:
        shift = below + 1 - min((blocks[index].level or 1 for index in heads), default=1)
        return [_shifted(block, shift) for block in blocks], below
    first = entries[0]
    stands = next((i for i in heads if _normal(blocks[i].text) in named), None)
    if stands is None and heads:
        head = _normal(blocks[heads[0]].text)
        stands = heads[0] if head == _normal(title) or _normal(first.title).startswith(head) else None
    if stands is None:
        shift = first.level + 1 - min((blocks[index].level or 1 for index in heads), default=1)
        heading = Block("heading", first.title, level=first.level, evidence={"style": "contents"})
        return [heading, *(_shifted(block, shift) for block in blocks)], first.level
    level = named.get(_normal(blocks[stands].text), first.level)
    shift = level - (blocks[stands].level or 1)
    result = []
    for block in blocks:
        known = named.get(_normal(block.text)) if block.kind == "heading" else None
        result.append(replace(block, level=known) if known else _shifted(block, shift))
    return result, level


def _shifted(block: Block, shift: int) -> Block:
    if block.kind != "heading" or not shift:
        return block
    return replace(block, level=max((block.level or 1) + shift, 1))


def _normal(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
