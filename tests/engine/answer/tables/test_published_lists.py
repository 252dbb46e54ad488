"""Lists as offices and foundations publish them: titles and notes merged on top, names asked for by a part."""

import pytest
from read_tables import table_of

from engine.answer.tables.answering import answer_from_tables

YARDS = [
    ["The ten largest yards, 2016", None, None, None, None, None],
    ["Figures for repair sales and profit are in millions of US$.", None, None, None, None, None],
    ["Source: Yard Register, December 2017", None, None, None, None, None],
    [
        "Rank (2016)",
        "Company (2016)",
        "Country (2016)",
        "Repair sales (2016)",
        "Profit (2016)",
        "Employees (2016)",
    ],
    [1, "Holm Marine Corp.", "Japan", 408, 53, 9700],
    [2, "Ostberg", "Sweden", 295, 48, 8800],
    [3, "Carrick Repair Company", "Ireland", 229, -22, 6300],
    [4, "High Water Docks", "Japan", 201, 12, 4100],
]
MERGED = ("A1:F1", "A2:F2", "A3:F3")
GRANTS = [
    ["year", "heading", "donee", "amount"],
    ["2001", "Mira Sand Award for Reading Rooms", "Oak Street", 400],
    ["2001", "Reading Project", "Elm House", 900],
    ["2002", "Mira Sand Award for Reading Rooms", "Ash Court", 300],
    ["2003", "Mira Sand Award for Reading Rooms", "Fir Lane", 250],
    ["2004", "Direct Help", "Grant Foundation", 700],
]
SALES = [
    ["年份", "东城", "西城"],
    ["2019", 1560.4, 900.5],
    ["2020", 1330.1, 800.5],
    ["2021", 1617.09, 950.5],
    ["2022", 1480, 990],
]


def asked(folder, rows, question, merged=()):
    return answer_from_tables(question, [table_of(folder, rows, merged)], question[0] >= "\u4e00")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What were Ostberg's repair sales in 2016?", "$295 million"),
        ("Which company had the highest profit in 2016?", "Holm Marine Corp."),
        ("How many companies from Japan are in the list of 2016?", "2 found"),
        ("How many employees did Holm Marine have?", "9700"),
    ],
)
def test_titles_on_top_of_a_list_are_no_part_of_its_header(tmp_path, question, told):
    made = asked(tmp_path, YARDS, question, MERGED)
    assert made is not None and told in made.text


def test_a_note_on_the_unit_holds_for_the_columns_that_it_names(tmp_path):
    columns = table_of(tmp_path, YARDS, MERGED).linked.relation.columns
    assert {c.name: c.unit for c in columns if c.unit} == {"Repair sales": "USD", "Profit": "USD"} or {
        c.levels[-1]: c.unit for c in columns if c.unit
    } == {"Repair sales (2016)": "USD", "Profit (2016)": "USD"}


def test_common_words_are_no_parts_of_names(tmp_path):
    made = asked(tmp_path, GRANTS, "What was the largest grant of the foundation?")
    assert made is None or "Grant Foundation" not in made.text


def test_one_row_called_so_is_no_answer_to_how_many_people(tmp_path):
    made = asked(tmp_path, YARDS, "How many people did Ostberg employ?", MERGED)
    assert made is None or "1 found" not in made.text


def test_a_range_of_years_means_all_of_them_where_rows_are_years(tmp_path):
    made = asked(tmp_path, SALES, "东城2019到2021这三年，平均一年是多少？")
    assert made is not None and "2019, 2020, 2021" in made.text and "1,502.53" in made.text
