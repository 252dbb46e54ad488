"""Rows that a question describes, numbers that it gives for a column, and words with slips."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import TableSource, answer_from_tables

OFFICERS = source(
    [
        ["", "Position", "Age", "Officer since"],
        ["Gina Kell", "Chairman and Chief Executive Officer of Harbor Group and Harbor Lines", "63", "1994"],
        ["Tom Neal", "President and Chief Executive Officer of Bay Lines", "57", "2018"],
        [
            "Tess Romer",
            "Executive Vice President/Finance and Chief Financial Officer of Harbor Group",
            "56",
            "2003",
        ],
        ["Rob Jord", "Vice President Operations of Harbor Lines", "49", "2011"],
    ]
)
RACE = source(
    [
        ["Pos", "Rider", "Team", "Points"],
        ["1", "Ana Costa", "Blue Wheels", "25"],
        ["2", "Bo Lind", "Fast Feet", "20"],
        ["3", "Elsa Berg", "Night Owls", "16"],
    ]
)
MARATHON = source(
    [
        ["Year", "Men's winner", "Time", "Women's winner", "Time"],
        ["2003", "Al Byrne", "2:10:11", "May Quinn", "2:31:05"],
        ["2002", "Cy Dunne", "2:11:40", "Nell Roche", "2:33:17"],
        ["2001", "Ed Foley", "2:12:02", "Peg Shaw", "2:35:44"],
    ]
)
MEDALS = source(
    [
        ["Nation", "Gold", "Silver", "Bronze"],
        ["Alba", "4", "3", "0"],
        ["Borea", "2", "3", "2"],
        ["Caria", "1", "1", "5"],
    ]
)


def value(question, table):
    made = answer_from_tables(question, [table])
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the age of Harbor Group's CEO and Chairman in 2018?", ["63"]),
        ("How old is the Executive Vice President/Finance and Chief Financial Officer in 2018?", ["56"]),
        ("Who is the President and CEO of Bay Lines?", ["Tom Neal"]),
    ],
)
def test_a_row_is_found_by_what_the_question_says_of_it(question, expected):
    assert value(question, OFFICERS) == expected


def test_what_two_rows_share_describes_none():
    assert value("What is the age of the Chief Executive Officer?", OFFICERS) is None


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("who finished in first position?", RACE, ["Ana Costa"]),
        ("which team placed second?", RACE, ["Fast Feet"]),
        ("how many nations earned 3 silver medals?", MEDALS, ["2"]),
        ("which is the only nation to receive 2 bronze medals?", MEDALS, ["Borea"]),
    ],
)
def test_a_number_beside_a_column_s_name_is_a_condition_on_it(question, table, expected):
    assert value(question, table) == expected


def test_of_columns_of_one_name_that_beside_who_is_named_is_read():
    assert value("how long did it take nell roche to finish?", MARATHON) == ["2:33:17"]


def test_more_than_another_s_is_not_the_other_s_own_number():
    assert value("how many nations have less total silver than Alba?", MEDALS) != ["3"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the opearting income in 2023?", ["130"]),
        ("What was the opertaing income in 2022?", ["80"]),
        ("What was the deprecation in 2022?", None),
    ],
)
def test_a_slip_of_the_keyboard_is_read_as_the_one_name_that_is_near(question, expected):
    rows = [["", "2023", "2022"], ["Operating income", "130", "80"], ["Interest expense", "12", "10"]]
    assert value(question, source(rows)) == expected


def test_a_code_is_found_however_its_parts_are_set_apart():
    rows = [
        ["Type", "Owned", "Leased"],
        ["A321-200", "37", "28"],
        ["A321-200neo", "12", "5"],
        ["B-757", "9", "2"],
    ]
    assert value("How many A321-200 neo are owned?", source(rows)) == ["12"]
    assert value("How many B757 are leased?", source(rows)) == ["2"]


def test_a_word_that_only_the_text_says_of_an_item_refuses_the_item_s_amount():
    made = source([["", "2023", "2022"], ["Total compensation cost", "32", "31"], ["Rent", "4", "5"]])
    text = "At December 31, 2023, there was $60 million of unrecognized compensation cost."
    beside = TableSource(made.node, beside=[text])
    assert answer_from_tables("What was the unrecognized compensation cost in 2023?", [beside]) is None
    assert value("What was the total compensation cost in 2023?", beside) == ["32"]


def test_an_average_that_the_table_announces_is_read_and_a_weighted_one_not_computed():
    rows = [["", "2023", "2022"], ["Krona", "9.46", "8.70"], ["Yen", "109.01", "110.43"]]
    announced = TableSource(
        source(rows).node, beside=["The weighted-average exchange rates were as follows:"]
    )
    asked = "What were the weighted-average exchange rates of the Krona in 2022 and 2023, respectively?"
    assert value(asked, announced) in (["8.70", "9.46"], ["9.46", "8.70"])
    assert value("What is the weighted average Krona from 2022 to 2023?", source(rows)) is None
