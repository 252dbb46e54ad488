"""A statement about rows of a table leads to these rows: their cells, their page, their box; no header is a row."""

from functools import partial
from pathlib import Path

import pytest
from docx import Document as WordFile
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

from engine.answer.check.checking import check
from engine.answer.phrases import ENGLISH
from engine.ingest import Source
from engine.retrieve.tree_evidence import TreeEvidence

HEAD = ("Model", "Params", "BLEU", "Latency (ms)")
ROWS = [
    ("Larch-base", "110M", "27.3", "41"),
    ("Larch-large", "340M", "29.1", "88"),
    ("Maple + distillation", "65M", "26.0", "24"),
    ("Maple", "65M", "24.8", "23"),
    ("Not tuned", "220M", "31.4", "52"),
]


def pdf_file(path: Path) -> None:
    """Write the table as papers set it: three rules across, none down."""
    sheet = canvas.Canvas(str(path), pagesize=A4)
    sheet.setFont("Helvetica", 9)
    sheet.drawString(72, 700, "Table 2: Quality and latency.")
    for y in (690, 674, 598):
        sheet.line(70, y, 480, y)
    for number, row in enumerate((HEAD, *ROWS)):
        for x, text in zip((72, 212, 302, 372), row, strict=True):
            sheet.drawString(x, 679 if not number else 664 - 14 * (number - 1), text)
    sheet.save()


def word_file(path: Path) -> None:
    file = WordFile()
    table = file.add_table(0, len(HEAD))
    for row in (HEAD, *ROWS):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    file.save(str(path))


def html_file(path: Path) -> None:
    heads = "".join(f"<th>{one}</th>" for one in HEAD)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS)
    path.write_text(f"<h1>Results</h1><table><tr>{heads}</tr>{rows}</table>")


def markdown_file(path: Path) -> None:
    lines = [HEAD, ("---",) * len(HEAD), *ROWS]
    path.write_text("# Results\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n")


def cited(library, path: Path, statement: str):
    """Return where a statement leads that cites the table of a file."""
    [added] = library.add([Source(path.name, path.read_bytes())])
    tree = library.tree(added.document_id)
    [table] = [TreeEvidence(tree).of(node) for node in tree.nodes if node.role == "table"]
    return table, check(statement, [table], question="Which model is best?", phrases=ENGLISH).citations


@pytest.mark.parametrize("write", [pdf_file, word_file, html_file, markdown_file])
@pytest.mark.parametrize(
    ("says", "cells"),
    [
        ("Larch-large reaches a BLEU score of 29.1 [1].", ["A3:D3"]),
        ("The slowest model is Larch-large [1].", ["A3:D3"]),
        ("Not tuned has the best score [1].", ["A6:D6"]),
        ("Maple is the model with the lowest latency [1].", ["A5:D5"]),
        ("Larch-base has a latency of 41 ms [1], Larch-large one of 88 ms [1].", ["A2:D2", "A3:D3"]),
        ("Distillation lifts Maple from 24.8 to 26.0 BLEU [1].", ["A4:D4", "A5:D5"]),
        ("The winner is the one of the authors [1].", ["A1:D6"]),
    ],
)
def test_a_statement_leads_to_its_rows_in_every_format(library, tmp_path, write, says, cells):
    path = tmp_path / f"paper.{write.__name__.partition('_')[0].replace('word', 'docx').replace('markdown', 'md')}"
    write(path)
    _, found = cited(library, path, says)
    assert [one.cell for one in found] == cells


def test_the_box_of_a_row_of_a_pdf_is_the_rows_own(library, tmp_path):
    pdf_file(tmp_path / "paper.pdf")
    box = partial(cited, library, tmp_path / "paper.pdf")
    table, [row] = box("Maple + distillation has a latency of 24 ms [1].")
    _, top, _, bottom = row.bbox
    assert row.page == 1 and bottom - top < 20 and A4[1] - bottom < 636 < A4[1] - top
    assert (row.bbox[0], row.bbox[2]) == pytest.approx((table.hit.bbox[0], table.hit.bbox[2]), abs=0.2)
