import datetime

import pytest
from workbooks import values


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1,234.50", 1234.5), ("(60)", -60), ("-60", -60), ("12.3%", 0.123), ("1.2亿", 1.2e8), ("3,500万", 3.5e7),
        ("三成", 0.3), ("七成五", 0.75), ("约 3", None), ("(60", None), ("—", None), ("2021年", None), (7, 7),
        (None, None),
    ],
)  # fmt: skip
def test_a_cell_is_read_as_the_number_that_people_mean(text: object, meant: float | None) -> None:
    read = values.number(text)
    assert read == (None if meant is None else pytest.approx(meant))


@pytest.mark.parametrize("text", ["2024-05-06", "2024/5/6", "2024年5月6日", "2024.5.6", "6 May 2024", "May 6, 2024"])
def test_a_day_is_read_in_all_its_formats(text: str) -> None:
    assert values.date(text) == datetime.date(2024, 5, 6)


def test_a_year_is_read_only_where_a_cell_names_nothing_else() -> None:
    assert [values.year(cell) for cell in (2021, "2021", "2021年度", "2021-12-31", 20210)] == [
        2021,
        2021,
        2021,
        None,
        None,
    ]


def test_headers_of_years_quarters_and_months_are_periods() -> None:
    assert all(map(values.is_period, ("2021年", "1月", "Q3", "January–June 2023", "Mar")))
    assert not any(map(values.is_period, ("预算", "Budget", "Rating")))
