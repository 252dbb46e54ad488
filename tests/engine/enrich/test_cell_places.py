import pytest

from engine.enrich.cell_places import addresses_of


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (["Sheet1!B3", "Sheet1!B4", "Sheet1!B5"], "Sheet1!B3:B5"), (["B3", "B9", "B12"], "B3;B9;B12"),
        (["Sheet1!B3", "Sheet1!C3"], "Sheet1!B3;C3"), (["B3"], "B3"),
    ],
)  # fmt: skip
def test_cells_that_follow_each_other_are_a_block_and_others_stand_one_by_one(cells, told):
    assert addresses_of(cells) == told
