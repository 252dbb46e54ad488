"""Exact arithmetic over quantities, and the refusal to mix units."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer.tables.quantity import (
    Quantity,
    UnitsDifferError,
    difference,
    mean,
    percent_change,
    quotient,
    shown,
    total,
    written,
)
from engine.errors import UsageError

numbers = st.decimals(-(10**9), 10**9, places=3, allow_nan=False)
scales = st.sampled_from([1, 1000, 10**4, 10**6, 10**8])
dollars = st.builds(lambda value, scale: Quantity(value, "USD", scale), numbers, scales)


@given(st.lists(dollars, min_size=1, max_size=8))
def test_a_sum_is_exact_whatever_the_order_and_the_scales(quantities):
    exact = sum((q.value * q.scale for q in quantities), Decimal(0))
    assert total(quantities).amount == total(quantities[::-1]).amount == exact


@given(dollars, dollars)
def test_what_is_subtracted_can_be_added_again(a, b):
    assert total([difference(a, b), b]).amount == a.amount
    assert difference(a, b).amount == -difference(b, a).amount


@given(st.lists(dollars, min_size=1, max_size=6))
def test_a_mean_lies_between_the_smallest_and_the_largest(quantities):
    amounts = [q.amount for q in quantities]
    slack = Decimal(1).scaleb(-9)
    assert min(amounts) - slack <= mean(quantities).amount <= max(amounts) + slack


@given(dollars.filter(lambda q: q.value), st.integers(-90, 300))
def test_a_percent_change_is_that_by_which_the_value_grew(old, percent):
    new = Quantity(old.value * (100 + percent) / 100, "USD", old.scale)
    assert abs(percent_change(old, new).value - percent) < Decimal("1e-9")


def test_tenths_add_up_to_what_they_are():
    assert total([Quantity(Decimal("0.1")), Quantity(Decimal("0.2"))]).value == Decimal("0.3")


def test_scales_differ_freely():
    billions, millions = Quantity(Decimal("1.2"), "USD", 10**9), Quantity(Decimal("300"), "USD", 10**6)
    assert shown(difference(billions, millions)) == "$900 million"


@pytest.mark.parametrize("units", [("USD", "EUR"), ("%", "USD"), ("%", None), ("ms", "kg")])
def test_different_units_are_not_added(units):
    with pytest.raises(UnitsDifferError, match="different units"):
        total([Quantity(Decimal(1), unit) for unit in units])


def test_different_units_may_be_divided_and_name_both():
    assert quotient(Quantity(Decimal(90), "km"), Quantity(Decimal(2), "h")) == Quantity(Decimal(45), "km/h")


def test_nothing_is_divided_by_zero():
    nothing, one = Quantity(Decimal(0), "USD"), Quantity(Decimal(1), "USD")
    with pytest.raises(UsageError, match="zero"):
        quotient(one, nothing)
    with pytest.raises(UsageError, match="no percentage"):
        percent_change(nothing, one)


@pytest.mark.parametrize(
    ("quantity", "english", "chinese"),
    [
        (Quantity(Decimal("-1234.5"), "USD", 10**6), "-$1,234.5 million", "-1,234.5百万美元"),
        (Quantity(Decimal("3.2"), "CNY", 10**4), "¥32,000", "3.2万元"),
        (Quantity(Decimal("12.50"), "%"), "12.5%", "12.5%"),
        (Quantity(Decimal("0.000123456")), "0.0001235", "0.0001235"),
        (Quantity(Decimal("1500")), "1,500", "1,500"),
        (Quantity(Decimal("7"), "kg"), "7 kg", "7 kg"),
    ],
)
def test_a_quantity_is_shown_with_its_unit_and_scale(quantity, english, chinese):
    assert (shown(quantity), shown(quantity, chinese=True)) == (english, chinese)


def test_halves_are_rounded_up():
    assert written(Decimal("2.345"), 2) == "2.35"
