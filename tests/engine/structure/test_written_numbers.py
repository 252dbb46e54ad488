"""A number means the same in digits, in Chinese numerals and in words."""

from decimal import Decimal

import pytest

from engine.structure.numbering import number_of


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,234.5", "1234.5"), ("二十五", "25"), ("三点五", "3.5"), ("twenty-five", "25"), ("Seven", "7")],
)
def test_a_written_number_has_a_value(text, value):
    assert number_of(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "点", "a few", "1.2.3", "twenty apples"])
def test_what_is_no_number_has_none(text):
    assert number_of(text) is None
