"""Headers on two lines, rows that number the columns, and what is no unit."""

import pytest

from engine.enrich.tables import enrich_table
from engine.enrich.units import note_measure
from engine.model import Node


def facts(*rows: list[str]) -> dict[str, object]:
    return dict(enrich_table(Node("t", "s", "table", metadata={"rows": [list(row) for row in rows]})).metadata)


def names(found: dict[str, object]) -> list[str]:
    columns = found["columns"]
    assert isinstance(columns, list)
    return [column["name"] for column in columns]


def test_a_header_printed_on_two_lines_is_one() -> None:
    found = facts(
        ["", "No. of", "Average"],
        ["Plant", "Employees", "Price"],
        ["Alder", "31", "5.00"],
        ["Birch", "27", "6.10"],
    )
    assert found["header_rows"] == 2
    assert names(found) == ["Plant", "No. of Employees", "Average Price"]


def test_a_chinese_header_on_two_lines_is_joined_without_a_space() -> None:
    found = facts(["", "员工", "平均"], ["工厂", "人数", "价格"], ["桦木厂", "31", "5.00"], ["松木厂", "27", "6.10"])
    assert names(found) == ["工厂", "员工人数", "平均价格"]


@pytest.mark.parametrize("row", [["1", "2", "3"], ["(1)", "(2)", "(3)"], ["（1）", "（2）", "（3）"]])
def test_a_row_that_numbers_the_columns_is_part_of_the_header_and_names_nothing(row: list[str]) -> None:
    found = facts(["Plant", "Region", "Output"], row, ["Alder", "North", "204"], ["Birch", "South", "98"])
    assert found["header_rows"] == 2 and names(found) == ["Plant", "Region", "Output"]


def test_a_row_of_small_figures_stays_a_row() -> None:
    found = facts(["Team", "Gold", "Silver", "Bronze"], ["Fiji", "1", "2", "3"], ["Samoa", "4", "1", "0"])
    assert found["header_rows"] == 1


def test_the_year_under_review_is_no_unit() -> None:
    assert note_measure("The quantities made in the year under review were as follows.") is None
    measure = note_measure("Amounts are stated in EUR thousand.")
    assert measure is not None and measure.unit == "EUR"
