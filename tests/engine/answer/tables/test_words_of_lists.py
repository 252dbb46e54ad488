"""Words of everyday questions over lists: what they measure, what they are called, in what unit."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

PEAKS = source(
    [
        ["Peak", "Height (m)", "Prominence (m)", "First ascent", "First climbers"],
        ["Arnspitz", "2,749", "1,543", "1870", "H. Barth"],
        ["Balkar", "2,569", "310", "1855", "local people"],
        ["Cimon", "2,508", "434", "1843", "M. Lipold"],
        ["Drusen", "2,457", "639", "1901", "two guides"],
    ]
)
STAFF_ZH = source(
    [
        ["姓名", "部门", "职务", "入职日期", "月薪（元）", "电话"],
        ["李晓梅", "财务部", "会计主管", "2015-03-01", "14,500", "8021"],
        ["王大力", "工程部", "高级工程师", "2012-07-15", "18,200", "8105"],
        ["陈静", "人事部", "招聘专员", "2021-04-12", "8,600", "8033"],
        ["周婷", "财务部", "出纳", "2019-06-20", "7,800", "8024"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("How high is Balkar?", PEAKS, ["2,569"]),
        ("Which is the lowest peak?", PEAKS, ["Drusen"]),
        ("When was Arnspitz first ascended?", PEAKS, ["1870"]),
        ("Which mountain was first climbed in 1843?", PEAKS, ["Cimon"]),
        ("陈静的职位是什么？", STAFF_ZH, ["招聘专员"]),
        ("王大力每个月工资多少？", STAFF_ZH, ["18,200"]),
        ("分机8033是谁的？", STAFF_ZH, ["陈静"]),
        ("哪些人月薪低于10000元？", STAFF_ZH, ["陈静", "周婷"]),
        ("财务部有几个人？", STAFF_ZH, ["2"]),
    ],
)
def test_what_people_say_for_a_column_is_understood(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == expected


def test_the_oldest_of_things_with_an_age_has_the_largest():
    fleet = source(
        [["Aircraft", "Average age (in years)"], ["A319", "13.1"], ["A321", "1.8"], ["E175", "4.9"]]
    )
    made = answer_from_tables("Which aircraft is the oldest?", [fleet])
    assert made is not None
    assert made.values == ["A319"]


def test_a_size_in_the_unit_of_a_row_is_found():
    plants = source(
        [
            ["", "Linz", "Graz"],
            ["Floor area (m²)", "12,400", "8,950"],
            ["Employees", "640", "310"],
            ["Plant manager", "Eva Huber", "Stefan Mayr"],
        ]
    )
    made = answer_from_tables("How big is the Graz site in square metres?", [plants])
    assert made is not None
    assert made.values == ["8,950"]


GAMES = source(
    [
        ["Year", "Competition", "Venue", "Position"],
        ["1962", "Caribbean Games", "Kingston, Jamaica", "4th"],
        ["1963", "Pan American Games", "Sao Paulo, Brazil", "5th"],
        ["1967", "Pan American Games", "Winnipeg, Canada", "1st"],
    ]
)
RIVERS = source(
    [
        ["River", "Length (km)", "Mouth", "Main tributaries"],
        ["Ormel", "1,204", "Gulf of Senn", "Tiva, Brune"],
        ["Senna", "873", "Gulf of Senn", "Kett"],
        ["Kett", "412", "Senna", "none"],
    ]
)
STOCK = source(
    [
        ["SKU", "Product", "In stock", "Supplier"],
        ["P-017", "Printer paper", "1,500", "Paperline"],
        ["C-310", "Office chair", "38", "Sitwell"],
        ["A-100", "Desk lamp", "240", "Brightco"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("Where did the 1962 Caribbean Games take place?", GAMES, "Kingston, Jamaica"),
        ("What are the main tributaries of the Senna?", RIVERS, "Kett"),
        ("How long is the Kett?", RIVERS, "412"),
        ("Who supplies the printer paper?", STOCK, "Paperline"),
    ],
)
def test_a_name_that_stands_in_several_columns_is_that_of_the_row(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == [expected]
