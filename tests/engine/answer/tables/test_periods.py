"""Statements of one period each, which only their titles name: a question is asked of the one that is meant."""

import pytest
from made_tables import source, workbook

from engine.answer.tables.table_questions import answer_from_tables
from engine.config import Settings
from engine.ingest import Source
from engine.library import Library


def statement(period, rows):
    return [
        ["In millions of CHF", None, None, period],
        [None, "Sales (a)", "Profit", "Depreciation"],
        [],
        *rows,
    ]


SEGMENTS = [
    *statement(
        "January–June 2023",
        [["Zone North", 12553, 2713, 337], ["Zone South", 9467, 1570, 414], ["Zone EUR", 10000, 1, 1]],
    ),
    [],
    [],
    *statement("January–June 2022", [["Zone North", 12138, 2284, 348], ["Zone South", 9283, 1606, 411]]),
]
OTHER = [["In millions of CHF", "2023", "2022"], ["Zone North", -9, -285], ["Zone South", -23, 0]]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("periods")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source("segments.xlsx", workbook(Segments=SEGMENTS, Other=OTHER))])
        yield opened


@pytest.mark.parametrize(
    ("question", "value", "cell"),
    [
        ("What were the sales of Zone North in January–June 2023?", "12,553", "Segments!B4"),
        ("What were Zone North's sales in the first half of 2022?", "12,138", "Segments!B12"),
        ("What was the profit of Zone South in 2022?", "1,606", "Segments!C13"),
    ],
)
def test_the_statement_of_the_period_that_is_asked_for_is_read(library, question, value, cell):
    made = library.ask(question)
    assert value.replace(",", "") in made.answer.replace(",", "")
    assert [source.cell for source in made.sources] == [cell]


def test_the_answer_names_the_period_that_the_title_names(library):
    assert "January–June 2023" in library.ask("What were the sales of Zone North in 2023?").answer


def test_a_table_that_lacks_what_is_asked_for_does_not_answer_for_another(library):
    made = library.ask("What were the sales of Zone South in January–June 2023?")
    assert "9467" in made.answer.replace(",", "") and "23)" not in made.answer


def test_a_period_that_no_statement_has_is_not_answered_from_another(library):
    made = library.ask("What were the sales of Zone North in 2019?")
    assert not any(value in made.answer.replace(",", "") for value in ("12553", "12138")) or not made.answered


@pytest.mark.parametrize(
    "question",
    [
        "What limits the sales of Zone North?",
        "What drove the profit of Zone South?",
        "什么影响了 Zone North 的 Sales？",
    ],
)
def test_what_brings_a_figure_about_is_no_figure(library, question):
    made = library.ask(question)
    assert not any(step.tool in ("LOOKUP", "DIFF", "PERCENT_CHANGE") for step in made.reasoning_trace)


VOTES = [["Candidate", "Votes"], ["Ann Roe", "17,930"], ["Bob Poe", "18,230"]]


@pytest.mark.parametrize(
    ("heading", "question", "votes"),
    [
        ("2014", "How many votes did Ann Roe receive?", ["17,930"]),
        ("2014", "How many votes did Ann Roe receive in 2014?", ["17,930"]),
        ("2014", "How many votes did Ann Roe receive in 2010?", None),
        ("Elections from 2008 to 2014", "How many votes did Ann Roe receive in 2010?", ["17,930"]),
    ],
)
def test_a_heading_tells_the_years_of_a_table_without_a_title(heading, question, votes):
    made = answer_from_tables(question, [source(VOTES, "Ann Roe", ("Results", heading))])
    assert (made.values if made else None) == votes
