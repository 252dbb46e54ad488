"""Fixtures that many tests share: a library in a temporary folder, small real documents, a model server."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from engine.ingest import Source
from engine.library import Library
from storage.embedded import sqlite_file
from tests.openai_server import OpenAiServer
from tests.sample_texts import REGULATIONS, REPORT

# Images of containers often forbid compiled files. Here they count: every process that a test starts would spend
# seconds on compiling what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How fast an example runs is told by no test: the machine may have other work.
hypothesis.settings.register_profile("dropqa", deadline=None)
hypothesis.settings.load_profile("dropqa")

# Files stay whole on one core. The longest that stand alone are begun first, or one core would be idle at the end.
_LONGEST = ("test_fresh_install.py", "test_cases.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files."""
    items.sort(key=lambda item: item.path.name not in _LONGEST)


@pytest.fixture(scope="session", autouse=True)
def default_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What names no folder opens one of this run, and no library of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DROPQA_LIBRARY", str(tmp_path_factory.mktemp("default")))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_power_fails() -> Iterator[None]:
    """A test may end a process, never the machine: what it writes need not be on the disk before it goes on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        patch.setattr(sqlite_file, "SYNCHRONOUS", "OFF")
        yield


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty library without background threads."""
    with Library.open(tmp_path / "library", background=False) as opened:
        yield opened


@pytest.fixture
def filled(library: Library) -> Library:
    """A library with a report in English and regulations in Chinese, without vectors."""
    library.add([Source("report.md", REPORT.encode()), Source("手册.md", REGULATIONS.encode())])
    return library


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    """A scripted model server; what it is to reply is set by the test."""
    with OpenAiServer() as running:
        yield running


@pytest.fixture
def make_pdf(tmp_path: Path) -> Callable[..., Path]:
    """Write a PDF of pages, each a list of (size, text) lines set from the top; Chinese is fine."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def write(pages: list[list[tuple[int, str]]], name: str = "report.pdf", password: str | None = None) -> Path:
        path = tmp_path / name
        sheet = canvas.Canvas(str(path), pagesize=A4, encrypt=password)
        for lines in pages:
            y = 780.0
            for size, text in lines:
                sheet.setFont("Helvetica" if text.isascii() else "STSong-Light", size)
                sheet.drawString(72, y, text)
                y -= size * 2
            sheet.showPage()
        sheet.save()
        return path

    return write
