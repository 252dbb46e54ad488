"""Numbers that stand in the notes of lists: episodes, times, heights; first places; countries by their people."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

SERIES = source(
    [
        ["Year", "Title", "Role", "Notes"],
        ["1998–2001", "Quayside", "Tom Hale", "41 episodes"],
        ["2002", "The Ward", "Porter", 'Episode: "Night Shift"'],
        ["2003", "Signal Box", "Reg", "6 episodes"],
        ["2010", "Marsh End", "Sergeant Poll", "12 episodes"],
    ]
)
MEETS = source(
    [
        ["Year", "Competition", "Venue", "Position", "Event", "Notes"],
        ["2009", "Rome City Marathon", "Rome, Italy", "1st", "Marathon", "2:27:08"],
        ["2010", "Mumbai Marathon", "Mumbai, India", "5th", "Marathon", "2:33:38"],
        ["2010", "Rome City Marathon", "Rome, Italy", "1st", "Marathon", "2:25:28"],
        ["2012", "Boston Marathon", "Boston, USA", "4th", "Marathon", "2:34:56"],
        ["2014", "Prague Marathon", "Prague, Czech Republic", "1st", "Marathon", "2:23:34"],
    ]
)
JUMPS = source(
    [
        ["Year", "Competition", "Venue", "Position", "Notes"],
        ["1984", "Olympic Games", "Los Angeles, United States", "5th", "2.29 m"],
        ["1986", "Goodwill Games", "Moscow, Soviet Union", "1st", "2.34 m"],
        ["1990", "Goodwill Games", "Seattle, United States", "2nd", "2.30 m"],
    ]
)
SWIMMERS = source(
    [
        ["Rank", "Lane", "Name", "Nationality", "Time"],
        ["1", "4", "Eva Lind", "Sweden", "58.21"],
        ["2", "5", "Aki Mori", "Japan", "58.40"],
        ["3", "3", "Yui Hara", "Japan", "58.77"],
        ["4", "6", "Ruth Cole", "Great Britain", "59.02"],
    ]
)
VOTES = source(
    [
        ["Party", "Candidate", "Votes", "%"],
        ["Republican", "Edward Dale (incumbent)", "208,822", "64.70%"],
        ["Independent", "Robert Healey", "5,964", "1.85%"],
        ["Independent", "Tony Afford", "3,481", "1.08%"],
    ]
)
FINALS = source(
    [
        ["Year", "Champions", "Score", "Runners-up"],
        ["2012", "Alby HK", "29–26", "IF Gran"],
        ["2013", "Holm HK", "28–27", "IFK Karl"],
        ["2014", "IFK Karl", "23–22", "Holm HK"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("how many episodes of signal box was he in?", SERIES, ["6 episodes"]),
        ("which episode of the ward was he in?", SERIES, ['Episode: "Night Shift"']),
        ("how many more episodes of quayside than marsh end did he do?", SERIES, ["29"]),
        ("which show did he appear in for the most episodes?", SERIES, ["Quayside"]),
        ("what is the total number of episodes he appeared in?", SERIES, ["60"]),
        ("how long did she need for the prague marathon?", MEETS, ["2:23:34"]),
        ("how many times did she win in rome?", MEETS, ["2"]),
        ("how often did she come first?", MEETS, ["3"]),
        ("how high did he jump at the goodwill games in moscow?", JUMPS, ["2.34 m"]),
        ("at which competition was his jump the lowest?", JUMPS, ["Olympic Games"]),
        ("how many years passed between quayside and marsh end?", SERIES, None),
        ("how many japanese swimmers were there?", SWIMMERS, ["2"]),
        ("how many votes did the two independents get between them?", VOTES, ["9,445"]),
        ("how many votes were cast for dale and healey put together?", VOTES, ["214,786"]),
        ("what was the score when ifk karl beat holm hk?", FINALS, ["23–22"]),
    ],
)
def test_what_a_note_or_a_mark_says_is_counted_and_compared(question, table, expected):
    made = answer_from_tables(question, [table])
    assert (made and made.values) == expected


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("how far did she jump in prague?", MEETS),
        ("how many votes did the three independents get between them?", VOTES),
        ("which of the two italian swimmers was faster?", SWIMMERS),
        ("who directed last orders?", SERIES),
    ],
)
def test_what_no_row_or_another_number_of_rows_tells_is_declined(question, table):
    assert answer_from_tables(question, [table]) is None


def test_a_place_in_a_heat_is_no_win():
    rows = [
        ["Year", "Competition", "Venue", "Position"],
        ["2004", "Games", "Rome, Italy", "1st (heats)"],
        ["2005", "Cup", "Rome, Italy", "1st"],
        ["2006", "Cup", "Oslo, Norway", "3rd"],
    ]
    made = answer_from_tables("how many times did she win in rome?", [source(rows)])
    assert made is not None
    assert made.values == ["1"]


def test_the_row_of_the_swing_is_no_candidate():
    rows = [
        ["Party", "Candidate", "Votes", "%"],
        ["Labour", "Ann Hart", "1,234", "62.7"],
        ["Liberal", "Ewan Pike", "540", "27.4"],
        ["Labour hold", "Labour hold", "Swing", ""],
    ]
    made = answer_from_tables("how many candidates were there?", [source(rows)])
    assert made is not None
    assert made.values == ["2"]


def test_a_remark_across_the_columns_is_of_no_column():
    remark = "Citation: For the exceptional mastery of the craft in a complex subject."
    rows = [
        ["Award", "Film", "Language", "Awardee(s)"],
        ["Best Direction", "Monsoon", "Hindi", "Asha Menon"],
        ["Best Direction", remark, remark, remark],
        ["Best Lyrics", "Kite", "Tamil", "Ravi Das"],
    ]
    made = answer_from_tables("who was the awardee for best direction?", [source(rows)])
    assert made is not None
    assert made.values == ["Asha Menon"]
