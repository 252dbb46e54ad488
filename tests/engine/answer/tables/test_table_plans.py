"""Questions over tables become operators when one reading stands out, and are declined otherwise."""

import pytest
from made_tables import INCOME, RIDERS, STATEMENT_ZH, source

from engine.answer.tables.table_questions import answer_from_tables


@pytest.fixture
def income():
    return source(INCOME, title="Acme annual report", before=["(in millions of dollars)"])


@pytest.fixture
def riders():
    return source(RIDERS, title="Riders of the tour")


@pytest.fixture
def statement():
    return source(STATEMENT_ZH, title="合并利润表", before=["单位：万元"])


@pytest.mark.parametrize(
    ("question", "values", "operator"),
    [
        ("What were product sales in 2023?", ["$ 1,500"], "LOOKUP"),
        ("What were the product sales in 2022 and 2021, respectively?", ["$ 1,200", "$ 1,000"], "LOOKUP"),
        ("What was the gross margin in 2021?", ["38.5%"], "LOOKUP"),
        ("What is the change in product sales from 2022 to 2023?", ["300"], "DIFF"),
        ("What is the percentage change in product sales between 2021 and 2022?", ["20%"], "PERCENT_CHANGE"),
        ("What were the average product sales from 2021 to 2023?", ["1,233.33"], "AVERAGE"),
        ("What is the difference between product sales and service sales in 2023?", ["800"], "DIFF"),
        ("What are service sales as a percentage of total sales in 2023?", ["31.82%"], "DIVIDE"),
        ("What is the sum of product sales and service sales in 2021?", ["1,500"], "SUM"),
        ("In which year were product sales the lowest?", ["2021"], "MIN"),
        ("How many years did product sales exceed $1,100 million?", ["2"], "RANK"),
    ],
)
def test_questions_about_a_statement(income, question, values, operator):
    made = answer_from_tables(question, [income])
    assert made is not None and made.values == values
    assert made.steps[0].operator == operator and made.cells


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("2023年的营业收入是多少？", ["12,500"]),
        ("2023年净利润比2022年多多少？", ["220"]),
        ("营业收入从2022年到2023年的增长率是多少？", ["25%"]),
        ("2023年研发费用占营业收入的比例是多少？", ["10%"]),
        ("2023年营业成本与研发费用之和是多少？", ["8,550"]),
        ("2022年和2023年净利润的平均值是多少？", ["2,070"]),
        ("哪一年净利润更高？", ["2023"]),
    ],
)
def test_chinese_questions_about_a_statement(statement, question, values):
    made = answer_from_tables(question, [statement])
    assert made is not None and made.values == values


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Who has the most points?", ["Ana Costa"]),
        ("Which rider has the fewest points?", ["Dov Katz"]),
        ("How many points does Carla Rossi have?", ["25"]),
        ("How many riders are from Sweden?", ["2"]),
        ("How many riders joined after 2016?", ["3"]),
        ("What is the average of the points?", ["19"]),
        ("Which rider is listed after Bo Lind?", ["Carla Rossi"]),
        ("What is the difference in points between Ana Costa and Dov Katz?", ["22"]),
        ("Who has more points, Bo Lind or Elsa Berg?", ["Bo Lind"]),
        ("Does Ana Costa have more points than Carla Rossi?", ["Yes"]),
        ("Which country is Dov Katz from?", ["Israel"]),
    ],
)
def test_questions_about_records(riders, question, values):
    made = answer_from_tables(question, [riders])
    assert made is not None and made.values == values


@pytest.mark.parametrize(
    "question",
    [
        "Why did product sales increase in 2023?",
        "What were product sales in 2019?",
        "What were product sales?",
        "How does the company recognise revenue?",
        "Who is the chairman of the board?",
        "Which risks does the outlook name?",
    ],
)
def test_what_the_table_does_not_clearly_answer_is_declined(income, question):
    assert answer_from_tables(question, [income]) is None


def test_arithmetic_is_shown_and_the_scale_told(income):
    change = answer_from_tables("What is the change in product sales from 2022 to 2023?", [income])
    assert "$300 million (1,500 − 1,200 = 300)" in change.text
    assert (
        "$ 1,500 (in millions of USD)"
        in answer_from_tables("What were product sales in 2023?", [income]).text
    )


def test_tables_that_disagree_give_no_answer(income):
    other = source([["", "2023", "2022"], ["Product sales", "77", "66"], ["Costs", "5", "4"]], node_id="n2")
    assert answer_from_tables("What were product sales in 2023?", [income, other]) is None


def test_a_part_of_a_long_table_is_read_but_not_counted():
    part = source(RIDERS, metadata={"part": [1, 3]})
    assert answer_from_tables("How many points does Carla Rossi have?", [part]).values == ["25"]
    assert answer_from_tables("How many riders are from Sweden?", [part]) is None


def test_names_that_stand_nowhere_are_told():
    table = source(
        [["", "2023", "2022"], ["Operating revenue", "77", "66"], ["Fuel expense", "5", "4"]], title="Report"
    )
    made = answer_from_tables("What was the fuel expense of Zephyr in 2023?", [table])
    assert made.values == ["5"] and made.silent == ["Zephyr"]
