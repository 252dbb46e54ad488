from typing import Any

from workbooks.judging import Gold, GoldCells, Question, cells_right, judge, ranges_of, says


def answer(text: str, *cells: str, answered: bool = True, snippet: str = "") -> dict[str, Any]:
    sources = [{"cell": cell, "snippet": snippet, "document": "b.xlsx"} for cell in cells]
    return {"answer": text, "answered": answered, "sources": sources}


def cells(*rows: int, column: int = 3) -> GoldCells:
    return GoldCells("List", frozenset(rows), frozenset({column}), 1)


def question(*gold: Gold, computed: bool = False, others: tuple[str, ...] = ()) -> Question:
    return Question("sum", "en", "?", gold, cells(4), "b.xlsx", others, computed)


def test_a_number_is_right_in_any_format_and_rounded_to_its_last_two_digits() -> None:
    gold = [Gold(number=471625.304)]
    assert says(gold, "In total 471,625.3 [1]") and says(gold, "471,625 thousand")
    assert not says(gold, "about 471,000") and not says(gold, "471,624.3")


def test_a_small_number_is_not_right_when_rounded_to_nothing() -> None:
    assert not says([Gold(number=0.4)], "0") and says([Gold(number=2.5454)], "2.55")


def test_shares_are_right_as_percentages_and_scales_are_read() -> None:
    assert says([Gold(number=0.12345, share=True)], "12.35%") and says([Gold(number=0.12345, share=True)], "0.1235")
    assert not says([Gold(number=0.12345, share=True)], "12%")
    assert says([Gold(number=1.2e8)], "1.2亿元") and says([Gold(number=1.2e8)], "120,000,000")


def test_the_sign_counts_unless_a_difference_is_told() -> None:
    assert says([Gold(number=-60)], "(60)") and not says([Gold(number=-60)], "60")
    assert says([Gold(number=-60, signless=True)], "60 less")


def test_a_citation_mark_is_no_number() -> None:
    assert not says([Gold(number=3)], "Closed [1][2][3]")


def test_a_name_is_right_as_a_whole_word_only() -> None:
    assert not says([Gold(("name1 - 10",))], "name1 - 101: 5")
    assert says([Gold(("华东",))], "销售区域：华东")


def test_what_must_be_computed_is_not_said_by_a_quoted_row() -> None:
    row = "4 | 2013 | Alabama"
    assert not judge(
        question(Gold(number=4), computed=True), answer(f"Quoted: {row} [1]", "List!A4:C4", snippet=row)
    ).right
    assert judge(question(Gold(number=4)), answer(f"Quoted: {row} [1]", "List!A4:C4", snippet=row)).cells


def test_an_answer_that_says_other_rows_values_too_is_wrong() -> None:
    asked = question(Gold(("Oslo",)), others=("Bergen", "Narvik", "Tromso"))
    assert judge(asked, answer("Oslo", "List!C4")).right
    assert not judge(asked, answer("Oslo, Bergen, Narvik", "List!C4")).right


def test_a_refusal_is_neither_right_nor_wrong() -> None:
    outcome = judge(question(Gold(number=4)), answer("Not found. 4", answered=False))
    assert outcome.refused and not outcome.right


def test_few_gold_cells_must_all_be_cited_on_their_sheet() -> None:
    assert cells_right(cells(4, 5), ["List!C4", "'List'!A5:G5"])
    assert not cells_right(cells(4, 5), ["List!C4"]) and not cells_right(cells(4), ["Other!C4"])
    assert cells_right(cells(4), ["C4"])  # CSV has no sheets


def test_of_many_gold_cells_some_are_enough_if_none_lies_beside() -> None:
    gold = cells(*range(2, 102))
    assert cells_right(gold, ["List!C2:C101"]) and cells_right(gold, ["List!C7", "List!C9"])
    assert not cells_right(gold, ["List!C7", "List!C300"])


def test_a_citation_may_name_several_ranges() -> None:
    assert ranges_of("'My ''list'''!B2:C3, D5") == [("My 'list'", 2, 2, 3, 3), ("My 'list'", 4, 5, 4, 5)]
