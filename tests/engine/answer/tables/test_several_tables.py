"""Which of several tables a question is of, by the things that it asks for or counts."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

STAFF = source(
    [
        ["Emp. no.", "Employee", "Department", "Site"],
        ["17", "Lorna Fitch", "Transport", "Doncaster"],
        ["24", "Gareth Rowlands", "Transport", "Doncaster"],
        ["34", "Rachel Tandy", "Operations", "Doncaster"],
        ["41", "Fiona Kerr", "Finance", "Hull"],
    ],
    path=["Staff"],
)
VEHICLES = source(
    [
        ["Reg. no.", "Make", "Driver", "Site"],
        ["AY21 PRT", "Volvo FH", "Gareth Rowlands", "Doncaster"],
        ["YD20 MNV", "Scania R", "Lorna Fitch", "Doncaster"],
    ],
    path=["Vehicles"],
)
ACTIONS = source(
    [
        ["No.", "Action", "Responsible"],
        ["7.1", "Order access points", "Elena Petrova"],
        ["7.2", "Draw up the rota", "Piotr Zielinski"],
    ]
)
QUARTERS = source(
    [
        ["区域", "2024年Q1", "2024年Q2"],
        ["华东", "1,980", "2,190"],
        ["西南", "380", "620"],
        ["海外", "440", "520"],
    ]
)
COSTS = source(
    [["Category", "Q2 2024", "Q3 2024"], ["Fuel", "12", "14"], ["Wages", "20", "21"], ["Total", "32", "35"]]
)


def test_people_are_not_counted_among_vehicles():
    question = "How many employees work in Doncaster?"
    made = answer_from_tables(question, [VEHICLES, STAFF])
    assert made is not None
    assert made.values == ["3"]
    made = answer_from_tables("How many employees on the staff list are in Doncaster?", [STAFF])
    assert made is not None
    assert made.values == ["3"]


@pytest.mark.parametrize(
    ("question", "tables"),
    [
        ("What is Elena Petrova's mobile number?", [ACTIONS]),
        ("What were the administration costs in Q3 2024?", [COSTS]),
        ("In which department is the driver of the Scania R?", [VEHICLES]),
    ],
)
def test_what_no_table_says_is_not_taken_from_a_column_called_alike(question, tables):
    assert answer_from_tables(question, tables) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("西南区二季度收入比一季度增长了百分之多少？", ["63.16%"]),
        ("西南第二季度是多少？", ["620"]),
        ("华东和海外二季度相差多少？", ["1,670"]),
    ],
)
def test_quarters_are_read_however_they_are_written(question, expected):
    made = answer_from_tables(question, [QUARTERS])
    assert made is not None
    assert made.values == expected
