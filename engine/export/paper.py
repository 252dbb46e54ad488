"""Markdown as a file to hand on: a Word document, a PDF, or its tables as CSV.

What answers and reports are written in is read: headings, paragraphs, lists, tables, quotations, code, bold and italic.
Marks such as [2] are raised; what they stand for is given as notes, or expected at the end of the text.
"""

import csv
import html
import io
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from engine.parse.scan import pymupdf_module

_MARK = re.compile(r"\[(\d{1,3})\]")
# No XML holds these, and no reader sees them.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STYLE = """
body { font-family: sans-serif; font-size: 10pt; } h1 { font-size: 16pt; } h2 { font-size: 13pt; }
table { border-collapse: collapse; } th, td { border: 0.5pt solid #888; padding: 2pt 4pt; }
.notes { font-size: 8.5pt; }
blockquote { color: #444; margin-left: 12pt; } code, pre { font-family: monospace; font-size: 9pt; }
"""
# A4 in points, and its margin.
_PAGE, _MARGIN = (0, 0, 595, 842), 56


def as_docx(markdown: str, notes: Mapping[int, str] = {}) -> bytes:
    """Return a Markdown text as a Word document; its marks [n] are footnotes where ``notes`` have a text for them."""
    import pypandoc

    referred: list[int] = []

    def mark(found: re.Match[str]) -> str:
        number = int(found[1])
        if number not in notes:
            return f"<sup>{found[0]}</sup>"
        apart = "<sup>,</sup>" if found.string[: found.start()].endswith("]") else ""  # 14 and 4 are not 144
        if number in referred:  # a second footnote would say the same
            return f"{apart}<sup>{number}</sup>"
        referred.append(number)
        return f'{apart}<a epub:type="noteref" href="#note{number}">{number}</a>'

    page = _rendered(markdown, mark)
    page += "".join(
        f'<aside epub:type="footnote" id="note{number}">{html.escape(printable(notes[number]))}</aside>'
        for number in referred
    )
    with tempfile.TemporaryDirectory(prefix="dropqa-word-") as folder:
        written = Path(folder) / "paper.docx"
        pypandoc.convert_text(
            page, "docx", "html+epub_html_exts", extra_args=["--sandbox", "--quiet"], outputfile=str(written)
        )
        return written.read_bytes()


def as_pdf(markdown: str, notes: Mapping[int, str] = {}, notes_title: str = "") -> bytes:
    """Return a Markdown text as a PDF of A4 pages; ``notes`` to its marks [n] stand at the end, under their title."""
    pymupdf = pymupdf_module()
    text = _rendered(markdown, lambda found: f"<sup>{found[0]}</sup>")
    told = "".join(f"<p>[{number}] {html.escape(printable(note))}</p>" for number, note in notes.items())
    text += f"<h2>{html.escape(notes_title)}</h2><div class='notes'>{told}</div>" if told else ""
    story = pymupdf.Story(text, user_css=_STYLE)
    written = io.BytesIO()
    writer = pymupdf.DocumentWriter(written)
    page = pymupdf.Rect(_PAGE)
    inside = pymupdf.Rect(_MARGIN, _MARGIN, page.x1 - _MARGIN, page.y1 - _MARGIN)
    set_on_pages(story, writer, page, inside)
    with pymupdf.open("pdf", written.getvalue()) as made:
        made.subset_fonts()  # a font for Chinese has several megabytes
        return bytes(made.tobytes(garbage=3, deflate=True))


def set_on_pages(story: Any, writer: Any, page: Any, inside: Any) -> None:
    """Write a ``pymupdf.Story`` on as many pages as it needs, ``inside`` a rectangle of each, and close the writer."""
    more: Any = True
    while more:
        device = writer.begin_page(page)
        more, _ = story.place(inside)
        story.draw(device)
        writer.end_page()
    writer.close()


def tables_as_csv(markdown: str) -> str:
    """Return the tables of a Markdown text as CSV without marks, a blank line between two; "" where there is none.

    It begins with a byte order mark, by which spreadsheets know the encoding. A cell that they would take for a formula
    is written as text.
    """
    import lxml.html

    written = io.StringIO()
    page = lxml.html.document_fromstring(f"<body>{_rendered(markdown, lambda _: '')}</body>")
    for number, table in enumerate(page.iter("table")):
        written.write("\r\n" if number else "\ufeff")
        rows = [[_harmless(cell.text_content().strip()) for cell in row] for row in table.iter("tr")]
        csv.writer(written).writerows(rows)
    return written.getvalue()


def printable(text: str) -> str:
    """Return a text without the characters that no file can hold."""
    return _UNPRINTABLE.sub("", text)


def _harmless(cell: str) -> str:
    """Keep a cell from being run as a formula; a number keeps its sign."""
    return f"'{cell}" if re.match(r"[=@\t\r]|[+-](?![\d.,]+\s*%?$)", cell) else cell


def _rendered(markdown: str, mark: Callable[[re.Match[str]], str]) -> str:
    """Return a text as HTML that loads and links nothing, its marks outside of code as ``mark`` writes them."""
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable("table").disable(["image", "link"])

    def text(_self: object, tokens: Sequence[Token], at: int, _options: object, _env: object) -> str:
        return _MARK.sub(mark, html.escape(tokens[at].content))

    parser.add_render_rule("text", text)
    return str(parser.render(printable(markdown)))
