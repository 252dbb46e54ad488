"""Tables as relations: header paths, units, labels, totals, kinds, and cells that keep their address."""

from decimal import Decimal

import pytest
from read_tables import (
    INCOME,
    ORDERS,
    SALES,
    SALES_MERGED,
    SHIPS,
    STAFF,
    STAFF_ZH,
    STATEMENT_ZH,
    relation_of,
    tables_in,
    write_workbook,
)

from engine.answer.tables.quantity import Quantity
from engine.answer.tables.relation import Relation
from engine.model import Node


def test_columns_have_names_units_and_kinds(tmp_path):
    columns = relation_of(tmp_path, ORDERS).columns
    assert [column.name for column in columns] == [
        "Order", "Customer", "Region", "Status", "Amount", "Ordered",
    ]  # fmt: skip
    assert [column.dtype for column in columns] == ["text", "text", "text", "text", "currency", "date"]
    assert (columns[4].unit, columns[4].scale) == ("EUR", 1)


def test_two_header_rows_with_merged_cells_make_paths_of_headers(tmp_path):
    columns = relation_of(tmp_path, SALES, SALES_MERGED).columns
    assert [column.path for column in columns] == [
        ("Region",), ("2022", "Sales"), ("2022", "Units"), ("2023", "Sales"), ("2023", "Units"),
    ]  # fmt: skip
    assert [column.years for column in columns] == [(), (2022,), (2022,), (2023,), (2023,)]


def test_a_unit_above_the_table_scales_its_money_but_no_percentages(tmp_path):
    relation = relation_of(tmp_path, INCOME)
    assert [relation.value(row, 1).amount for row in range(5)] == [
        Decimal(12_500_000_000), Decimal(-7_300_000_000), Decimal(1_250_000_000), Decimal("41.6"),
        Decimal(2_180_000_000),
    ]  # fmt: skip
    assert [relation.value(row, 1).unit for row in (0, 3)] == ["EUR", "%"]


def test_numbers_written_as_texts_are_numbers(tmp_path):
    relation = relation_of(tmp_path, ORDERS)
    assert [one and one.amount for one in (relation.quantity(row, 4) for row in range(len(relation.rows)))] == [
        Decimal("1234.50"), Decimal(-60), Decimal(300), Decimal("75.5"), None, Decimal(1550),
    ]  # fmt: skip


def test_chinese_scales_in_cells_are_read(tmp_path):
    relation = relation_of(tmp_path, STATEMENT_ZH)
    assert [relation.value(row, 1).amount for row in range(4)] == [
        Decimal(120_000_000), Decimal(73_000_000), Decimal(21_800_000), Decimal("41.5"),
    ]  # fmt: skip


@pytest.mark.parametrize("rows", [ORDERS, STAFF_ZH, INCOME])
def test_rows_that_add_up_others_are_known(tmp_path, rows):
    relation = relation_of(tmp_path, rows)
    assert [row.total for row in relation.rows] == [False] * (len(relation.rows) - 1) + [True]


def test_merged_cells_in_front_name_all_their_rows(tmp_path):
    rows = [
        ["Team", "Member", "Goals"],
        ["Red", "Ana", 4],
        [None, "Bo", 6],
        ["Blue", "Cy", 5],
        [None, "Di", 7],
    ]
    relation = relation_of(tmp_path, rows, ("A2:A3", "A4:A5"))
    assert [row.label for row in relation.rows] == [
        ("Red", "Ana"), ("Red", "Bo"), ("Blue", "Cy"), ("Blue", "Di"),
    ]  # fmt: skip


def test_rows_stand_in_the_groups_above_them(tmp_path):
    rows = [
        ["Item", "2023", "2022"], ["Assets", None, None], ["Cash", 10, 12], ["Liabilities", None, None],
        ["Cash", 1, 2], ["Loans", 7, 6],
    ]  # fmt: skip
    relation = relation_of(tmp_path, rows)
    assert [relation.label(row) for row in range(3)] == [
        "Assets / Cash", "Liabilities / Cash", "Liabilities / Loans",
    ]  # fmt: skip
    assert [relation.short_label(row) for row in range(3)] == [
        "Assets / Cash", "Liabilities / Cash", "Loans",
    ]  # fmt: skip


def test_numbers_filled_up_with_zeros_are_names(tmp_path):
    relation = relation_of(tmp_path, STAFF)
    assert relation.columns[0].dtype == "text"
    assert relation.text(0, 0) == "0012"
    assert relation_of(tmp_path, STAFF_ZH).columns[0].dtype == "text"


def test_rows_are_called_by_a_name_rather_than_a_number_also_where_two_have_the_same_name(tmp_path):
    relation = relation_of(tmp_path, STAFF)
    assert relation.key == 1
    assert relation.label(1) == "Bo Lind"


def test_records_are_a_list_and_measures_by_year_are_a_statement(tmp_path):
    assert [relation_of(tmp_path, rows).is_list for rows in (ORDERS, STAFF, SHIPS)] == [True, True, True]
    assert [relation_of(tmp_path, rows).is_list for rows in (INCOME, STATEMENT_ZH)] == [False, False]


def test_one_figure_behind_several_named_columns_is_a_record(tmp_path):
    rows = [["Team", "Member", "Goals"], ["Red", "Ana", 4], ["Red", "Bo", 6], ["Blue", "Cy", 5]]
    assert relation_of(tmp_path, rows).is_list


def test_dates_keep_how_exact_they_are_written_and_the_order_of_day_and_month_is_told_by_the_others(tmp_path):
    rows = [["Item", "Day"], ["a", "10/07/2025"], ["b", "25/09/2025"], ["c", "01/02/2024"]]
    assert relation_of(tmp_path, rows).dates(1) == ["2025-07-10", "2025-09-25", "2024-02-01"]
    assert relation_of(tmp_path, SHIPS).dates(1) == ["1931", "1944", "1931", "1968"]


def test_a_cell_keeps_its_address_and_its_line_of_the_text(tmp_path):
    rows = [[None, None, None], [None, "Item", "Price"], [None, "Tea", 3], [None, "Milk", 2]]
    relation = relation_of(tmp_path, rows)
    cell = relation.ref(1, 1)
    assert (cell.address, cell.row_header, cell.column_header, cell.text) == (
        "Sheet!C4",
        "Milk",
        "Price",
        "2",
    )
    start, end = relation.line(1)
    assert relation.nodes[0].text[start:end] == "Milk | 2"


def test_the_parts_of_a_long_sheet_are_one_relation_with_the_addresses_of_the_sheet(tmp_path):
    rows = [["Asset", "Cost"], *([f"A-{number}", number] for number in range(1, 451))]
    relation = relation_of(tmp_path, rows)
    assert [node.metadata["part"] for node in relation.nodes] == [[1, 3], [2, 3], [3, 3]]
    assert len(relation.rows) == 450
    assert relation.ref(429, 1).address == "Sheet!B431"
    assert relation.ref(429, 1).node_id == relation.nodes[2].node_id
    numbers = [relation.quantity(row, 1) for row in range(len(relation.rows))]
    assert numbers == [Quantity(Decimal(number)) for number in range(1, 451)]


def test_each_sheet_is_a_table_of_its_own(tmp_path):
    first = tables_in(write_workbook(tmp_path / "a.xlsx", SHIPS, sheet="Fleet"))
    assert [one.linked.relation.sheet for one in first] == ["Fleet"]


def test_cells_of_web_tables_are_counted_by_their_place(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<h1>Fees</h1><table><tr><th>Item</th><th>Fee</th></tr><tr><td>Tea</td><td>3</td></tr></table>")
    [table] = tables_in(page)
    assert table.linked.relation.ref(0, 1).address == "B2"


@pytest.mark.parametrize("rows", [[["Only"]], [["A", "B"]], [[""]], [["x"], [], ["y"]], [["A"], [], ["2023-01-05"]]])
def test_the_oddest_tables_have_a_relation(rows):
    relation = Relation([Node("n1", None, "table", text="", metadata={"rows": rows})])
    assert all(relation.text(row, 0) for row in range(len(relation.rows)))
