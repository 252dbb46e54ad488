"""Which items of a statement rose or fell."""

import pytest
from made_tables import STATEMENT_ZH, source

from engine.answer.tables.table_questions import answer_from_tables

RECEIVABLES = source(
    [
        ["", "December 31, 2019", "December 31, 2018"],
        ["Unbilled receivables", "31,629", "12,653"],
        ["Trade receivables", "9,660", "11,191"],
        ["Accrued interest", "5,754", "5,109"],
        ["Other receivables", "6,665", "8,620"],
        ["Total", "53,708", "37,573"],
    ]
)


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        (
            "Which receivables were lower at the end of 2019 than a year before?",
            RECEIVABLES,
            ["Trade receivables", "Other receivables"],
        ),
        ("Which items rose from 2018 to 2019?", RECEIVABLES, ["Unbilled receivables", "Accrued interest"]),
        ("How many items fell from 2018 to 2019?", RECEIVABLES, ["2"]),
        (
            "2023年哪些项目比2022年增加了？",
            source(STATEMENT_ZH),
            ["营业收入", "营业成本", "研发费用", "净利润"],
        ),
    ],
)
def test_the_items_that_rose_or_fell_are_listed(question, table, expected):
    made = answer_from_tables(question, [table])
    assert made is not None
    assert made.values == expected


@pytest.mark.parametrize(
    "question", ["Which receivables fell by more than 10% in 2019?", "Which bonds fell from 2018 to 2019?"]
)
def test_limits_and_items_of_another_name_are_left_alone(question):
    made = answer_from_tables(question, [RECEIVABLES])
    assert made is None or made.kind != "items"
