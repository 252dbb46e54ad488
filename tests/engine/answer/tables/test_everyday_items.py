"""Items of filings as people speak of them."""

import pytest
from made_tables import source

from engine.answer.tables.everyday_items import as_accountants_print
from engine.answer.tables.table_questions import answer_from_tables

BALANCE = source(
    [
        ["(in thousands)", "2021", "2020"],
        ["Cash and cash equivalents", "4,210", "3,905"],
        ["Unbilled receivables", "812", "640"],
        ["Allowance for doubtful accounts", "(71)", "(64)"],
        ["Inventories", "1,530", "1,377"],
        ["Accounts payable", "990", "1,015"],
        ["Total liabilities", "6,420", "6,118"],
        ["Retained earnings", "2,044", "1,780"],
    ]
)
AWARDS = source(
    [
        ["", "2021", "2020"],
        ["RSUs", "", ""],
        ["Granted", "310", "275"],
        ["Vested", "190", "160"],
        ["Outstanding at year end", "640", "520"],
    ]
)
RESULTS = source(
    [
        ["", "2021", "2020"],
        ["EBITDA", "920", "870"],
        ["Finance costs", "45", "51"],
        ["Dividends paid", "120", "110"],
    ]
)
BALANCE_ZH = source(
    [
        ["项目", "2020年", "2019年"],
        ["货币资金", "120", "100"],
        ["应收账款", "80", "70"],
        ["存货", "60", "50"],
        ["应付账款", "90", "85"],
        ["负债合计", "150", "145"],
        ["未分配利润", "30", "25"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("How much had not been billed yet in 2021?", BALANCE, "812"),
        ("How much was set aside for bad debts in 2020?", BALANCE, "(64)"),
        ("How much money was in the bank in 2021?", BALANCE, "4,210"),
        ("What were the goods on the shelf worth in 2020?", BALANCE, "1,377"),
        ("How much was owed to suppliers in 2021?", BALANCE, "990"),
        ("How much did everything the company owed add up to in 2020?", BALANCE, "6,118"),
        ("What was the value of the RSUs handed out in 2020?", AWARDS, "275"),
        ("How much did borrowing cost in 2020?", RESULTS, "51"),
        ("How much was handed out to shareholders in 2021?", RESULTS, "120"),
        ("2020年客户欠公司多少钱？", BALANCE_ZH, "80"),
        ("2019年账上的现金有多少？", BALANCE_ZH, "100"),
        ("2020年一共欠了多少钱？", BALANCE_ZH, "150"),
        ("2020年没分掉的利润是多少？", BALANCE_ZH, "30"),
    ],
)
def test_an_item_is_found_in_everyday_words(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == [expected]


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("How much was granted in 2021?", AWARDS),
        ("How many shares were handed out in 2021?", BALANCE),
        ("What were the finance costs in 2021?", RESULTS),
    ],
)
def test_what_the_table_says_itself_or_has_no_name_for_stays_as_it_is_written(question, table):
    assert as_accountants_print(question, table) == question


def test_words_of_the_text_around_a_table_are_no_everyday_ones_there():
    rows = [["", "2021", "2020"], ["Wages and salaries", "90", "80"], ["Total", "120", "110"]]
    table = source(rows)
    beside = type(table)(table.node, beside=("Personnel expenses for employees were as follows:",))
    question = "What is the change in total personnel expenses from 2020 to 2021?"
    assert as_accountants_print(question, beside) == question
    assert as_accountants_print(question, table) != question
