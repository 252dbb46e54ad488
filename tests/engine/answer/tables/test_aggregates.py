"""Aggregates of a list: every word of the question is accounted for, or it is not answered."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

ORDERS = source(
    [
        ["Order", "Region", "Product", "Quantity", "Price", "Status", "Date"],
        ["O-1", "North", "Lamp", "10", "12.5", "open", "2024-01-20"],
        ["O-2", "South", "Lamp", "30", "12.5", "shipped", "2024-03-02"],
        ["O-3", "North", "Chair", "5", "40", "shipped", "2024-03-15"],
        ["O-4", "East", "Chair", "25", "60", "cancelled", "2024-05-09"],
        ["O-5", "North", "Desk", "8", "150", "open", "2024-05-11"],
        ["O-6", "South", "Desk", "12", "150", "open", "2024-06-30"],
    ],
    title="shop.xlsx",
    path=("Orders",),
)
STAFF = source(
    [
        ["Name", "Department", "Salary", "Hired"],
        ["Ana Costa", "Sales", "50,000", "2018-04-01"],
        ["Bo Lind", "Finance", "70,000", "2019-09-15"],
        ["Carla Rossi", "Finance", "64,000", "2021-02-01"],
        ["Dov Katz", "Sales", "58,000", "2022-11-20"],
    ],
    path=("Employees",),
)
ORDERS_ZH = source(
    [
        ["订单", "产品", "地区", "数量", "金额", "状态", "日期"],
        ["DD1", "台灯", "北区", "10", "800", "已发货", "2024-01-20"],
        ["DD2", "台灯", "南区", "30", "2400", "待付款", "2024-03-02"],
        ["DD3", "椅子", "北区", "5", "1500", "已发货", "2024-03-15"],
        ["DD4", "书桌", "北区", "8", "9600", "已取消", "2024-05-09"],
    ],
    path=("销售订单",),
)


def answer(question, table):
    return answer_from_tables(question, [table])


def values(question, table):
    made = answer(question, table)
    return made.values if made else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the total quantity of lamps?", ["40"]),
        ("What is the average price of chairs?", ["50"]),
        ("What is the total quantity of lamps and desks in the North?", ["18"]),
        ("What is the total quantity excluding cancelled orders?", ["65"]),
        ("What is the maximum price of lamps?", ["12.5"]),
        ("How many open orders are there in the North?", ["2"]),
        ("How many orders were placed in March 2024?", ["2"]),
        ("How many orders were placed in Q1?", ["3"]),
        ("How many orders were placed in the second quarter of 2024?", ["3"]),
        ("How many orders with a quantity between 8 and 12 are open?", ["3"]),
        ("How many desks were ordered in the South?", ["12"]),
        ("How many different products are there?", ["3"]),
        ("What share of the open orders is in the North?", ["66.67%"]),
    ],
)
def test_rows_that_meet_conditions_are_added_up_and_counted(question, expected):
    assert values(question, ORDERS) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Top 3 orders by quantity", ["O-2", "O-4", "O-6"]),
        ("Bottom 2 orders by quantity", ["O-3", "O-5"]),
        ("What are the 2 largest open orders by quantity?", ["O-6", "O-1"]),
        ("Which order has the highest price?", ["O-5", "O-6"]),
        ("Which product sold the most?", ["Lamp"]),
        ("Which region has the most orders?", ["North"]),
        ("Which region has the lowest total quantity?", ["North"]),
        ("Top 2 products by total quantity", ["Lamp", "Chair"]),
        ("List the orders that were shipped in the North", ["O-3"]),
        ("Which orders are not open?", ["O-2", "O-3", "O-4"]),
    ],
)
def test_rows_and_groups_are_ranked_and_listed(question, expected):
    assert values(question, ORDERS) == expected


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Total quantity per region", "South: 42; East: 25; North: 23"),
        ("How many orders are there per status?", "open: 3; shipped: 2; cancelled: 1"),
        ("Average quantity of open orders by region", "South: 12; North: 9"),
    ],
)
def test_each_group_is_told_with_its_amount(question, said):
    assert said in answer(question, ORDERS).text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who earns the most?", ["Bo Lind"]),
        ("Who was hired after 2019?", ["Carla Rossi", "Dov Katz"]),
        ("Which employees in Finance earn more than 65,000?", ["Bo Lind"]),
        ("Which department has the highest average salary?", ["Finance"]),
        ("How many people work in Sales?", ["2"]),
    ],
)
def test_verbs_say_which_column_is_meant(question, expected):
    assert values(question, STAFF) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("北区的台灯总数量是多少？", ["10"]),
        ("状态为已发货的订单金额合计", ["2,300"]),
        ("数量最多的两个订单", ["DD2", "DD1"]),
        ("金额前三的订单", ["DD4", "DD2", "DD3"]),
        ("3月的订单有多少？", ["2"]),
        ("金额超过1000的订单有哪些？", ["DD2", "DD3", "DD4"]),
        ("哪个产品卖得最好？", ["台灯"]),
        ("各地区的总金额", ["11,900", "2,400"]),
        ("各地区的订单数量", ["3", "1"]),
        ("已取消的订单占比是多少？", ["25%"]),
    ],
)
def test_chinese_lists_are_aggregated(question, expected):
    assert values(question, ORDERS_ZH) == expected


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("What is the average price of red chairs?", ORDERS),
        ("How many returned orders are there?", ORDERS),
        ("How many orders did Ana Costa place?", ORDERS),
        ("How many orders over 10 are there?", ORDERS),
        ("Which region has the highest sum?", ORDERS),
        ("What is the total quantity of lamps in the North and chairs in the South?", ORDERS),
        ("What is the total quantity of all but lamps and chairs?", ORDERS),
        ("Top 3 orders by weight", ORDERS),
        ("What is the second highest quantity?", ORDERS),
        ("Price per region", ORDERS),
        ("红色椅子的平均金额是多少？", ORDERS_ZH),
        ("加急订单有多少个？", ORDERS_ZH),
    ],
)
def test_what_links_to_nothing_or_to_several_things_is_not_answered(question, table):
    assert values(question, table) is None


def test_an_aggregate_says_its_conditions_and_cites_the_cells():
    made = answer("What is the total quantity of lamps?", ORDERS)
    assert made.text == "Quantity (Product: Lamp): 40 (10 + 30 = 40)"
    assert [(cell.row, cell.text) for cell in made.cells] == [(1, "10"), (2, "30")]


def test_a_rank_cites_names_and_amounts():
    made = answer("Top 2 orders by quantity", ORDERS)
    assert [cell.text for cell in made.cells] == ["O-2", "O-4", "30", "25"]


def test_rows_with_totals_are_not_added_up():
    table = source(
        [["Item", "Region", "Units"], ["a", "North", "1"], ["b", "North", "2"], ["Total", "", "3"]]
    )
    assert values("What is the total of units in the North?", table) == ["3"]


INVOICES = source(
    [
        ["Invoice", "City", "Amount", "State"],
        ["A-1", "York", "900", "paid"],
        ["A-2", "Bath", "300", "unpaid"],
        ["A-3", "Bath", "400", "unpaid"],
    ]
)
STOCK = source([["Item", "Kind", "Stock"], ["S-1", "Saw", "4"], ["S-2", "Saw", "6"], ["S-3", "Drill", "9"]])


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("How many invoices are unpaid?", INVOICES, ["2"]),  # "paid" is a word of asking, too
        ("What is the largest unpaid invoice?", INVOICES, ["A-3"]),  # its only amount
        ("Which city has the most invoices?", INVOICES, ["Bath"]),
        ("What is the total of the invoices in Bath?", INVOICES, ["700"]),
        ("How many saws are there?", STOCK, ["2"]),
        ("How many saws were sold?", STOCK, None),  # what is in stock was not
    ],
)
def test_what_is_not_said_is_taken_where_only_one_thing_can_be_meant(question, table, expected):
    assert values(question, table) == expected
