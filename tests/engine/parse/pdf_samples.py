"""Small PDFs drawn with reportlab for the tests of the PDF parser and of structure."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4
LOREM = (
    "The harbour bridge carries rail, road and foot traffic between the city and its northern shore. "
    "Its arch was built from both sides at once and closed in the middle of a winter night. "
    "Four pylons of granite stand at the ends, but they carry no load and were added for looks. "
)


class Sheet:
    """A canvas that is written from the top down; ``y`` counts from the top, in points."""

    def __init__(self, path: Path) -> None:
        self.canvas = Canvas(str(path), pagesize=A4, invariant=1)
        self.y = 72.0

    def line(self, text: str, *, x: float = 72, size: float = 10, font: str = "Helvetica", gap: float = 0) -> None:
        """Write one line after ``gap`` more points."""
        self.y += gap + 1.3 * size
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, HEIGHT - self.y, text)

    def paragraph(self, text: str, *, x: float = 72, width: float = 450, size: float = 10, gap: float = 8,
                  font: str = "Helvetica") -> None:  # fmt: skip
        """Write running text in a column ``width`` points wide."""
        words: list[str] = []
        first = True
        for word in [*text.split(), None]:
            trial = " ".join([*words, word or ""]).strip()
            if word is None or pdfmetrics.stringWidth(trial, font, size) > width:
                self.line(" ".join(words), x=x, size=size, font=font, gap=gap if first else 0)
                first, words = False, []
            if word:
                words.append(word)

    def heading(self, text: str, size: float = 14) -> None:
        """Write a bold heading."""
        self.line(text, size=size, font="Helvetica-Bold", gap=14)

    def next_page(self) -> None:
        """Begin a new page."""
        self.canvas.showPage()
        self.y = 72.0

    def save(self) -> None:
        """Finish the file."""
        self.canvas.save()


def chinese_font() -> str:
    """Return the name of a Chinese font that needs no file."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    return "STSong-Light"
