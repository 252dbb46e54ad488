"""Columns that a question names in other words, by the embedding model that ships."""

import pytest
from read_tables import STAFF, STAFF_ZH, table_of

from engine.answer.tables.link import link


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meaning")
    return {"en": table_of(folder, STAFF).linked, "zh": table_of(folder, STAFF_ZH).linked}


def in_other_words(linked, question):
    links = link(question, linked)
    told = (one for one in links.columns if one.in_other_words)
    return [linked.relation.columns[column].name for one in told for column in one.columns]


@pytest.mark.parametrize(
    ("language", "question", "column"),
    [
        ("en", "Who has the highest wage?", "Salary"),
        ("en", "谁的工资最高？", "Salary"),
        ("zh", "谁的薪水最高？", "月薪"),
        ("zh", "Who has the highest salary?", "月薪"),
    ],
)
def test_a_column_is_known_by_its_meaning_in_either_language(made, language, question, column):
    assert in_other_words(made[language], question) == [column]


def test_of_a_column_that_a_program_flattened_the_last_part_is_the_name(tmp_path):
    rows = [["id", "pname", "ext.rating", "ext.lng"], ["B1", "Harbour Inn", 4.7, 114.2], ["B2", "Old Mill", 3, 112.9]]
    assert in_other_words(table_of(tmp_path, rows).linked, "评分最低的是哪一家？") == ["ext.rating"]


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "Who has the highest overtime?"),
        ("en", "Who has the best degree?"),
        ("zh", "谁的年龄最大？"),
        ("zh", "平均学历是多少？"),
    ],
)
def test_what_the_table_does_not_have_is_taken_for_none_of_its_columns(made, language, question):
    assert in_other_words(made[language], question) == []
