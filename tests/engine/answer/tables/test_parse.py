"""From linked questions to queries: which operation, which columns, which conditions, and how sure."""

import pytest
from read_tables import INCOME, ORDERS, SHIPS, STAFF, STAFF_ZH, table_of

from engine.answer.tables.conditions import conditions
from engine.answer.tables.link import link
from engine.answer.tables.parse import parse
from engine.answer.tables.query import LABEL, Condition, Operand, Query

SHOPS = [["Shop", "Sales (EUR thousand)", "Opened"], ["Ash", 900, "2015-03-01"], ["Elm", 3000, "2019-05-10"]]

WATER = [["Year", "Chloride", "Phosphorus", "Turbidity"], ["2019", 20.1, 7.5, 1.4], ["2020", 18.2, 18.3, 1.2]]

STORE = [["Date", "Item", "Quantity", "Unit"], ["2026-03-01", "Corn", 1200, "kg"], ["2026-03-05", "Corn", 950, "kg"],
         ["2026-03-09", "Oil", 300, "litres"], ["2026-03-12", "Flour", 400, "kg"]]  # fmt: skip

LAMPS = [["Order No", "Customer", "Product", "Qty", "Status"], ["A-1", "Nordwind", "Desk lamp", 12, "open"],
         ["A-2", "Casa Verde", "Desk lamp", 30, "shipped"], ["A-3", "Nordwind", "Chair", 4, "open"]]  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parse")
    rows = {
        "orders": ORDERS,
        "income": INCOME,
        "ships": SHIPS,
        "staff": STAFF,
        "thousands": SHOPS,
        "staff zh": STAFF_ZH,
        "water": WATER,
        "store": STORE,
        "lamps": LAMPS,
    }
    return {name: table_of(folder, one).linked for name, one in rows.items()}


def readings(made, name, question):
    return parse(link(question, made[name]), made[name])


def where(column, comparison, *values):
    return (Condition((column,), comparison, values),)


REVENUE = (Condition((LABEL,), "=", ("Revenue",)),)


@pytest.mark.parametrize(
    ("name", "question", "query"),
    [
        ("income", "What was revenue in 2023?", Query("lookup", (1,), REVENUE)),
        ("income", "How did revenue grow from 2022 to 2023?",
         Query("percent_change", operands=(Operand(2, REVENUE), Operand(1, REVENUE)))),
        ("income", "By how much did revenue increase from 2022 to 2023?",
         Query("diff", operands=(Operand(1, REVENUE), Operand(2, REVENUE)))),
        ("orders", "How many orders are open?", Query("count", (), where(3, "=", "open"))),
        ("orders", "average amount in region North", Query("average", (4,), where(2, "=", "North"))),
        ("orders", "Amount by region", Query("sum", (4,), by=2)),
        ("orders", "Which different statuses are there?", Query("distinct", (3,))),
        ("staff", "Which department has the highest total salary?", Query("max", (4,), by=2)),
        ("ships", "Which is the longest ship?", Query("max", (3,), told=(0,))),
        ("orders", "How many orders were ordered after 2023?", Query("count", (), where(5, ">", "2023"))),
        ("orders", "How many orders have an amount of at least 300?", Query("count", (), where(4, ">=", "300"))),
        ("orders", "How many orders have an amount of at most 300?", Query("count", (), where(4, "<=", "300"))),
        ("orders", "How many orders are not open?", Query("count", (), where(3, "!=", "open"))),
        ("orders", "total amount except in North and South", Query("sum", (4,), where(2, "!=", "North", "South"))),
        ("orders", "How many different customers ordered in 2023?", Query("count", (1,), where(5, "=", "2023"))),
        ("orders", "What is the total amount?", Query("sum", (4,))),
        ("orders", "total amount in region North", Query("sum", (4,), where(2, "=", "North"))),
        ("income", "What is total income in 2023?",
         Query("lookup", (1,), (Condition((LABEL,), "=", ("Total income",)),))),
        ("staff zh", "月薪在11000元以下的有几个人？", Query("count", (), where(3, "<=", "11000"))),
        ("staff zh", "月薪不低于11000元的有几个人？", Query("count", (), where(3, ">=", "11000"))),
        ("staff zh", "除销售部以外，月薪合计是多少？", Query("sum", (3,), where(2, "!=", "销售部"))),
    ],
)  # fmt: skip
def test_a_question_is_read_as_a_query(made, name, question, query):
    assert readings(made, name, question)[0].query == query


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("orders", "total amount of all regions except East"),
        ("orders", "Which customers have not paid?"),
        ("income", "What was the growth in revenue from 2019 to 2023?"),
        ("income", "difference between revenue and depreciation in 2023"),
        ("orders", "What is the average rainfall?"),
    ],
)
def test_what_cannot_be_linked_has_no_reading(made, name, question):
    assert readings(made, name, question) == []


def test_of_columns_that_a_question_lists_an_extreme_is_of_the_one_it_names_again(made):
    listed = "In the averages of chloride, phosphorus and turbidity, which year had the highest phosphorus?"
    assert readings(made, "water", listed)[0].query.columns == (2,)


def test_a_year_that_two_columns_have_is_read_by_the_word_beside_it(made):
    links = link("Which ship was scrapped in 1968?", made["ships"])
    assert [one.where for one in conditions(links, made["ships"].relation)] == [where(2, "=", "1968")]


def test_a_year_that_stands_in_two_columns_and_is_beside_neither_is_read_in_both_ways(made):
    links = link("Which ship is of 1968?", made["ships"])
    assert [one.where[0].columns for one in conditions(links, made["ships"].relation)] == [(1,), (2,)]


def test_numbers_are_compared_as_the_cells_are_written_unless_the_question_says_a_scale(made):
    relation = made["thousands"].relation
    for question, value in [("sales above 500", "500000"), ("sales above 2 million", "2000000")]:
        assert [one.where for one in conditions(link(question, made["thousands"]), relation)] == [where(1, ">", value)]


@pytest.mark.parametrize(
    ("name", "question", "operation"),
    [
        ("staff", "Which department has the most employees?", "max"),
        ("staff", "How many employees does each department have?", "count"),
        ("staff zh", "哪个部门人数最多？", "max"),
    ],
)
def test_the_most_things_of_a_group_are_its_rows_where_no_column_of_amounts_is_named(made, name, question, operation):
    query = readings(made, name, question)[0].query
    assert (query.operation, query.aggregate, query.columns) == (operation, "count", ())


def test_a_reading_that_explains_less_of_the_question_is_less_sure(made):
    [full] = readings(made, "income", "What was revenue in 2023?")[:1]
    [partly] = readings(made, "income", "What was revenue of Napoleon in 2023?")[:1]
    assert full.score == 1.0 and partly.score < 0.75


def test_what_says_nothing_of_the_table_has_no_reading(made):
    assert readings(made, "orders", "Is Napoleon famous?") == []


def test_a_question_longer_than_what_is_linked_is_read_as_far_as_that(made):
    question = "请把2021年发货的订单数量加起来，再与其他订单比较，说明哪个客户买得最多，为什么？" * 100
    assert isinstance(parse(link(question[:4000], made["orders"]), made["orders"]), list)
