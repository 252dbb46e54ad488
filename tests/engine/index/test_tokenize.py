"""Terms: what is the same to a reader is the same to the index, in Chinese and English."""

import pytest

from engine.index.tokenize import as_written, index_terms, query_terms, tokens


def test_case_width_and_endings_do_not_matter():
    assert tokens("Running ＡＢＣ") == tokens("run abc")


def test_chinese_is_cut_into_pairs_so_that_parts_of_long_words_are_found():
    assert set(tokens("数据")) <= set(tokens("大数据平台"))


def test_a_single_chinese_character_is_found_in_longer_text():
    question = {term for term, _ in query_terms("茶")}
    assert question & set(index_terms("绿茶产自中国"))


@pytest.mark.parametrize("number", ["7.5%", "1,000", "2023", "3.14"])
def test_a_number_is_found_as_it_stands(number):
    assert set(tokens(number)) <= set(tokens(f"It was {number} at last"))


def test_a_number_is_the_same_with_and_without_separators():
    assert set(tokens("1000")) & set(tokens("1,000"))


def test_mixed_text_keeps_both_languages():
    assert {"gpu", "显卡"} <= set(tokens("GPU显卡"))


def test_words_that_ask_weigh_less_than_words_that_tell():
    weights = dict(query_terms("what is photosynthesis"))
    tell = next(weight for term, weight in weights.items() if term.startswith("photosynth"))
    assert weights["what"] < tell


@pytest.mark.parametrize("text", ["", "   ", "!!! ??? ——", "\x00\u200b", "👍🏽" * 50])
def test_text_without_words_has_no_terms_and_raises_nothing(text):
    assert isinstance(tokens(text), list)
    assert isinstance(query_terms(text), list)


def test_a_pair_with_a_function_character_weighs_less_than_a_word():
    weights = dict(query_terms("公司的合同"))
    assert weights["司的"] == weights["的合"] < weights["公司"] == weights["合同"]


def test_a_number_among_characters_weighs_as_much_as_a_word_of_two_of_them():
    weights = dict(query_terms("第49届大会"))
    assert weights["49"] == weights["大会"] + weights["大"] + weights["会"]
    assert dict(query_terms("the 49 congress"))["49"] == 1.0


@pytest.mark.parametrize(
    ("question", "much"),
    [
        ("What are the levels of AGI?", ["levels", "AGI"]),
        ("股东会的职权有哪些？", ["股东会", "职权"]),
        ("Zone NA 的销售额", ["Zone", "NA", "销售额"]),
    ],
)
def test_the_words_of_a_question_are_told_as_it_writes_them(question, much):
    assert as_written(question, query_terms(question)) == much
