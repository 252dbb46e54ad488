"""Fiscal years that end in the next one."""

from made_tables import source

from engine.answer.tables.split_years import in_years_of_ends

WEEKS = source(
    [
        ["£m", "52 weeks ended 30 March 2019", "52 weeks ended 31 March 2018"],
        ["Impairment of goodwill", "-", "(0.8)"],
        ["Income tax credit", "8.9", "(13.7)"],
    ]
)
SEASONS = source([["Club", "2017/18", "2018/19"], ["Dunmore", "31", "28"], ["Kells", "12", "9"]])


def test_a_split_year_is_the_one_in_which_the_period_ends():
    question = "What was the impairment of goodwill in 2017/18?"
    assert in_years_of_ends(question, WEEKS) == "What was the impairment of goodwill in 2018?"


def test_seasons_and_spans_stay():
    assert in_years_of_ends("How many for Dunmore in 2017/18?", SEASONS) == "How many for Dunmore in 2017/18?"
    assert in_years_of_ends("How much in 2015-18?", WEEKS) == "How much in 2015-18?"
