"""Everyday questions over lists of works, awards and races: titles, results, places, decades, who came first."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

ROLES = source(
    [
        ["Year", "Title", "Role", "Notes"],
        ["1994", "Harbour Lights", "Nina Falk", "2 episodes"],
        ["1998", "Salt & Iron", "Dr. Weiss", "Recurring"],
        ["2003", "The Quiet Mill", "Herself", "Episode: Dusk"],
        ["2003", "North Road", "Greta Olsen", "1 episode"],
        ["2011", "The Tall Reeds", "Judge Amato", "Pilot"],
    ],
    title="Ada Brandt - Television",
    path=["Ada Brandt - Television"],
)
AWARDS = source(
    [
        ["Year", "Award", "Category", "Nominated work", "Result"],
        ["2012", "3rd Lakeside Film Awards", "Best Newcomer", "Glass Rain", "Won"],
        ["2014", "5th Lakeside Film Awards", "Best Actress", "Paper Boats", "Nominated"],
        ["2015", "Coast Critics Prize", "Best Actress", "Paper Boats", "Won"],
        ["2016", "6th Lakeside Film Awards", "Best Actress", "Old Snow", "Nominated"],
    ]
)
RACES = source(
    [
        ["Season", "Competition", "Venue", "Position", "Notes"],
        ["1988", "Harbour Marathon", "Lisbon, Portugal", "1st", "2:34:10"],
        ["1989", "Harbour Marathon", "Lisbon, Portugal", "4th", "2:31:05"],
        ["1991", "World Championships", "Gotland, Sweden", "1st", "2:29:47"],
        ["1993", "Harbour Marathon", "Lisbon, Portugal", "12th", "2:40:00"],
    ]
)
SEATS = source(
    [
        ["Party", "Party", "Votes", "Seats"],
        ["", "Harbour Union", "", "31"],
        ["", "Hill League", "", "4"],
        ["", "Free List", "", "12"],
    ]
)
TOWERS = source(
    [
        ["Rank", "Name", "Height (m)", "Year of completion"],
        ["1", "Mill Tower", "261", "2001"],
        ["2", "Pier House", "250", "1966"],
        ["3", "Kestrel Court", "225", "2018"],
    ]
)

FINALS = source(
    [
        ["Year", "Champions (number of titles)", "Score", "Runners-up", "Venue", "Attendance"],
        ["2004–05", "IK Aldra (2)", "27–26", "HK Borsa", "Ice Hall, Stenby", "14,327"],
        ["2005–06", "HK Borsa", "34–31", "IK Aldra", "Harbour Arena, Luvia", "12,236"],
        ["2006–07", "IK Aldra (3)", "30–22", "Cedra HF", "Ice Hall, Stenby", "14,089"],
    ]
)
GOVERNORS = source(
    [
        ["Name", "Took office", "Left office"],
        ["Sir Hugh Penrose", "1912", "1917"],
        ["Lord Falk", "1917", "1922"],
        ["Ada Brandt", "1922", "1927"],
    ]
)
SQUADRONS = source(
    [
        ["Squadron", "Aircraft operated", "Embarked", "Notes"],
        ["802", "Sea Fury", "1951", "–"],
        ["819", "Swordfish", "1940", "Disbanded"],
        ["854", "Avenger", "1943", "Disbanded"],
        ["878", "Martlet", "1943", "Voice, disbanded"],
    ]
)
ELECTION = source(
    [
        ["Party", "Candidate", "Votes", "%"],
        ["Union", "Douglas Reed", "22,637", "47.5"],
        ["League", "Joan Kirk", "18,478", "38.8"],
        ["Free", "Alex Lund", "5,208", "10.9"],
        ["Majority", "Majority", "4,159", "8.7"],
        ["Turnout", "Turnout", "46,323", "67.4"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("In which series did she portray Greta Olsen?", ROLES, ["North Road"]),
        ("what year was she in salt & iron?", ROLES, ["1998"]),
        ("how many television shows did ada brandt appear in in 2003?", ROLES, ["2"]),
        ("how many shows was she in in the 1990s?", ROLES, ["2"]),
        ("which did she appear in first, the quiet mill or the tall reeds?", ROLES, ["The Quiet Mill"]),
        ("What film was she honored for at the Coast Critics Prize?", AWARDS, ["Paper Boats"]),
        ("how many of these awards did she win?", AWARDS, ["2"]),
        ("how many different works was she nominated for?", AWARDS, ["3"]),
        ("how many times did she come in first?", RACES, ["2"]),
        ("how many harbour marathons did she run?", RACES, ["3"]),
        ("in which year did she run her fastest harbour marathon?", RACES, ["1989"]),
        ("in what city were the 1991 world championships?", RACES, ["Gotland, Sweden"]),
        ("what party won the fewest seats?", SEATS, ["Hill League"]),
        ("when was pier house finished?", TOWERS, ["1966"]),
        ("who was the losing team in 2006–07?", FINALS, ["Cedra HF"]),
        ("in which season did ik aldra lose the final?", FINALS, ["2005–06"]),
        ("when did lord falk become governor?", GOVERNORS, ["1917"]),
        ("what year did lord falk leave office?", GOVERNORS, ["1922"]),
        ("how many squadrons were disbanded?", SQUADRONS, ["3"]),
        ("which squadron is listed right after 854?", SQUADRONS, ["878"]),
        ("how many candidates were there?", ELECTION, ["3"]),
        ("how much taller is mill tower than pier house?", TOWERS, ["11"]),
    ],
)
def test_what_people_say_of_works_results_and_places_is_understood(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == expected


def test_a_place_with_more_behind_it_counts():
    seasons = source(
        [
            ["Year", "League", "Reg. Season", "Playoffs"],
            ["2004", "Second", "4th, Western", "–"],
            ["2005", "Second", "2nd, Western", "Quarterfinals"],
            ["2006", "First", "4th", "–"],
        ]
    )
    made = answer_from_tables("how many times did they place 4th?", [seasons])
    assert made is not None
    assert made.values == ["2"]


def test_what_a_rank_is_called_answers_no_when():
    without_years = source(
        [["Rank", "Name", "Height (m)"], ["1", "Mill Tower", "261"], ["2", "Pier House", "250"]]
    )
    assert answer_from_tables("when was pier house finished?", [without_years]) is None


def test_what_stands_in_a_column_is_no_name_of_a_column():
    clubs = source(
        [
            ["Season", "Club", "Division"],
            ["2015", "Aldra", "First"],
            ["2016", "Aldra", "Second"],
        ]
    )
    made = answer_from_tables("what division was aldra in for 2016?", [clubs])
    assert made is not None
    assert made.values == ["Second"]


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("what happened to squadron 819?", SQUADRONS),
        ("how many shows was she in in the 1970s?", ROLES),
        ("how high did the quiet mill get?", ROLES),
        ("what was ada brandt's reaction time?", RACES),
    ],
)
def test_what_no_column_tells_is_not_answered_from_another(question, table):
    assert answer_from_tables(question, [table]) is None
