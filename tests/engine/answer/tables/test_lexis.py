"""Texts as units that can be compared: the same thing said otherwise has the same forms."""

import pytest

from engine.answer.tables.lexis import base_form, forms, header_forms, units


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Net sales", "net sale"),
        ("companies", "Company"),
        ("expenses", "expense"),
        ("1,234.50", "1234.5"),
        ("２０２３", "2023"),
        ("Ｒｅｖｅｎｕｅ", "revenue"),
        ("FY19", "fy 2019"),
        ("R&D", "r & d"),
        ("snake_case", "snake case"),
        ("六月份", "6月份"),
        ("十二月", "12月"),
    ],
)
def test_what_is_the_same_in_another_form_has_the_same_units(one, other):
    assert forms(one) == forms(other)


def test_a_header_that_a_program_joined_is_of_several_words():
    assert header_forms(["FinalScore2016", "USA"], False) == [forms("final score 2016"), forms("usa")]


@pytest.mark.parametrize(("one", "other"), [("0012", "12"), ("1,234", "12,34"), ("revenue", "review")])
def test_what_is_another_thing_has_other_units(one, other):
    assert forms(one) != forms(other)


def test_chinese_is_cut_into_single_characters_and_numbers_stay_whole():
    assert forms("2023年营业收入") == ("2023", "年", "营", "业", "收", "入")


def test_each_unit_says_where_it_stands_in_the_text():
    text = "total: 1,200 units"
    assert [text[unit.start : unit.end] for unit in units(text)] == ["total", "1,200", "units"]


def test_a_number_weighs_most_and_a_chinese_character_least():
    assert [unit.weight for unit in units("sales 2023 年")] == [1.0, 1.5, 0.5]


def test_texts_without_letters_have_no_units():
    assert forms("") == forms(" — … !? 🙂 \u200b") == ()


def test_of_a_very_long_text_only_the_beginning_is_read():
    assert len(forms("word " * 5000)) == 400


def test_base_forms_come_from_a_dictionary_and_from_stems():
    assert base_form("mice") == "mous" == base_form("mouse")
    assert base_form("frobnicating") == base_form("frobnicates")
