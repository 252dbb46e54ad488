"""The letters of a sheet's columns."""

from engine.model.sheet_columns import column_letters, column_number


def test_columns_are_named_as_sheets_name_them():
    assert [column_letters(n) for n in (1, 26, 27, 52, 702, 703)] == ["A", "Z", "AA", "AZ", "ZZ", "AAA"]


def test_letters_give_the_column_back():
    assert all(column_number(column_letters(n)) == n for n in range(1, 2000))
