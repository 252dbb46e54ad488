"""Columns that say yes or no of each row."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

BOARD_ZH = [
    ["姓名", "是否独立董事", "出席次数"],
    ["王一", "否", "5"],
    ["李二", "否", "4"],
    ["赵三", "是", "5"],
]
BOARD = [
    ["Name", "Independent", "Meetings"],
    ["Ana Costa", "No", "5"],
    ["Bo Lind", "Yes", "4"],
    ["Cy Doe", "Yes", "6"],
]


@pytest.mark.parametrize(
    ("question", "rows", "answer"),
    [
        ("有几位独立董事？", BOARD_ZH, "1"),
        ("有几位不是独立董事？", BOARD_ZH, "2"),
        ("How many are independent?", BOARD, "2"),
        ("How many are not independent?", BOARD, "1"),
    ],
)
def test_who_is_what_the_column_asks_is_counted_by_its_yes(question, rows, answer):
    assert answer_from_tables(question, [source(rows)]).values == [answer]
