"""Markdown as a file to hand on: a Word document, a PDF, or its tables as CSV.

What answers and reports are written in is read: headings, paragraphs, lists, tables, quotations, code, bold and italic.
Marks such as [2] are raised; what they stand for is given as notes, or expected at the end of the text.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt

from engine.export.footnotes import Footnotes

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARK = re.compile(r"(\[\d{1,3}\])")
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
    from docx import Document

    document = Document()
    footnotes = Footnotes(document, {number: printable(text) for number, text in notes.items()})
    tokens = _parser().parse(printable(markdown))
    table: list[list[Token]] = []
    quoted, lists, style = 0, [], ""
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append("List Number" if token.type.startswith("ordered") else "List Bullet")
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type.startswith("blockquote"):
            quoted += token.nesting
        elif token.type == "heading_open":
            style = f"Heading {min(int(token.tag[1]), 9)}"
        elif token.type == "tr_open":
            table.append([])
        elif token.type == "table_close":
            _add_table(document, table, footnotes)
            table = []
        elif token.type in ("fence", "code_block"):
            document.add_paragraph(token.content.rstrip("\n"), style="No Spacing")
        elif token.type == "inline" and table:
            table[-1].append(token)
        elif token.type == "inline":
            kind = style or (lists[-1] if lists else "Quote" if quoted else "Normal")
            _add_runs(document.add_paragraph(style=kind), token, footnotes)
            style = ""
    footnotes.close()
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def as_pdf(markdown: str, notes: Mapping[int, str] = {}, notes_title: str = "") -> bytes:
    """Return a Markdown text as a PDF of A4 pages; ``notes`` to its marks [n] stand at the end, under their title."""
    pymupdf = _pymupdf()
    text = _MARK.sub(r"<sup>\1</sup>", _parser().render(printable(markdown)))
    told = "".join(f"<p>[{number}] {html.escape(printable(note))}</p>" for number, note in notes.items())
    text += f"<h2>{html.escape(notes_title)}</h2><div class='notes'>{told}</div>" if told else ""
    story = pymupdf.Story(text, user_css=_STYLE)
    written = io.BytesIO()
    writer = pymupdf.DocumentWriter(written)
    page = pymupdf.Rect(_PAGE)
    inside = pymupdf.Rect(_MARGIN, _MARGIN, page.x1 - _MARGIN, page.y1 - _MARGIN)
    more = 1
    while more:
        device = writer.begin_page(page)
        more, _ = story.place(inside)
        story.draw(device)
        writer.end_page()
    writer.close()
    return written.getvalue()


def tables_as_csv(markdown: str) -> str:
    """Return the tables of a Markdown text as CSV without marks, a blank line between two; "" where there is none.

    It begins with a byte order mark, by which spreadsheets know the encoding. A cell that they would take for a formula
    is written as text.
    """
    written = io.StringIO()
    for number, table in enumerate(_tables(_parser().parse(markdown))):
        written.write("\r\n" if number else "\ufeff")
        csv.writer(written).writerows(
            [[_harmless(_MARK.sub("", cell).strip()) for cell in row] for row in table]
        )
    return written.getvalue()


def printable(text: str) -> str:
    """Return a text without the characters that no file can hold."""
    return _UNPRINTABLE.sub("", text)


def _pymupdf() -> Any:  # it has no types
    import pymupdf

    return pymupdf


def _harmless(cell: str) -> str:
    """Keep a cell from being run as a formula; a number keeps its sign."""
    return f"'{cell}" if re.match(r"[=@\t\r]|[+-](?![\d.,]+\s*%?$)", cell) else cell


def _parser() -> MarkdownIt:
    return (
        MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable(["image", "link"])
    )


def _tables(tokens: Sequence[Token]) -> Iterator[list[list[str]]]:
    table: list[list[str]] | None = None
    for token in tokens:
        if token.type == "table_open":
            table = []
        elif token.type == "table_close" and table is not None:
            yield table
            table = None
        elif token.type == "tr_open" and table is not None:
            table.append([])
        elif token.type == "inline" and table:
            table[-1].append(_text(token))


def _text(token: Token) -> str:
    parts = token.children or []
    return "".join(" " if part.type.endswith("break") else part.content for part in parts)


def _add_table(document: Any, rows: Sequence[Sequence[Token]], footnotes: Footnotes) -> None:
    made = document.add_table(rows=len(rows), cols=max(map(len, rows)), style="Table Grid")
    for cells, row in zip(made.rows, rows, strict=True):
        for cell, token in zip(cells.cells, row, strict=False):
            _add_runs(cell.paragraphs[0], token, footnotes)


def _add_runs(paragraph: Any, token: Token, footnotes: Footnotes) -> None:
    bold = italic = False
    for part in token.children or []:
        if part.type.startswith("strong"):
            bold = part.nesting > 0
        elif part.type.startswith("em_"):
            italic = part.nesting > 0
        elif part.type.endswith("break"):
            paragraph.add_run().add_break()
        else:
            for piece in filter(None, _MARK.split(part.content)):
                mark = bool(_MARK.fullmatch(piece))
                if mark and footnotes.knows(int(piece[1:-1])):
                    footnotes.refer(paragraph, int(piece[1:-1]))
                    continue
                run = paragraph.add_run(piece)
                run.bold, run.italic = bold, italic
                run.font.superscript = mark or None
