"""What a table does not tell of a row is not read from another column."""

import pytest

from engine.answer.tables.table_questions import answer_from_tables
from tests.engine.answer.tables.made_tables import source

STAFF = [
    ["Name", "Position", "Office", "Since"],
    ["Hugo Brandao", "Curator, prints", "B 105", "May 2021"],
    ["Elsa Lindqvist", "Conservator", "B 009", "October 2018"],
    ["Farid Nazari", "Registrar", "A 110", "March 2023"],
]
SEGMENTS = [
    ["Segment", "2023 - Revenue", "2023 - Operating profit", "2022 - Revenue"],
    ["Paper", "1,102", "96", "1,044"],
    ["Packaging", "874", "71", "801"],
    ["Biochemicals", "212", "31", "188"],
]
COUNTIES = [
    ["县名", "面积(平方公里)", "人口(万人)"],
    ["石渠县", "2,377.9", "41.2"],
    ["南渡县", "1,804.5", "36.8"],
    ["青洼县", "1,120.0", "22.5"],
]


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (STAFF, "What is the e-mail address of Hugo Brandao?"),
        (SEGMENTS, "What were the total assets of the Paper segment in 2023?"),
        (SEGMENTS, "How many employees did Packaging have in 2023?"),
        (COUNTIES, "石渠县的县府设在哪个镇上？"),
    ],
)
def test_a_cell_of_another_column_answers_nothing(table, question):
    assert answer_from_tables(question, [source(table)]) is None


@pytest.mark.parametrize(
    ("table", "question", "value"),
    [
        (STAFF, "What is the position of Elsa Lindqvist?", "Conservator"),
        (SEGMENTS, "What was the revenue of the Paper segment in 2023?", "1,102"),
        (SEGMENTS, "What was the operating profit of Biochemicals in 2023?", "31"),
        (COUNTIES, "石渠县的面积是多少？", "2,377.9"),
        (COUNTIES, "南渡县有多少人口？", "36.8"),
    ],
)
def test_a_column_that_the_question_names_is_read(table, question, value):
    found = answer_from_tables(question, [source(table)])
    assert found is not None and found.values == [value]
