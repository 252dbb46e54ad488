"""What values a statement has, and where a table's values stand."""

from decimal import Decimal

import pytest

from engine.answer.check.cells import read_table
from engine.answer.check.figures import Source, figures_of
from engine.answer.check.reading import read


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("持有三成以上表决权", 30, "%"),
        ("代表十分之一以上表决权", 10, "%"),
        ("用时两个小时", 7200, "s"),
        ("受影响的有五万三千多名员工", 53000, "people"),
        ("按八成本计价", 8, None),
    ],
)
def test_a_number_is_read_whole_with_what_it_counts(text, value, unit):
    (found,) = read(text).values
    assert (found.amount.value, found.amount.unit) == (Decimal(value), unit)


def test_a_value_of_another_row_is_anothers():
    table = read_table(
        "Notice | Effective | Company | City\n06/01/2025 | 08/07/2025 | Alder | Leeds\n"
        "06/02/2025 | 08/31/2025 | Birch | York\n06/03/2025 | 09/15/2025 | Cedar | Bath"
    )

    def standing(statement):
        return figures_of(statement, Source((table,)))[-1].standing

    assert standing("Alder in Leeds closes, effective August 7, 2025.") == "stands"
    assert standing("Alder in Leeds closes, effective August 31, 2025.") == "another's"


def test_an_amount_for_each_follows_from_the_number_that_the_statement_states():
    source = Source((read("合计12台，金额21.6万元，2025年5月付清。"),))
    assert figures_of("平均每台1.8万元（21.6÷12）。", source)[0].standing == "computed"
    assert figures_of("平均每台1.9万元（21.6÷12）。", source)[0].standing != "computed"
