from engine.model import Node
from pages.widgets.table_grid import MOST_CELLS, table_of

ROWS = [
    ["Region", "2024", "2024", "2025"],
    ["", "Q1", "Q2", "Q1"],
    ["North", "5", "6", "7"],
    ["North", "8", "9", "10"],
    ["Source: ministry", "", "", ""],
]
FACTS = {
    "rows": ROWS,
    "header_rows": 2,
    "header_columns": 1,
    "note_rows": 1,
    "columns": [{"name": "Region", "dtype": "text"}, *({"name": "Q", "dtype": "number"} for _ in range(3))],
    "merged": [
        {"row": 0, "column": 1, "row_span": 1, "column_span": 2},
        {"row": 0, "column": 0, "row_span": 2, "column_span": 1},
        {"row": 2, "column": 0, "row_span": 2, "column_span": 1},
    ],
}


def table(**facts: object) -> Node:
    return Node("t", "s", "table", text="…", cell=facts.pop("cell", None), metadata=FACTS | facts)


def texts(row: list) -> list[str]:
    return [cell[0] for cell in row]


def cited(grid: dict) -> list[str]:
    return [cell[0] for row in grid["grid"] for cell in row if "m" in cell[3]]


def test_header_levels_and_spans_are_kept_and_covered_cells_are_left_out():
    drawn = table_of(table())
    assert drawn["head"] == 2
    assert [texts(row) for row in drawn["grid"]] == [
        ["Region", "2024", "2025"], ["Q1", "Q2", "Q1"], ["North", "5", "6", "7"], ["8", "9", "10"],
        ["Source: ministry", "", "", ""],
    ]  # fmt: skip
    assert drawn["grid"][0][:2] == [["Region", 2, 1, "hp"], ["2024", 1, 2, "h"]]
    assert drawn["grid"][2][0] == ["North", 2, 1, "rp"] and drawn["grid"][2][1][3] == "n"
    assert "f" in drawn["grid"][4][0][3]


def test_the_cited_row_is_marked_and_a_cell_where_only_that_is_cited():
    assert cited(table_of(table(), quote="North | 5 | 6 | 7")) == ["North", "5", "6", "7"]
    assert cited(table_of(table(), quote="Source: ministry"))[0] == "Source: ministry"
    assert cited(table_of(table(), quote="10")) == ["10"]
    assert not cited(table_of(table(), quote="something else"))


def test_an_address_marks_its_cell_in_a_table_of_no_sheet():
    assert cited(table_of(table(), cell="C4")) == ["9"]
    assert cited(table_of(table(), cell="B3:D3")) == ["5", "6", "7"]


def test_an_address_marks_its_cell_on_the_sheet():
    sheet = table(cell="'My sheet'!B3:E7", row_numbers=[3, 4, 5, 6, 7])
    drawn = table_of(sheet, cell="'My sheet'!D6")
    assert cited(drawn) == ["9"]
    assert drawn["letters"] == ["B", "C", "D", "E"] and drawn["numbers"] == [3, 4, 5, 6, 7]
    assert not cited(table_of(sheet, cell="'My sheet'!B3:E7"))  # the whole table is no mark


def test_of_a_very_long_table_the_rows_around_the_cited_one_are_drawn_below_the_header():
    rows = [["Year", "Tons"], *([str(n), f"{n} tons"] for n in range(20_000))]
    drawn = table_of(Node("t", "s", "table", metadata={"rows": rows, "header_rows": 1}), quote="15000 tons")
    assert sum(map(len, drawn["grid"])) <= MOST_CELLS + 2
    assert texts(drawn["grid"][0]) == ["Year", "Tons"]
    assert cited(drawn) == ["15000 tons"]
    assert drawn["skipped"] + drawn["left"] + len(drawn["grid"]) == len(rows)


def test_spans_that_contradict_each_other_or_the_table_do_no_harm():
    wild = [
        {"row": 0, "column": 3, "row_span": 99, "column_span": 99},
        {"row": 0, "column": 0, "row_span": 3, "column_span": 3},
        {"row": 1, "column": 1, "row_span": 3, "column_span": 3},
    ]
    drawn = table_of(table(merged=wild, header_rows=99))
    assert drawn["head"] == 5 and drawn["grid"]
