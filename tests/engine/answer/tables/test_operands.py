"""Questions that join amounts, or ask for another kind than a cell holds: a part of the answer is none."""

import pytest
from made_tables import source, typed

from engine.answer.agent.table_tools import observed
from engine.answer.tables.operators import OPERATORS
from engine.answer.tables.quantity import UnitsDifferError
from engine.answer.tables.table_questions import answer_from_tables

SYSTEMS = [
    ["System", "Accuracy (%)", "Latency (ms)"],
    ["BM25", "48.2", "5"], ["DenseBig", "72.9", "61"], ["GraDis", "71.4", "19"],
]  # fmt: skip
COSTS = [
    ["Method", "GPU hours", "Cost (USD)"],
    ["DistilA", "120", "3,600"], ["DistilB", "80", "2,400"], ["GraDis", "44", "1,320"],
]  # fmt: skip
ORDERS = [
    ["Order", "Quantity", "Total (EUR)"],
    ["O-1001", "4", "1000"], ["O-1002", "10", "355"], ["O-1003", "6", "600"],
]  # fmt: skip
WATER = [["水库", "蓄水量（万m³）", "水位（m）"], ["青溪水库", "1350", "21"], ["白鹿水库", "910", "19"]]


@pytest.mark.parametrize(
    "question",
    [
        "What is the sum of the latency and the accuracy of GraDis?", "What is the average of accuracy and cost?",
        "Add the latency of BM25 and the cost of DistilA.", "Compare the accuracy of GraDis with its latency.",
        "GraDis costs how many percent less than DistilA?", "How long did the training of GraDis take?",
        "青溪水库的蓄水量和水位之和是多少？",
        "比较青溪水库的蓄水量和水位", "青溪水库蓄水用了多久？",
    ],
)  # fmt: skip
def test_one_of_what_is_asked_for_is_no_answer(question):
    tables = [
        source(SYSTEMS, caption="Table 1: Accuracy and latency of all systems"),
        source(COSTS, caption="Table 2: Training cost of earlier work", node_id="n2"),
        source(ORDERS, node_id="n3"), source(WATER, node_id="n4"),
    ]  # fmt: skip
    made = answer_from_tables(question, tables)
    assert made is None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the latency of GraDis?", "19"), ("What is the average accuracy of the systems?", "64.17"),
        ("青溪水库的蓄水量是多少？", "1350"),
    ],
)  # fmt: skip
def test_what_is_asked_for_alone_is_still_answered(question, value):
    tables = [source(SYSTEMS), source(WATER, node_id="n4")]
    made = answer_from_tables(question, tables)
    assert made is not None and made.values == [value]


@pytest.mark.parametrize("operator", ["SUM", "AVERAGE"])
def test_a_column_with_a_unit_and_one_without_are_not_added(operator):
    with pytest.raises(UnitsDifferError):
        OPERATORS[operator].run(typed(ORDERS), columns=["Quantity", "Total (EUR)"])


def test_an_observed_value_tells_its_scale_in_its_unit():
    seen = OPERATORS["SUM"].run(typed(WATER), columns=["蓄水量"])
    assert [(one.value, one.unit) for one in observed(seen)] == [("2260", "万m³")] * 2
    assert observed(OPERATORS["COUNT"].run(typed(WATER)))[0].unit is None
