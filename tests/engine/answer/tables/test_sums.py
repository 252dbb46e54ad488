"""Which rows are sums is read from the numbers, whatever the rows are called."""

from dataclasses import replace
from decimal import Decimal

from made_tables import source, typed

from engine.answer.tables.sums import sums_among
from engine.answer.tables.table_questions import answer_from_tables

BY_REGION = [
    ["", "2023", "2022"],
    ["Northland", "120", "100"],
    ["Southland", "80", "90"],
    ["Income before taxes", "200", "190"],
]
UNNAMED = [
    ["", "2023", "2022"],
    ["Basic earnings (cents)", "", ""],
    ["Going on", "114.3", "123.4"],
    ["Given up", "91.9", "9.2"],
    ["", "206.2", "132.6"],
]
BY_REGION_ZH = [
    ["项目", "2023年", "2022年"],
    ["华北", "120", "100"],
    ["华南", "80", "90"],
    ["营业利润", "200", "190"],
]


def rows_of(*columns):
    return [
        (place, dict(enumerate(map(Decimal, row)))) for place, row in enumerate(zip(*columns, strict=True))
    ]


def value(question, rows):
    made = answer_from_tables(question, [source(rows)])
    return made.values if made else None


def test_a_sum_of_sums_stands_for_the_parts_of_both():
    found = sums_among(
        rows_of(["1", "2", "3", "40", "50", "90", "93"], ["5", "6", "11", "7", "8", "15", "26"])
    )
    assert found == {2: (0, 1), 5: (3, 4), 6: (2, 5)}


def test_a_row_is_no_sum_when_one_column_does_not_add_up():
    assert sums_among(rows_of(["1", "2", "3"], ["5", "6", "12"])) == {}


def test_printed_parts_may_be_off_by_their_rounding_but_two_must_add_up_exactly():
    assert sums_among(rows_of(["10.3", "20.3", "30.3", "61.0"])) == {3: (0, 1, 2)}
    assert sums_among(rows_of(["10.3", "20.3", "30.7"])) == {}


def test_the_parts_of_a_sum_are_what_it_is_called():
    assert value("What was the income from Northland in 2022?", BY_REGION) == ["100"]
    assert value("2022年华北的营业利润是多少?", BY_REGION_ZH) == ["100"]


def test_a_sum_without_a_name_is_the_total_of_its_group():
    assert [row.name for row in typed(UNNAMED).rows][-1] == "Basic earnings (cents) / Total"
    assert value("What were total basic earnings in 2022?", UNNAMED) == ["132.6"]


def test_a_sentence_that_announces_the_table_says_what_its_cells_are():
    rows = [
        ["", "2023", "2022"],
        ["Northland", "120", "100"],
        ["Southland", "80", "90"],
        ["Total", "200", "190"],
    ]
    told = ["The following table shows the operating margins of the U.S. and foreign units before taxes."]
    question = "What is the change in total operating margins before taxes from 2022 to 2023?"
    beside = replace(source(rows), beside=["The units were rented."])
    announced = replace(source(rows), beside=told)
    assert answer_from_tables(question, [beside]) is None
    assert answer_from_tables(question, [announced]).values == ["10"]


def test_the_parts_of_a_sum_are_listed():
    assert value("What are the components of income before taxes?", BY_REGION) == ["Northland", "Southland"]
