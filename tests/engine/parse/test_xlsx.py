import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.workbook.defined_name import DefinedName

from engine.config import ParsingSettings
from engine.errors import LimitExceededError, UnreadableFileError
from engine.parse.detect import detect
from engine.parse.dispatch import parse_file
from engine.parse.sheet_regions import Region, Sheet, region_blocks
from engine.parse.xlsx import parse_xlsx

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "book.xlsx"


def blocks_of(path: Path):
    return parse_xlsx(path, path.name).blocks


def tables_of(path: Path):
    return [block for block in blocks_of(path) if block.kind == "table"]


def workbook(path: Path, *rows, title: str = "Sheet1"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return book


def raw_workbook(path: Path, sheet: str, **parts: str) -> Path:
    """Write a workbook whose only sheet holds exactly this XML."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.'
            'openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships><Relationship Id="a" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="s"/></sheets>'
            "</workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships><Relationship Id="s" Type="{OFFICE}/worksheet" Target="sheet.xml"/></Relationships>',
        )
        archive.writestr("xl/sheet.xml", sheet)
        for name, content in parts.items():
            archive.writestr(f"xl/{name}.xml", content)
    return path


def sheet(body: str, before: str = "") -> str:
    return f'<worksheet xmlns="{MAIN}">{before}<sheetData>{body}</sheetData></worksheet>'


def test_a_sheet_is_a_section_and_its_filled_cells_a_table_with_an_address(target):
    workbook(target, ["Fruit", "Price"], ["Apple", 2], ["Pear", 3.5], title="My prices")
    heading, table = blocks_of(target)
    assert (heading.kind, heading.text, heading.page, heading.level) == ("heading", "My prices", 1, 1)
    assert table.metadata["rows"] == [["Fruit", "Price"], ["Apple", "2"], ["Pear", "3.5"]]
    assert (table.page, table.cell, table.metadata["header_rows"]) == (1, "'My prices'!A1:B3", 1)
    assert table.metadata["row_numbers"] == [1, 2, 3]


def test_a_workbook_without_a_title_is_named_by_its_file(target):
    workbook(target, ["a", "b"], [1, 2])
    assert parse_xlsx(target, "Budget 2026.xlsx").title == "Budget 2026"


def test_sheets_are_numbered_as_pages_and_hidden_ones_are_told(target):
    book = workbook(target, ["a", "b"], [1, 2])
    book.create_sheet("Empty")
    hidden = book.create_sheet("Lists")
    hidden.append(["x", "y"])
    hidden.sheet_state = "hidden"
    book.save(target)
    parsed = parse_xlsx(target, "book.xlsx")
    assert parsed.pages == 3
    assert [(b.text, b.page) for b in parsed.blocks if b.kind == "heading"] == [("Sheet1", 1), ("Lists", 3)]
    assert any("“Lists” is hidden" in warning for warning in parsed.warnings)


def test_a_sheet_that_only_a_program_can_show_is_left_out_and_told(target):
    book = workbook(target, ["a", "b"], [1, 2])
    cache = book.create_sheet("_cache")
    cache.append(["H4sIAAAAAAAEAM2QQUvDMBTHv"])
    cache.sheet_state = "veryHidden"
    book.save(target)
    parsed = parse_xlsx(target, "book.xlsx")
    assert not any("H4sI" in block.text for block in parsed.blocks)
    assert any("“_cache” cannot be shown" in warning for warning in parsed.warnings)


def test_empty_rows_and_columns_part_tables(target):
    book = openpyxl.Workbook()
    page = book.active
    for row in range(1, 4):
        page.cell(row, 1, f"a{row}"), page.cell(row, 2, f"b{row}")
        page.cell(row, 5, f"e{row}"), page.cell(row, 6, f"f{row}")
        page.cell(row + 6, 2, f"x{row}"), page.cell(row + 6, 3, f"y{row}")
    book.save(target)
    assert [table.cell for table in tables_of(target)] == ["Sheet!A1:B3", "Sheet!E1:F3", "Sheet!B7:C9"]


def test_tables_that_touch_at_a_corner_only_are_two(target):
    book = openpyxl.Workbook()
    for row in (1, 2):
        for column in (1, 2):
            book.active.cell(row, column, f"{row}{column}x")
            book.active.cell(row + 2, column + 2, f"{row}{column}y")
    book.save(target)
    assert [table.cell for table in tables_of(target)] == ["Sheet!A1:B2", "Sheet!C3:D4"]


def test_an_empty_cell_inside_does_not_part_a_table(target):
    workbook(target, ["a", "b", "c"], ["x", None, "z"], [None, "y", None])
    (table,) = tables_of(target)
    assert table.metadata["rows"] == [["a", "b", "c"], ["x", "", "z"], ["", "y", ""]]


def test_merged_cells_stand_everywhere_they_cover(target):
    book = workbook(target, ["Region", "Sales", None], [None, "2023", "2024"], ["North", 1, 2], ["South", 3, 4])
    book.active.merge_cells("A1:A2")
    book.active.merge_cells("B1:C1")
    book.save(target)
    (table,) = tables_of(target)
    assert table.metadata["rows"][:2] == [["Region", "Sales", "Sales"], ["Region", "2023", "2024"]]
    assert table.metadata["merged"] == [
        {"row": 0, "column": 0, "row_span": 2, "column_span": 1},
        {"row": 0, "column": 1, "row_span": 1, "column_span": 2},
    ]
    assert table.metadata["header_rows"] == 2


def test_a_title_over_a_table_is_its_caption(target):
    book = workbook(target, ["Sales 2024", None, None], ["Region", "Q1", "Q2"], ["North", 1, 2])
    book.active.merge_cells("A1:C1")
    book.save(target)
    _, caption, table = blocks_of(target)
    assert (caption.kind, caption.text, caption.cell) == ("caption", "Sales 2024", "Sheet1!A1")
    assert table.cell == "Sheet1!A2:C3"


def test_a_lone_cell_is_a_paragraph(target):
    workbook(target, ["All figures are in thousands."], [], ["a", "b"], ["c", "d"])
    kinds = [(block.kind, block.cell) for block in blocks_of(target)]
    assert kinds == [("heading", None), ("paragraph", "Sheet1!A1"), ("table", "Sheet1!A3:B4")]


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (0.256, "0.0%", "25.6%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"),
        (1234.5, '[$€-407] #,##0.00', "€ 1,234.50"),
        (1500000, '0.0,,"M"', "1.5M"),
        (0.1 + 0.2, "General", "0.3"),
        (2.5, "0.0##", "2.5"),
        (7, "000", "007"),
        (0.000123, "0.00E+00", "1.23E-04"),
        (datetime.date(2024, 3, 9), "yyyy-mm-dd", "2024-03-09"),
        (datetime.date(2024, 3, 9), "d mmmm yyyy", "9 March 2024"),
        (datetime.date(2024, 3, 9), 'yyyy"年"m"月"d"日"', "2024年3月9日"),
        (datetime.datetime(2024, 3, 9, 15, 4), "dd/mm/yy h:mm AM/PM", "09/03/24 3:04 PM"),
        (datetime.timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
        (True, "General", "TRUE"),
        ("007", "@", "007"),
    ],
)  # fmt: skip
def test_values_are_shown_as_their_formats_show_them(target, value, code, shown):
    book = openpyxl.Workbook()
    book.active.append(["label", value])
    book.active["B1"].number_format = code
    book.save(target)
    (table,) = tables_of(target)
    assert table.metadata["rows"][0][1] == shown


def test_a_formula_is_read_as_its_stored_result(target):
    body = '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*21</f><v>42</v></c><c r="C1"><f>NOW()</f></c></row>'
    (table,) = tables_of(raw_workbook(target, sheet(body)))
    assert table.metadata["rows"] == [["2", "42", "=NOW()"]]


def test_formulas_without_stored_results_are_computed_or_shown_and_told(target):
    body = (
        '<row r="1"><c r="A1"><v>12</v></c><c r="B1"><v>85</v></c>'
        '<c r="C1"><f t="shared" ref="C1:C2" si="0">A1*$B1</f></c></row>'
        '<row r="2"><c r="A2"><v>5</v></c><c r="B2"><v>240</v></c><c r="C2"><f t="shared" si="0"/><v></v></c></row>'
        '<row r="3"><c r="A3"><f>IF(A1&gt;A2,10%*A1,0)</f></c><c r="B3"><f>VLOOKUP(A1,A1:B2,2)</f></c>'
        '<c r="C3"><f>ROUND(SUM(C1:C2)/3,2)</f></c></row>'
        '<row r="4"><c r="A4"><f>A4+1</f></c><c r="B4"><f>B3*2</f></c><c r="C4" t="str"><f>""</f><v></v></c></row>'
    )
    parsed = parse_xlsx(raw_workbook(target, sheet(body)), "book.xlsx")
    assert parsed.blocks[1].metadata["rows"] == [
        ["12", "85", "1020"],
        ["5", "240", "1200"],
        ["1.2", "=VLOOKUP(A1,A1:B2,2)", "740"],
        ["=A4+1", "=B3*2", ""],
    ]
    assert "7 formulas without stored results: 4 were computed, 3 are shown" in parsed.warnings[0]


def test_an_empty_cell_that_a_formula_reckons_with_counts_as_nothing_and_a_text_gives_no_result(target):
    body = (
        '<row r="1"><c r="A1"><v>80</v></c><c r="C1" t="inlineStr"><is><t>none</t></is></c><c r="D1"><v>7</v></c></row>'
        '<row r="2"><c r="A2"><f>A1-B1</f></c><c r="B2"><f>A1-C1</f></c><c r="C2"><f>AVERAGE(A1:B1)</f></c>'
        '<c r="D2"><f>A1/B1</f></c></row>'
    )
    (table,) = tables_of(raw_workbook(target, sheet(body)))
    assert table.metadata["rows"] == [["80", "", "none", "7"], ["80", "=A1-C1", "80", "=A1/B1"]]


def test_long_numbers_are_kept_digit_by_digit(target):
    body = '<row r="1"><c r="A1"><v>1234567890123456</v></c><c r="B1"><v>6217000010012345678</v></c></row>'
    (table,) = tables_of(raw_workbook(target, sheet(body)))
    assert table.metadata["rows"] == [["1234567890123456", "6217000010012345678"]]


def test_a_text_box_is_read_with_the_cell_it_stands_at(target):
    a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    drawing = (
        f"<wsDr {a}><twoCellAnchor><from><col>5</col><row>1</row></from><sp><txBody><a:p><a:r><a:t>Orders above "
        "5,000 euros</a:t></a:r></a:p><a:p><a:r><a:t>need two signatures.</a:t></a:r></a:p></txBody></sp>"
        "</twoCellAnchor></wsDr>"
    )
    links = f'<Relationships><Relationship Id="d" Type="{OFFICE}/drawing" Target="d.xml"/></Relationships>'
    raw_workbook(target, sheet(""), d=drawing)
    with ZipFile(target, "a") as archive:
        archive.writestr("xl/_rels/sheet.xml.rels", links)
    _, box = blocks_of(target)
    assert (box.text, box.cell) == ("Orders above 5,000 euros\nneed two signatures.", "S!F2")


def test_dates_of_old_mac_workbooks_count_from_1904(target):
    book = openpyxl.Workbook()
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    book.active.append(["day", datetime.date(2024, 3, 9)])
    book.active["B1"].number_format = "yyyy-mm-dd"
    book.save(target)
    (table,) = tables_of(target)
    assert table.metadata["rows"] == [["day", "2024-03-09"]]


def test_a_long_table_comes_in_parts_that_repeat_the_header(target):
    workbook(target, ["Id", "Name"], *([n, f"name {n}"] for n in range(1, 451)))
    parts = tables_of(target)
    assert [part.cell for part in parts] == ["Sheet1!A1:B201", "Sheet1!A202:B401", "Sheet1!A402:B451"]
    assert parts[1].metadata["rows"][:2] == [["Id", "Name"], ["201", "name 201"]]
    assert parts[1].metadata["row_numbers"][:2] == [1, 202]
    assert [part.metadata["part"] for part in parts] == [[1, 3], [2, 3], [3, 3]]
    assert all(part.metadata["header_rows"] == 1 for part in parts)


def test_notes_on_cells_are_paragraphs_with_their_cell(target):
    book = workbook(target, ["a", "b"], [1, 2])
    book.active["B2"].comment = Comment("Estimated.", "Jane")
    book.save(target)
    note = blocks_of(target)[-1]
    assert (note.kind, note.cell, note.metadata["note"]) == ("paragraph", "Sheet1!B2", "comment")
    assert "Estimated." in note.text


def test_charts_are_told_as_not_read(target):
    book = workbook(target, ["x", "y"], [1, 2], [2, 4])
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    book.active.add_chart(chart, "E2")
    book.save(target)
    assert parse_xlsx(target, "b").warnings == ["Sheet “Sheet1” has a chart that was not read."]


def test_a_workbook_is_told_by_its_content(target):
    workbook(target, ["a", "b"], [1, 2])
    path = target.rename(target.with_name("report.docx"))
    assert detect(path, path.name) == "xlsx"
    parsed = parse_file(path, path.name, ParsingSettings())
    assert parsed.media_type == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_what_a_sheet_claims_about_its_size_costs_nothing(target):
    far = '<row r="1048576"><c r="XFD1048576"><v>3</v></c></row>'
    body = f'<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>{far}'
    parts = blocks_of(raw_workbook(target, sheet(body, '<dimension ref="A1:XFD1048576"/>')))
    assert [part.cell for part in parts] == [None, "S!A1:B1", "S!XFD1048576"]


def test_a_merge_over_everything_is_cut_to_what_is_filled(target):
    body = '<row r="1"><c r="A1"><v>1</v></c></row><row r="3"><c r="C3"><v>3</v></c></row>'
    xml = sheet(body).replace("</sheetData>", '</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>')
    (table,) = tables_of(raw_workbook(target, xml))
    assert table.cell == "S!A1:C3"


def test_a_huge_table_that_is_nearly_empty_is_refused(target):
    chain = "".join(
        f'<row r="{n}"><c r="{openpyxl.utils.get_column_letter(n)}{n}"><v>1</v></c>'
        f'<c r="{openpyxl.utils.get_column_letter(n + 1)}{n}"><v>1</v></c></row>'
        for n in range(1, 4000)
    )
    with pytest.raises(LimitExceededError, match="Split it"):
        blocks_of(raw_workbook(target, sheet(chain)))


@pytest.mark.parametrize(
    "body", ["<row><c><v>1</v></c><c><v>2</v></c></row>", '<row r="x"><c r="?"><v>1</v></c></row>']
)
def test_missing_and_broken_addresses_do_no_harm(target, body):
    assert blocks_of(raw_workbook(target, sheet(body))) is not None


def test_an_entity_bomb_in_a_sheet_is_refused(target):
    bomb = f'<!DOCTYPE x [<!ENTITY a "aaaa">]>{sheet("")}'
    with pytest.raises(UnreadableFileError, match="entities"):
        blocks_of(raw_workbook(target, bomb))


def test_entities_declared_far_down_are_refused(target):
    body = '<row r="1"><c r="A1" t="inlineStr"><is><t>&amp;&a;</t></is></c></row>'
    bomb = f'<?xml version="1.0"?>{" " * 5000}<!DOCTYPE x [<!ENTITY a "aaaa">]>{sheet(body)}'
    with pytest.raises(UnreadableFileError, match="entities"):
        blocks_of(raw_workbook(target, bomb))


def test_a_sheet_that_breaks_off_is_read_up_to_there(target):
    whole = sheet(
        "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><v>1</v></c></row>' for n in range(1, 50))
    )
    parsed = parse_xlsx(raw_workbook(target, whole[:-400]), "b")
    assert any("damaged" in warning for warning in parsed.warnings)
    assert parsed.blocks[1].metadata["rows"][0] == ["1", "1"]


def test_a_workbook_without_its_main_part_is_told(target):
    raw_workbook(target, sheet(""))
    with ZipFile(target) as archive:
        kept = {name: archive.read(name) for name in archive.namelist() if name != "xl/workbook.xml"}
    with ZipFile(target, "w") as archive:
        for name, data in kept.items():
            archive.writestr(name, data)
    with pytest.raises(UnreadableFileError, match="readable workbook"):
        parse_xlsx(target, "b.xlsx")


def test_a_workbook_with_spoiled_bytes_is_damaged_or_read(target):
    workbook(target, *([n, f"name {n}", n * 1.5] for n in range(200)))
    whole = target.read_bytes()
    for at in range(300, len(whole) - 30, len(whole) // 15):
        target.write_bytes(whole[:at] + bytes((whole[at] ^ 0xFF,)) + whole[at + 1 :])
        try:
            parse_file(target, "b.xlsx", ParsingSettings())
        except UnreadableFileError as error:
            assert "Error" not in str(error)


@pytest.mark.parametrize("name", ["VAT_Rate", "增值税率"])
def test_names_of_cells_ranges_and_constants_are_read_with_what_they_mean(target, name):
    book = workbook(target, ("Item", "Rate"), ("Books", 7), title="My data")
    for defined, meant in {
        name: "'My data'!$B$2", "Rates": "'My data'!$A$1:$B$2", "Days": "365", "_hid": "1", "Gone": "#REF!"
    }.items():  # fmt: skip
        book.defined_names[defined] = DefinedName(defined, attr_text=meant)
    book.save(target)
    found = [(block.text, block.cell) for block in blocks_of(target) if block.kind == "list_item"]
    assert found == [
        (f"{name}: 7", "'My data'!B2"),
        ("Rates: 'My data'!A1:B2", "'My data'!A1:B2"),
        ("Days: 365", None),
    ]


def test_a_column_with_an_empty_row_in_it_is_read():
    sheet = Sheet(rows={1: {1: "Total"}, 3: {1: "12"}})
    (block,) = region_blocks(sheet, Region(1, 1, 3, 1), "book.xlsx")
    assert block.text == "Total\n12"


def test_titles_over_an_empty_row_are_the_titles_of_the_first_table(target):
    rows = [["Sales 2024"], ["Amounts in EUR thousand"], [], ["Country", "Manager", "Sales"], ["Italy", "M. Rossi", 5]]
    workbook(target, *rows)
    (table,) = tables_of(target)
    assert [row[0] for row in table.metadata["rows"]] == ["Sales 2024", "Amounts in EUR thousand", "Country", "Italy"]


def test_notes_alone_in_their_rows_are_paragraphs_though_they_are_merged_over_columns(target):
    book = workbook(target, ["Fruit", "Price"], ["Apple", 2], [], ["(a) Without tax."], ["(b) As of May."])
    book.active.merge_cells("A4:B4")
    book.save(target)
    assert [block.text for block in blocks_of(target)[2:]] == ["(a) Without tax.", "(b) As of May."]


def test_amounts_of_another_year_beside_an_empty_column_are_of_the_rows_on_their_left(target):
    rows = [
        [None, "2022", None, None, "2023", None],
        ["Site", "Power", "Gas", None, "Power", "Gas"],
        ["North", 100, 50, None, 120, 40],
        ["South", 200, 80, None, 210, 70],
    ]
    book = workbook(target, *rows)
    book.active.merge_cells("B1:C1")
    book.active.merge_cells("E1:F1")
    book.save(target)
    (table,) = tables_of(target)
    assert table.metadata["rows"][2] == ["North", "100", "50", "", "120", "40"]
