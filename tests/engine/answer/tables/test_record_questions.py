"""How questions are read over records: limits, orders, offices, and what is left alone."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

CLUBS = source(
    [
        ["Club", "Town", "Founded", "Titles", "Points", "Attendance"],
        ["Falcons", "Moe", "1965", "2", "70", "47,100"],
        ["Rovers", "Sale", "1958", "1", "64", "52,000"],
        ["Miners", "Newborough", "1950", "0", "58", "39,500"],
        ["Swans", "Sale", "1980", "0", "77", "61,250"],
        ["Kings", "Traralgon", "1972", "7", "41", "28,000"],
    ],
    title="Clubs of the league",
)
OFFICERS = source(
    [
        ["", "Position", "Age"],
        ["Gina Kell", "Chairman and Chief Executive Officer", "63"],
        ["Tom Neal", "President", "57"],
        ["Tess Romer", "Executive Vice President & Chief Financial Officer", "56"],
        ["Rob Jord", "Vice President Operations", "49"],
    ]
)


def value(question, table):
    made = answer_from_tables(question, [table])
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many clubs earned at least 64 points?", ["3"]),
        ("how many teams were founded before 1970?", ["3"]),
        ("how many clubs have an attendance above 50,000?", ["2"]),
        ("who earned more points, Falcons or Rovers?", ["Falcons"]),
        ("which club has the most titles?", ["Kings"]),
        ("what is the most points?", ["77"]),
        ("which club is listed first?", ["Falcons"]),
        ("which is the last club listed?", ["Kings"]),
        ("which club comes after Rovers?", ["Miners"]),
    ],
)
def test_lists_are_counted_ranked_and_read(question, expected):
    assert value(question, CLUBS) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the CFO?", ["Tess Romer"]),
        ("Who was the Chief Executive Officer of Northwind Air in 2023?", ["Gina Kell"]),
        ("How old is the CEO?", ["63"]),
        ("What is the age of the president?", ["57"]),
        ("Who was the executive VP and CFO as of Feb 2023?", ["Tess Romer"]),
    ],
)
def test_offices_are_found_by_their_abbreviation_and_in_full(question, expected):
    assert value(question, OFFICERS) == expected


@pytest.mark.parametrize(
    "question",
    [
        "how many clubs from Wales are there?",
        "how many clubs did not win a title?",
        "which clubs besides Falcons have titles?",
        "how many months did Rovers play?",
        "what is the longest time between two titles?",
    ],
)
def test_what_the_plan_does_not_account_for_is_declined(question):
    assert value(question, CLUBS) is None
