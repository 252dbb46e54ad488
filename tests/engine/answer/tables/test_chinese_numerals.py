import pytest
from made_tables import source

from engine.answer.tables.chinese_numerals import with_digits
from engine.answer.tables.table_questions import answer_from_tables

STAFF = source(
    [
        ["工号", "姓名", "部门", "月基本工资（元）"],
        ["HY01", "周晓岚", "采购部", "15,200"],
        ["HY02", "陈建平", "生产部", "24,000"],
        ["HY03", "王海燕", "财务部", "9,800"],
        ["HY04", "孙浩然", "生产部", "26,000"],
    ],
    path=["员工花名册"],
)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("月薪超过一万元的员工", "月薪超过10000元的员工"),
        ("高于一万五千元", "高于15000元"),
        ("低于两千五", "低于2500"),
        ("不足三百", "不足300"),
        ("不少于十五天", "不少于15天"),
        ("五千元以上的有几个", "5000元以上的有几个"),
        ("超过十二万", "超过120000"),
        ("第十二条规定了什么", "第十二条规定了什么"),
        ("三百年老店", "三百年老店"),
    ],
)
def test_limits_in_characters_become_digits_and_nothing_else(said, written):
    assert with_digits(said) == written


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("月基本工资超过一万元的员工有几个？", ["3"]),
        ("基本工资最高的是谁？", ["孙浩然"]),
        ("谁的基本工资最低？", ["王海燕"]),
    ],
)
def test_people_are_called_by_their_names_and_not_by_their_numbers(question, expected):
    made = answer_from_tables(question, [STAFF])
    assert made is not None
    assert made.values == expected
    assert "HY0" not in made.text
