"""Questions that give a value and ask which row or column has it."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source

LIABILITY = [
    ["Category of loss", "Limit per event", "Deductible"],
    ["Property damage", "EUR 5,000,000", "EUR 25,000"],
    ["Loss of data", "EUR 750,000", "EUR 10,000"],
    ["Business interruption", "EUR 2,000,000", "5 working days"],
]
PUMPS = [
    ["", "Model P-20", "Model P-35", "Model P-50"],
    ["Weight (kg)", "8.4", "11.2", "17.9"],
    ["Protection class", "IP44", "IP55", "IP68"],
]
LEAVE_ZH = [
    ["职级", "年假天数", "探亲假"],
    ["中级员工", "8", "10天"],
    ["高级员工", "12", "15天"],
    ["经理", "15", "20天"],
]


@pytest.mark.parametrize(
    ("rows", "question", "value"),
    [
        (LIABILITY, "Which category of loss has a deductible of EUR 25,000?", "Property damage"),
        (PUMPS, "Which model has protection class IP55?", "Model P-35"),
        (PUMPS, "Which model has a weight of 17.9 kg?", "Model P-50"),
        (LEAVE_ZH, "哪个职级的探亲假是15天？", "高级员工"),
    ],
)
def test_the_thing_that_has_a_value_is_named_and_its_value_cited(rows, question, value):
    made = answer_from_tables(question, [source(rows)])

    assert made is not None and made.values == [value]
    assert value in [cell.text for cell in made.cells]


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (LIABILITY, "Which category of loss has a deductible of EUR 30,000?"),
        (PUMPS, "Which model has protection class IP67?"),
        (LEAVE_ZH, "哪个职级的探亲假是30天？"),
    ],
)
def test_a_value_that_stands_nowhere_names_nothing(rows, question):
    assert answer_from_tables(question, [source(rows)]) is None


def test_the_number_of_a_model_that_the_table_does_not_have_is_not_another_model():
    fleet = [
        ["Aircraft type", "Owned", "Leased"],
        ["Airbus A321", "60", "45"],
        ["Boeing 737-800", "71", "22"],
    ]

    assert answer_from_tables("How many Boeing 787-9 aircraft were owned?", [source(fleet)]) is None
