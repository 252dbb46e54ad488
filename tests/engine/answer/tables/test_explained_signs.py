"""Questions of what signs mean, and of causes and remedies of faults."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source

LAMPS = [
    ["Signal", "Meaning"],
    ["Solid green", "The device works normally"],
    ["Blinking green", "Firmware is being updated"],
    ["Blinking red", "Hardware fault"],
]
FAULTS_ZH = [
    ["故障代码", "故障现象", "可能原因", "处理方法"],
    ["E01", "不加热", "加热管损坏", "更换加热管"],
    ["E02", "水温过高", "温控器失灵", "更换温控器"],
    ["E03", "漏水", "密封圈老化", "更换密封圈并检查接口"],
]


@pytest.mark.parametrize(
    ("rows", "question", "value"),
    [
        (LAMPS, "What does a red blinking lamp mean?", "Hardware fault"),
        (LAMPS, "What does it mean when the light blinks green?", "Firmware is being updated"),
        (LAMPS, "Which signal shows that there is a hardware fault?", "Blinking red"),
        (FAULTS_ZH, "E03是什么故障？", "漏水"),
        (FAULTS_ZH, "漏水怎么办？", "更换密封圈并检查接口"),
        (FAULTS_ZH, "水温过高的可能原因是什么？", "温控器失灵"),
    ],
)
def test_a_sign_is_explained_by_the_row_that_describes_it(rows, question, value):
    made = answer_from_tables(question, [source(rows)])

    assert made is not None and made.values == [value]
    assert [cell.text for cell in made.cells] == [value]


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (LAMPS, "What does a green lamp mean?"),
        (LAMPS, "What does a purple blinking lamp mean?"),
        (FAULTS_ZH, "E09怎么处理？"),
    ],
)
def test_a_sign_that_no_single_row_describes_is_not_explained(rows, question):
    assert answer_from_tables(question, [source(rows)]) is None
