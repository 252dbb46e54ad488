import pytest

from engine.enrich.cell_places import addresses_of, grid_of
from engine.enrich.tables import enrich_table
from engine.model import Node


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (["Sheet1!B3", "Sheet1!B4", "Sheet1!B5"], "Sheet1!B3:B5"), (["B3", "B9", "B12"], "B3;B9;B12"),
        (["Sheet1!B3", "Sheet1!C3"], "Sheet1!B3;C3"), (["B3"], "B3"),
    ],
)  # fmt: skip
def test_cells_that_follow_each_other_are_a_block_and_others_stand_one_by_one(cells, told):
    assert addresses_of(cells) == told


def test_lines_of_a_table_are_told_by_their_columns_and_groups():
    rows = [["", "2023", "2024"], ["Region", "Q1", "Q1"], ["Europe", "", ""], ["Italy", "5", "7"], ["Spain", "", "3"]]
    text = "2023 | 2024\nRegion | Q1 | Q1\nEurope\nItaly | 5 | 7\nSpain |  | 3"
    node = enrich_table(Node("t", None, "table", text=text, metadata={"rows": rows, "header_rows": 2}))
    lines = ["Region | Q1 | Q1", "Spain |  | 3"]
    assert grid_of(node, lines, lines) == [["Region", "2023 Q1", "2024 Q1"], ["Europe / Spain", "", "3"]]
