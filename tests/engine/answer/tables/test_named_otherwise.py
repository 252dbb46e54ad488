"""What a question names by half of a row's name, or in another language, is no other row."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source

SEGMENTS = [
    ["Segment", "Revenue", "Operating profit"],
    ["Frozen foods", "120", "14"],
    ["Pet care", "80", "9"],
    ["Drinks", "60", "7"],
]
PEOPLE = [["Name", "Age", "Since"], ["Peter D. Hunt", "52", "2017"], ["Arlene Semeco", "24", "2009"]]


@pytest.mark.parametrize(
    "question",
    [
        "What was the operating profit of Frozen meat?",
        "What was the operating profit of pet food?",
        "宠物食品的营业利润是多少？",
    ],
)
def test_a_thing_that_the_table_lacks_is_not_the_row_that_shares_a_word_with_it(question):
    assert answer_from_tables(question, [source(SEGMENTS)]) is None


@pytest.mark.parametrize(
    ("rows", "question", "value"),
    [
        (SEGMENTS, "What was the operating profit of frozen foods?", "14"),
        (SEGMENTS, "What was the operating profit of pet care?", "9"),
        (PEOPLE, "What is the age of Mr. Hunt?", "52"),
        (PEOPLE, "What is the age of Arelene Semeco?", "24"),
    ],
)
def test_what_it_has_is_found_with_a_title_and_misspelt_too(rows, question, value):
    found = answer_from_tables(question, [source(rows)])
    assert found is not None and found.values == [value]
