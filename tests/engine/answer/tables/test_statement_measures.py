"""Measures that statements do not print are computed from their cells, all of which are cited."""

from __future__ import annotations

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

BALANCE = [
    ["In millions", "December 31, 2023", "December 31, 2022"],
    ["Cash and cash equivalents", "65", "51"],
    ["Inventories", "90", "88"],
    ["Total current assets", "310", "295"],
    ["Property, plant and equipment — net", "420", "400"],
    ["Total assets", "940", "915"],
    ["Total current liabilities", "200", "220"],
]
INCOME = [
    ["Years ended December 31,", "2023", "2022"],
    ["Net sales", "$800", "$790"],
    ["Cost of products sold", "540", "553"],
    ["Operating income", "120", "112"],
    ["Net income", "80", "77"],
]
CASH = [
    ["Years ended December 31,", "2023", "2022"],
    ["Net cash provided by operating activities", "131", "118"],
    ["Purchases of property, plant and equipment (PP&E)", "(57)", "(49)"],
]
PARENT = [
    ["In millions", "December 31, 2023", "December 31, 2022"],
    ["Inventories", "9", "8"],
    ["Total current assets", "31", "29"],
    ["Total current liabilities", "20", "22"],
]
ZH = [
    ["项目", "2023年12月31日", "2022年12月31日"],
    ["存货", "90", "88"],
    ["流动资产合计", "310", "295"],
    ["流动负债合计", "200", "220"],
]


def statement(rows, caption="", path=("Consolidated statements",), title="ARDENT_2023_10K.pdf", **more):
    return source(rows, title=title, path=list(path), caption=caption, **more)


def made(question, *sources):
    return answer_from_tables(question, list(sources))


@pytest.mark.parametrize(
    ("question", "rows", "values", "cells"),
    [
        ("What was the quick ratio of Ardent in 2023?", BALANCE, ["1.1"], 3),
        ("What was the current ratio in 2022?", BALANCE, ["1.34"], 2),
        ("How high was the working capital at the end of 2023?", BALANCE, ["110"], 2),
        ("What is the net PPNE of Ardent at the end of FY2023?", BALANCE, ["420"], 1),
        ("What was Ardent's gross margin in 2023?", INCOME, ["32.5%"], 2),
        ("What was the operating margin in FY2023?", INCOME, ["15%"], 2),
        ("What was the net profit margin in 2023?", INCOME, ["10%"], 2),
        ("How high was capex in 2023?", CASH, ["57"], 1),
        ("What was the free cash flow in 2023?", CASH, ["74"], 2),
        ("2023年末的速动比率是多少？", ZH, ["1.1"], 3),
    ],
)
def test_a_measure_is_computed_from_the_cells_of_its_year(question, rows, values, cells):
    answer = made(question, statement(rows))
    assert answer is not None
    assert (answer.values, len(answer.cells)) == (values, cells)


def test_whether_a_measure_improves_is_answered_by_two_years_with_the_cells_of_both():
    answer = made("Does Ardent have an improving gross margin profile as of FY2023?", statement(INCOME))
    assert answer is not None
    assert answer.values == ["32.5%", "30%"]
    assert "2023" in answer.text and "2022: 30%" in answer.text
    assert {cell.column_header for cell in answer.cells} >= {"Years ended December 31, / 2023"} or len(
        answer.cells
    ) == 4


@pytest.mark.parametrize(
    "more",
    [
        "If it is not a useful metric for a company like this, then state that and explain why.",
        "Answer in percent and round to one decimal place. Give a reason per year.",
    ],
)
def test_what_follows_the_question_is_no_part_of_it(more):
    answer = made(f"What was Ardent's gross margin in 2023? {more}", statement(INCOME))
    assert answer is not None and answer.values == ["32.5%"]


def test_a_group_counts_before_its_parent_company():
    parent = statement(PARENT, path=["Parent company balance sheet"], node_id="n2")
    answer = made("What was the quick ratio in 2023?", parent, statement(BALANCE))
    assert answer is not None and answer.values == ["1.1"]


def test_of_two_statements_that_differ_none_is_told():
    other = statement(PARENT, path=["Flexibles"], node_id="n2")
    assert made("What was the quick ratio in 2023?", statement(BALANCE), other) is None
    undated = [["", "", ""], *[row for row in PARENT[1:] if row[0] != "Inventories"]]
    beside = statement(undated, path=["Flexibles"], node_id="n2")
    assert made("What was the quick ratio in 2023?", statement(BALANCE), beside) is None


@pytest.mark.parametrize(
    "question",
    [
        "What was the gross margin of Boulder Mills in 2023?",
        "What was BOULDER's gross margin in FY2023?",
        "Is 9M's gross margin improving?",
    ],
)
def test_another_company_does_not_answer_for_the_one_that_is_named(question):
    assert made(question, statement(INCOME)) is None
    both = made(
        "What was Ardent's gross margin in 2023?",
        statement(INCOME, title="OTHER_2023_10K.pdf", node_id="n2"),
        statement(INCOME),
    )
    assert both is not None and {cell.node_id for cell in both.cells} != {"n2"}


def test_a_chinese_question_for_another_company_is_not_answered():
    assert (
        made("南方重工2023年末的速动比率是多少？", statement(ZH, title="北方机械_2023年度报告.pdf")) is None
    )
    assert (
        made("北方机械2023年末的速动比率是多少？", statement(ZH, title="北方机械_2023年度报告.pdf"))
        is not None
    )


def test_another_document_does_not_lend_an_item():
    first = statement([row for row in BALANCE if row[0] != "Inventories"])
    second = statement([BALANCE[0], BALANCE[2]], title="OTHER_2023_10K.pdf", node_id="n2")
    assert made("What was the quick ratio in 2023?", first, second) is None


@pytest.mark.parametrize(
    "question",
    [
        "What was the quick ratio in 2019?",
        "Why did the gross margin fall in 2023?",
        "What drove the gross margin in 2023?",
        "What was the gross margin of the mill segment in 2023?",
        "What gross margin do you expect for 2023?",
        "What was the gross margin in Q2 of 2023?",
        "What are the quick ratio and the gross margin in 2023?",
    ],
)
def test_what_asks_for_more_or_for_a_year_that_is_not_there_is_left_alone(question):
    assert made(question, statement(BALANCE), statement(INCOME, node_id="n2")) is None


def test_a_year_in_several_columns_is_not_guessed():
    halves = [["", "Q1 2023", "Q2 2023"], *[[name, a, b] for name, a, b in INCOME[1:]]]
    assert made("What was the gross margin in 2023?", statement(halves)) is None


def test_nothing_is_divided_by_zero():
    rows = [BALANCE[0], ["Total current assets", "310", "295"], ["Total current liabilities", "0", "0"]]
    assert made("What was the current ratio in 2023?", statement(rows)) is None
