"""Fixtures that many tests share: a library in a temporary folder, small real documents, a model server."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from engine.library import Library

REPORT = """# Annual report 2023

## Revenue

Revenue rose to 412 million dollars in 2023. The cloud segment grew by 31 percent.

## Risks

Two foundries supply 83 percent of the chips. The company holds eleven weeks of buffer inventory.
"""

REGULATIONS = """# 员工手册

## 第一章 考勤

员工每天上午九点上班，下午六点下班。迟到三次记警告一次。

## 第二章 年假

入职满一年的员工每年享有十五天带薪年假，未休完的年假可以结转到次年三月底。
"""


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
