"""The second largest, what is left out of a ranking, and columns that are ranked by a row."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

VOTES = [
    ["Party", "Votes", "%", "Seats"],
    ["Union of Labour", "239,900", "35.2", "24"],
    ["Farmers", "116,298", "17.0", "19"],
    ["Reform Party", "87,051", "12.8", "0"],
    ["Green Party", "41,000", "6.0", "0"],
]
SALES = [
    ["", "2023", "2022"],
    ["Home", "$ 500", "$ 400"],
    ["Germany", "90", "110"],
    ["Japan", "120", "95"],
    ["Total", "$ 710", "$ 605"],
]
SEGMENTS = [
    ["2023", "Retail", "Cloud", "Total"],
    ["Sales", "70", "30", "100"],
    ["Operating income", "4", "9", "13"],
]


def answer(question, rows):
    made = answer_from_tables(question, [source(rows)])
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "party"),
    [
        ("Which party received the most votes?", "Union of Labour"),
        ("Which party received the second most votes?", "Farmers"),
        ("Which party got the third largest number of votes?", "Reform Party"),
    ],
)
def test_the_rows_are_those_of_the_column_though_few_bear_its_name(question, party):
    assert answer(question, VOTES) == [party]


def test_a_place_that_two_share_is_no_answer():
    assert answer("Which party received the second fewest seats?", VOTES) is None


def test_none_of_a_thing_is_a_condition():
    assert answer("How many parties won no seats?", VOTES) == ["2"]


def test_the_share_of_something_is_in_the_column_of_percent_behind_it():
    assert answer("What share of the votes did the Farmers receive?", VOTES) == ["17.0"]


def test_what_is_left_out_is_not_ranked():
    assert answer("Which country had the highest sales in 2023?", SALES) == ["Home"]
    assert answer("Which country other than Home had the highest sales in 2023?", SALES) == ["Japan"]
    assert answer("Which country outside of Home had the highest sales in 2022?", SALES) == ["Germany"]


@pytest.mark.parametrize("corner", ["Years ended December 31,", "(in millions)", "As of June 30,"])
def test_a_corner_that_tells_the_period_or_unit_does_not_say_what_the_rows_are(corner):
    rows = [[corner, "2023", "2022"], ["Airplanes", "$19", "$16"], ["Defense", "26", "27"], ["Services", "16", "15"],
            ["Total", "$61", "$58"]]  # fmt: skip
    assert answer("Which segment had the highest revenue in 2023?", rows) == ["Defense"]


def test_the_rest_of_the_world_is_no_country():
    rows = [["", "2023"], ["Japan", "$ 120"], ["Germany", "90"], ["Rest of world", "500"], ["Total", "$ 710"]]
    assert answer("Which country had the highest sales in 2023?", rows) == ["Japan"]


def test_of_a_row_that_is_named_the_columns_are_ranked():
    assert answer("Which segment had the highest operating income?", SEGMENTS) == ["Cloud"]
    assert answer("Which segment had the lowest sales?", SEGMENTS) == ["Cloud"]


@pytest.mark.parametrize("name", ["Name", "Title"])
def test_what_the_rows_are_called_need_not_be_the_name_of_their_column(name):
    rows = [["Date", name, "Flag", "Tonnage"], ["12 June 1941", "Merope", "Norway", "1,162"],
            ["13 June 1941", "Dempo", "Spain", "17,024"], ["3 May 1944", "Fintra", "Norway", "2,089"]]  # fmt: skip
    assert answer("Which ship had the largest tonnage?", rows) == ["Dempo"]
    assert answer("Which country had the largest tonnage?", rows) is None


def test_by_how_much_one_beats_another_is_their_difference():
    rows = [
        ["Candidate", "Votes"],
        ["Arthur B. Langlie", "445,958"],
        ["Monrad Wallgren", "417,035"],
        ["Ann Roe", "9"],
    ]
    assert answer("By how many votes did Langlie beat Wallgren?", rows) == ["28923"]


def test_the_words_around_what_is_ranked_need_no_column_of_their_own():
    rows = [
        ["Nation", "Gold", "Silver"],
        ["Spain", "1", "2"],
        ["Great Britain", "2", "1"],
        ["Ukraine", "0", "2"],
    ]
    assert answer("Which nation won the most gold medals?", rows) == ["Great Britain"]
    assert answer("How many gold medals were won in total?", rows) == ["3"]
    swum = [["Lane", "Name", "Nationality", "Time"], ["4", "Inge Bruin", "Norway", "24.32"],
            ["5", "Therese Alm", "Sweden", "24.51"], ["3", "Dara Torr", "United States", "24.63"]]  # fmt: skip
    assert answer("Who was the fastest swimmer?", swum) == ["Inge Bruin"]


def test_a_total_is_no_season():
    rows = [["Club", "Season", "Apps"], ["Port Vale", "1932–33", "28"], ["Port Vale", "1933–34", "38"],
            ["Career total", "Career total", "66"]]  # fmt: skip
    assert answer("In which season did he make the most appearances?", rows) == ["1933–34"]
