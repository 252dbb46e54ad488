"""Columns that a question asks of without naming them, values that are not meant, and numbers that are names."""

import pytest
from read_tables import table_of

from engine.answer.basis import MAY
from engine.answer.tables.answering import answer_from_tables

ORDERS = [["No", "School", "Subject", "Copies", "Teachers' copies", "Price", "Amount"],
          ["A-1", "Hill School", "English", 385, 5, 27.1, 10569], ["A-2", "Lake School", "English", 120, 2, 27.1, 3306],
          ["A-3", "Hill School", "History", 388, 4, 20.5, 8036], ["A-4", "Mill School", "Music", 12, 1, 9.9, 129],
          ["A-5", "Lake School", "English", 30, 1, 27.1, 840]]  # fmt: skip

COURSES = [["学期", "姓名", "课程名称", "选修类型", "学分", "百分成绩"],
           ["202301", "张三", "搜索引擎", "专业选修", 2, 86], ["202301", "张三", "数据库", "学科必修", 3.5, 87],
           ["202301", "张三", "嵌入式系统", "专业选修", 2, 79], ["202301", "李四", "数据库", "学科必修", 3.5, 83],
           ["202301", "李四", "美术鉴赏", "通识选修", 1, 90]]  # fmt: skip

CLUBS = [["Club", "Kind", "District", "Members", "Founded"],
         ["Marsh Road (Community Based)", "community", 3141, 22, "1991-03-04"],
         ["First Grade College", "university", 3141, 35, "2014-11-04"],
         ["Old Town", "university", 3206, 18, "1969-02-18"], ["Harbour", "community", 3206, 41, "2003-06-30"],
         ["Quarry Lane", "university", 3206, 27, "1999-09-09"]]  # fmt: skip

STORE = [["区域", "货品", "数量"], ["华中", "棉衣", 40], ["华中", "毛衣", 9], ["华东", "棉衣", 12],
         ["华东", "毛衣", 6], ["华东", "长裤", 5]]  # fmt: skip


GRANTS = [["Amount", "Club", "State"], [362440, "North Queensland Football Limited", "QLD"],
          [50000, "Harbour Rowing", "NSW"], [20000, "Appearance Dance Club", "VIC"], [70000, "Bay Cricket", "QLD"],
          [10000, "Mount Cycling", "VIC"]]  # fmt: skip

TASKS = [["工单编号", "任务状态", "处理结果", "地区", "计划开始时间", "不良品数"],
         ["W-1", "执行中", "未完", "雁塔区", "2026-05-20", 30], ["W-1", "已结束", "未完", "莲湖区", "2026-05-21", 40],
         ["W-2", "执行中", "已完", "雁塔区", "2026-05-22", 60], ["W-3", "执行中", "已完", "雁塔区", "2026-05-23", 5],
         ["W-3", "已结束", "已完", "碑林区", "2026-05-24", 1]]  # fmt: skip


SEATS = [["Table", "Guest"], [1, "Ada Cole"], [1, "Ben Fry"], [2, "Cy Lund"], [2, "Dot May"], [2, "Eve Orr"],
         [3, "Flo Penn"]]  # fmt: skip


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("targets")
    named = {
        "orders": ORDERS,
        "courses": COURSES,
        "clubs": CLUBS,
        "store": STORE,
        "grants": GRANTS,
        "tasks": TASKS,
        "seats": SEATS,
    }
    return {name: table_of(folder, rows) for name, rows in named.items()}


def asked(tables, name, question):
    return answer_from_tables(question, [tables[name]], not question.isascii())


def test_a_number_behind_a_header_is_a_name(tables):
    made = asked(tables, "clubs", "How many clubs are in district 3206?")
    assert made is not None and made.score >= MAY and made.text.startswith("3 found")


def test_the_most_rows_are_not_sure_to_be_meant_where_things_are_numbered(tables):
    made = asked(tables, "store", "哪个区域的存货最多？")
    assert made is not None and made.score < MAY


@pytest.mark.parametrize(
    ("name", "question", "said"),
    [
        ("tasks", "哪个工单的不良品最多，多少件？", "W-1：70"),
        ("seats", "Which table has the most guests?", "2: 3"),
        ("tasks", "计划从2026年5月22日及以后开始的任务有多少条？", "共3项"),
        ("clubs", "Which club was founded first?", "Old Town: Founded 1969-02-18"),
    ],
)
def test_a_column_is_told_by_its_place_its_values_or_its_order(tables, name, question, said):
    made = asked(tables, name, question)
    assert made is not None and said in made.text


def test_a_sum_over_a_name_that_holds_a_word_for_all_is_not_sure(tables):
    made = asked(tables, "grants", "How much grant money went to Queensland altogether?")
    assert made is None or made.score < MAY


def test_another_word_of_the_stem_is_no_part_of_a_name(tables):
    made = asked(tables, "grants", "Which states appear?")
    assert made is None or "20000" not in made.text


REPORTS = [["Article name", "url", "subject"], ["On shops", "a.org/1", "Retail"], ["On bars", "a.org/2", "Retail"],
           ["On theft", "a.org/3", "Crime"], ["On courts", "a.org/4", "Crime"], ["On rain", "a.org/5", "Weather"],
           ["On malls", "a.org/6", "Retail"]]  # fmt: skip

LOSSES = [[None, "January-June 2023", None],
          ["In millions of CHF", "Impairment of goodwill", "Impairment of other assets"],
          ["Zone NA", "12", "(9)"], ["Zone EUR", "7", "(23)"], ["Zone AOA", "5", "(6)"]]  # fmt: skip


def test_groups_that_a_question_names_in_other_words_alone_are_not_surely_meant(tmp_path):
    made = answer_from_tables("Which three states spent the most?", [table_of(tmp_path, REPORTS)], False)
    assert made is None or made.score < MAY
    made = answer_from_tables("Which subject has the most articles?", [table_of(tmp_path, REPORTS)], False)
    assert made is not None and made.score >= MAY and made.text.startswith("Retail: 3")


def test_a_column_of_which_only_the_period_is_asked_for_is_not_surely_meant(tmp_path):
    losses = [table_of(tmp_path, LOSSES, ("B1:C1",))]
    made = answer_from_tables("What were the sales of Zone NA in January-June 2023?", losses, False)
    assert made is None or made.score < MAY
    made = answer_from_tables("What was the impairment of goodwill of Zone NA in January-June 2023?", losses, False)
    assert made is not None and made.score >= MAY and made.computed.values == ["12"]
