"""Levels of a table's header that repeat one text, and pieces of a header that name no rows."""

from engine.enrich.table_shape import is_group_row, shape_of


def test_a_level_that_says_the_same_over_all_columns_is_part_of_the_header():
    rows = [
        ["", "Group", "Group", "Parent", "Parent"],
        ["", "December 31,", "December 31,", "December 31,", "December 31,"],
        ["", "2023", "2022", "2023", "2022"],
        ["Cash", "$ 280", "$ 275", "$ 267", "$ 265"],
        ["Short-term investments", "3,546", "4,485", "3,543", "4,482"],
        ["Total", "3,826", "4,760", "3,810", "4,747"],
    ]
    assert shape_of(rows).header_rows == 3


def test_a_text_merged_over_the_whole_row_names_the_rows_below_it():
    assert is_group_row(["Assets", "Assets", "Assets"])
    assert is_group_row(["", "Consolidated", ""])


def test_a_lone_text_in_the_last_column_names_no_rows():
    assert not is_group_row(["", "", "Increase from 2022"])
