"""Rows that are called the same in several groups, shortened or not."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

FERRIES = source(
    [
        ["", "", "2023", "2022"],
        ["", "Car deck miles (“CDMs”) (thousands)", "500", "480"],
        ["", "Passenger revenue per car deck mile (“PRCDM”) (cents)", "11.3", "11.1"],
        ["", "Load factor", "82.5%", "81.0%"],
        ["Consolidated", "CDMs (thousands)", "620", "600"],
        ["Consolidated", "PRCDM (cents)", "12.4", "12.2"],
        ["Consolidated", "Load factor", "80.1%", "79.6%"],
    ]
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the load factor in 2023?", "82.5%"),
        ("What was the coastal load factor in 2022?", "81.0%"),
        ("What was the consolidated load factor in 2023?", "80.1%"),
        ("What was the consolidated passenger revenue per car deck mile in 2022?", "12.2"),
        ("What were the consolidated car deck miles in 2023?", "620"),
    ],
)
def test_the_group_that_is_said_tells_which_row_is_meant(question, expected):
    made = answer_from_tables(question, [FERRIES])
    assert made is not None
    assert made.values == [expected]
