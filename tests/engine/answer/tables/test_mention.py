"""The name of a file or table in a question says where to look, and asks for no column."""

from engine.answer.tables.lexis import units
from engine.answer.tables.mention import mention_of


def said(question, *context):
    every = units(question)
    return [question[every[i].start : every[i].end] for i in sorted(mention_of(question, every, context))]


def test_a_chinese_name_before_the_word_for_a_table_is_a_mention():
    found = said("行政区划代码表里，墨脱县的面积是多少？", "2016年县以上行政区划代码.xlsx")
    assert "".join(found) == "行政区划代码表里"


def test_an_english_name_before_the_word_for_a_file_is_a_mention():
    found = said("In the grad students file, which major earns most?", "grad-students.csv")
    assert found == ["grad", "students", "file"]


def test_a_single_word_of_a_name_is_none():
    assert said("Which list has the highest price?", "price.csv") == []
    assert said("工资表里谁的工资最高？", "工资表.xlsx") == []


def test_a_name_that_no_such_word_follows_is_none():
    assert said("How many grad students are there?", "grad-students.csv") == []
