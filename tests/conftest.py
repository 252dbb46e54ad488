"""Fixtures that many tests share: a library in a temporary folder, small real documents, a model server."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from engine.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty library without background threads."""
    with Library.open(tmp_path / "library", background=False) as opened:
        yield opened


@pytest.fixture
def make_pdf(tmp_path: Path) -> Callable[..., Path]:
    """Write a PDF of pages, each a list of (size, text) lines set from the top; Chinese is fine."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def write(
        pages: list[list[tuple[int, str]]], name: str = "report.pdf", password: str | None = None
    ) -> Path:
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
