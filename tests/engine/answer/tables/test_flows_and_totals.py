"""How questions find what happened between two balances, a total without a name of its own, and shares of it."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

AWARDS = source(
    [
        ["Unvested awards", "Shares", "Fair value per share"],
        ["Unvested at December 31, 2022", "1,000", "$10.10"],
        ["Granted", "400", "$12.20"],
        ["Vested", "(250)", "$9.80"],
        ["Unvested at December 31, 2023", "1,150", "$11.00"],
        ["Granted", "300", "$13.40"],
        ["Vested", "(230)", "$10.70"],
        ["Unvested at December 31, 2024", "1,220", "$11.90"],
    ]
)
STAFF = source(
    [
        ["", "2023", "2022"],
        ["Wages and salaries", "700", "650"],
        ["Pension expenses", "80", "90"],
        ["Other", "20", "10"],
        ["Total", "800", "750"],
    ]
)
COSTS = source(
    [
        ["", "2023", "", "2022", ""],
        ["", "Amount", "% of total sales", "Amount", "% of total sales"],
        ["Cost of sales:", "", "", "", ""],
        ["Repairs", "$ 120", "12%", "$ 90", "10%"],
        ["Freight", "330", "33%", "270", "30%"],
    ]
)
GOODWILL = source(
    [
        ["", "Dec 31, 2023", "Acquisitions", "Other", "Dec 31, 2024"],
        ["Northern segment", "112", "30", "(2)", "140"],
        ["Southern segment", "50", "5", "1", "56"],
        ["Total", "162", "35", "(1)", "196"],
        ["", "Dec 31, 2022", "Acquisitions", "Other", "Dec 31, 2023"],
        ["Northern segment", "100", "12", "-", "112"],
        ["Southern segment", "40", "8", "2", "50"],
        ["Total", "140", "20", "2", "162"],
    ]
)


def value(question, table):
    made = answer_from_tables(question, [table])
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the number of awards granted in 2023?", ["400"]),
        ("What is the number of awards granted in 2024?", ["300"]),
        ("What is the change in the shares granted from 2023 to 2024?", ["-100"]),
    ],
)
def test_what_stands_between_two_balances_is_of_the_later_one(question, expected):
    assert value(question, AWARDS) == expected


def test_what_left_in_brackets_is_counted_without_them():
    assert value("What is the number of awards vested in 2024?", AWARDS) == ["230"]


def test_no_more_than_the_balances_themselves_is_of_the_first_year():
    assert value("What is the number of awards granted in 2022?", AWARDS) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the change in total personnel expenses from 2022 to 2023?", ["50"]),
        ("What is the average total staff cost for 2022 and 2023?", ["775"]),
        ("What is the percentage increase in the total from 2022 to 2023?", ["6.67%"]),
        ("What is the percentage of pension expenses in the total staff costs in 2023?", ["10%"]),
        ("What is the ratio (in percentage) of wages and salaries to total staff costs in 2023?", ["87.5%"]),
    ],
)
def test_a_total_without_a_name_is_of_what_the_question_says(question, expected):
    assert value(question, STAFF) == expected


def test_the_total_of_an_item_that_has_a_row_is_that_row():
    assert value("What is the change in total pension expenses from 2022 to 2023?", STAFF) == ["-10"]


def test_amounts_are_meant_before_their_shares():
    assert value("What was the average freight for 2022 and 2023?", COSTS) == ["300"]


def test_what_something_is_based_on_is_no_figure():
    assert value("What is freight based on?", COSTS) is None


def test_columns_between_two_balances_are_of_the_later_one():
    assert value("How much goodwill did the Northern segment acquire in 2024?", GOODWILL) == ["30"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What were the acquisitions of goodwill of the Northern segment in 2023?", ["12"]),
        ("What is the percentage change of the goodwill of the Southern segment from 2022 to 2023?", ["25%"]),
    ],
)
def test_a_header_that_stands_again_begins_another_table(question, expected):
    assert value(question, GOODWILL) == expected


def test_cells_of_a_table_further_down_keep_their_places():
    made = answer_from_tables("What was the goodwill of the Southern segment at the end of 2022?", [GOODWILL])
    assert [(cell.row, cell.column, cell.text) for cell in made.cells] == [(6, 1, "40")]
