from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.enrich.cell_values import parse_cell


@pytest.mark.parametrize(
    ("text", "dtype", "value", "unit", "scale"),
    [
        ("1,234.5", "number", "1234.5", None, 1),
        ("(1,234)", "number", "-1234", None, 1),
        ("( 1,234 )", "number", "-1234", None, 1),
        ("(1,234", "number", "-1234", None, 1),
        ("−5", "number", "-5", None, 1),
        ("+3", "number", "3", None, 1),
        ("7.5 %", "percent", "7.5", "%", 1),
        ("(0.4)%", "percent", "-0.4", "%", 1),
        ("１，２３４．５％", "percent", "1234.5", "%", 1),
        ("$4.2m", "currency", "4.2", "USD", 1_000_000),
        ("US$ 3 million", "currency", "3", "USD", 1_000_000),
        ("$ (9,688)", "currency", "-9688", "USD", 1),
        ("($1,234)", "currency", "-1234", "USD", 1),
        ("€1.5bn", "currency", "1.5", "EUR", 10**9),
        ("500 EUR", "currency", "500", "EUR", 1),
        ("$12.50 per share", "currency", "12.50", "USD/share", 1),
        ("3.2亿", "number", "3.2", None, 10**8),
        ("3.2亿元", "currency", "3.2", "CNY", 10**8),
        ("人民币3.2万元", "currency", "3.2", "CNY", 10**4),
        ("1000元/吨", "currency", "1000", "CNY/t", 1),
        ("12 ms", "number", "12", "ms", 1),
        ("4.2 m", "number", "4.2", "m", 1),
        ("20 °C", "number", "20", "℃", 1),
        ("3.5个百分点", "number", "3.5", "pp", 1),
        ("45K", "number", "45", None, 1000),
        ("1.234,56", "number", "1234.56", None, 1),
        ("1 234,5", "number", "1234.5", None, 1),
        ("3,5", "number", "3.5", None, 1),
        ("12,34,567", "number", "1234567", None, 1),
        ("1.2e-3", "number", "0.0012", None, 1),
        ("1.2×10^3", "number", "1200", None, 1),
        ("2019 (a)", "number", "2019", None, 1),
        ("1,234 (1)", "number", "1234", None, 1),
        ("37.2*", "number", "37.2", None, 1),
    ],
)
def test_a_number_is_read_with_its_unit_and_scale(text, dtype, value, unit, scale):
    cell = parse_cell(text)
    assert (cell.dtype, cell.value, cell.unit, cell.scale) == (dtype, Decimal(value), unit, scale)


@pytest.mark.parametrize("text", ["", "  ", "—", "–", "-", "n/a", "N/A", "不适用", "无", "$—", "...", "／"])
def test_a_dash_or_its_like_says_nothing(text):
    assert parse_cell(text).dtype == "empty"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12/31/2023", "2023-12-31"),
        ("31/12/2023", "2023-12-31"),
        ("3/4/2023", "2023-03-04"),
        ("31.12.2023", "2023-12-31"),
        ("2023-12-31", "2023-12-31"),
        ("2023-12-31 10:30:00", "2023-12-31 10:30"),
        ("2023-12-31 00:00:00", "2023-12-31"),
        ("12/31/2023 1:05 PM", "2023-12-31 13:05"),
        ("Dec 31, 2023", "2023-12-31"),
        ("31 December 2023", "2023-12-31"),
        ("Mar-23", "2023-03"),
        ("2023年12月31日", "2023-12-31"),
        ("2023 年 3 月", "2023-03"),
        ("2023年度", "2023"),
        ("2023年第一季度", "2023-Q1"),
        ("Q1 2023", "2023-Q1"),
        ("FY2023", "2023"),
    ],
)
def test_a_date_is_read_as_exactly_as_it_is_written(text, date):
    cell = parse_cell(text)
    assert (cell.dtype, cell.date) == ("date", date)


def test_the_day_comes_first_where_the_column_says_so():
    assert parse_cell("3/4/2023", day_first=True).date == "2023-04-03"


@pytest.mark.parametrize(
    "text",
    ["1st", "No. 5", "5 apples", "10-15", "v1.2", "Boeing 737", "192.168.1.1", "2023-13-40", "13/14/2023"],
)
def test_what_only_contains_digits_is_text(text):
    assert parse_cell(text).dtype == "text"


def test_the_amount_has_its_scale_multiplied_in_and_is_exact():
    assert parse_cell("$4.2m").amount == Decimal(4_200_000)
    assert parse_cell("44.1").amount - parse_cell("56.7").amount == Decimal("-12.6")


@pytest.mark.parametrize(
    ("text", "value"),
    [("<0.01", "0.01"), (">= 5", "5"), ("约12", "12"), ("12.3 ± 0.4", "12.3"), ("12", "12")],
)
def test_a_bound_or_spread_leaves_the_number_what_it_is(text, value):
    assert parse_cell(text).value == Decimal(value)


@given(st.text(max_size=120))
def test_any_text_can_be_a_cell(text):
    cell = parse_cell(text)
    assert (cell.value is not None) == cell.numeric


@given(st.decimals(min_value=-(10**12), max_value=10**12, places=2, allow_nan=False))
def test_a_formatted_number_is_read_back(number):
    assert parse_cell(f"{number:,}").value == number
    if number > 0:
        assert parse_cell(f"(${number:,})").value == -number
        assert parse_cell(f"{number:,}%").unit == "%"


@given(st.dates())
def test_a_formatted_date_is_read_back(day):
    if day.year >= 1500 and day.year < 2200:
        for form in ("%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%Y年%m月%d日"):
            assert parse_cell(day.strftime(form)).date == day.isoformat()
