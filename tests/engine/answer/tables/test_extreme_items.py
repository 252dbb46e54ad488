"""Which row has the most: of the parts of a sum, in the column that the question names."""

import pytest
from made_tables import source

from engine.answer.tables.table_questions import answer_from_tables

BY_SEGMENT = source(
    [
        ["", "2023", "2023", "2022", "2022"],
        ["", "$", "%", "$", "%"],
        ["Ovens", "300", "30", "500", "50"],
        ["Kettles", "500", "50", "400", "40"],
        ["Irons", "200", "20", "100", "10"],
        ["Total revenue", "1,000", "100", "1,000", "100"],
        ["Employees", "9,000", "", "8,000", ""],
    ]
)
BY_REGION_ZH = source(
    [
        ["项目", "2023年", "2022年"],
        ["华北", "120", "100"],
        ["华南", "80", "190"],
        ["营业收入合计", "200", "290"],
    ]
)
CITIES = source([["Rank", "Height"], ["first", "80"], ["second", "90"], ["third", "70"]])


def asked(question, table):
    return answer_from_tables(question, [table])


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("Which segment had the highest revenue in 2023?", BY_SEGMENT, "Kettles"),
        ("In which segment was revenue the smallest in 2022?", BY_SEGMENT, "Irons"),
        ("2022年哪个地区的营业收入最高?", BY_REGION_ZH, "华南"),
    ],
)
def test_the_largest_of_the_parts_is_named(question, table, expected):
    assert asked(question, table).values == [expected]


def test_its_name_and_its_number_are_cited():
    cells = asked("Which segment had the highest revenue in 2023?", BY_SEGMENT).cells
    assert [cell.text for cell in cells] == ["Kettles", "500"]


@pytest.mark.parametrize(
    ("question", "table"),
    [("Which segment had the highest revenue?", BY_SEGMENT), ("Which city has the lowest height?", CITIES)],
)
def test_nothing_is_named_where_the_year_is_open_or_the_rows_are_of_something_else(question, table):
    assert asked(question, table) is None
