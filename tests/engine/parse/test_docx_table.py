from pathlib import Path

import docx
import pytest
from word_files import cell, paragraph, table, word_file

from engine.parse.docx import parse_docx


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "table.docx"


def only_table(path: Path):
    (block,) = (block for block in parse_docx(path, path.name).blocks if block.kind == "table")
    return block


def test_cells_stand_in_rows_and_columns(target):
    word_file(target, table(cell("Name") + cell("Price"), cell("Apple") + cell("2 €")))
    block = only_table(target)
    assert block.metadata["rows"] == [["Name", "Price"], ["Apple", "2 €"]]
    assert block.text == "Name | Price\nApple | 2 €"
    assert block.metadata["header_rows"] == 1


def test_a_merged_cell_stands_in_every_place_it_covers_and_once_in_the_text(target):
    rows = (
        cell("Region", merge="restart") + cell("Sales", span=2),
        cell("", merge="continue") + cell("2023") + cell("2024"),
        cell("North") + cell("1") + cell("2"),
    )
    word_file(target, table(*rows))
    block = only_table(target)
    assert block.metadata["rows"] == [
        ["Region", "Sales", "Sales"],
        ["Region", "2023", "2024"],
        ["North", "1", "2"],
    ]
    assert block.metadata["merged"] == [
        {"row": 0, "column": 0, "row_span": 2, "column_span": 1},
        {"row": 0, "column": 1, "row_span": 1, "column_span": 2},
    ]
    assert block.text == "Region | Sales\n2023 | 2024\nNorth | 1 | 2"


def test_merges_made_by_python_docx_are_seen(target):
    document = docx.Document()
    grid = document.add_table(rows=3, cols=3)
    for row in range(3):
        for column in range(3):
            grid.cell(row, column).text = f"{row}{column}"
    grid.cell(0, 0).merge(grid.cell(1, 1))
    document.save(str(target))
    block = only_table(target)
    assert block.metadata["merged"] == [{"row": 0, "column": 0, "row_span": 2, "column_span": 2}]
    assert block.metadata["rows"][2] == ["20", "21", "22"]
    assert block.metadata["rows"][1][2] == "12"


def test_rows_that_repeat_as_headers_are_counted(target):
    header = "<w:trPr><w:tblHeader/></w:trPr>"
    rows = (header + cell("A") + cell("B"), header + cell("a") + cell("b"), cell("1") + cell("2"))
    word_file(target, table(*rows))
    assert only_table(target).metadata["header_rows"] == 2


def test_a_table_whose_look_sets_no_row_off_has_no_header(target):
    word_file(target, table(cell("1") + cell("2"), cell("3") + cell("4"), properties='<w:tblLook w:firstRow="0"/>'))
    assert only_table(target).metadata["header_rows"] == 0


def test_paragraphs_in_a_cell_are_its_lines(target):
    word_file(target, table(cell(paragraph("one") + paragraph("two")) + cell("x")))
    assert only_table(target).metadata["rows"] == [["one\ntwo", "x"]]


def test_a_nested_table_is_read_in_its_cell(target):
    inner = table(cell("a") + cell("b"), cell("c") + cell("d"))
    word_file(target, table(cell("<w:p/>" + inner) + cell("x")))
    assert only_table(target).metadata["rows"] == [["a | b\nc | d", "x"]]


def test_a_row_that_starts_late_keeps_its_columns(target):
    late = '<w:trPr><w:gridBefore w:val="1"/></w:trPr>' + cell("2")
    word_file(target, table(cell("a") + cell("b"), late))
    assert only_table(target).metadata["rows"] == [["a", "b"], ["", "2"]]


def test_an_empty_table_is_left_out(target):
    word_file(target, table(cell("") + cell(""), cell("") + cell("")) + paragraph("text"))
    assert [block.kind for block in parse_docx(target, "x").blocks] == ["paragraph"]


def test_inserted_rows_count_and_controls_around_cells_do_not_hide_them(target):
    wrapped = f"<w:sdt><w:sdtContent>{cell('a')}</w:sdtContent></w:sdt>"
    word_file(target, table(wrapped + cell("b"), cell("c") + cell("d")))
    assert only_table(target).metadata["rows"] == [["a", "b"], ["c", "d"]]
