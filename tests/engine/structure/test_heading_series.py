"""Members of a numbered series that lack among the headings found: which of the other blocks they are."""

from engine.structure.heading_series import missing_headings
from engine.structure.numbering import numbering_of

BODY = (10.0, False, False, False, "Song", 0)
BOLD = (10.0, True, False, False, "Song", 0)


def missing(lines: str, found: list[int], bold: tuple[int, ...] = ()) -> list[int]:
    texts = [line.strip() for line in lines.strip().splitlines()]
    styles = [BOLD if index in bold else BODY for index in range(len(texts))]
    return sorted(missing_headings([numbering_of(text) for text in texts], styles, range(len(texts)), found))


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
