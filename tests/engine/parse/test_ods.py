from pathlib import Path

import pytest
from odf_files import cell, odf_file, p, row, table

from engine.config import ParsingSettings
from engine.errors import LimitExceededError, UnreadableFileError
from engine.model import ParsedFile
from engine.parse.dispatch import parse_file


def sheets(folder: Path, *tables: str, automatic: str = "") -> ParsedFile:
    path = odf_file(folder / "a.ods", "spreadsheet", "".join(tables), automatic=automatic)
    return parse_file(path, "a.ods", ParsingSettings())


def words(*texts: str) -> str:
    return row(*(cell(p(text)) if text else cell() for text in texts))


def test_a_sheet_is_a_section_and_its_tables_have_addresses(tmp_path):
    found = sheets(tmp_path, table(words("Year", "Sum"), words("2024", "12 %")), table(words("x"), name="My notes"))
    assert [(b.kind, b.text, b.page, b.cell) for b in found.blocks] == [
        ("heading", "Sheet1", 1, None), ("table", "Year | Sum\n2024 | 12 %", 1, "Sheet1!A1:B2"),
        ("heading", "My notes", 2, None), ("paragraph", "x", 2, "'My notes'!A1"),
    ]  # fmt: skip
    assert found.pages == 2


def test_repeated_empty_cells_and_rows_keep_their_place(tmp_path):
    found = sheets(
        tmp_path,
        table(
            row(cell(number_columns_repeated=16384), number_rows_repeated=9),
            row(cell(number_columns_repeated=2), cell(p("here"))),
            row(cell(number_columns_repeated=16384), number_rows_repeated=1_048_566),
        ),
    )
    assert found.blocks[1].cell == "Sheet1!C10"


def test_merged_cells_stand_in_every_place_they_cover(tmp_path):
    merged = cell(p("Both"), number_columns_spanned=2, number_rows_spanned=1)
    found = sheets(tmp_path, table(row(merged, "<table:covered-table-cell/>"), words("a", "b"), words("1", "2")))
    part = found.blocks[-1]
    assert "Both" in part.text or found.blocks[1].text == "Both"
    assert part.metadata["rows"][-1] == ["1", "2"]


def test_comments_are_anchored_to_their_cell(tmp_path):
    note = f"<office:annotation>{p('Check this.')}</office:annotation>"
    found = sheets(tmp_path, table(row(cell(note, p("12"))))).blocks
    assert (found[1].text, found[2].text, found[2].cell) == ("12", "Check this.", "Sheet1!A1")


def test_a_hidden_sheet_is_read_and_told(tmp_path):
    style = (
        '<style:style style:name="t" style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    found = sheets(tmp_path, table(words("x"), style="t"), automatic=style)
    assert found.blocks[0].metadata == {"hidden": True}
    assert "hidden" in found.warnings[0]


def test_a_value_repeated_without_end_is_refused(tmp_path):
    with pytest.raises(LimitExceededError, match="filled cells"):
        sheets(tmp_path, table(row(cell(p("x"), number_columns_repeated=16384), number_rows_repeated=1_000_000)))


def test_contents_that_break_off_end_with_what_stood_before(tmp_path):
    broken = f'<table:table table:name="A">{words("x")}<table:table-row><table:table-cell'
    path = odf_file(tmp_path / "a.ods", "spreadsheet", broken)
    assert [block.text for block in parse_file(path, "a.ods", ParsingSettings()).blocks] == ["A", "x"]


def test_contents_without_a_body_cannot_be_read(tmp_path):
    path = odf_file(tmp_path / "a.ods", "spreadsheet", "")
    path.write_bytes(path.read_bytes().replace(b"content.xml", b"another.xml"))
    with pytest.raises(UnreadableFileError, match="readable contents"):
        parse_file(path, "a.ods", ParsingSettings())
