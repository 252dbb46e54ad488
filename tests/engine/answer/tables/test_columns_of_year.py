"""Lists with columns of several years, asked about one of them."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

REGIONS = source(
    [
        ["Region", "2021", "2022", "2023"],
        ["North", "870", "905", "951"],
        ["Europe", "421", "460", "478"],
        ["Asia", "344", "402", "455"],
        ["Africa", "58", "72", "70"],
        ["Total", "1,693", "1,839", "1,954"],
    ],
    caption="Revenue by region",
)
LAKES_ZH = source(
    [
        ["水库", "所在地", "总库容", "2022年蓄水量", "2023年蓄水量"],
        ["青山水库", "临安", "21,300", "9,120", "8,480"],
        ["白水河水库", "桐庐", "4,850", "2,210", "1,930"],
        ["龙潭水库", "建德", "15,640", "7,005", "8,711"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("Which ones were above 450 in 2022?", REGIONS, ["North", "Europe"]),
        ("How many regions had revenue below 100 in 2023?", REGIONS, ["1"]),
        ("Which region had the lowest revenue in 2021?", REGIONS, ["Africa"]),
        ("2023年哪座水库蓄水最多？", LAKES_ZH, ["龙潭水库"]),
        ("哪座水库的总库容最小？", LAKES_ZH, ["白水河水库"]),
        ("白水河水库在哪里？", LAKES_ZH, ["桐庐"]),
        ("2022年蓄水量超过5000的水库有哪些？", LAKES_ZH, ["青山水库", "龙潭水库"]),
    ],
)
def test_a_list_is_read_in_the_year_of_the_question(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == expected


def test_the_cells_cited_are_those_of_the_whole_table():
    made = answer_from_tables("Which ones were above 450 in 2022?", [REGIONS])
    assert made is not None
    amounts = [cell for cell in made.cells if cell.column != 0]
    assert all(cell.column_header in ("Region", "2022") for cell in made.cells)
    assert all(cell.text in ("905", "460") for cell in amounts)


def test_a_statement_is_no_list_of_a_year():
    statement = source(
        [["($ in millions)", "2023", "2022"], ["Net sales", "900", "800"], ["Rent", "50", "40"]],
        caption="Results",
    )
    assert answer_from_tables("Which ones were above 100 in 2022?", [statement]) is None
