"""What a question says of a table: values, columns, periods, numbers, and what nothing explains."""

import pytest
from read_tables import INCOME, ORDERS, SALES, SALES_MERGED, SHIPS, STAFF_ZH, STATEMENT_ZH, table_of

from engine.answer.tables.link import link
from engine.answer.tables.query import LABEL


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("links")
    rows = {"orders": ORDERS, "income": INCOME, "ships": SHIPS, "zh": STATEMENT_ZH, "人员": STAFF_ZH}
    found = {name: table_of(folder, one).linked for name, one in rows.items()}
    return found | {"sales": table_of(folder, SALES, SALES_MERGED).linked}


def texts(links):
    return [text for one in links.values for found in one.texts.values() for text in found]


def columns(links):
    return [one.columns for one in links.columns]


@pytest.mark.parametrize(
    ("name", "question", "named"),
    [
        ("orders", "What did Birch AG order?", ["Birch AG"]),
        ("orders", "How many cancelled and shipped orders?", ["cancelled", "shipped"]),
        ("income", "What was the cost of sales?", ["Cost of sales"]),
        ("zh", "净利润是多少？", ["净利润"]),
        ("人员", "张强在哪个部门？", ["张强"]),
    ],
)  # fmt: skip
def test_values_are_found_in_the_question(made, name, question, named):
    assert texts(link(question, made[name])) == named


def test_a_character_of_another_name_is_not_said_of_a_header(tmp_path):
    rows = [
        ["日期", "地铁客流量:北京", "地铁客流量:上海"],
        ["2023-10-01", 721, 815],
        ["2023-10-02", 700, 790],
    ]
    linked = table_of(tmp_path, rows).linked
    question = "南京地铁客流量2023年10月1日是多少？"
    made = link(question, linked)
    assert {"南", "京"} <= {question[made.units[i].start : made.units[i].end] for i in made.unexplained}


def test_the_longest_name_wins(made):
    [value] = link("What was the cost of sales in 2022?", made["income"]).values
    assert value.texts == {LABEL: ("Cost of sales",)} and value.share == 1.0


@pytest.mark.parametrize(
    ("name", "question", "found"),
    [
        ("orders", "average amount", [(4,)]),
        ("ships", "When was Boreas built?", [(1,)]),
        ("人员", "李娜的月薪", [(3,)]),
        ("人员", "李娜的入职日期", [(4,)]),
    ],
)
def test_columns_are_found_by_their_headers(made, name, question, found):
    assert columns(link(question, made[name])) == found


def test_a_year_that_headers_name_is_a_period(made):
    [period] = link("What were the sales of South in 2023?", made["sales"]).periods
    assert (period.years, period.columns) == ((2023,), (3, 4))
    assert link("What were the sales of South in 2019?", made["sales"]).periods == ()


@pytest.mark.parametrize(
    ("question", "comparison", "value"),
    [
        ("orders with an amount over 200", ">", "200"), ("orders with an amount of less than 1,500", "<", "1500"),
        ("orders after 2023-05-10", ">", "2023-05-10"), ("orders before May 2023", "<", "2023-05"),
        ("金额超过200的订单", ">", "200"), ("金额在200以上", ">=", "200"),
        ("orders between 100 and 300", "between", "100..300"),
        ("orders of 100 to 300", "between", "100..300"), ("金额100到300的订单", "between", "100..300"),
        ("金额3到5万元的订单", "between", "30000..50000"),
    ],
)  # fmt: skip
def test_numbers_and_dates_are_compared_with(made, question, comparison, value):
    [number] = link(question, made["orders"]).numbers
    assert (number.comparison, number.value) == (comparison, value)


def test_what_stands_nowhere_in_the_table_stays_over(made):
    links = link("Which region did Napoleon visit?", made["orders"])
    assert [links.units[i].form for i in links.unexplained] == ["napoleon", "visit"]


def test_the_title_of_a_table_explains_words_but_asks_for_nothing(tmp_path):
    table = table_of(tmp_path, SHIPS, name="harbour fleet.xlsx")
    links = link("When was Boreas of the harbour fleet built?", table.linked)
    assert links.unexplained == [] and texts(links) == ["Boreas"]


@pytest.mark.parametrize("question", ["", " ", "?!…", "🙂", "\x00", "a" * 5000, "一" * 5000, "1" * 3000, "of the and"])
def test_a_question_that_says_nothing_links_nothing(made, question):
    links = link(question, made["orders"])
    assert (links.values, links.columns, links.periods) == ((), (), ())


FIELDS = [
    ["地块", "作物", "种植面积/亩", "亩产量/斤", "单价/(元/斤)"],
    ["A1", "小麦", 80, 700, 3], ["A2", "玉米", 55, 900, 2], ["A3", "小麦", 60, 720, 3],
]  # fmt: skip


def test_a_unit_behind_a_stroke_is_no_part_of_the_name(tmp_path):
    fields = table_of(tmp_path, FIELDS).linked
    assert [one.name for one in fields.relation.columns][2:] == ["种植面积", "亩产量", "单价"]
    assert columns(link("小麦的种植面积是多少亩？", fields)) == [(2,)]


def test_the_column_that_says_all_that_others_say_and_more_is_meant_however_long_its_name(tmp_path):
    rows = [
        ["State", "Robbery / Rate per 100,000", "Murder and nonnegligent manslaughter",
         "Murder and nonnegligent manslaughter / Rate per 100,000", "Burglary / Rate per 100,000"],
        ["Ohio", 139.3, 654, 5.6, 374.9], ["Utah", 48.1, 72, 2.4, 380.2],
    ]  # fmt: skip
    rates = table_of(tmp_path, rows).linked
    assert columns(link("What was the murder rate of Ohio?", rates)) == [(3,)]
    assert columns(link("What was the murder rate per 100,000 of Ohio?", rates)) == [(3,)]
