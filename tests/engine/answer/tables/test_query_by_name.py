"""Queries by name: names are resolved to what the table has, or refused with what it has instead."""

import itertools

import pytest
from read_tables import INCOME, ORDERS, SALES, SALES_MERGED, STAFF, table_of

from engine.answer.tables.cite import cite
from engine.answer.tables.named import UnknownNameError, query_of
from engine.answer.tables.query import LABEL, OPERATIONS, Condition, Operand, Query, RefusedOperationError
from engine.answer.tables.run import run
from engine.answer.tables.wording import sentence


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("named")
    rows = {"orders": ORDERS, "income": INCOME, "staff": STAFF}
    return {name: table_of(folder, one) for name, one in rows.items()}


@pytest.fixture
def orders(made):
    return made["orders"].linked


def query(linked, operation="lookup", **plan):
    return query_of({"operation": operation, **plan}, linked)


@pytest.mark.parametrize(
    "name",
    ["Amount", "amount", "AMOUNTS", " Amount ", "Amounnt", "Amount (EUR)", "Amount (currency, EUR)", 4],
)
def test_a_column_is_found_however_it_is_written(orders, name):
    assert query(orders, columns=name).columns == (4,)


def test_the_first_column_is_found_by_its_number(orders):
    assert query(orders, columns=0).columns == (0,)
    assert query(orders, "count", columns=[0]).columns == (0,)
    assert query(orders, "sum", columns="Amount", by=0).by == 0


@pytest.mark.parametrize("name", ["Margin", "", None, 99, -1, True, 2.5, {"a": 1}, []])
def test_a_column_that_is_not_there_is_refused_or_left_out(orders, name):
    if name in ("", None, []):
        assert query(orders, columns=name).columns == ()
    else:
        with pytest.raises(UnknownNameError, match="It has: “Order”, “Customer”"):
            query(orders, columns=name)


def test_an_operation_that_is_unknown_is_refused_with_those_there_are(orders):
    with pytest.raises(UnknownNameError, match=r"no operation “multiply”.*“lookup”"):
        query(orders, "multiply")


def test_values_are_found_by_the_same_words_or_the_nearest_spelling(orders):
    for value in ("birch ag", "Birch", "Birch AGG"):
        made = query(orders, where=[{"column": "Customer", "is": "=", "value": value}])
        assert made.where == (Condition((1,), "=", ("Birch AG",)),)


def test_a_value_that_is_not_there_is_refused_with_the_nearest(orders):
    with pytest.raises(UnknownNameError, match="no value “Zebra Co”") as refused:
        query(orders, where=[{"column": "Customer", "value": "Zebra Co"}])
    assert "Cedar Inc" in str(refused.value) and "现有" in refused.value.said("zh")


def test_another_number_is_another_name(tmp_path):
    rows = [["Invoice", "Kind", "Sum"], ["INV-2023-00012", "x", 5], ["INV-2023-00014", "y", 7]]
    linked = table_of(tmp_path, rows).linked
    with pytest.raises(UnknownNameError, match="INV-2023-00012”, “INV-2023-00014"):
        query(linked, rows="INV-2023-00013")


def test_a_part_of_another_name_is_not_taken_for_it(orders):
    with pytest.raises(UnknownNameError):
        query(orders, rows="Total liabilities")


def test_a_name_that_two_columns_share_is_refused_with_both(tmp_path):
    linked = table_of(tmp_path, SALES, SALES_MERGED).linked
    with pytest.raises(UnknownNameError, match=r"It has: “2022 / Sales”, “2023 / Sales”\."):
        query(linked, columns="Sales")
    assert query(linked, columns="2023 / Sales").columns == (3,)


def test_a_value_is_looked_for_in_the_column_that_is_named(tmp_path):
    rows = [
        ["Client", "Region", "Sum"],
        ["North Ltd", "South", 5],
        ["Elm SA", "North", 7],
        ["Ash AG", "South", 1],
    ]
    linked = table_of(tmp_path, rows).linked
    assert query(linked, where=[{"column": "Client", "value": "North"}]).where[0].values == ("North Ltd",)


def test_rows_are_named_by_their_first_column(orders):
    assert query(orders, rows=["A-001", "A-003"]).where == (Condition((LABEL,), "=", ("A-001", "A-003")),)


def test_rows_may_be_left_out_by_their_name(orders):
    assert query(orders, where=[{"is": "!=", "value": "Total"}]).where == (Condition((LABEL,), "!=", ("Total",)),)


def test_names_of_rows_are_not_compared_by_size(orders):
    with pytest.raises(RefusedOperationError, match="Use one of =, !=, contains"):
        query(orders, where=[{"column": "row", "is": ">", "value": "A-001"}])


@pytest.mark.parametrize(
    ("column", "told", "value"),
    [
        ("Amount", 300, "300"), ("Amount", "1,234.50", "1234.50"), ("Amount", "5 thousand", "5000"),
        ("Ordered", "1 March 2023", "2023-03-01"), ("Ordered", 2023, "2023"), ("Ordered", "2023年3月", "2023-03"),
    ],
)  # fmt: skip
def test_numbers_and_dates_of_conditions_are_read_like_cells(orders, column, told, value):
    assert query(orders, where=[{"column": column, "is": ">", "value": told}]).where[0].values == (value,)


def test_a_number_means_what_it_means_in_the_column(made):
    income = made["income"].linked
    assert query(income, where=[{"column": "2023", "is": ">", "value": 5000}]).where[0].values == ("5000000000",)


@pytest.mark.parametrize("value", [None, []])
def test_a_condition_without_a_value_is_refused(orders, value):
    for column, comparison in itertools.product(("Amount", "Ordered", "Region", None), ("=", "<", "between")):
        with pytest.raises(RefusedOperationError, match="has no value"):
            query(orders, where=[{"column": column, "is": comparison, "value": value}])


def test_a_comparison_with_what_is_no_number_is_refused(orders):
    with pytest.raises(RefusedOperationError, match="is no number"):
        query(orders, where=[{"column": "Amount", "is": ">", "value": "many"}])


@pytest.mark.parametrize("operation", ["sum", "average", "min", "max", "rank", "share", "trend"])
def test_the_only_column_of_numbers_needs_no_name(orders, operation):
    assert query(orders, operation).columns == (4,)


def test_of_several_columns_of_numbers_one_must_be_named(made):
    with pytest.raises(RefusedOperationError, match="Name the column"):
        query(made["income"].linked, "sum")
    with pytest.raises(RefusedOperationError, match="Name the column"):
        query(made["income"].linked, "distinct")


def test_two_cells_are_named_one_by_one_or_as_rows_or_columns(made):
    income = made["income"].linked
    revenue = (Condition((LABEL,), "=", ("Revenue",)),)
    assert query(
        income, "diff", a={"column": "2023", "row": "Revenue"}, b={"column": "2022", "row": "Revenue"}
    ).operands == (Operand(1, revenue), Operand(2, revenue))
    assert query(income, "diff", rows=["Revenue"], columns=["2023", "2022"]).operands == (
        Operand(1, revenue), Operand(2, revenue),
    )  # fmt: skip
    assert [
        side.column for side in query(income, "compare", rows=["Revenue", "Cost of sales"], columns="2023").operands
    ] == [1, 1]


@pytest.mark.parametrize("plan", [{}, {"a": {"column": "2023"}}, {"rows": ["Revenue"]}, {"a": 1, "b": 2}])
def test_one_side_of_a_comparison_is_not_enough(made, plan):
    with pytest.raises(RefusedOperationError, match="Name the two cells"):
        query(made["income"].linked, "diff", **plan)


def test_sides_mean_nothing_where_nothing_is_held_against_another(orders):
    made = query(orders, "sum", columns="Amount", a={"column": "Amount"}, b={"column": "Amount"})
    assert made == Query("sum", (4,))


@pytest.mark.parametrize(("limit", "meant"), [(3, 3), ("3", 0), (-1, 0), (None, 0), (1.5, 0)])
def test_a_limit_is_a_whole_number(orders, limit, meant):
    assert query(orders, "rank", columns="Amount", limit=limit, order="ascending").limit == meant


_NAMES = ["Amount", "Region", 0, "Ordered", "nix", None, "", [], ["Amount", "Region"], {"a": 1}, 99]
_VALUES = [
    "North",
    200,
    None,
    [],
    ["North", "South"],
    "2023",
    {"x": 1},
    "nonsense",
    "",
    [None],
    True,
    float("nan"),
]
_COMPARISONS = ["=", "!=", "<", ">=", "between", "contains", "in", "like", None, "after"]


def _plans():
    for operation in (*OPERATIONS, "", None, ["sum"]):
        for name in _NAMES:
            yield {"operation": operation, "columns": name}
            yield {"operation": operation, "columns": "Amount", "by": name, "told": name}
            yield {"operation": operation, "a": {"column": name}, "b": {"column": "Amount", "row": "A-001"}}
        for value in _VALUES:
            yield {"operation": operation, "columns": "Amount", "rows": value}
            yield {
                "operation": operation,
                "columns": "Amount",
                "a": {"column": "Amount", "row": value},
                "b": value,
            }
            yield {
                "operation": operation,
                "columns": "Amount",
                "where": value,
                "limit": value,
                "order": value,
            }
    for name, comparison, value in itertools.product(_NAMES, _COMPARISONS, _VALUES):
        yield {"operation": "count", "where": [{"column": name, "is": comparison, "value": value}]}


def test_whatever_is_written_is_run_or_refused_with_a_reason(made):
    table, done = made["orders"], 0
    relation = table.linked.relation
    for plan in _plans():
        try:
            result = run(query_of(plan, table.linked), relation)
        except RefusedOperationError as refused:
            assert str(refused) and refused.said("zh")
            continue
        assert sentence(result, relation, False) and sentence(result, relation, True)
        assert all(one.snippet in relation.nodes[0].text for one in cite(result.cells, relation, table.hit))
        done += 1
    assert done > 200


def test_a_rows_own_cells_in_two_columns_are_compared(made):
    staff = made["staff"].linked
    asked = query(staff, "filter", columns="Name", where={"column": "Left", "is": ">", "other": "Joined"})
    assert asked.where == (Condition((6,), ">", other=5),)
    assert [entry.said for entry in run(asked, staff.relation).entries] == ["Ana Costa", "Ana Costa"]


@pytest.mark.parametrize(("comparison", "other"), [(">", "Salary"), ("contains", "Joined"), (">", "City")])
def test_columns_of_different_kinds_are_not_compared(made, comparison, other):
    with pytest.raises(RefusedOperationError, match=r"“Left” and “.*” cannot be compared"):
        query(made["staff"].linked, "filter", where={"column": "Left", "is": comparison, "other": other})


def test_a_column_named_as_a_value_is_held_against_the_other(made):
    asked = query(made["staff"].linked, "filter", where={"column": "Left", "is": ">", "value": "Joined"})
    assert asked.where == (Condition((6,), ">", other=5),)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (
            {"operation": "filter", "where": [{"column": "Region", "value": "North"}]},
            "- A-001: Customer Alder Ltd, Region North, Status open, Amount €1,234.5, Ordered 2023-03-01",
        ),
        ({"operation": "lookup", "rows": ["A-002"]}, "Customer Birch AG, Region South, Status cancelled"),
        (
            {"operation": "filter", "where": [{"column": "Region", "value": "North"}], "told": ["Customer"]},
            "- Alder Ltd",
        ),
    ],
)
def test_rows_that_are_chosen_are_told_whole_unless_columns_are_named(orders, plan, told):
    made = query_of(plan, orders)
    assert told in sentence(run(made, orders.relation), orders.relation, False, 60)


def test_of_a_chosen_row_the_columns_that_the_question_names_come_with_those_that_choose_it(orders):
    plan = {"operation": "filter", "where": [{"column": "Region", "value": "North"}]}
    assert query_of(plan, orders, [4]).columns == (2, 4)


def test_rows_are_chosen_by_the_time_of_day(tmp_path):
    rows = [["Time", "Light"], *([f"2025-03-27 {hour:02d}:00", hour] for hour in range(24))]
    light = table_of(tmp_path, rows).linked
    between = [{"column": "Time", "is": "between", "value": ["2025-03-27 10:00", "2025-03-27 16:00"]}]
    [entry] = run(query(light, "average", columns="Light", where=between), light.relation).entries
    assert entry.quantity.value == 13
    [entry] = run(query(light, "count", where=[{"column": "Time", "value": "2025-03-27"}]), light.relation).entries
    assert entry.quantity.value == 24
