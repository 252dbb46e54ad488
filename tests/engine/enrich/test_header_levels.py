"""Levels of a table's header that repeat one text, and pieces of a header that name no rows."""

from engine.enrich.table_shape import is_group_row, shape_of
from engine.enrich.tables import enrich_table
from engine.model import Node


def test_a_level_that_says_the_same_over_all_columns_is_part_of_the_header():
    rows = [
        ["", "Group", "Group", "Parent", "Parent"],
        ["", "December 31,", "December 31,", "December 31,", "December 31,"],
        ["", "2023", "2022", "2023", "2022"],
        ["Cash", "$ 280", "$ 275", "$ 267", "$ 265"],
        ["Short-term investments", "3,546", "4,485", "3,543", "4,482"],
        ["Total", "3,826", "4,760", "3,810", "4,747"],
    ]
    assert shape_of(rows).header_rows == 3


def test_a_text_merged_over_the_whole_row_names_the_rows_below_it():
    assert is_group_row(["Assets", "Assets", "Assets"])
    assert is_group_row(["", "Consolidated", ""])


def test_a_lone_text_in_the_last_column_names_no_rows():
    assert not is_group_row(["", "", "Increase from 2022"])


def columns(rows):
    """Return the columns of an enriched table by their names."""
    table = enrich_table(Node("n1", None, "table", metadata={"rows": rows}))
    return {column["name"]: column for column in table.metadata["columns"]}


def test_facts_merged_over_the_whole_table_stand_above_its_header():
    above = [[text] * 3 for text in ("项目名称", "项目要求与功能", "项目预计起始日", "项目预计截至日")]
    rows = [*above, ["序号", "工作内容", "金额（元）"], ["1", "项目调研", "300"], ["2", "需求分析", "450"]]
    assert [*columns(rows)] == ["序号", "工作内容", "金额（元）"]


def test_letters_of_a_chinese_word_that_are_set_apart_are_one_word():
    rows = [["名 称", "学 分", "单 价"], ["高等数学", "4", "30"], ["线性代数", "3", "25"]]
    assert [*columns(rows)] == ["名称", "学分", "单价"]


def test_an_empty_row_leaves_the_names_of_rows_as_they_are():
    rows = [["Part", "Value"], ["ESP32", "4 to 7"], ["Cable", "1 to 2"], ["", ""], ["Total", "5 to 9"]]
    assert shape_of(rows).header_columns == 1


def test_the_few_numbers_that_lines_are_referred_to_by_stand_before_their_names():
    rows = [
        ["", "Revenues", "Projected", "Actual"],
        ["", "Sponsorships", "8,000", "4,000"],
        ["", "Grants", "500", "-"],
        ["", "Raffle", "75", "80"],
        ["3", "Total revenues", "8,575", "4,080"],
        ["4", "Total cash (1-2+3)", "9,000", "5,100"],
    ]
    assert shape_of(rows).header_columns == 2


def test_a_lone_header_row_with_one_year_twice_stays_as_it_is():
    assert [*columns([["", "", "2022", "2022"], ["", "", "", "0"]])] == ["", "2022"]
