"""Everyday names of items, short headers, and figures that a table prints itself."""

import pytest
from made_tables import source

from engine.answer.tables.matching import features
from engine.answer.tables.table_questions import answer_from_tables
from engine.enrich.tables import enrich_table, read_cell
from engine.model import Node

RESULTS = source(
    [
        ["(in thousands)", "2021", "2020", "2019"],
        ["Revenues", "573,534", "515,790", "460,140"],
        ["Interest expense", "(6,120)", "(7,845)", "(8,033)"],
        ["Income (loss) before income taxes", "28,695", "3,578", "(3,849)"],
        ["Net income (loss)", "21,591", "2,458", "(4,079)"],
        ["Repurchases of common stock", "(150)", "(120)", "—"],
    ]
)
KEY_ZH = source(
    [
        ["项目（万元）", "2023年", "2022年"],
        ["归属于上市公司股东的净利润", "12,045.30", "14,880.12"],
        ["归属于上市公司股东的扣除非经常性损益的净利润", "10,322.44", "13,017.60"],
        ["经营活动产生的现金流量净额", "20,118.93", "9,874.05"],
    ]
)
ROSTER = source(
    [
        ["No.", "Pos.", "Nat.", "Player", "Height"],
        ["4", "PG", "USA", "Darnell Cooper", "1.85 m"],
        ["12", "PF", "USA", "Kendrick Bowles", "2.06 m"],
        ["15", "C", "LTU", "Tomas Jankus", "2.13 m"],
    ]
)
PARTIES = source(
    [
        ["Party", "Votes", "%", "Seats"],
        ["Alliance", "18,204", "41.2", "17"],
        ["Union", "12,377", "28.0", "11"],
        ["Green", "13,621", "30.8", "10"],
        ["Total", "44,202", "100", "38"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("What was the bottom line in 2019?", RESULTS, "(4,079)"),
        ("How much stock did they buy back in 2020?", RESULTS, "(120)"),
        ("扣非净利润2023年是多少", KEY_ZH, "10,322.44"),
        ("2022年归母净利润是多少？", KEY_ZH, "14,880.12"),
        ("经营现金流净额2022年为多少万元？", KEY_ZH, "9,874.05"),
        ("What number does Tomas Jankus wear?", ROSTER, "15"),
        ("What position does Kendrick Bowles play?", ROSTER, "PF"),
    ],
)
def test_an_everyday_name_finds_the_printed_one(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == [expected]


def test_a_part_of_a_result_before_tax_is_no_tax():
    assert answer_from_tables("How much tax did they have to pay in 2021?", [RESULTS]) is None


def test_a_share_that_the_list_prints_is_read_and_cited():
    made = answer_from_tables("What percentage of the votes did the Union get?", [PARTIES])
    assert made is not None
    assert made.values == ["28.0"]
    assert made.cells[0].column_header == "%"


def test_a_total_that_the_list_prints_is_cited_beside_its_parts():
    made = answer_from_tables("What is the total of the votes of all parties?", [PARTIES])
    assert made is not None
    assert made.values == ["44,202"]
    assert "44,202" in [cell.text for cell in made.cells]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Rank the parties by votes", ["Alliance", "Green", "Union"]),
        ("Sort the parties by seats from lowest to highest", ["Green", "Union", "Alliance"]),
    ],
)
def test_whole_lists_are_ranked(question, expected):
    made = answer_from_tables(question, [PARTIES])
    assert made is not None
    assert made.values == expected


def test_a_short_form_counts_as_a_header_only_where_it_is_all_of_it():
    assert features("Pos.") == features("Position")
    assert features("No.") == features("Number")
    assert not features("No dividends") & features("number")


def test_people_are_not_counted_in_the_money_of_their_table():
    rows = [["(EUR million)", "2022", "2021"], ["Sales", "2,805", "2,601"], ["Employees", "9,215", "9,120"]]
    table = enrich_table(Node("n1", None, "table", metadata={"rows": rows}))
    assert read_cell(table.metadata, 2, 1).unit is None
    assert read_cell(table.metadata, 2, 1).scale == 1
    assert read_cell(table.metadata, 1, 1).unit == "EUR"
