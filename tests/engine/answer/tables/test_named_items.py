"""The item that a question names in full is read from its cell, and nothing else is."""

from __future__ import annotations

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

BALANCE = [
    ["项目", "附注", "2019 年12 月31 日", "2018 年12 月31 日"],
    ["流动资产：", "", "", ""],
    ["货币资金", "七、1", "905.40", "627.04"],
    ["结算备付金", "", "", ""],
    ["流动资产合计", "", "1,639.37", "1,386.85"],
    ["非流动资产：", "", "", ""],
    ["固定资产", "七、20", "402.10", "388.00"],
    ["非流动资产合计", "", "825.56", "664.36"],
]
CASH = [
    ["Item", "2021", "2020"],
    ["Operating activities:", "", ""],
    ["Purchases of property and equipment", "310", "280"],
    ["Net cash from operating activities", "1,204", "990"],
]


def group(caption="合并资产负债表 2019 年12 月31 日", rows=BALANCE, **more):
    return source(rows, title="北方机械_2019年度报告.pdf", path=["二、财务报表"], caption=caption, **more)


def values(question, *sources, others=()):
    made = answer_from_tables(question, list(sources), others)
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("北方机械集团股份有限公司2019年的流动资产合计是多少元？", ["1,639.37"]),
        ("北方机械2018年末的非流动资产合计是多少？", ["664.36"]),
        ("货币资金是多少？", ["905.40"]),
        ("北方机械2017年的货币资金是多少？", None),
        ("北方机械2019年的结算备付金是多少？", None),
    ],
)
def test_a_row_that_is_named_in_full_is_read_in_the_column_of_its_year(question, expected):
    assert values(question, group()) == expected


def test_what_is_said_beyond_the_item_is_left_to_other_plans():
    assert values("海外子公司苏州工厂2019年的货币资金是多少？", others=[group()]) is None
    assert values("货币资金占流动资产合计的比例是多少？", others=[group()]) is None
    assert values("2019年的货币资金和2018年的货币资金分别是多少？", others=[group()]) is None


def test_a_groups_figures_go_before_the_parents_unless_those_are_asked_for():
    parent_rows = [*BALANCE[:4], ["流动资产合计", "", "500.00", "400.00"], *BALANCE[5:]]
    parent = group("母公司资产负债表 2019 年12 月31 日", parent_rows, node_id="n2")
    assert values("2019年的流动资产合计是多少？", parent, group()) == ["1,639.37"]
    assert values("母公司2019年的流动资产合计是多少？", group(), parent) == ["500.00"]


def test_the_words_of_an_english_item_must_be_all_that_is_said():
    cash = source(CASH, title="Annual report 2021", path=["Cash flows"])
    assert values("What were purchases of property and equipment in 2020?", others=[cash]) == ["280"]
    assert values("What was the net cash from operating activities in 2021?", others=[cash]) == ["1,204"]
    asked = "What were purchases of property and equipment of the Asian plants in 2020?"
    assert values(asked, others=[cash]) is None


def test_an_item_without_values_names_no_group_where_groups_are_marked():
    (row,) = [row for row in group().table.rows if row.leaf == "流动资产合计"]
    assert row.name == "流动资产合计"
    names = group().table.node.metadata["row_names"]
    assert names[2] == "流动资产 / 货币资金"
    assert names[6] == "非流动资产 / 固定资产"


PROFIT = [
    ["项目", "2019 年度", "2018 年度"],
    ["一、营业总收入", "1,000.00", "900.00"],
    ["其中：营业收入", "1,000.00", "900.00"],
    ["其中：营业成本", "750.00", "700.00"],
    ["管理费用", "40.00", "45.00"],
    ["五、净利润（净亏损以“－”号填列）", "120.00", "80.00"],
]
LIABILITIES = [["项目", "2019 年12 月31 日"], ["流动负债合计", "800.00"]]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("北方机械2019年的毛利率是多少？", "25%"),
        ("北方机械2018年的管理费用率是多少？请保留两位小数。", "5%"),
        ("北方机械2019年的净利率是多少？", "12%"),
        ("北方机械2019年的流动比率是多少？", "2.05"),
    ],
)
def test_a_ratio_with_a_name_of_its_own_is_computed_from_its_items(question, expected):
    tables = [
        group(),
        group("合并利润表", PROFIT, node_id="n2"),
        group("合并资产负债表", LIABILITIES, node_id="n3"),
    ]
    made = answer_from_tables(question, [], tables)
    assert made is not None
    assert made.values == [expected]
    assert len(made.cells) == 2
    assert made.steps[0].operator in ("DIVIDE", "PERCENT_CHANGE")


def test_a_ratio_of_an_item_that_stands_nowhere_is_not_computed():
    assert values("北方机械2019年的毛利率是多少？", others=[group()]) is None
    assert values("北方机械2017年的净利率是多少？", others=[group("合并利润表", PROFIT)]) is None
