"""Columns that are set apart are read as one table; tables that merely stand near each other are not."""

import openpyxl
import pytest

from engine.parse.xlsx import parse_xlsx


def blocks_of(target, *tables):
    book = openpyxl.Workbook()
    row = 0
    for table in tables:
        for cells in table:
            row += 1
            for column, value in enumerate(cells, 1):
                if value is not None:
                    book.active.cell(row, column, value)
        row += 2
    book.save(target)
    return [block for block in parse_xlsx(target, "book.xlsx").blocks if block.kind != "heading"]


@pytest.fixture
def target(tmp_path):
    return tmp_path / "book.xlsx"


def test_headers_over_an_empty_row_are_of_the_table_below_it(target):
    rows = [["", "Sales (a)", "Profit"], ["North", "12553", "2713"], ["South", "9467", "1570"]]
    heads, *below = [[int(cell) if cell.isdigit() else cell or None for cell in row] for row in rows]
    (table,) = blocks_of(target, [heads, [], *below])
    assert table.cell == "Sheet!A1:C4" and table.metadata["header_rows"] == 1
    assert table.metadata["rows"] == rows and table.metadata["row_numbers"] == [1, 3, 4]


@pytest.mark.parametrize(
    "sheet",
    [
        [
            ["Item", "Cost"],
            ["Steel", 4500],
            ["Paint", 300],
            [],
            ["Year", "Sum"],
            ["2023", 4800],
            ["2024", 5000],
        ],
        [["North", 1, None, 2023, 7], ["South", 2, None, 2024, 8]],
        [["North", 1, None, "East", 7], ["South", 2, None, "West", 8]],
        [["a note on costs"], [], ["another note on costs"]],
    ],
    ids=["a table below a table", "years name their own rows", "words name their own rows", "notes"],
)
def test_what_names_its_own_rows_stays_a_table_of_its_own(target, sheet):
    assert len(blocks_of(target, sheet)) == 2


def test_amounts_far_at_the_right_belong_to_the_names_in_their_rows(target):
    menu = [["Soups"], ["Miso soup", None, None, None, 2], ["with tofu"], ["Clam soup", None, None, None, 6]]
    (table,) = blocks_of(target, menu)
    assert table.cell == "Sheet!A1:E4" and "Clam soup" in table.text.splitlines()[3]
    assert table.metadata["rows"][1] == ["Miso soup", "", "", "", "2"]


def test_indented_names_and_amounts_of_their_levels_are_one_table(target):
    budget = [
        ["Allocations", None, None, None, None, "Details", "Amount"],
        ["Reserves", None, None, None, None, None, 900],
        [None, "Loans", None, None, None, None, 300],
        [None, None, "Staff loans", None, None, 100],
        [None, None, "Other loans", None, None, 200],
    ]
    (table,) = blocks_of(target, budget)
    assert table.cell == "Sheet!A1:G5" and "Staff loans" in table.text.splitlines()[3]
