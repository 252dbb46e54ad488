from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.colors import black
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen import canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from engine.config import ParsingSettings
from engine.model import Block
from engine.parse.pdf import parse_pdf
from engine.parse.pdf_running import running_lines
from engine.parse.pdf_text import Line

GRID = ("GRID", (0, 0), (-1, -1), 0.6, black)
TEXT = ParagraphStyle("text")


def tables_of(path: Path, rows: list[list[Any]], *style: tuple[Any, ...], width: float = 80) -> list[Block]:
    table = Table(rows, colWidths=[width] * len(rows[0]), style=list(style) or [GRID])
    SimpleDocTemplate(str(path)).build([Paragraph("Above the table.", TEXT), table, Paragraph("Below it.", TEXT)])
    return [block for block in parse_pdf(path, ParsingSettings()).blocks if block.kind == "table"]


def test_merged_cells_of_a_ruled_table_are_known_with_their_spans(tmp_path):
    rows = [
        ["Region", "Sales", "", "Staff"],
        ["", "2023", "2024", ""],
        ["North", "10", "12", "3"],
        ["South", "20", "25", "4"],
    ]
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1)), ("SPAN", (3, 0), (3, 1))]
    [table] = tables_of(tmp_path / "a.pdf", rows, GRID, *spans)
    assert table.metadata["rows"][:2] == [
        ["Region", "Sales", "Sales", "Staff"],
        ["Region", "2023", "2024", "Staff"],
    ]
    merged = {(m["row"], m["column"]): (m["row_span"], m["column_span"]) for m in table.metadata["merged"]}
    assert merged == {(0, 0): (2, 1), (0, 1): (1, 2), (0, 3): (2, 1)}
    assert table.text.splitlines()[0] == "Region | Sales | Staff"


def test_every_cell_of_a_ruled_table_has_its_box(tmp_path):
    [table] = tables_of(tmp_path / "a.pdf", [["Name", "Figure"], ["alpha", "1"], ["beta", "2"]])
    edges = table.metadata["edges"]
    assert [right - left for left, right in zip(edges["x"], edges["x"][1:], strict=False)] == pytest.approx([80, 80])
    assert len(edges["y"]) == 4
    assert table.bbox == pytest.approx((edges["x"][0], edges["y"][0], edges["x"][-1], edges["y"][-1]), abs=0.1)


def test_wrapped_cells_stay_one_row_each(tmp_path):
    long = "a text that is too long for its narrow cell"
    rows = [["Left", "Right"], [Paragraph(long, TEXT), Paragraph(long.title(), TEXT)], ["x", "y"]]
    [table] = tables_of(tmp_path / "a.pdf", rows)
    assert table.metadata["rows"] == [["Left", "Right"], [long, long.title()], ["x", "y"]]


def test_rows_of_figures_in_one_ruled_row_are_rows_and_the_name_beside_them_spans_them(tmp_path):
    rows = [
        ["Group", "Route", "Seats"],
        ["Asia", "Seoul\nTaipei\nOsaka", "120\n80\n95"],
        ["Total", "", "295"],
    ]
    [table] = tables_of(tmp_path / "a.pdf", rows)
    assert table.metadata["rows"] == [
        ["Group", "Route", "Seats"],
        ["Asia", "Seoul", "120"],
        ["Asia", "Taipei", "80"],
        ["Asia", "Osaka", "95"],
        ["Total", "", "295"],
    ]
    assert table.metadata["merged"] == [{"row": 1, "column": 0, "row_span": 3, "column_span": 1}]


def test_a_table_without_outer_rules_is_whole(tmp_path):
    rows = [["Duck", ""], ["Domain", "Eukaryota"], ["Class", "Aves"], ["Order", "Anseriformes"]]
    style = [
        ("INNERGRID", (0, 0), (-1, -1), 0.6, black),
        ("LINEABOVE", (0, 0), (-1, 0), 0.6, black),
        ("LINEBELOW", (0, -1), (-1, -1), 0.6, black),
        ("SPAN", (0, 0), (1, 0)),
    ]
    [table] = tables_of(tmp_path / "a.pdf", rows, *style)
    assert table.metadata["rows"] == [["Duck", "Duck"], *rows[1:]]


def test_a_head_over_several_columns_without_rules_spans_them(tmp_path):
    rows = [
        ["", "Year ended December", ""],
        ["", "2023", "2024"],
        ["Sales", "100", "120"],
        ["Costs", "80", "90"],
    ]
    style = [("SPAN", (1, 0), (2, 0)), ("ALIGN", (1, 0), (-1, -1), "CENTER")]
    [table] = tables_of(tmp_path / "a.pdf", rows, *style)
    assert table.metadata["merged"] == [{"row": 0, "column": 1, "row_span": 1, "column_span": 2}]
    assert table.metadata["rows"][1:] == rows[1:]


def statements(path: Path, pages: list[list[list[tuple[float, str]]]], top: float = 800) -> list[Block]:
    """Write pages of rows, each of (x, text), below a running header, and return their tables."""
    sheet = canvas.Canvas(str(path), pagesize=A4)
    for rows in pages:
        sheet.setFont("Helvetica", 9)
        sheet.drawString(72, 820, "Ardent Mills annual report")
        for number, row in enumerate(rows):
            for x, text in row:
                sheet.drawString(x, top - 14 * number, text)
        sheet.showPage()
    sheet.save()
    parsed = parse_pdf(path, ParsingSettings()).blocks
    assert len(pages) == 1 or [b.text for b in parsed if "running" in b.metadata] == ["Ardent Mills annual report"]
    return [block for block in parsed if block.kind == "table"]


@pytest.mark.parametrize(
    "years", [("2023", "2022"), ("January 28, 2023", "January 29, 2022"), ("07/17/2015", "08/03/2015")]
)
def test_the_years_above_statements_are_no_running_header_although_they_repeat(tmp_path, years):
    items = ("Wheat", "Flour", "Bran", "Semolina")
    pages = [
        [
            [(300, years[0]), (430, years[1])],
            *[[(72, f"{item} {mill}"), (320, f"{k + 1},310"), (450, f"{k + 1},720")] for k, item in enumerate(items)],
        ]
        for mill in ("in the north", "of the south", "by the sea", "on the hill")
    ]
    tables = statements(tmp_path / "a.pdf", pages)
    assert [table.metadata["rows"][0] for table in tables] == [["", *years]] * 4


def test_a_running_header_with_a_year_and_a_page_number_is_none_of_a_table(tmp_path):
    sheet = canvas.Canvas(str(tmp_path / "a.pdf"), pagesize=A4)
    for number, word in enumerate(("north", "south", "east", "west"), 1):
        sheet.drawString(72, 810, "Annual Report 2023")
        sheet.drawString(480, 810, f"{number}")
        sheet.drawString(72, 700, f"The mill in the {word} ground more wheat than in any year before.")
        sheet.showPage()
    sheet.save()
    texts = [block.text for block in parse_pdf(tmp_path / "a.pdf", ParsingSettings()).blocks]
    assert len(texts) == 5 and all("mill" in text for text in texts[:4]) and texts[4] == "Annual Report 2023"


def test_a_year_above_a_column_of_signs_belongs_to_the_numbers(tmp_path):
    rows = [
        [(300, "2023"), (400, "2022")],
        [(72, "Cash"), (302, "$"), (330, "2,853"), (402, "$"), (430, "3,053")],
        [(72, "Receivables"), (330, "5,020"), (430, "4,911")],
        [(72, "Inventories"), (330, "4,366"), (430, "4,034")],
        [(72, "Total current assets"), (324, "13,709"), (424, "14,277")],
    ]
    [table] = statements(tmp_path / "a.pdf", [rows])
    assert table.metadata["rows"][:3] == [
        ["", "2023", "2022"],
        ["Cash", "$2,853", "$3,053"],
        ["Receivables", "5,020", "4,911"],
    ]


def test_a_box_of_one_row_is_no_table(tmp_path):
    assert tables_of(tmp_path / "a.pdf", [["Draft", "Confidential"]], GRID) == []


def test_numbers_at_one_height_on_every_page_are_no_running_line_unless_they_are_the_same():
    def page(number: int, *texts: str) -> list[Line]:
        boxes = ((72, 20 + 12 * row) for row in range(len(texts)))
        return [
            Line(x, y, x + 60, y + 10, text, number, y + 9, 9.0, 0.0, False, "F", 0)
            for text, (x, y) in zip(texts, boxes, strict=True)
        ] + [Line(72, 400, 200, 410, f"Body {number}", number, 409, 9.0, 0.0, False, "F", 0)]

    pages = [page(n, "88123", f"{n * 37}.50", f"Page {n}") for n in range(1, 5)]
    assert running_lines(pages, [800.0] * 4) == {id(lines[at]) for lines in pages for at in (0, 2)}


def three_rules(head: int = 0) -> list[tuple[Any, ...]]:
    places = (("LINEABOVE", 0), ("LINEBELOW", head), ("LINEBELOW", -1))
    return [(kind, (0, row), (-1, row), 0.7, black) for kind, row in places]


def test_three_rules_make_a_table_of_two_rows_and_of_wrapped_cells(tmp_path):
    long = Paragraph("carries rail and road and those who walk", TEXT)
    rows = [["Bridge", "Use"], ["Harbour", long], ["River", "closed"]]
    [table] = tables_of(tmp_path / "a.pdf", rows, *three_rules(), width=110)
    assert table.metadata["rows"][1:] == [
        ["Harbour", "carries rail and road and those who walk"],
        ["River", "closed"],
    ]
    [small] = tables_of(tmp_path / "b.pdf", rows[::2], *three_rules())
    assert small.metadata["rows"] == [["Bridge", "Use"], ["River", "closed"]]


def test_a_cell_that_reaches_over_two_columns_between_three_rules_spans_them(tmp_path):
    rows = [["Pier", "Height", "Width"], ["North", "not measured at all", ""], ["South", "12", "5"]]
    [table] = tables_of(tmp_path / "a.pdf", rows, *three_rules(), ("SPAN", (1, 1), (2, 1)))
    assert table.metadata["rows"][1:] == [
        ["North", "not measured at all", "not measured at all"],
        ["South", "12", "5"],
    ]


def test_rules_under_columns_of_figures_part_no_table_from_its_names(tmp_path):
    rows = [["", "2023", "2024"], ["Sales", "120", "140"], ["Costs", "70", "90"], ["Profit", "50", "50"]]
    rules = [("LINEBELOW", (1, row), (-1, row), 0.7, black) for row in (0, 2, 3)]
    [table] = tables_of(tmp_path / "a.pdf", rows, *rules)
    assert [row[0] for row in table.metadata["rows"]] == ["", "Sales", "Costs", "Profit"]


def test_rules_around_the_parts_of_a_form_are_a_frame_and_its_columns_are_read_apart(tmp_path):
    left, top, right, bottom = 60, 780, 520, 540
    sheet = canvas.Canvas(str(tmp_path / "form.pdf"), pagesize=A4)
    sheet.setFont("Helvetica", 9)
    for y in (top, 680, 570, bottom):
        sheet.line(left, y, right, y)
    for x in (left, right):
        sheet.line(x, top, x, bottom)
    sheet.line(300, 570, 300, bottom)
    labels = [("Insured", "Ida Kern"), ("Claim", "SF-1008"), ("Phone", "425 111"), ("Colour", "White")]
    costs = [("Parts", "-", "2,100"), ("Body", "2", "300"), ("Paint", "1.5", "225"), ("Tax", "-", "278")]
    for row, (name, value) in enumerate([*labels, ("Estimator", "Ellis")]):
        sheet.drawString(70, 765 - 15 * row, name)
        sheet.drawString(250, 765 - 15 * row, value)
    for row, (name, hours, cost) in enumerate([("Work", "Hours", "Cost"), *costs]):
        sheet.drawString(70, 660 - 15 * row, name)
        sheet.drawString(250, 660 - 15 * row, hours)
        sheet.drawString(420, 660 - 15 * row, cost)
    sheet.drawString(70, 558, "Total")
    sheet.drawString(420, 558, "2,903")
    sheet.save()
    tables = [block for block in parse_pdf(tmp_path / "form.pdf", ParsingSettings()).blocks if block.kind == "table"]
    rows = [[cell for cell in row if cell] for table in tables for row in table.metadata["rows"]]
    assert ["Insured", "Ida Kern"] in rows
    assert ["Body", "2", "300"] in rows


def test_words_below_one_cell_alone_go_on_in_that_cell(tmp_path):
    rows = [
        [(72, "No."), (130, "Payee"), (280, "For"), (480, "Amount")],
        [(72, "A-31"), (130, "Travel card"), (280, "Transportation"), (480, "618.00")],
        [(280, "Air fare to Saint Louis")],
        [(72, "A-32"), (130, "Own card"), (280, "Transportation"), (480, "553.30")],
        [(280, "Train fare to New York")],
        [(72, "Sum"), (480, "1,171.30")],
    ]
    [table] = statements(tmp_path / "a.pdf", [rows])
    assert table.metadata["rows"][1:3] == [
        ["A-31", "Travel card", "Transportation Air fare to Saint Louis", "618.00"],
        ["A-32", "Own card", "Transportation Train fare to New York", "553.30"],
    ]


def test_a_long_name_that_reaches_into_a_column_of_figures_leaves_it_one(tmp_path):
    lines = [
        ("2017", "", "", "2018"),
        ("2728.43", "Opening Balance", "", "3040.92"),
        ("", "Plus Receipts", "", ""),
        ("2000.00", "Parish levies", "1300.00", ""),
        ("182.45", "Licensing services", "896.00", ""),
        ("1090.10", "Expenses of the clerk", "169.70", ""),
        ("600.00", "Honorarium", "1200.00", ""),
        ("", "Student support", "1500.00", ""),
        ("1870.10", "Total Expenses", "", "3009.70"),
        ("", "Bank Statement Balance at the end of March 2018", "", "2312.22"),
    ]
    sheet = canvas.Canvas(str(tmp_path / "a.pdf"), pagesize=A4)
    sheet.setFont("Helvetica", 10)
    for row, (before, name, inner, outer) in enumerate(lines):
        y = 700 - 24 * row
        sheet.drawRightString(120, y, before)
        sheet.drawString(150, y, name)
        sheet.drawRightString(365, y, inner)
        sheet.drawRightString(450, y, outer)
    sheet.save()
    [table] = [block for block in parse_pdf(tmp_path / "a.pdf", ParsingSettings()).blocks if block.kind == "table"]
    assert [tuple(row) for row in table.metadata["rows"]] == lines


def test_indented_names_are_one_column_with_the_names_of_their_groups(tmp_path):
    lines = [
        (72, "Nonvested balance", "", ""),
        *((90, f"Granted in year {n}", f"{n}94", f"16{n}.60") for n in range(1, 8)),
        (72, "As of December", "789", "180.02"),
    ]
    sheet = canvas.Canvas(str(tmp_path / "a.pdf"), pagesize=A4)
    for row, (x, name, shares, value) in enumerate(lines):
        sheet.drawString(x, 700 - 18 * row, name)
        sheet.drawRightString(320, 700 - 18 * row, shares)
        sheet.drawRightString(420, 700 - 18 * row, value)
    sheet.save()
    [table] = [block for block in parse_pdf(tmp_path / "a.pdf", ParsingSettings()).blocks if block.kind == "table"]
    assert [len(row) for row in table.metadata["rows"]] == [3] * len(table.metadata["rows"])
    assert table.metadata["rows"][-1] == ["As of December", "789", "180.02"]


def test_a_column_that_has_a_head_alone_is_one(tmp_path):
    lines = [
        ("Item", "Budget", "Spent", "Planned", "Left"),
        *((f"Item {n}", f"{n}00", f"{n}20", f"{n}30", "") for n in range(1, 12)),
    ]
    sheet = canvas.Canvas(str(tmp_path / "a.pdf"), pagesize=A4)
    for row, cells in enumerate(lines):
        for x, cell in zip((72, 180, 280, 380, 480), cells, strict=True):
            sheet.drawString(x, 700 - 18 * row, cell)
    sheet.save()
    [table] = [block for block in parse_pdf(tmp_path / "a.pdf", ParsingSettings()).blocks if block.kind == "table"]
    assert [tuple(row) for row in table.metadata["rows"]] == lines
