"""Tables drawn as PDF, with rules and without, to see what is read back of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

Style = Literal["grid", "open sides", "booktabs"]
STYLES: tuple[Style, ...] = ("grid", "open sides", "booktabs")
# (row, column, row span, column span, text), 0-based.
Drawn = tuple[int, int, int, int, str]
FONT_SIZE, PADDING = 9, 4
WIDEST, NARROWEST = 170.0, 34.0


def draw(path: Path, cells: Sequence[Drawn], style: Style) -> None:
    """Write one table to a PDF page that is large enough for it, with text above and below.

    ``grid`` rules every cell, ``open sides`` has no outer vertical rules, ``booktabs`` has three horizontal
    rules only. Texts wrap in their cells; Chinese is set in a font that PDF readers have.
    """
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    latin = all(ord(char) < 0x250 for *_, text in cells for char in text)
    if not latin:
        pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    font = "Helvetica" if latin else "STSong-Light"
    style_of_text = ParagraphStyle(
        "cell", fontName=font, fontSize=FONT_SIZE, leading=FONT_SIZE + 2, wordWrap=None if latin else "CJK"
    )
    height = max(row + high for row, _, high, _, _ in cells)
    width = max(column + wide for _, column, _, wide, _ in cells)
    grid: list[list[Any]] = [[""] * width for _ in range(height)]
    commands: list[tuple[Any, ...]] = [("VALIGN", (0, 0), (-1, -1), "TOP"), *_rules(style)]
    for row, column, high, wide, text in cells:
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br/>")
        grid[row][column] = Paragraph(escaped, style_of_text)
        if high > 1 or wide > 1:
            commands.append(("SPAN", (column, row), (column + wide - 1, row + high - 1)))
    widths = [_width(cells, column, latin) for column in range(width)]
    table = Table(grid, colWidths=widths, style=commands)
    page = (max(595.0, sum(widths) + 150), 14_000.0)
    _, needed = table.wrap(page[0], page[1])
    around = [Paragraph(f"This text stands {place} the table.", ParagraphStyle("text")) for place in ("above", "below")]
    sheet = SimpleDocTemplate(str(path), pagesize=(page[0], max(842.0, needed + 300)))
    sheet.build([around[0], Spacer(1, 20), table, Spacer(1, 20), around[1]])


def _rules(style: Style) -> list[tuple[Any, ...]]:
    from reportlab.lib.colors import black

    if style == "grid":
        return [("GRID", (0, 0), (-1, -1), 0.6, black)]
    lines: list[tuple[Any, ...]] = [
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, black),
        ("LINEBELOW", (0, -1), (-1, -1), 0.8, black),
    ]
    if style == "booktabs":
        return [*lines, ("LINEBELOW", (0, 0), (-1, 0), 0.5, black)]
    return [*lines, ("INNERGRID", (0, 0), (-1, -1), 0.6, black)]


def _width(cells: Sequence[Drawn], column: int, latin: bool) -> float:
    longest = max(
        (len(line) for _, c, _, wide, text in cells if c == column and wide == 1 for line in text.split("\n")),
        default=0,
    )
    word = max(
        (len(part) for _, c, _, wide, text in cells if c == column and wide == 1 for part in text.split()),
        default=0,
    )
    letter = FONT_SIZE * (0.56 if latin else 1.0)
    least = word * letter if latin else 0.0
    return max(NARROWEST, min(WIDEST, longest * letter), least) + 2 * PADDING + 6
