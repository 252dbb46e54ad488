from pathlib import Path

import pytest

from engine.config import ParsingSettings
from engine.errors import LimitExceededError
from engine.parse.delimited import parse_csv
from engine.parse.detect import detect
from engine.parse.dispatch import parse_file


def only_table(text: str | bytes):
    (block,) = parse_csv(text if isinstance(text, bytes) else text.encode(), "t.csv").blocks
    return block


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^", "~"])
def test_the_delimiter_is_told_from_the_lines(delimiter):
    rows = [["Name", "City", "Age"], ["Ann", "Paris", "31"], ["Bob", "Rome", "45"]]
    block = only_table("\n".join(delimiter.join(row) for row in rows))
    assert block.metadata["rows"] == rows
    assert (block.cell, block.metadata["header_rows"]) == ("A1:C3", 1)


def test_quoted_fields_may_hold_delimiters_and_line_ends():
    block = only_table('Name,Note\nAnn,"one, two"\nBob,"first\nsecond"\n')
    assert block.metadata["rows"] == [["Name", "Note"], ["Ann", "one, two"], ["Bob", "first\nsecond"]]


def test_decimal_commas_do_not_win_over_semicolons():
    block = only_table("Artikel;Preis;Menge\nApfel;1,50;3\nBirne;2,75;4\n")
    assert block.metadata["rows"][1] == ["Apfel", "1,50", "3"]


def test_rows_with_too_few_fields_are_filled_up():
    assert only_table("a,b,c\n1,2\n3,4,5\n6,7,8\n").metadata["rows"][1] == ["1", "2", ""]


def test_other_encodings_are_read():
    text = "城市,人口\n北京,2189\n上海,2487\n广州,1868\n深圳,1756\n为了规范公司的组织和行为,1\n"
    assert only_table(text.encode("gbk")).metadata["rows"][1] == ["北京", "2189"]
    assert only_table("a,b\nä,ö\n".encode("utf-16")).metadata["rows"][1] == ["ä", "ö"]


def test_a_long_table_comes_in_parts_with_its_header():
    parts = parse_csv(b"id,name\n" + b"".join(b"%d,x\n" % n for n in range(500)), "t.csv").blocks
    assert [part.cell for part in parts] == ["A1:B201", "A202:B401", "A402:B501"]
    assert parts[2].metadata["rows"][0] == ["id", "name"]


def test_a_field_that_never_closes_does_no_harm():
    parsed = parse_csv(b'a,b\n1,"' + b"x" * 3_000_000, "t.csv")
    assert parsed.warnings
    assert parsed.blocks


def test_rows_of_endless_fields_are_bounded():
    with pytest.raises(LimitExceededError, match="cells"):
        parse_csv((b"x," * 16_000 + b"\n") * 2500, "t.csv")


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("t.csv", "a,b\n1,2\n", "csv"),
        ("t.tsv", "a\tb\n1\t2\n", "csv"),
        ("t.csv", "Industry\nRetail\nSales\n", "csv"),
        ("t.txt", "a,b\n1,2\n", "text"),
        (
            "t.csv",
            "Dear all, this is a letter.\nIt has no columns\nat all, I fear, or so, it seems.\nBye\n",
            "text",
        ),
    ],
)
def test_csv_is_told_by_its_name_and_its_columns(tmp_path: Path, name, text, kind):
    path = tmp_path / name
    path.write_text(text)
    assert detect(path, name) == kind


def test_a_csv_file_has_its_media_type(tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_text("a;b\n1;2\n")
    assert parse_file(path, "t.csv", ParsingSettings()).media_type == "text/csv"


def test_a_line_that_states_the_delimiter_is_no_row():
    assert only_table("sep=;\nA;B\n1;2,5\n3;4\n").metadata["rows"] == [["A", "B"], ["1", "2,5"], ["3", "4"]]


@pytest.mark.parametrize("delimiter", ["^", "~", ":"])
@pytest.mark.parametrize(
    "rows",
    [
        [["Name", "Sum"], ["Ann", "12,5"], ["Bo", "7,25"]],
        [["姓名", "金额"], ["王芳", "一百"], ["李明", "二百"]],
    ],
)
def test_a_rare_delimiter_wins_over_commas_in_some_of_the_lines(delimiter, rows):
    assert only_table("\n".join(delimiter.join(row) for row in rows)).metadata["rows"] == rows
