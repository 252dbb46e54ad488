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


def test_a_column_before_the_groups_belongs_to_none_where_two_would_be_called_the_same():
    rows = [
        ["", "", "Net additions", "", "Share of homes", ""],
        ["", "2023", "2023", "2022", "2023", "2022"],
        ["Internet", "440", "21", "22", "50", "49"],
        ["Video", "310", "(4)", "(6)", "35", "37"],
    ]
    assert [*columns(rows)][1:4] == ["2023", "Net additions / 2023", "Net additions / 2022"]


def test_a_change_is_of_no_one_year_and_the_length_of_a_year_no_unit():
    rows = [
        ["", "F24", "F23", ""],
        ["", "53 weeks", "52 weeks", "Change"],
        ["Sales", "1,670", "1,610", "3.7%"],
        ["Profit", "370", "360", "2.8%"],
    ]
    found = columns(rows)
    assert [*found][1:] == ["F24 / 53 weeks", "F23 / 52 weeks", "Change"]
    assert found["F24 / 53 weeks"]["unit"] is None


def test_facts_merged_over_the_whole_table_stand_above_its_header():
    above = [[text] * 3 for text in ("项目名称", "项目要求与功能", "项目预计起始日", "项目预计截至日")]
    rows = [*above, ["序号", "工作内容", "金额（元）"], ["1", "项目调研", "300"], ["2", "需求分析", "450"]]
    assert [*columns(rows)] == ["序号", "工作内容", "金额（元）"]


def test_a_title_between_strokes_stands_above_the_header():
    rows = [
        ["", "--- Bill of Materials", "---", "", ""],
        ["", "Ref.", "Description", "Unit Cost", "Quantity"],
        ["603", "C1", "capacitor", "$0.04", "1"],
        ["603", "C13", "capacitor", "$0.05", "2"],
    ]
    assert shape_of(rows).header_rows == 2
    assert [name.rpartition(" / ")[2] for name in columns(rows)] == rows[1]


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


def test_rows_of_a_form_above_a_list_are_no_header():
    rows = [
        ["报价单"] * 6,
        ["委托方：", "", "联系人", "联系人", "", ""],
        ["方案提供方：", "南昌网络公司", "联系人", "联系人", "黄先生", "黄先生"],
        ["序号", "项目", "大类", "描述", "工作量", "费用（元）"],
        ["1", "设计", "模版设计", "启动动画、首页", "3", "300"],
        ["2", "培训", "上门培训", "培训委托方人员", "1", "450"],
    ]
    assert [*columns(rows)] == rows[3]
