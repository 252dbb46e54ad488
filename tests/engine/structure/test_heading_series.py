"""Members of a numbered series that lack among the headings found: which of the other blocks they are."""

from engine.structure.headings import missing_headings
from engine.structure.numbering import numbering_of

BODY = (10.0, False, False, False, "Song", 0)
BOLD = (10.0, True, False, False, "Song", 0)


def missing(lines: str, found: list[int], bold: tuple[int, ...] = (), odd: float = 0.0) -> list[int]:
    """Return the lines that are headings because of the found ones; all of them may be headings, by these odds."""
    texts = [line.strip() for line in lines.strip().splitlines()]
    styles = [BOLD if index in bold else BODY for index in range(len(texts))]
    odds = dict.fromkeys(range(len(texts)), odd)
    numbers = [numbering_of(text) for text in texts]
    return sorted(missing_headings(texts, numbers, styles, odds, found) - set(found))


def test_numbers_between_headings_before_and_after_them_are_headings():
    lines = "\n".join(f"{number}. Clause" for number in range(1, 12))
    assert missing(lines, [6, 8, 9]) == [0, 1, 2, 3, 4, 5, 7, 10]


def test_two_headings_vouch_only_for_what_stands_between_them():
    assert missing("第一条 标的\n第二条 价款\n第三条 交付\n第四条 保密", [1, 3]) == [2]


def test_items_of_a_list_that_counts_anew_are_not_taken_for_the_missing_number():
    lines = "1. Scope\n1. Cups\n2. Plates\n3. Forks\n2. Term\n3. Fees"
    assert missing(lines, [0, 5]) == []


def test_a_number_in_another_weight_is_not_of_the_series():
    lines = "1. Scope\n2. Term\n3. Fees"
    assert missing(lines, [0, 2], bold=(0, 2)) == []
    assert missing(lines, [0, 2], bold=(0, 1, 2)) == [1]


def test_numbers_of_another_chapter_are_another_series():
    assert missing("2.1 Cups\n3.2 Plates\n2.3 Forks\n2.2 Knives", [0, 2]) == []


def test_numbers_below_a_heading_are_headings_where_each_of_them_may_be():
    lines = "3 Testing\n3.1 Targets\n3.1.1 Adults\n3.1.2 Children\n3.2 Methods\nText\n4.1 Care\n4.2 Costs"
    assert missing(lines, [0]) == [1, 2, 3, 4]
    assert missing(lines, [0], odd=-1.5) == []


def test_numbers_below_a_heading_are_clauses_where_one_is_a_sentence():
    texts = ["3 Payment", "3.1 Price", "3.2 The buyer pays within a week."]
    numbers = [numbering_of(text) for text in texts]
    assert missing_headings(texts, numbers, [BODY] * 3, {0: 2.0, 1: 0.0}, [0]) == {0}


def test_words_that_mostly_are_a_heading_are_one_wherever_they_look_so():
    assert missing("Agenda:\nItem one\nAGENDA:\nAgenda:", [0], bold=(0, 2)) == [2]
    assert missing("end\nend\nend\nfigure", [0]) == []


def test_numbers_below_a_chapter_are_headings_whatever_numbers_the_chapter():
    assert missing("第三章 人事\n3.1 录用\n3.2 转正", [0]) == [1, 2]
