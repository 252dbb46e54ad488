from dataclasses import replace

from engine.answer.evidence.units import (
    LETTERS,
    LETTERS_CHINESE,
    MOST_WINDOWS,
    answers_alone,
    beside,
    passage_of,
    stretches_of,
    units_of,
    windows_of,
)
from tests.engine.answer.evidence_maker import evidence

LONG = " ".join(f"Sentence {i} tells of matters that nobody asked for here." for i in range(60))


def test_of_a_long_text_the_place_that_shares_most_is_read():
    item = evidence(1, f"{LONG} The gate opens at nine o'clock. {LONG}")
    (window,) = windows_of(units_of("When does the gate open?", [item]), [item])
    read = item.text[window.start : window.end]
    assert "The gate opens at nine" in read and len(read) <= LETTERS


def test_no_more_is_read_than_so_many_windows_hold():
    items = [evidence(i, f"{LONG} {i}") for i in range(1, 30)]
    windows = windows_of(units_of("What tells sentence 3?", items), items)
    assert sum(one.end - one.start for one in windows) <= MOST_WINDOWS * LETTERS


def test_short_pieces_take_less_room_and_are_read_with_those_beside_them():
    items = [evidence(i, f"Label {i}: value {i}", path=("Form",)) for i in range(1, 25)]
    items = [replace(one, hit=replace(one.hit, document_id="d1")) for one in items]
    windows = windows_of(units_of("What is label 20?", items), items)
    assert len(windows) == 24
    assert "Label 2: value 2" in passage_of(windows[0], items).title
    assert "Label 1: value 1" not in beside(0, items)


def test_lines_beside_a_chinese_one_take_no_more_of_what_is_read_than_beside_an_english_one():
    english = [evidence(i, f"Label {i}: a value of {i} euros", path=("Form",)) for i in range(1, 25)]
    chinese = [evidence(i, f"第{i}项：合同金额为{i}元整，含税", path=("表",)) for i in range(1, 25)]
    for items, most in ((english, LETTERS), (chinese, LETTERS_CHINESE)):
        items = [replace(one, hit=replace(one.hit, document_id="d1")) for one in items]
        assert most / 2 <= len(beside(0, items)) < most / 2 + len(items[-1].text)


def test_of_a_long_table_the_row_that_shares_most_is_read_however_far_below():
    rows = "\n".join(f"Part {chr(65 + i % 26)}{i} | {i * 10} euros" for i in range(200))
    item = evidence(1, f"Name | Price\n{rows}", role="table")
    (window,) = windows_of(units_of("What is the price of part S174?", [item]), [item])
    assert item.text[window.start : window.end] == "Part S174 | 1740 euros"


def test_a_row_is_read_alone_under_the_header_of_its_table():
    rows = "\n".join(f"Part {i} | {i * 10} euros | shelf {i}" for i in range(60))
    item = evidence(1, f"Part | Price | Place\n{rows}", role="table")
    windows = windows_of(units_of("What does part 41 cost?", [item]), [item])
    read = next(one for one in windows if "Part 41" in item.text[one.start : one.end])
    assert "Part | Price | Place" in passage_of(read, [item]).title
    assert item.text[read.start : read.end].strip() == "Part 41 | 410 euros | shelf 41"


def test_a_header_that_shares_most_takes_no_row_s_place():
    item = evidence(1, "Item | Total budget\nFlights | 9,210", role="table")
    (window,) = windows_of(units_of("What is the total budget?", [item]), [item])
    assert item.text[window.start : window.end] == "Flights | 9,210"


def test_a_form_has_a_unit_a_line_and_a_label_goes_with_the_value_below_it():
    text = "Patient ID: P-1\nName:\nIlse Kramer\nWard: 7"
    assert [one.text for one in stretches_of(text, "paragraph")] == [
        "Patient ID: P-1", "Name:\nIlse Kramer", "Ward: 7",
    ]  # fmt: skip


def test_headings_headers_and_questions_do_not_answer():
    heading = evidence(1, "3 Warranty", path=("3 Warranty",))
    table = evidence(2, "Item | Cost\nSteel | 4,500", role="table")
    asked = evidence(3, "Who pays for it?")
    for item in (heading, table, asked):
        assert not answers_alone(stretches_of(item.text, item.hit.role)[0], item)
    assert answers_alone(stretches_of(table.text, "table")[1], table)


def test_a_sentence_answers_though_a_section_is_called_by_it():
    said = "Directors serve for three years."
    assert answers_alone(stretches_of(said, "paragraph")[0], evidence(1, said, path=(said,)))
