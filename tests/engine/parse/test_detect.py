from pathlib import Path
from zipfile import ZipFile

import docx
import pytest

from engine.errors import EmptyFileError, EncryptedFileError, UnreadableFileError, UnsupportedFormatError
from engine.parse.detect import HEAD, detect, kind_of


def written(folder: Path, data: bytes | str) -> Path:
    path = folder / "file"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def packed(folder: Path, **members: str) -> Path:
    path = folder / "packed"
    with ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return path


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "report.txt", "pdf"),
        (b"\r\n  %PDF-1.4\n", "x", "pdf"),
        ("Just a line.\n", "notes.txt", "text"),
        ("Just a line.\n", "notes.md", "markdown"),
        ("Just a line.\n", "notes", "text"),
        ("# Title\n\n- [link](http://x.y)\n\n| a | b |\n|---|---|\n", "notes.txt", "markdown"),
        ("# Title\n\nSee **this** thing.\n", "README", "markdown"),
        ("# a comment\nx = 1\n", "settings.txt", "text"),
        ("A note about %PDF-1.7 headers.\n", "note.txt", "text"),
        ("为了规范公司的组织和行为".encode("gbk"), "law.txt", "text"),
        ("text in UTF-16".encode("utf-16"), "w.txt", "text"),
        ("text in UTF-16 without a mark".encode("utf-16-le"), "w.txt", "text"),
        ("MZ is how programs begin, said the book.\n", "mz.txt", "text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "x", "picture"),
        (b"\xff\xd8\xff\xe0" + bytes(50), "x", "picture"),
        (b"MM\0*" + bytes(50), "x", "picture"),
        (b"{\\rtf1\\ansi hello}", "report.docx", "rtf"),
        ("From: a@b.c\nTo: d@e.f\nSubject: Hi\n\nText", "x.txt", "mail"),
        ("Dear all,\nFrom: now on\nTo: be clear\n", "x.txt", "text"),
        ("To: all\nSubject: a memo without sender\n\nText", "memo.txt", "text"),
        ("#+TITLE: Notes\n#+AUTHOR: me\n* One\n", "notes.txt", "org"),
        ("Just a line.\n", "example.org", "text"),
        ("Title\n=====\n\n.. note:: Text\n\n.. code-block:: c\n", "doc.txt", "rst"),
        ("% a comment\n\\documentclass{article}\n", "x.txt", "latex"),
        ('{"cells": [{"cell_type": "code"}], "nbformat": 4}', "x.json", "ipynb"),
        ('<?xml version="1.0"?>\n<FictionBook xmlns="x">', "x.xml", "fb2"),
        (b"RIFF\x24\0\0\0WEBPVP8 " + bytes(50), "x", "picture"),
    ],
)
def test_the_content_tells_the_kind(tmp_path, data, name, kind):
    assert detect(written(tmp_path, data), name) == kind


def test_a_word_file_is_one_whatever_its_name(tmp_path):
    path = tmp_path / "report.pdf"
    document = docx.Document()
    document.add_paragraph("text")
    document.save(str(path))
    assert detect(path, "report.pdf") == "docx"


@pytest.mark.parametrize(
    ("data", "seems"),
    [
        (b"MZ\x90\x00\x03" + bytes(200), "a file of the type “exe”"),
        (b"\x7fELF\x02\x01\x01" + bytes(200), "a file of the type “elf”"),
        (b"GIF89a" + bytes(50), "a file of the type “gif”"),
        (b"\x1f\x8b\x08" + bytes(50), "a file of the type “gz”"),
        (b"SQLite format 3\x00" + bytes(50), "a file of the type “sqlite”"),
        (bytes(range(256)) * 4, "a binary file of unknown kind"),
    ],
)
def test_what_no_parser_takes_is_refused_with_what_it_seems_to_be(tmp_path, data, seems):
    with pytest.raises(UnsupportedFormatError) as caught:
        detect(written(tmp_path, data), "report.docx")
    assert seems in str(caught.value)
    assert "PDF, Word" in str(caught.value)


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({"mimetype": "application/epub+zip"}, "epub"),
        ({"META-INF__container_dot_xml": "<container/>"}, "epub"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "odt"),
        ({"mimetype": "application/vnd.oasis.opendocument.presentation"}, "odp"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet-template"}, "ods"),
    ],
)
def test_packages_are_told_by_what_they_hold(tmp_path, members, kind):
    assert detect(packed(tmp_path, **members), "x.docx") == kind


@pytest.mark.parametrize(
    ("members", "seems"),
    [
        ({"a_dot_txt": "x"}, "a ZIP archive"),
        ({"mimetype": "application/vnd.oasis.opendocument.graphics"}, "an OpenDocument drawing"),
    ],
)
def test_archives_are_told_apart(tmp_path, members, seems):
    with pytest.raises(UnsupportedFormatError, match=seems):
        detect(packed(tmp_path, **members), "x.docx")


def test_an_empty_file_is_named_as_empty(tmp_path):
    with pytest.raises(EmptyFileError, match=r"notes\.txt is empty"):
        detect(written(tmp_path, b""), "notes.txt")


def test_a_protected_office_file_asks_for_the_protection_to_go(tmp_path):
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(100)
    with pytest.raises(EncryptedFileError, match="password"):
        detect(written(tmp_path, ole), "secret.docx")


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        ("WordDocument", "doc"),
        ("PowerPoint Document", "ppt"),
        ("Workbook", "xls"),
        ("__nameid_version1.0", "msg"),
    ],
)
def test_compound_files_are_told_by_what_they_hold(tmp_path, stream, kind):
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + stream.encode("utf-16-le") + bytes(100)
    assert detect(written(tmp_path, ole), "old.docx") == kind


def test_a_cut_off_archive_is_damaged(tmp_path):
    path = packed(tmp_path, a="x" * 1000)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(UnreadableFileError, match="damaged"):
        detect(path, "report.docx")


@pytest.mark.timeout(30)
@pytest.mark.parametrize("unit", [b"<!---->", b" ", b"\n", b"\n ", b"---|", b"\t- "])
def test_what_is_made_to_be_looked_at_for_ever_is_told_at_once(unit):
    assert kind_of(unit * (HEAD // len(unit) - 1) + b"x", None, "notes.txt") == "text"
