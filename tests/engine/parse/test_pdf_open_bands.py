"""Ruled tables of PDF whose columns and rows are in part told by the white between texts alone."""

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from engine.config import ParsingSettings
from engine.parse.pdf import parse_pdf

BUDGET = [
    ("Sponsorships", "8,000.00", "4,000.00", "still on the way"),
    ("Grants", "500.00", "-", ""),
    ("Membership fees", "1,250.00", "1,100.00", "paid in May"),
    ("Raffle", "75.00", "80.00", "at the fair"),
]


def tables_of(path):
    return [block for block in parse_pdf(path, ParsingSettings()).blocks if block.kind == "table"]


def budget(path, rows):
    """Write a table with rules around each of its parts, and vertical ones in the head and the total only."""
    sheet = canvas.Canvas(str(path))
    sheet.setFont("Helvetica", 9)
    height = 12
    bottom = 700 - height * len(rows)
    for y in (712, 700, bottom, bottom - 12):
        sheet.line(60, y, 520, y)
    for x in (60, 520):
        sheet.line(x, 712, x, bottom - 12)
    for x in (200, 280, 360):
        sheet.line(x, 712, x, 700)
        sheet.line(x, bottom, x, bottom - 12)
    lines = [("Item", "Projected", "Actual", "Comments"), *rows, ("Total", "9,825.00", "5,180.00", "")]
    for row, (name, *figures, comment) in enumerate(lines):
        y = 703 - height * row
        sheet.drawString(64, y, name)
        for end, figure in zip((276, 356), figures, strict=True):
            sheet.drawRightString(end, y, figure)
        sheet.drawString(370, y, comment)
    sheet.save()
    return path


def test_columns_and_rows_within_one_ruled_row_are_told_by_their_figures(tmp_path):
    [table] = tables_of(budget(tmp_path / "a.pdf", BUDGET))
    assert [tuple(row) for row in table.metadata["rows"][:5]] == [
        ("Item", "Projected", "Actual", "Comments"),
        *BUDGET,
    ]


def test_two_columns_of_figures_tell_rows_that_have_no_names(tmp_path):
    nameless = [("", "-", "-", "")] * 3
    [table] = tables_of(budget(tmp_path / "a.pdf", [*BUDGET[:2], *nameless]))
    assert [tuple(row) for row in table.metadata["rows"][1:6]] == [*BUDGET[:2], *nameless]


def test_text_that_is_not_painted_at_all_is_read(tmp_path):
    sheet = canvas.Canvas(str(tmp_path / "a.pdf"))
    for row, text in enumerate(("Agenda", "-", "Minutes of the last meeting are read and signed.")):
        words = sheet.beginText(72, 700 - 20 * row)
        words.setTextRenderMode(3)
        words.textOut(text)
        sheet.drawText(words)
    sheet.save()
    assert "Minutes of the last meeting" in parse_pdf(tmp_path / "a.pdf", ParsingSettings()).blocks[-1].text


def test_letters_of_a_chinese_head_that_are_set_apart_part_no_column(tmp_path):
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    sheet = canvas.Canvas(str(tmp_path / "a.pdf"))
    sheet.setFont("STSong-Light", 10)
    rows = [
        ("名   称", "学   分", "学   时"),
        ("高等数学基础", "2.5", "45"),
        ("线性代数", "3", "54"),
        ("军事理论", "2", "36"),
    ]
    for y in (712, 694, 644):
        sheet.line(60, y, 460, y)
    for row, cells in enumerate(rows):
        for x, cell in zip((110, 250, 390), cells, strict=True):
            sheet.drawCentredString(x, 699 - 16 * row, cell)
    sheet.save()
    [table] = tables_of(tmp_path / "a.pdf")
    assert [len(row) for row in table.metadata["rows"]] == [3, 3, 3, 3]
    assert table.metadata["rows"][1] == ["高等数学基础", "2.5", "45"]
