"""What is due after the last year that a table names."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source


def payments(rest, last="2026"):
    """Return a table of payments by year whose last row is of all later years."""
    return [
        ["Year", "Operating leases", "Finance leases"],
        ["2025", "410", "55"],
        [last, "380", "52"],
        [rest, "1,250", "64"],
    ]


@pytest.mark.parametrize("rest", ["Thereafter", "2027 and thereafter"])
def test_later_years_are_those_behind_the_last_that_is_named(rest):
    made = answer_from_tables("What operating lease payments are due after 2026?", [source(payments(rest))])

    assert made is not None and made.values == ["1,250"]


def test_the_rest_is_not_told_for_years_of_which_the_table_names_some():
    made = answer_from_tables(
        "What operating lease payments are due after 2025?", [source(payments("Thereafter"))]
    )

    assert made is None or made.values != ["1,250"]
