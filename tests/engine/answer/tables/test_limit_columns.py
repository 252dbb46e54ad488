"""Data sheets with columns of least, usual and greatest values."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source

SHEET = [
    ["Parameter", "Symbol", "Min", "Typ", "Max", "Unit"],
    ["Supply voltage", "VDD", "2.7", "3.3", "5.5", "V"],
    ["Quiescent current", "IQ", "—", "1.2", "2.5", "µA"],
    ["Operating temperature", "TA", "-40", "25", "85", "°C"],
]
SHEET_ZH = [
    ["参数", "最小值", "典型值", "最大值", "单位"],
    ["工作电压", "2.7", "3.3", "5.5", "V"],
    ["工作温度", "-40", "25", "85", "℃"],
]


@pytest.mark.parametrize(
    ("rows", "question", "value"),
    [
        (SHEET, "What is the maximum supply voltage?", "5.5"),
        (SHEET, "What is the typical quiescent current?", "1.2"),
        (SHEET, "What is the minimum operating temperature?", "-40"),
        (SHEET_ZH, "工作温度的最大值是多少？", "85"),
        (SHEET_ZH, "最小工作电压是多少？", "2.7"),
    ],
)
def test_a_limit_that_is_said_is_a_column(rows, question, value):
    made = answer_from_tables(question, [source(rows)])

    assert made is not None and made.values == [value]
    assert [cell.text for cell in made.cells] == [value]


@pytest.mark.parametrize(
    "question", ["What is the minimum quiescent current?", "What is the maximum output current?"]
)
def test_a_limit_that_is_not_given_is_not_told(question):
    assert answer_from_tables(question, [source(SHEET)]) is None
