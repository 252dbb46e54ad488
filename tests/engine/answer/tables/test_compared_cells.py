"""Questions of how much one thing has more than another, over tables of any layout."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source

STAFF = [
    ["Department", "Men", "Women", "Total"],
    ["Assembly", "84", "61", "145"],
    ["Research", "27", "33", "60"],
    ["Sales", "31", "36", "67"],
]
PUMPS = [
    ["", "Model P-20", "Model P-35"],
    ["Weight (kg)", "8.4", "11.2"],
    ["Maximum head (m)", "32", "41"],
]
BALANCE_ZH = [
    ["项目", "期末余额", "期初余额"],
    ["货币资金", "35,620", "28,410"],
    ["存货", "22,145", "19,760"],
    ["短期借款", "18,000", "25,000"],
]
MEDALS_ZH = [
    ["排名", "国家", "金牌", "银牌"],
    ["1", "中国", "18", "12"],
    ["2", "日本", "15", "14"],
    ["3", "韩国", "7", "8"],
]


@pytest.mark.parametrize(
    ("rows", "question", "value", "cells"),
    [
        (STAFF, "How many more men than women work in Assembly?", "23", ["84", "61"]),
        (
            STAFF,
            "What is the difference between the number of men and women in Research?",
            "6",
            ["33", "27"],
        ),
        (PUMPS, "How much heavier is the P-35 than the P-20?", "2.8", ["11.2", "8.4"]),
        (BALANCE_ZH, "存货期末比期初多多少？", "2,385", ["22,145", "19,760"]),
        (BALANCE_ZH, "短期借款期末比期初减少多少？", "7,000", ["25,000", "18,000"]),
        (MEDALS_ZH, "日本比中国少几枚金牌？", "3", ["18", "15"]),
    ],
)
def test_the_difference_of_two_named_cells_is_told_with_both(rows, question, value, cells):
    made = answer_from_tables(question, [source(rows)])

    assert made is not None and made.kind == "difference"
    assert [text.replace(",", "") for text in made.values] == [value.replace(",", "")]
    assert sorted(cell.text for cell in made.cells) == sorted(cells)


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (PUMPS, "How much louder is the P-35 than the P-20?"),
        (STAFF, "How many more men than apprentices work in Assembly?"),
        (MEDALS_ZH, "日本比法国少几枚金牌？"),
        (BALANCE_ZH, "存货期末比计划多多少？"),
    ],
)
def test_what_the_table_does_not_have_is_compared_with_nothing(rows, question):
    assert answer_from_tables(question, [source(rows)]) is None
