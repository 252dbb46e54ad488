"""Queries over relations: what is found, computed from which cells, and what is refused instead of guessed."""

import datetime
import time
from decimal import Decimal

import pytest
from read_tables import INCOME, ORDERS, SALES, SALES_MERGED, SHIPS, STAFF, STATEMENT_ZH, cells_of, relation_of

from engine.answer.tables.quantity import Quantity, UnitsDifferError
from engine.answer.tables.query import LABEL, Condition, Operand, Query, RefusedOperationError
from engine.answer.tables.relation import Relation
from engine.answer.tables.run import rows_of, run
from engine.model import Node

ORDER, CUSTOMER, REGION, STATUS, AMOUNT, ORDERED = range(6)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Relations by name."""
    folder = tmp_path_factory.mktemp("run")
    tables = {"orders": ORDERS, "income": INCOME, "ships": SHIPS, "staff": STAFF, "zh": STATEMENT_ZH}
    found = {name: relation_of(folder, rows) for name, rows in tables.items()}
    return found | {"sales": relation_of(folder, SALES, SALES_MERGED)}


@pytest.fixture
def orders(made):
    return made["orders"]


@pytest.fixture
def income(made):
    return made["income"]


def where(column, comparison, *values):
    return (Condition((column,), comparison, values),)


def row(name):
    return Condition((LABEL,), "=", (name,))


def number(result):
    [entry] = result.entries
    return entry.quantity


def test_a_row_is_looked_up_by_its_name(orders):
    result = run(Query("lookup", (AMOUNT,), (row("A-002"),)), orders)
    assert [entry.said for entry in result.entries] == ["(60)"]
    assert number(result) == Quantity(Decimal(-60), "EUR")
    assert cells_of(orders, result) == ["E3"]


def test_two_conditions_hold_at_once(orders):
    both = (*where(REGION, "=", "North"), *where(STATUS, "=", "shipped"))
    assert cells_of(orders, run(Query("lookup", (CUSTOMER,), both), orders)) == ["B4"]


def test_several_values_of_one_column_are_alternatives(orders):
    found = run(Query("filter", (ORDER,), where(REGION, "=", "South", "West")), orders)
    assert [entry.said for entry in found.entries] == ["A-002", "A-004", "A-005"]


def test_rows_are_counted_without_those_that_add_up_others(orders):
    assert number(run(Query("count"), orders)).value == 5
    counted = run(Query("count", (), where(STATUS, "=", "open")), orders)
    assert (number(counted).value, cells_of(orders, counted)) == (2, ["D2", "D5"])


def test_different_things_of_a_column_are_counted_once(orders):
    assert number(run(Query("count", (REGION,)), orders)).value == 3
    assert [entry.said for entry in run(Query("distinct", (REGION,)), orders).entries] == [
        "North",
        "South",
        "West",
    ]


def test_a_sum_leaves_out_totals_and_empty_cells(orders):
    result = run(Query("sum", (AMOUNT,)), orders)
    assert number(result) == Quantity(Decimal("1550.00"), "EUR")
    assert cells_of(orders, result) == ["E2", "E3", "E4", "E5"]
    assert result.derivation == "1,234.50 + (60) + 300 + 75.5"


def test_a_mean_is_over_the_cells_with_numbers(orders):
    result = run(Query("average", (AMOUNT,)), orders)
    assert number(result).value == Decimal("387.5")
    assert result.derivation == "(1,234.50 + (60) + 300 + 75.5) / 4"


def test_a_total_is_computed_with_where_it_is_asked_for_by_name(orders):
    assert run(Query("sum", (AMOUNT,), (row("Total"),)), orders).entries[0].said == "1550"


@pytest.mark.parametrize(("operation", "name", "cell"), [("max", "Alder Ltd", "E2"), ("min", "Birch AG", "E3")])
def test_the_extreme_is_told_with_its_row(orders, operation, name, cell):
    result = run(Query(operation, (AMOUNT,), told=(CUSTOMER,)), orders)
    assert [entry.name for entry in result.entries] == [name]
    assert cells_of(orders, result)[0] == cell


def test_all_rows_that_share_the_extreme_are_told(made):
    result = run(Query("min", (1,), told=(0,)), made["ships"])
    assert [entry.name for entry in result.entries] == ["Aurora", "Ceres"]


def test_the_latest_date_is_an_extreme_too(orders):
    result = run(Query("max", (ORDERED,), told=(ORDER,)), orders)
    assert [(entry.name, entry.said) for entry in result.entries] == [("A-004", "2024-06-30")]


@pytest.mark.parametrize(
    ("descending", "limit", "names"),
    [
        (True, 0, ["Alder Ltd", "Cedar Inc", "Dogwood BV", "Birch AG"]),
        (True, 2, ["Alder Ltd", "Cedar Inc"]),
        (False, 1, ["Birch AG"]),
    ],
)
def test_rows_are_ranked_and_those_without_a_number_left_out(orders, descending, limit, names):
    query = Query("rank", (AMOUNT,), told=(CUSTOMER,), descending=descending, limit=limit)
    assert [entry.name for entry in run(query, orders).entries] == names


def test_groups_are_added_up_and_one_without_numbers_is_left_out(made):
    orders = made["orders"]
    result = run(Query("sum", (AMOUNT,), by=STATUS), orders)
    assert [(entry.name, entry.quantity.value) for entry in result.entries] == [
        ("open", Decimal("1310.00")), ("cancelled", Decimal(-60)), ("shipped", Decimal(300)),
    ]  # fmt: skip
    assert cells_of(orders, result) == ["D2", "E2", "E5", "D3", "E3", "D4", "E4"]


def test_a_group_of_which_no_cell_has_a_number_does_not_stop_the_others(tmp_path):
    rows = [["Site", "Tons", "Kind"], ["Ash", 3, "x"], ["Ash", 4, "y"], ["Elm", None, "x"], ["Fir", 5, "y"]]
    relation = relation_of(tmp_path, rows)
    result = run(Query("sum", (1,), by=0), relation)
    assert [(entry.name, entry.quantity.value) for entry in result.entries] == [("Ash", 7), ("Fir", 5)]


@pytest.mark.parametrize(
    ("operation", "aggregate", "told"),
    [
        ("max", "sum", [("Research", 100)]), ("min", "average", [("Sales", 40)]),
        ("rank", "sum", [("Research", 100), ("Sales", 80)]), ("max", "count", [("Sales", 2), ("Research", 2)]),
    ],
)  # fmt: skip
def test_groups_are_compared_by_what_is_computed_of_them(made, operation, aggregate, told):
    result = run(Query(operation, (4,), by=2, aggregate=aggregate), made["staff"])
    assert [(entry.name, entry.quantity.value) for entry in result.entries] == told


def test_groups_are_counted(made):
    result = run(Query("count", by=2, aggregate="count"), made["staff"])
    assert [(entry.name, entry.said) for entry in result.entries] == [("Sales", "2"), ("Research", "2")]


def cells(income_columns, name):
    return tuple(Operand(column, (row(name),)) for column in income_columns)


def test_the_difference_of_two_years_has_a_sign(income):
    result = run(Query("diff", operands=cells((2, 1), "Revenue")), income)
    assert number(result) == Quantity(Decimal(-2500), "EUR", 10**6)
    assert (cells_of(income, result), result.derivation) == (["C2", "B2"], "10,000 − 12,500")


def test_the_difference_of_two_things_says_how_far_they_lie_apart(income):
    sides = (Operand(1, (row("Research and development"),)), Operand(1, (row("Revenue"),)))
    assert number(run(Query("diff", operands=sides), income)).value == 11250


def test_growth_is_in_percent_and_from_brackets_too(income):
    assert number(run(Query("percent_change", operands=cells((2, 1), "Revenue")), income)) == Quantity(Decimal(25), "%")
    growth = number(run(Query("percent_change", operands=cells((2, 1), "Cost of sales")), income))
    assert round(growth.value, 2) == Decimal("19.67")


def test_scales_differ_freely(made):
    sides = (Operand(1, (row("净利润"),)), Operand(1, (row("营业收入"),)))
    result = run(Query("divide", operands=sides), made["zh"])
    assert round(number(result).value, 4) == Decimal("0.1817")


def test_the_larger_of_two_cells_comes_first(income):
    sides = (Operand(1, (row("Research and development"),)), Operand(1, (row("Revenue"),)))
    result = run(Query("compare", operands=sides), income)
    assert [(entry.name, entry.said) for entry in result.entries] == [
        ("Revenue", "12,500"), ("Research and development", "1,250"),
    ]  # fmt: skip


def test_a_share_is_of_the_sum_without_totals(orders):
    result = run(Query("share", (AMOUNT,), where(CUSTOMER, "=", "Cedar Inc")), orders)
    assert round(number(result).value, 2) == Decimal("19.35")
    assert number(result).unit == "%" and result.derivation == "300 / 1,550"


def test_the_share_of_everything_is_all_of_it(orders):
    assert number(run(Query("share", (AMOUNT,)), orders)).value == 100


def test_a_trend_keeps_the_order_of_the_table(income):
    result = run(Query("trend", (1, 2), (row("Revenue"),)), income)
    assert [entry.said for entry in result.entries] == ["12,500", "10,000"]


def test_columns_under_two_headers_are_added_up_for_themselves(made):
    sales = made["sales"]
    result = run(Query("sum", (3,)), sales)
    assert (number(result).value, cells_of(sales, result)) == (290, ["D3", "D4", "D5"])


@pytest.mark.parametrize(
    ("comparison", "values", "cells"),
    [
        ("=", ("2023",), [0, 1]), ("=", ("2023-05",), [1]), ("!=", ("2023",), [2, 3, 4, 5]),
        (">", ("2023",), [2, 3]), (">=", ("2023",), [0, 1, 2, 3]), ("<", ("2023",), [4]),
        ("<=", ("2023-03-01",), [0, 4]), (">", ("2023-03-01",), [1, 2, 3]),
        ("between", ("2023-05", "2024-01"), [1, 2]), ("between", ("2024", "2023"), [0, 1, 2, 3]),
    ],
)  # fmt: skip
def test_dates_are_compared_as_exactly_as_they_are_said(orders, comparison, values, cells):
    assert rows_of(orders, where(ORDERED, comparison, *values)) == cells


@pytest.mark.parametrize(
    ("comparison", "values", "cells"),
    [
        (">", ("300",), [0, 5]), (">=", ("300",), [0, 2, 5]), ("<", ("0",), [1]), ("<=", ("75.5",), [1, 3]),
        ("=", ("1234.5",), [0]), ("!=", ("1234.5",), [1, 2, 3, 4, 5]), ("between", ("300", "0"), [2, 3]),
    ],
)  # fmt: skip
def test_numbers_are_compared_by_value_however_they_are_written(orders, comparison, values, cells):
    assert rows_of(orders, where(AMOUNT, comparison, *values)) == cells


def test_numbers_are_compared_with_their_scale(income):
    assert rows_of(income, where(1, ">", "10000000000")) == [0]


def test_a_number_with_zeros_in_front_is_not_the_one_without():
    rows = [["Code", "Name"], ["007", "Bond"], ["7", "Seven"], ["012", "Twelve"]]
    relation = Relation([Node("n1", None, "table", text="", metadata={"rows": rows})])
    assert rows_of(relation, where(0, "=", "007")) == [0]
    assert rows_of(relation, where(0, "=", "7")) == [1]


def test_texts_are_found_by_what_they_contain(orders):
    assert rows_of(orders, where(CUSTOMER, "contains", "ltd")) == [0]
    assert rows_of(orders, where(CUSTOMER, "contains", "%")) == []


def test_names_of_rows_may_be_left_out(orders):
    assert rows_of(orders, (Condition((LABEL,), "!=", ("A-001", "Total")),)) == [1, 2, 3, 4]


def test_quotes_in_values_are_no_part_of_a_statement(orders):
    assert rows_of(orders, where(CUSTOMER, "=", "x' OR '1'='1")) == []
    assert rows_of(orders, where(CUSTOMER, "=", "'; DROP TABLE t; --")) == []
    assert number(run(Query("count"), orders)).value == 5


@pytest.fixture
def prices(tmp_path):
    return relation_of(tmp_path, [["Deal", "Price", "Rate"], ["One", "$500", "5%"], ["Two", "€400", "7"]])


@pytest.mark.parametrize("operation", ["sum", "average", "max", "min", "rank"])
def test_numbers_in_different_units_are_not_computed_together(prices, operation):
    with pytest.raises(UnitsDifferError, match="USD and EUR"):
        run(Query(operation, (1,)), prices)


@pytest.mark.parametrize("operation", ["diff", "compare", "percent_change"])
def test_two_cells_in_different_units_are_not_held_against_each_other(prices, operation):
    sides = (Operand(1, (row("One"),)), Operand(1, (row("Two"),)))
    with pytest.raises(UnitsDifferError):
        run(Query(operation, operands=sides), prices)


def test_percentages_are_not_added_to_bare_numbers(prices):
    with pytest.raises(UnitsDifferError):
        run(Query("sum", (2,)), prices)


def test_groups_in_different_units_are_not_ranked(tmp_path):
    rows = [
        ["Land", "Price", "Kind"],
        ["US", "$5", "x"],
        ["US", "$6", "y"],
        ["FR", "€7", "x"],
        ["FR", "€9", "z"],
    ]
    relation = relation_of(tmp_path, rows)
    assert [entry.quantity.unit for entry in run(Query("sum", (1,), by=0), relation).entries] == [
        "USD",
        "EUR",
    ]
    with pytest.raises(UnitsDifferError):
        run(Query("max", (1,), by=0), relation)


@pytest.mark.parametrize("operation", ["sum", "average", "min", "max", "rank"])
def test_there_is_nothing_to_compute_of_texts(orders, operation):
    with pytest.raises(RefusedOperationError, match="No cell with a number"):
        run(Query(operation, (CUSTOMER,)), orders)


def test_nothing_is_divided_by_zero(tmp_path):
    relation = relation_of(tmp_path, [["Item", "2023", "2022"], ["Ore", 5, 0], ["Salt", 7, 6]])
    with pytest.raises(RefusedOperationError, match="no percentage"):
        run(Query("percent_change", operands=(Operand(2, (row("Ore"),)), Operand(1, (row("Ore"),)))), relation)
    with pytest.raises(RefusedOperationError, match="zero"):
        run(Query("divide", operands=(Operand(1, (row("Ore"),)), Operand(2, (row("Ore"),)))), relation)


def test_a_look_up_that_no_row_fulfils_finds_nothing(orders):
    result = run(Query("lookup", (AMOUNT,), where(REGION, "=", "East")), orders)
    assert (result.entries, result.matched) == ((), 0)


def test_very_many_cells_are_added_up_too(tmp_path):
    rows = [["Item", "Kind", "Tons"], *([f"i{number}", "x", str(number)] for number in range(1, 6001))]
    relation = Relation([Node("n1", None, "table", text="", metadata={"rows": rows})])
    assert number(run(Query("sum", (2,)), relation)).value == 18_003_000
    assert number(run(Query("average", (2,)), relation)).value == Decimal("3000.5")
    assert [entry.said for entry in run(Query("max", (2,)), relation).entries] == ["6000"]


def test_the_last_of_very_many_dates_is_found_without_reading_them_all_for_each_row():
    days = [str(datetime.date(2020, 1, 1) + datetime.timedelta(number)) for number in range(6000)]
    rows = [["Order", "Shipped"], *([f"A-{number}", day] for number, day in enumerate(days))]
    relation = Relation([Node("n1", None, "table", text="", metadata={"rows": rows})])
    started = time.process_time()
    [last] = run(Query("max", (1,), told=(0,)), relation).entries
    assert (last.name, last.said) == ("A-5999", days[-1])
    assert time.process_time() - started < 5  # half a minute and more if it were


def test_of_a_column_of_dates_no_average_is_made_of_the_one_number_in_it(tmp_path):
    rows = [["Name", "Since"], *([f"Site {n}", 1990 + n] for n in range(9)), ["Site 9", 12]]
    relation = relation_of(tmp_path, rows)
    assert relation.columns[1].dtype == "date"
    with pytest.raises(RefusedOperationError):
        run(Query("average", (1,)), relation)
