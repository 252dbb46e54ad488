"""Figures that a cell gives in two units."""

import pytest
from made_tables import source, typed

from engine.answer.tables.converted import value_of
from engine.answer.tables.table_questions import answer_from_tables

STAGES = [
    ["Stage", "Course", "Distance", "Winner"],
    ["1a", "Arden to Bray", "189 km (117 mi)", "Ana Costa (POR)"],
    ["2", "Bray to Cole", "250.5 km (155.7 mi)", "Bo Lind (SWE)"],
    ["3", "Cole to Dunn", "22 km (14 mi)", "Ana Costa (POR)"],
    ["-", "Total", "461.5 km (286.8 mi)", ""],
]


@pytest.mark.parametrize(
    ("text", "number"), [("250.5 km (155.7 mi)", "250.5"), ("1,245 m (4,085 ft)", "1245")]
)
def test_the_first_of_two_units_is_the_value(text, number):
    assert str(value_of(text).value) == number


@pytest.mark.parametrize("text", ["Ana Costa (POR)", "Boeing 737 (2019)", "12 km (a guess)", "5 km (3 km)"])
def test_what_is_no_figure_in_two_units_stays_text(text):
    assert value_of(text).dtype == "text"


def test_a_column_of_such_figures_is_one_of_numbers_in_the_first_unit():
    column = typed(STAGES).columns[2]
    assert (column.dtype, column.unit) == ("number", "km")


def test_things_are_ranked_by_such_figures_and_neither_by_their_numbers_nor_with_the_total():
    made = answer_from_tables("Which stage was the longest?", [source(STAGES)])
    assert made.values == ["2"]
    assert "250.5 km (155.7 mi)" in [cell.text for cell in made.cells]


def test_things_that_are_numbered_are_counted_and_their_numbers_not_read():
    assert answer_from_tables("How many stages did Ana Costa win?", [source(STAGES)]).values == ["2"]
