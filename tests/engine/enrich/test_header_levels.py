"""Levels of a table's header that repeat one text, and pieces of a header that name no rows."""

from engine.enrich.table_shape import is_group_row, shape_of
from engine.enrich.tables import enrich_table
from engine.model import Node


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


def columns(rows):
    """Return the columns of an enriched table by their names."""
    table = enrich_table(Node("n1", None, "table", metadata={"rows": rows}))
    return {column["name"]: column for column in table.metadata["columns"]}


def test_a_column_before_the_groups_belongs_to_none_where_two_would_be_called_the_same():
    rows = [
        ["", "", "Net additions", "", "Share of homes", ""],
        ["", "2023", "2023", "2022", "2023", "2022"],
        ["Internet", "440", "21", "22", "50", "49"],
        ["Video", "310", "(4)", "(6)", "35", "37"],
    ]
    assert [*columns(rows)][1:4] == ["2023", "Net additions / 2023", "Net additions / 2022"]


def test_a_change_is_of_no_one_year_and_the_length_of_a_year_no_unit():
    rows = [
        ["", "F24", "F23", ""],
        ["", "53 weeks", "52 weeks", "Change"],
        ["Sales", "1,670", "1,610", "3.7%"],
        ["Profit", "370", "360", "2.8%"],
    ]
    found = columns(rows)
    assert [*found][1:] == ["F24 / 53 weeks", "F23 / 52 weeks", "Change"]
    assert found["F24 / 53 weeks"]["unit"] is None
