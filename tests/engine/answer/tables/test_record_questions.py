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


RECORDS = source(
    [
        ["Event", "Athlete", "Country", "Mark", "Date", "Viewers (m)"],
        ["100 m", "Ána Tórrez", "Peru", "11.35", "3 May 1995", "4.25"],
        ["200 m", "Eva Ruiz", "Peru", "22.46", "25 August 2000", "5.5"],
        ["400 m", "Mia Holt", "Fiji", "51.40", "4 December 1988", "6.75"],
    ]
)
RECORDS_ZH = source(
    [["项目", "选手", "日期"], ["跳远", "王明", "1995年5月3日"], ["跳高", "李华", "2000年8月25日"]]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("who set the record on may 3, 1995?", RECORDS, "Ána Tórrez"),
        ("哪位选手的日期是1995-05-03?", RECORDS_ZH, "王明"),
        ("which athlete had 6.75 million viewers?", RECORDS, "Mia Holt"),
        ("ana torrez and eva ruiz were both from which country?", RECORDS, "Peru"),
    ],
)
def test_a_row_is_known_by_a_date_a_number_and_a_name_however_written(question, table, expected):
    assert value(question, table) == [expected]


CITIES_ZH = source(
    [["城市", "省份", "人口"], ["成都", "四川", "2100"], ["绵阳", "四川", "480"], ["重庆", "重庆市", "3200"]]
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("成都和绵阳都属于哪个省份?", ["四川"]), ("成都和绵阳的人口相差多少?", ["1,620"])],
)
def test_what_two_have_in_common_is_asked_in_chinese_too_and_a_city_is_no_such_word(question, expected):
    assert value(question, CITIES_ZH) == expected


def test_two_rows_that_differ_have_nothing_in_common():
    assert value("eva ruiz and mia holt were both from which country?", RECORDS) is None


def test_two_mentions_that_meet_in_one_row_bear_each_other_out():
    assert value("How old is Tess, the CFO of Northwind?", OFFICERS) == ["56"]


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


STAFF = source(
    [
        ["Union", "Employee Group", "Number of Employees", "Contract Status"],
        ["Association of Pilots (AP)", "Pilots", "2,871", "Amendable 4/1/2030"],
        ["Crew United (CU)", "Flight attendants", "5,815", "Amendable 12/17/2031"],
        ["Ground Workers (GW)", "Dispatchers", "87", "Amendable 3/24/2029"],
    ]
)
RUNS = source(
    [
        ["Name", "Nation", "Time"],
        ["Ada Bern", "Chile", "51.86"],
        ["Cleo Dunn", "Kenya", "52.17"],
        ["Edna Falk", "Spain", "56.57"],
    ]
)
ZONES = source(
    [
        ["", "Sales", "Profit"],
        ["Zone North", "12,553", "2,713"],
        ["Zone South", "2,548", "404"],
        ["Zone East", "9,467", "1,570"],
        ["Other businesses", "137", "-12"],
    ]
)


def test_how_many_there_are_of_one_group_is_read_from_its_number():
    assert value("How many dispatchers work there?", STAFF) == ["87"]
    assert value("How many pilots were there in 2028?", STAFF) == ["2,871"]


def test_the_slowest_has_the_longest_time():
    assert value("who had the slowest time?", RUNS) == ["Edna Falk"]
    assert value("who had the fastest time?", RUNS) == ["Ada Bern"]


def test_the_only_one_of_a_kind_is_found_by_its_kind():
    assert value("who was the only runner from Spain?", RUNS) == ["Edna Falk"]


def test_which_zone_compares_zones_only():
    assert value("Which zone had the lowest sales?", ZONES) == ["Zone South"]
    assert value("Which zone had the highest profit?", ZONES) == ["Zone North"]


def test_a_count_is_not_answered_by_a_date():
    singles = source(
        [
            ["Single", "Release date", "Label"],
            ["Blue", "9 September 2012", "Fen"],
            ["Green", "27 January 2013", "Fen"],
            ["Red", "6 October 2013", "Moor"],
        ]
    )
    assert value("how many singles were released in 2013?", singles) == ["2"]


def test_a_cell_that_cannot_be_read_may_be_the_largest():
    towns = source(
        [
            ["Rank", "Town", "Share"],
            ["1", "Ashby", "36.4% (52% in 2010)"],
            ["2", "Corby", "17.7%"],
            ["3", "Derby", "17.4%"],
            ["4", "Selby", "17.2%"],
            ["5", "Whitby", "17.1%"],
            ["6", "Rugby", "14.3%"],
            ["7", "Kirby", "12.7%"],
        ]
    )
    assert value("which town has the highest share?", towns) is None


def test_which_asks_for_a_name_and_how_many_for_the_number_of_a_row():
    fleet = source(
        [
            ["Carrier", "Type A320", "Type B737", "Total"],
            ["Sky Air, Inc.", "42", "3", "45"],
            ["Harbour Air, LLC", "77", "22", "99"],
        ]
    )
    assert value("How many planes does Sky Air have?", fleet) == ["45"]
    assert value("Which employee group does the CU represent?", STAFF) == ["Flight attendants"]


def test_when_asks_for_the_column_of_dates_that_the_question_names():
    ships = source(
        [
            ["Ship", "Laid down", "Launched", "Completed"],
            ["Heron", "14 November 1933", "5 April 1935", "20 August 1936"],
            ["Osprey", "9 December 1933", "18 May 1935", "7 September 1936"],
        ]
    )
    assert value("when was Osprey completed?", ships) == ["7 September 1936"]
    assert value("when was Heron launched?", ships) == ["5 April 1935"]


def test_a_column_is_named_without_what_stands_in_brackets():
    towns = source(
        [
            ["Town", "Area (km2)", "Density (inhabitants/km2)"],
            ["Ashby", "203.9", "461.8"],
            ["Corby", "33.4", "611.2"],
            ["Derby", "99.3", "276.7"],
        ]
    )
    assert value("which town has the highest density?", towns) == ["Corby"]


SONGS = source(
    [
        ["Year", "Song", "Chart"],
        ["1991", '"Blue Door"', "5"],
        ["1991", '"Slow Train"', "9"],
        ["1994", '"Old River"', "2"],
    ],
    title="Songs",
)


def test_quoted_names_joined_by_and_are_two_things_with_one_answer():
    assert value('in what year were "blue door" and "slow train" released?', SONGS) == ["1991"]


def test_a_row_is_not_read_where_the_question_says_the_text_of_another():
    groups = source(
        [
            ["Employee group", "Number of employees", "Union"],
            ["Northern pilots", "1,300", "ALPA"],
            ["Northern dispatchers", "430", "PAFCA"],
            ["Southern attendants", "1,200", "AFA"],
        ]
    )
    assert value("What employee group of Northern Air was represented by AFA?", groups) == [
        "Southern attendants"
    ]


def test_how_many_years_is_answered_by_no_year():
    bishops = source(
        [
            ["Bishop", "Office began", "Office ended"],
            ["Arni Olsen", "1825", "1845"],
            ["Helgi Thorsen", "1846", "1866"],
            ["Petur Petersen", "1866", "1889"],
        ]
    )
    assert value("what is the number of years that helgi thorsen was in office?", bishops) is None


def test_a_cell_that_only_says_what_is_asked_is_no_answer():
    infobox = source(
        [["Heron", "Heron"], ["Scientific classification", "Scientific classification"], ["Order", "Waders"]]
    )
    assert value("What is the heron's scientific classification?", infobox) is None
    assert value("What is the order of the heron?", infobox) == ["Waders"]


def test_a_table_without_the_place_does_not_answer_where_another_names_it():
    months = source([["Month", "Losses"], ["May", "20"], ["June", "30"], ["Total", "50"]])
    towns = source([["Day", "Town", "Firm"], ["3 May", "Ashby", "Mill Ltd"], ["9 June", "Corby", "Dock Ltd"]])
    question = "What is the total of the losses in Ashby?"
    assert answer_from_tables(question, [months]) is None
    assert answer_from_tables(question, [months, towns]) is None
