from pathlib import Path
from zipfile import ZipFile

import pytest

from engine.config import ParsingSettings
from engine.errors import EncryptedFileError, UnreadableFileError
from engine.model import ParsedFile
from engine.parse.dispatch import parse_file

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)
NAV = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
    '<nav epub:type="toc"><ol><li><a href="b.xhtml">Part</a><ol><li><a href="a.xhtml#x">Chapter</a></li></ol></li></ol>'
    "</nav></body></html>"
)
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://example.org/ncx.dtd">'
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Part</text></navLabel>'
    '<content src="b.xhtml"/><navPoint><navLabel><text>Chapter</text></navLabel><content src="a.xhtml"/></navPoint>'
    "</navPoint></navMap></ncx>"
)


def page(body: str) -> str:
    return f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'


def book(path: Path, contents: str = "nav", **parts: str) -> ParsedFile:
    navigation = {
        "nav": '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
        "ncx": '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        "none": "",
    }[contents]
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>The Book</dc:title></metadata><manifest>{navigation}"
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine toc="n"><itemref idref="b"/><itemref idref="a"/></spine></package>'
    )
    members = {
        "mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "OPS/book.opf": package,
        "OPS/nav.xhtml": NAV, "OPS/toc.ncx": NCX, "OPS/a.xhtml": page("<h1>Chapter</h1><p>Its text.</p>"),
        "OPS/b.xhtml": page("<p>The part begins.</p>"), **parts,
    }  # fmt: skip
    with ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return parse_file(path, path.name, ParsingSettings())


@pytest.mark.parametrize("contents", ["nav", "ncx", "none"])
def test_chapters_come_in_the_order_of_the_book(tmp_path, contents):
    found = book(tmp_path / "a.epub", contents)
    assert [(b.kind, b.text, b.level) for b in found.blocks] == [
        ("paragraph", "The part begins.", None), ("heading", "Chapter", 1), ("paragraph", "Its text.", None),
    ]  # fmt: skip
    assert found.title == "The Book"


def test_pictures_are_named_by_their_part_of_the_book(tmp_path):
    found = book(tmp_path / "a.epub", **{"OPS/a.xhtml": page('<h1>Chapter</h1><img src="../img/x.png" alt="A map"/>')})
    assert found.blocks[-1].metadata["source"] == "img/x.png"


def test_a_protected_book_asks_for_a_free_copy(tmp_path):
    lock = '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></encryption>'
    with pytest.raises(EncryptedFileError, match="DRM"):
        book(tmp_path / "a.epub", **{"META-INF/encryption.xml": lock})


def test_scrambled_fonts_are_no_protection(tmp_path):
    fonts = '<encryption><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></encryption>'
    assert book(tmp_path / "a.epub", **{"META-INF/encryption.xml": fonts}).blocks


def test_a_book_without_a_list_of_parts_is_damaged(tmp_path):
    with pytest.raises(UnreadableFileError, match="damaged"):
        book(tmp_path / "a.epub", **{"OPS/book.opf": "no XML at all"})


def test_entities_in_the_list_of_parts_are_refused(tmp_path):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><package>&a;</package>'
    with pytest.raises(UnreadableFileError, match="damaged"):
        book(tmp_path / "a.epub", **{"OPS/book.opf": bomb})
