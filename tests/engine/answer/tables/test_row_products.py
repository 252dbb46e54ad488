"""Lists with a quantity and a unit price in each row, and no amount: what their rows come to."""

import pytest
from made_tables import source

from engine.answer.tables.row_products import with_amounts
from engine.answer.tables.table_questions import answer_from_tables

ORDERS = source(
    [
        [
            "Order no.",
            "Order date",
            "Region",
            "Salesperson",
            "Customer",
            "Product",
            "Quantity",
            "Unit price",
            "Status",
        ],
        [
            "SO-1",
            "01/07/2025",
            "North",
            "Ana Costa",
            "Evergreen Retail",
            "Hose reel 40m",
            "10",
            "£57.50",
            "Paid",
        ],
        ["SO-2", "10/07/2025", "South", "Bo Lind", "Dunmore & Sons", "Garden lamp", "4", "£20.25", "Overdue"],
        ["SO-3", "25/08/2025", "South", "Bo Lind", "Evergreen Retail", "Hose reel 40m", "30", "£55", "Paid"],
        ["SO-4", "03/09/2025", "North", "Ana Costa", "Dunmore & Sons", "Raised bed", "2", "£148", "Overdue"],
        [
            "SO-5",
            "16/09/2025",
            "North",
            "Carla Rossi",
            "Dunmore & Sons",
            "Garden lamp",
            "6",
            "£20.25",
            "Open",
        ],
    ],
    title="sales.xlsx",
    path=("Orders",),
)
TARGETS = source(
    [
        ["Region", "July", "August", "September", "Q3 total"],
        ["North", "£700", "£300", "£500", "£1,500"],
        ["South", "£600", "£500", "£900", "£2,000"],
    ],
    title="sales.xlsx",
    path=("Targets",),
)
ORDERS_ZH = source(
    [
        ["订单号", "日期", "地区", "销售员", "客户", "产品", "数量", "单价（元）", "状态"],
        ["D1", "2024-07-03", "北区", "王芳", "宏达", "台灯", "10", "120", "已付款"],
        ["D2", "2024-07-20", "南区", "李强", "宏达", "椅子", "5", "300", "逾期"],
        ["D3", "2024-08-11", "北区", "王芳", "蓝天", "台灯", "20", "110", "已付款"],
        ["D4", "2024-09-02", "北区", "赵敏", "蓝天", "书桌", "3", "900", "逾期"],
    ],
    title="订单.xlsx",
    path=("订单表",),
)
STOCK = source(
    [
        ["Item", "Warehouse", "In stock", "Reorder level", "Unit cost"],
        ["Bolt", "A", "1000", "200", "$0.25"],
        ["Gear", "B", "40", "10", "$12.50"],
        ["Motor", "B", "6", "2", "$210"],
    ],
    path=("Inventory",),
)
HOURS = source(
    [
        ["Date", "Consultant", "Project", "Hours", "Hourly rate (EUR)"],
        ["2024-03-01", "Ana Costa", "Atlas", "6", "90"],
        ["2024-03-02", "Ana Costa", "Borealis", "4.5", "90"],
        ["2024-03-02", "Bo Lind", "Atlas", "8", "75"],
        ["2024-03-09", "Bo Lind", "Atlas", "2", "75"],
    ],
    path=("Time sheet",),
)


def values(question, *tables):
    made = answer_from_tables(question, tables)
    return made.values if made else None


def listed(*rows, header=("Order", "Region", "Quantity", "Unit price")):
    return source([list(header), *map(list, rows)], path=("Orders",))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the total sales value for Q3?", ["2,723.5"]),
        ("how many orders are overdue and what are they worth in total", ["2", "377"]),
        ("who was the top seller last quarter and how much did they sell?", ["Bo Lind"]),
        ("average order value in the South?", ["865.5"]),
        ("how much did we sell to Evergreen Retail", ["2,225"]),
        ("which region sold the most", ["South"]),
        ("Which customer spent the least?", ["Dunmore & Sons"]),
        ("What were the sales in July?", ["656"]),
        ("total revenue per region", ["1,731", "992.5"]),
        ("top 2 salespeople by revenue", ["Bo Lind", "Ana Costa"]),
        ("What is the largest order by value?", ["SO-3"]),
        ("How many orders are worth more than 500?", ["2"]),
        ("How much is order SO-4 worth?", ["£296"]),
    ],
)
def test_what_is_asked_for_in_money_is_told_by_the_products_of_the_rows(question, expected):
    assert values(question, ORDERS) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("北区9月份卖了多少钱", ["2,700"]),
        ("总销售额是多少", ["7,600"]),
        ("哪个地区卖得最多", ["北区"]),
        ("谁卖得最多，卖了多少？", ["王芳"]),
        ("销售额最高的销售员是谁", ["王芳"]),
        ("消费最多的客户是谁", ["蓝天"]),
        ("逾期的订单有几笔，一共多少钱？", ["2", "4,200"]),
        ("平均每单金额是多少", ["1,900"]),
        ("三季度营业额是多少", ["7,600"]),
        ("南区销售额占比多少", ["19.74%"]),
        ("订单D2值多少钱", ["¥1,500"]),
    ],
)
def test_chinese_lists_answer_in_money_too(question, expected):
    assert values(question, ORDERS_ZH) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("北区9月份卖了多少钱", ["417.5"]),
        ("哪个地区卖得最多", ["South"]),
        ("逾期的订单有多少笔，一共多少钱？", ["2", "377"]),
    ],
)
def test_a_chinese_question_finds_the_words_of_an_english_list(question, expected):
    assert values(question, ORDERS) == expected


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("What is our stock worth?", STOCK, ["2,010"]),
        ("What is the inventory value in warehouse B?", STOCK, ["1,760"]),
        ("Which warehouse has the highest stock value?", STOCK, ["B"]),
        ("How much did Ana Costa earn?", HOURS, ["945"]),
        ("What is the total cost of Atlas?", HOURS, ["1,290"]),
        ("total fees per consultant", HOURS, ["945", "750"]),
    ],
)
def test_stock_and_hours_are_worth_something_too(question, table, expected):
    assert values(question, table) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many hose reels did we sell", ["40"]),
        ("how many units did we sell in total", ["52"]),
        ("How many garden lamps did we sell in September?", ["6"]),
    ],
)
def test_pieces_are_added_up_and_not_their_rows(question, expected):
    assert values(question, ORDERS) == expected


def test_goods_named_without_a_size_are_those_of_every_size():
    table = listed(
        ("A-1", "Hose reel 20m", "5", "30"), ("A-2", "Hose reel 40m", "7", "50"), ("A-3", "Hose", "100", "5"),
        header=("Order", "Product", "Quantity", "Unit price"),
    )  # fmt: skip
    assert values("how many hose reels did we sell", table) == ["12"]
    assert values("how much did we sell of hose reels", table) == ["500"]


def test_what_is_in_stock_was_not_sold():
    assert values("What were the total sales?", STOCK) is None


def test_the_best_selling_product_is_that_of_most_pieces_and_its_revenue_that_of_most_money():
    table = listed(
        ("1", "Nail", "500", "0.1"), ("2", "Saw", "3", "40"), ("3", "Nail", "20", "0.1"), ("4", "Saw", "2", "40"),
        header=("Order", "Product", "Quantity", "Unit price"),
    )  # fmt: skip
    assert values("Which product sold the most?", table) == ["Nail"]
    assert values("Which product brought in the most revenue?", table) == ["Saw"]


def test_only_printed_cells_are_cited_and_the_steps_say_how_the_amounts_came_about():
    made = answer_from_tables("how much did we sell in the South", [ORDERS])
    assert [(cell.row, cell.column_header, cell.text) for cell in made.cells] == [
        (2, "Quantity", "4"), (2, "Unit price", "£20.25"), (3, "Quantity", "30"), (3, "Unit price", "£55"),
    ]  # fmt: skip
    product, added = made.steps
    assert (product.operator, added.operator) == ("MULTIPLY", "SUM")
    assert product.observation.derivation == "4 × £20.25 = £81; 30 × £55 = £1,650"
    assert made.text == "Quantity × Unit price (Region: South): £1,731 (81 + 1,650 = 1,731)"


def test_a_target_is_no_sale():
    assert values("What was the total sales value for Q3?", TARGETS) is None
    assert values("What was the total sales value for Q3?", TARGETS, ORDERS) == ["2,723.5"]
    assert values("What was the turnover in August in the South?", TARGETS, ORDERS) == ["1,650"]
    assert values("What is the August target in the South?", TARGETS) == ["£500"]


def test_a_month_without_orders_has_no_sales():
    assert values("What were the sales in October 2025?", ORDERS) is None


def test_of_an_order_with_several_rows_no_average_is_told():
    table = listed(("1", "North", "2", "10"), ("1", "North", "1", "100"), ("2", "South", "5", "10"))
    assert values("average order value", table) is None
    assert values("total sales", table) == ["170"]


def test_what_another_question_spoke_of_is_not_guessed():
    assert values("what are they worth in total?", ORDERS) is None
    assert values("一共多少钱？", ORDERS_ZH) is None


@pytest.mark.parametrize(
    "question", ["What is the unit price of the raised bed?", "What is the price of the raised bed?"]
)
def test_a_price_is_no_amount(question):
    assert values(question, ORDERS) == ["£148"]


@pytest.mark.parametrize(
    ("more", "cells"),
    [("Amount", "30"), ("Line total", "30"), ("Discount", "10%"), ("折扣", "10%"), ("总价", "30")],
)
def test_where_an_amount_or_a_discount_is_printed_nothing_is_multiplied(more, cells):
    header = ("Order", "Region", "Quantity", "Unit price", more)
    assert (
        with_amounts(listed(("1", "N", "3", "10", cells), ("2", "S", "4", "20", cells), header=header))
        is None
    )


def test_currencies_are_not_mixed():
    mixed = listed(("1", "N", "3", "$10"), ("2", "S", "4", "€20"))
    by_column = listed(
        ("1", "N", "3", "10", "USD"), ("2", "S", "4", "20", "EUR"),
        header=("Order", "Region", "Quantity", "Unit price", "Currency"),
    )  # fmt: skip
    assert with_amounts(mixed) is None
    assert with_amounts(by_column) is None


def test_a_bare_price_is_of_one_only_where_it_does_not_grow_with_the_quantity():
    header = ("Order", "Product", "Quantity", "Price")
    of_one = listed(
        ("1", "Lamp", "3", "10"), ("2", "Lamp", "5", "10"), ("3", "Lamp", "9", "10"), header=header
    )
    of_all = listed(
        ("1", "Lamp", "3", "30"), ("2", "Lamp", "5", "50"), ("3", "Lamp", "9", "90"), header=header
    )
    assert with_amounts(of_one) is not None
    assert with_amounts(of_all) is None


def test_prices_of_hundreds_and_of_another_measure_are_not_multiplied():
    assert with_amounts(listed(("1", "N", "3", "10"), ("2", "S", "4", "20"),
                               header=("Order", "Region", "Quantity", "Unit price per 100"))) is None  # fmt: skip
    assert with_amounts(listed(("1", "N", "3", "10"), ("2", "S", "4", "20"),
                               header=("Order", "Region", "Days", "Hourly rate"))) is None  # fmt: skip


def test_what_lacks_a_price_is_not_left_out_of_a_sum():
    table = listed(("1", "North", "3", "10"), ("2", "South", "4", ""), ("3", "North", "2", "10"))
    assert values("how much did we sell in the North", table) == ["50"]
    assert values("how much did we sell in total", table) is None
    assert values("which region sold the most", table) is None


def test_a_quantity_is_no_money_where_the_sheet_states_its_currency():
    rows = [
        ["Order", "Region", "Quantity", "Unit price"],
        ["1", "North", "3", "10"],
        ["2", "North", "4", "20"],
    ]
    table = source(rows, path=("Orders",), before=["Prices in GBP, before VAT."])
    made = answer_from_tables("total quantity in the North", [table])
    assert made.text.endswith(": 7 (3 + 4 = 7)")
    assert values("how much did we sell in the North", table) == ["110"]


def test_rows_that_nothing_tells_apart_are_grouped_by_any_column():
    header = ("Date", "Region", "Product", "Units", "Unit price")
    table = listed(
        ("2024-01-05", "East", "Pen", "10", "2"), ("2024-01-05", "West", "Pen", "5", "2"),
        ("2024-02-01", "East", "Desk", "1", "90"), ("2024-02-01", "East", "Pen", "1", "2"),
        header=header,
    )  # fmt: skip
    assert values("Which region sold the most?", table) == ["East"]
    assert values("total sales per region", table) == ["112", "10"]
