"""Cells of another part, period or kind than the question asks for."""

import pytest
from made_tables import source

from engine.answer.tables.spans_of_time import months_in, of_other_span
from engine.answer.tables.table_questions import answer_from_tables

ASSUMPTIONS = source(
    [
        ["", "Domestic", "Domestic", "International", "International"],
        ["", "2019", "2018", "2019", "2018"],
        ["Discount rate", "4.00%", "3.75%", "1.90%", "2.80%"],
        ["Expected return on plan assets", "", "", "3.40%", "3.70%"],
    ],
    metadata={"header_rows": 2},
)
AGES = source(
    [
        ["£m", "2019", "2018"],
        ["Up to three months", "29.9", "32.1"],
        ["Three to six months", "10.0", "3.7"],
        ["Trade receivables", "39.9", "35.8"],
    ]
)
SALES = source(
    [
        ["", "2019", "2018", "2017"],
        ["Product", "$39,005", "$36,709", "$35,705"],
        ["Percentage of revenue", "75.1%", "74.4%", "74.4%"],
        ["Service", "12,899", "12,621", "12,300"],
        ["Percentage of revenue", "24.9%", "25.6%", "25.6%"],
        ["Total", "$51,904", "$49,330", "$48,005"],
    ]
)
NET_SALES = source(
    [["", "2019", "2018"], ["Books", "120", "110"], ["Music", "80", "70"], ["Total net sales", "200", "180"]]
)
FLOWS = source(
    [
        ["", "2019", "2018", "2017"],
        ["Cash (used in) provided by operating activities", "(426)", "(2,694)", "14,314"],
        ["Cash (used in) provided by investing activities", "(251)", "(6,876)", "(5,142)"],
    ]
)
QUARTERS = source(
    [
        ["", "Three months ended", "Three months ended", "Six months ended", "Six months ended"],
        ["", "July 29, 2023", "July 30, 2022", "July 29, 2023", "July 30, 2022"],
        ["Operating income", "348", "371", "659", "833"],
        ["Diluted earnings", "125", "135", "236", "285"],
    ],
    metadata={"header_rows": 2},
)


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("What return on assets was expected for the domestic plans in 2019?", ASSUMPTIONS),
        ("How much of the trade receivables was over a year old in 2019?", AGES),
        ("How much of the 2019 trade receivables was made in Africa alone?", AGES),
        ("What was hardware revenue in 2019?", NET_SALES),
    ],
)
def test_a_part_that_is_not_told_is_not_answered_from_another(question, table):
    assert answer_from_tables(question, [table]) is None


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("What return on assets was expected for the international plans in 2019?", ASSUMPTIONS, ["3.40%"]),
        ("By what percentage did product sales rise from 2018 to 2019?", SALES, ["6.25%"]),
        ("In which year did the operating activities burn the most cash?", FLOWS, ["2018"]),
        ("In which year did operating activities provide the most cash?", FLOWS, ["2017"]),
        (
            "What was the percentage change in operating income between the quarter ended July 30, 2022 and the "
            "quarter ended July 29, 2023?",
            QUARTERS,
            ["-6.2%"],
        ),
        ("What share of all receivables was up to three months old in 2019?", AGES, ["74.94%"]),
    ],
)
def test_the_part_and_the_period_that_are_named_are_read(question, table, expected):
    made = answer_from_tables(question, [table])
    assert (made and made.values) == expected


def test_spans_of_the_same_length_are_the_same():
    assert months_in("the second quarter") == months_in("Three months ended June 30") == 3
    assert of_other_span("the quarter ended June 30", "Six months ended June 30")
    assert not of_other_span("the quarter ended June 30", "13 weeks ended June 30")
    assert months_in("three and six months ended") is None or not of_other_span("in 2020", "Six months")
