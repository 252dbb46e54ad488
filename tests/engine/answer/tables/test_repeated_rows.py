"""Rows that stand again below several others are parts of these."""

from made_tables import source, typed

from engine.answer.tables.table_questions import answer_from_tables

GROWTH = [
    ["", "Q1", "Q2"],
    ["As reported", "5.3 %", "6.5 %"],
    ["Home", "9.4 %", "10.9 %"],
    ["Abroad", "1.3 %", "1.6 %"],
    ["Currency", "(3.2)", "(1.0)"],
    ["Home", "—", "—"],
    ["Abroad", "(6.4)", "(2.2)"],
]


def names(rows):
    return [row.name for row in typed(rows).rows]


def answer(question, rows, **more):
    made = answer_from_tables(question, [source(rows, **more)])
    return made.values if made else None


def test_what_a_repeated_row_is_of_is_told_by_the_row_above():
    assert names(GROWTH)[1:3] == ["As reported / Home", "As reported / Abroad"]
    assert answer("What was the effect of currency abroad in Q2?", GROWTH) == ["(2.2)"]


def test_where_a_table_is_of_growth_a_growth_that_is_asked_for_is_read():
    asked = "What was the growth as reported at home in the second quarter?"
    assert answer(asked, GROWTH, path=("Sales growth",)) == ["10.9 %"]
    assert answer(asked, GROWTH, path=("Sales",)) is None


def test_parts_above_their_totals_are_not_of_the_total_before_them():
    rows = [["", "2023"], ["Home", "5"], ["Abroad", "3"], ["Total sales", "8"],
            ["Home", "2"], ["Abroad", "1"], ["Total profit", "3"]]  # fmt: skip
    assert "Total sales / Home" not in names(rows)


def test_what_happened_after_a_balance_is_no_part_of_it():
    rows = [["", "Amount"], ["Balance, December 31, 2021", "10"], ["Additions", "4"], ["Payments", "(2)"],
            ["Balance, December 31, 2022", "12"], ["Additions", "5"], ["Payments", "(3)"],
            ["Balance, December 31, 2023", "14"]]  # fmt: skip
    assert names(rows)[1] == "Additions"
    assert answer("How much were the additions in 2022?", rows) == ["4"]
