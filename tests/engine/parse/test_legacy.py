import shutil
import time
from pathlib import Path

import docx
import psutil
import pytest

from engine.config import ParsingSettings
from engine.errors import LimitExceededError, UnreadableFileError, UnsupportedFormatError
from engine.model import ParsedFile
from engine.parse.dispatch import parse_file
from engine.parse.legacy import libreoffice, parse_legacy

needs_libreoffice = pytest.mark.skipif(libreoffice() is None, reason="LibreOffice is not installed")


def converted(path: Path, program: str | None, seconds: float = 60) -> ParsedFile:
    settings = ParsingSettings(timeout_seconds=seconds)
    return parse_legacy(path, "doc", "old.doc", settings, lambda new: parse_file(new, "old.doc", settings), program)


def program(folder: Path, script: str) -> str:
    """Write a program that stands in for LibreOffice; ``$@`` ends with the output folder and the file."""
    path = folder / "office"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    return path


def test_without_libreoffice_the_message_says_what_to_do(old):
    with pytest.raises(UnsupportedFormatError, match=r"Save it as \.docx and add that, or install LibreOffice"):
        converted(old, None)


def test_the_converted_file_is_read_in_place_of_the_old_one(old, tmp_path):
    document = docx.Document()
    document.add_heading("Chapter", 1)
    document.save(str(tmp_path / "new.docx"))
    found = converted(old, program(tmp_path, f'mkdir out && cp "{tmp_path}/new.docx" out/file.docx'))
    assert [block.text for block in found.blocks] == ["Chapter"]
    assert found.media_type == "application/msword"


def test_a_file_that_cannot_be_converted_is_told(old, tmp_path):
    with pytest.raises(UnreadableFileError, match="damaged or protected"):
        converted(old, program(tmp_path, "exit 1"))


def test_a_conversion_that_does_not_end_is_ended_with_its_children(old, tmp_path):
    endless = program(tmp_path, f'sleep 600 & echo $! > "{tmp_path}/child"; wait')
    with pytest.raises(LimitExceededError, match="longer than 1 seconds"):
        converted(old, endless, 1)
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.05)
    pytest.fail("the child of the converter is still there")


@needs_libreoffice
def test_libreoffice_reads_what_no_parser_of_ours_does(tmp_path):
    text = tmp_path / "old"
    text.write_text(r"{\rtf1 Its text.\par}")
    shutil.copyfile(text, tmp_path / "copy")
    found = converted(tmp_path / "copy", libreoffice())
    assert "Its text." in [block.text for block in found.blocks]
