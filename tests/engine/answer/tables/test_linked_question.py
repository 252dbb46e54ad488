"""What a question says of a list is put into marks and conditions."""

import pytest
from made_tables import source

from engine.answer.tables.linked_question import LinkedQuestion
from engine.answer.tables.question import Question
from engine.answer.tables.references import matching_rows

GOODS = source(
    [
        ["No", "Item", "Category", "Unit price", "Stock", "Shelf", "Added"],
        ["1", "Box A", "Batteries", "4.5", "90", "Blue", "2023-02-11"],
        ["2", "Box B", "Lamps", "20", "15", "Red", "2023-07-01"],
        ["3", "Red", "Lamps", "25", "40", "Blue", "2024-07-19"],
    ],
    path=("Articles",),
)


def marked(question):
    return LinkedQuestion(GOODS, Question(question)).marked()


@pytest.mark.parametrize(
    ("question", "text", "condition"),
    [
        ("price of a lamp", "‹m3› of a ‹l0›", {"column": 2, "is": "=", "value": "Lamps"}),
        ("prices of battery articles", "‹m3› of ‹l0› ‹r1›", {"column": 2, "is": "=", "value": "Batteries"}),
        ("articles except lamps", "‹r1› ‹l0›", {"column": 2, "is": "!=", "value": "Lamps"}),
        (
            "lamps and batteries",
            "‹l0›",
            {"column": 2, "is": "one of", "value": ["Lamps", "Batteries"]},
        ),
        ("stock over 50", "‹l0›", {"column": 4, "is": ">", "value": 50}),
        ("articles added in 2023", "‹r1› ‹l0›", {"column": 6, "is": "=", "value": 2023}),
        ("articles added after 2023", "‹r1› ‹l0›", {"column": 6, "is": ">", "value": 2023}),
        ("articles since July 2023", "‹r1› ‹l0›", {"column": 6, "is": ">=", "value": "2023-07"}),
        ("shelf red", "‹g5› ‹l0›", {"column": 5, "is": "=", "value": "Red"}),
    ],
)
def test_values_columns_and_limits_are_linked(question, text, condition):
    made = marked(question)
    assert " ".join(made.text.split()) == text
    assert made.conditions == [condition]
    assert not made.failed


@pytest.mark.parametrize(
    "question",
    [
        "red articles",  # a shelf or an item
        "articles over 50",  # of the price or of the stock
        "articles in July",  # of one year or of the other
        "lamps or blue articles",
        "batteries in blue lamps",
    ],
)
def test_what_may_mean_several_things_fails(question):
    assert marked(question).failed


def test_words_that_the_list_does_not_say_stay():
    assert "sofas" in marked("stock of sofas").text


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ({"column": 6, "is": "=", "value": "2023-07"}, [2]),
        ({"column": 6, "is": ">", "value": "2023-02"}, [2, 3]),
        ({"column": 6, "is": "<=", "value": "2023-07-01"}, [1, 2]),
        ({"column": 5, "is": "one of", "value": ["Blue", "Green"]}, [1, 3]),
    ],
)
def test_months_days_and_several_values_are_met_by_the_rows_that_say_them(condition, rows):
    assert matching_rows(GOODS.table, [condition], "FILTER") == rows
