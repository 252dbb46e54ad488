"""Lists asked about in other words than their columns have."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

FILMS = source(
    [
        ["Year", "Title", "Role", "Director", "Notes"],
        ["2011", "Harbour Lights", "Nell", "Ola Brandt", ""],
        ["2013", "The Ferry", "Mrs. Voss", "Ira Senn", "Short film"],
        ["2015", "Cold Quarter", "Anna Leigh", "Ola Brandt", "Nominated – Gull Award"],
        ["2016", "Small Hours", "Dora", "Pim Aster", "Short film"],
        ["2019", "Northbound", "Kit", "Ira Senn", "Post-production"],
    ],
    title="Mara Ellis - Film",
)
PLAYS = source(
    [
        ["Year", "Title", "Role", "Theatre"],
        ["2004", "Twelfth Night", "Viola", "Lantern Playhouse"],
        ["2007", "The Seagull", "Nina", "Old Mill"],
        ["2009", "Ghosts", "Regina", "Lantern Playhouse"],
    ]
)
SINGLES = source(
    [
        ["Title", "Year", "Peak chart position", "Album"],
        ["Blue Door", "2012", "7", "Rooms"],
        ["Salt", "2014", "23", "Tides"],
        ["Low Sun", "2015", "12", "Tides"],
    ]
)
PRIZES = source(
    [
        ["Award", "Film", "Awardee(s)", "Cash prize"],
        ["Best Direction", "Monsoon", "Asha Menon", "₹ 25,000/-"],
        ["Best Lyrics", "Kite", "Ravi Das", "₹ 10,000/-"],
        ["Best Editing", "Monsoon", "Leela Nair", "₹ 10,000/-"],
    ]
)
NOMINATIONS = source(
    [
        ["Year", "Award", "Category", "Recipient", "Result"],
        ["2014", "Gull Awards", "Best Supporting Actress", "Iris Lane", "Nominated"],
        ["2014", "Gull Awards", "Best Drama", "Cold Quarter", "Won"],
        ["2015", "Pier Prize", "Best Actress", "Mara Ellis", "Nominated"],
    ]
)
CLUBS = source(
    [
        ["Club", "Season", "Apps", "Goals"],
        ["Dunmore", "1957–58", "31", "9"],
        ["Dunmore", "1958–59", "28", "4"],
        ["Kells Town", "1959–60", "17", "6"],
    ]
)
PLANES = source(
    [
        ["Aircraft", "Seating capacity", "In service"],
        ["Dash 8", "78", "12"],
        ["Airbus A321", "212", "30"],
        ["ATR 72", "70", "8"],
    ]
)
KINGS = source(
    [
        ["Name", "Born", "Reign"],
        ["Otto I", "3 May 1170", "1190–1200"],
        ["Joan I", "2 June 1191", "1200–1205"],
        ["Otto II", "9 July 1180", "1208–1231"],
    ]
)
FILMS_ZH = source(
    [
        ["年份", "片名", "角色", "导演", "备注"],
        ["2010", "山路", "张强", "王平", "短片"],
        ["2012", "长河", "刘海", "陈东", ""],
        ["2014", "归途", "老赵", "王平", "短片"],
        ["2020", "远方", "周文", "赵一", "后期制作"],
    ],
    title="李明 - 电影作品",
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("who was mara ellis in harbour lights?", FILMS, ["Nell"]),
        ("who was she in cold quarter?", FILMS, ["Anna Leigh"]),
        ("who was the director in the ferry?", FILMS, ["Ira Senn"]),
        ("what was mara ellis's character called in northbound?", FILMS, ["Kit"]),
        ("where was the seagull staged?", PLAYS, ["Old Mill"]),
        ("which record does low sun belong to?", SINGLES, ["Tides"]),
        ("what was the best place reached by salt?", SINGLES, ["23"]),
        ("who got the prize for best direction?", PRIZES, ["Asha Menon"]),
        ("who was put forward as best supporting actress?", NOMINATIONS, ["Iris Lane"]),
        ("did she win or was she only nominated for best actress?", NOMINATIONS, ["Nominated"]),
        ("how often did he turn out for kells town in 1959–60?", CLUBS, ["17"]),
        ("which aircraft has room for the most passengers?", PLANES, ["Airbus A321"]),
        ("when was the second otto born?", KINGS, ["9 July 1180"]),
        ("李明在长河中演的是谁？", FILMS_ZH, ["刘海"]),
    ],
)
def test_a_list_is_read_in_the_words_of_its_columns(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == expected


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("which movie of hers was not finished yet?", FILMS, ["Northbound"]),
        ("which of her films were shorts?", FILMS, ["The Ferry", "Small Hours"]),
        ("how many of these films were shorts?", FILMS, ["2"]),
        ("哪部电影还没拍完？", FILMS_ZH, ["远方"]),
        ("有几部短片？", FILMS_ZH, ["2"]),
    ],
)
def test_the_state_of_a_work_is_what_its_note_says(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == expected


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("who was mara ellis in the long winter?", FILMS),
        ("where was hedda gabler staged?", PLAYS),
        ("who was named best actor?", PRIZES),
        ("who directed her in doctor zhivago?", FILMS),
    ],
)
def test_what_the_list_does_not_have_is_not_told(question, table):
    assert answer_from_tables(question, [table]) is None
