"""Small words and short forms that tell one name from another."""

import pytest
from made_tables import source, typed

from engine.answer.tables.mentions import Mentions
from engine.answer.tables.table_questions import answer_from_tables


def answer(question, rows, **more):
    made = answer_from_tables(question, [source(rows, **more)])
    return made.values if made else None


BALLOT = [
    ["Name", "Votes For", "Votes Against"],
    ["Ana Costa", "59,657,810", "294,935"],
    ["Bo Lind", "54,484,293", "16,105,005"],
]
EQUITY = [
    ["", "Total", "Retained earnings"],
    ["Balances as of December 31, 2022", "22,984", "13,837"],
    ["Net income", "8,060", "8,060"],
    ["Repurchase of shares", "(7,598)", "(6,958)"],
    ["Balances as of December 31, 2023", "23,446", "14,939"],
]
QUARTERS = [
    ["", "First Quarter", "Second Quarter"],
    ["Diluted earnings per share", "1.07", "1.78"],
    ["Shares used in computation of earnings per share:", "", ""],
    ["Basic", "471", "473"],
    ["Diluted", "481", "483"],
]


def test_votes_against_are_not_those_for():
    assert answer("How many votes were cast against Bo Lind?", BALLOT) == ["16,105,005"]
    assert answer("How many more votes against did Bo Lind get than Ana Costa?", BALLOT) == ["15810070"]


def test_at_the_end_of_a_year_is_its_balance_and_nothing_that_happened_in_it():
    assert answer("How many dollars of retained earnings were there at the end of 2023?", EQUITY) == [
        "14,939"
    ]
    assert answer("What was net income in 2023 in retained earnings?", EQUITY) == ["8,060"]


def test_what_a_figure_serves_to_compute_it_is_not():
    assert answer("What was diluted EPS in the second quarter?", QUARTERS) == ["1.78"]


def test_whose_figure_is_asked_for_may_be_all_that_a_column_is_called():
    rows = [["", "JAC", "HAC", "All lines"], ["On-time departure rate (%)", "92.2", "80.1", "90.6"]]
    assert answer("What was JAC's on-time departure rate?", rows) == ["92.2"]


@pytest.mark.parametrize("name", ["United Kingdom", "U.K.", "UK"])
@pytest.mark.parametrize("said", ["the United Kingdom", "the UK", "the U.K."])
def test_a_country_is_meant_by_its_short_form(name, said):
    rows = [["", "2023", "2022"], ["Germany", "12", "11"], [name, "9", "8"], ["Total", "21", "19"]]
    assert answer(f"What were sales in {said} in 2022?", rows) == ["8"]


def test_us_is_a_country_in_capitals_alone():
    rows = [["", "2023", "2022"], ["U.S. treasury securities", "12", "75"], ["Other securities", "9", "8"]]
    assert answer("What was the balance of US treasury securities in 2022?", rows) == ["75"]


@pytest.mark.parametrize(
    ("header", "question", "value"),
    [
        ("Pax", "How many passengers were there in June 2015?", "667"),
        ("L/F(%)", "What was the load factor in June 2015?", "81.2"),
    ],
)
def test_short_headers_and_months_are_written_out_by_questions(header, question, value):
    rows = [["", header, "Flights"], ["May-2015", "686" if header == "Pax" else "77.7", "12"],
            ["Jun-2015", value, "14"], ["Jul-2015", "698" if header == "Pax" else "81.3", "15"]]  # fmt: skip
    assert answer(question, rows) == [value]


def test_letters_joined_by_an_ampersand_are_one_word():
    rows = [["", "2023", "2022"], ["Pre-opening expenses", "21", "17"],
            ["Selling, general and administrative expenses", "762", "649"]]  # fmt: skip
    assert answer("What was SG&A expense in 2022?", rows) == ["649"]


def test_a_footnote_within_a_name_of_several_levels_is_no_part_of_it():
    rows = [["", "MedTech1", "MedTech1", "Pharmaceutical1", "Pharmaceutical1"], ["", "2023", "2022", "2023", "2022"],
            ["Litigation", "129", "187", "61", "35"], ["Restructuring", "88", "90", "31", "22"]]  # fmt: skip
    assert answer("How much was litigation in the Pharmaceutical segment in 2023?", rows) == ["61"]


def test_altogether_asks_for_the_total():
    rows = [["", "2023", "2022"], ["Current securities", "238", "201"], ["Non-current securities", "23", "27"],
            ["Total securities", "261", "228"]]  # fmt: skip
    assert answer("How much did 3M hold in securities altogether in 2022?", rows) == ["228"]


def test_a_fiscal_year_is_a_year():
    rows = [
        ["", "Expenses, net"],
        ["Fiscal year 2021", "94"],
        ["Fiscal year 2022", "96"],
        ["Fiscal year 2023", "111"],
    ]
    assert answer("In which fiscal year were net expenses the lowest?", rows) == ["2021"]


def test_a_share_of_a_whole_may_be_asked_of_its_owner():
    rows = [
        ["", "2023", "2022"],
        ["Japan", "$ 20", "$ 18"],
        ["Germany", "60", "62"],
        ["Total sales", "$ 80", "$ 80"],
    ]
    assert answer("What was Japan's share of total sales in 2023, in percent?", rows) == ["25%"]


def test_outflows_in_brackets_that_grew_increased():
    rows = [["", "2023", "2022"], ["Purchases of property", "(90)", "(70)"], ["Sales of property", "8", "5"]]
    assert answer("What was the increase in purchases of property from 2022 to 2023?", rows) == ["20"]


def test_a_column_of_percentages_that_is_named_need_not_be_asked_for_in_percent():
    rows = [["", "2023", "2022", "Change", "Currency"], ["Abroad", "463", "466", "(0.6)%", "(9.7)%"],
            ["Home", "485", "471", "3.0%", "0.1%"]]  # fmt: skip
    assert answer("What was the currency effect abroad?", rows) == ["(9.7)%"]


def test_who_holds_an_office_is_asked_in_chinese_too():
    rows = [
        ["姓名", "职务", "年龄"],
        ["王一", "董事长", "60"],
        ["李二", "董事会秘书", "41"],
        ["赵三", "监事", "35"],
    ]
    assert answer("谁担任公司的董事会秘书？", rows) == ["李二"]


GAMES = [
    ["Year", "Game", "Role", "Developer(s)"],
    ["2011", "Portal", "Hunter", "Valve"],
    ["2012", "Walking", "Captain", "Telltale"],
    ["2013", "Bloodborne", "Stranger", "FromSoftware"],
]


def test_who_did_something_is_in_the_column_of_those_who_did():
    assert answer("Who developed Bloodborne?", GAMES) == ["FromSoftware"]


def test_a_column_may_be_asked_for_by_a_word_like_its_name():
    assert answer("What character did he play in Bloodborne?", GAMES) == ["Stranger"]
    swum = [
        ["Name", "Nationality", "Time"],
        ["Sandra Volker", "Germany", "25.27"],
        ["Inge Bruin", "Norway", "24.3"],
    ]
    assert answer("Which country does Sandra Volker represent?", swum) == ["Germany"]


def test_which_club_is_answered_from_the_column_of_clubs_alone():
    rows = [["Club", "Season", "Division", "Apps"], ["Port Vale", "1932–33", "Second Division", "28"],
            ["Fulham", "1933–34", "First Division", "38"], ["Argyle", "1946–47", "Second Division", "3"]]  # fmt: skip
    assert answer("For which club did he play in 1946–47?", rows) == ["Argyle"]


def test_what_is_the_same_in_all_rows_is_not_what_they_are():
    rows = [["Team", "Competition", "Subs"], ["Japan", "Asian Cup", "0"], ["Japan", "World Cup", "2"],
            ["Japan", "Youth Cup", "1"]]  # fmt: skip
    assert answer("Name a game that had at least 2 subs.", rows) in (["World Cup"], None)


def test_a_count_is_no_percentage():
    rows = [
        ["股东名称", "期末持股数量", "比例(%)"],
        ["黄晓颖", "5,508,138", "2.61"],
        ["朱建新", "4,734,319", "2.25"],
    ]
    assert answer("黄晓颖期末持有多少股？", rows) == ["5,508,138"]


def test_a_sum_that_is_named_by_more_than_its_part_is_meant():
    rows = [["", "2023", "2022"], ["Strip net revenues", "$8,398", "$4,737"], ["Acquisitions", "(2,226)", "(366)"],
            ["Strip same-store net revenues", "6,172", "4,371"]]  # fmt: skip
    assert answer("What were the same-store net revenues of the Strip in 2022?", rows) == ["4,371"]
    assert answer("What were the net revenues of the Strip in 2022?", rows) == ["$4,737"]


def test_when_is_answered_by_no_amount():
    rows = [["", "Maturities", "2023", "2022"], ["Notes, $600 million", "Apr 2026", "600", "590"],
            ["Notes, $500 million", "May 2028", "500", "480"]]  # fmt: skip
    assert answer("When do the $600 million notes mature?", rows) in (["Apr 2026"], None)


SEASONS = [
    ["Season", "Club", "League Apps", "League Goals", "Total Apps", "Total Goals"],
    ["1997", "Sanfrecce", "11", "1", "12", "1"],
    ["1998", "Sanfrecce", "20", "4", "27", "4"],
    ["1999", "Oita", "6", "1", "8", "1"],
    ["Total", "Total", "37", "6", "47", "6"],
]


def test_appearances_are_not_the_rows():
    assert answer("How many appearances in total did he make in 1998?", SEASONS) == ["27"]


def test_a_total_that_is_asked_for_is_the_one_of_the_total_columns():
    rows = [["Club", "Season", "League Goals", "Cup Goals", "Total Goals"], ["Blackpool", "1959", "9", "2", "11"],
            ["Blackpool", "1960", "4", "1", "5"], ["Blackpool", "Total", "13", "3", "16"],
            ["Stoke", "1961", "3", "0", "3"], ["Stoke", "Total", "3", "0", "3"]]  # fmt: skip
    assert answer("How many total goals did he score for Blackpool?", rows) == ["16"]


def test_of_two_columns_the_one_whose_things_are_counted_sets_no_condition():
    rows = [["Year", "Single", "Album"], ["2016", "Megatons", "The Weather"], ["2017", "The Weather", "The Weather"],
            ["2018", "Burnt Out", "Tasmania"]]  # fmt: skip
    assert answer("How many singles were released from The Weather?", rows) == ["2"]


def test_who_someone_played_is_a_role():
    rows = [["Year", "Title", "Role"], ["2014", "Smiley", "Will"], ["2015", "Trumbo", "Buddy Ross"]]
    assert answer("Who did he play in Trumbo?", rows) == ["Buddy Ross"]


def test_a_margin_is_a_percentage_of_sales():
    rows = [["", "2023", "2022"], ["Net sales", "$1,763", "$1,580"], ["Adjusted EBIT", "$123", "$117"],
            ["Adjusted EBIT as a percentage of net sales", "7.0 %", "7.4 %"]]  # fmt: skip
    assert answer("What was the adjusted EBIT margin in 2022?", rows) == ["7.4 %"]


def test_the_full_year_is_twelve_months():
    rows = [["", "Three Months Ended June 30, 2023", "Twelve Months Ended June 30, 2023"],
            ["Diluted EPS", "0.123", "0.705"], ["Net income", "184", "1,058"]]  # fmt: skip
    assert answer("What was full-year diluted EPS in 2023?", rows) == ["0.705"]


def test_a_column_called_increase_is_read_in_chinese():
    rows = [["项目", "期初余额", "本期增加", "本期减少", "期末余额"],
            ["失业保险费", "41.00", "339.16", "332.86", "48.20"],
            ["养老保险", "1,126.30", "9,638.18", "9,603.68", "1,161.80"]]  # fmt: skip
    assert answer("失业保险费本期增加多少？", rows) == ["339.16"]


def test_the_total_of_a_thing_in_one_group_of_rows_is_added_up():
    rows = [["Product", "Day", "Revenue"], ["Widget A", "2024-01-01", "5000"], ["Widget B", "2024-01-02", "700"],
            ["Widget A", "2024-01-05", "7000"], ["Widget B", "2024-01-06", "600"]]  # fmt: skip
    assert answer("What was the total revenue of Widget A?", rows) == ["12,000"]


def test_a_number_between_chinese_characters_is_found():
    rows = [
        ["股东名称", "股东性质", "持股数量"],
        ["黄晓颖", "境内自然人", "5,508,138"],
        ["朱建新", "境内自然人", "4,734,319"],
    ]
    assert [group[0].value for group in Mentions(typed(rows), "谁的持股数量是4,734,319").values()] == [
        "4,734,319"
    ]
