"""A question that wants a term defined is known, and so is the sentence that does it."""

import pytest

from engine.answer.definitions import asked_bearer, asked_term, defines, names_bearer


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is a rake?", "rake"), ("What are tidal mills?", "tidal mills"), ("What does drift mean?", "drift"),
        ("Define dew point", "dew point"), ("什么是大语言模型？", "大语言模型"), ("控股股东是什么意思", "控股股东"),
        ("毛利率的定义是什么？", "毛利率"),
    ],
)  # fmt: skip
def test_a_term_is_asked_for(question, term):
    assert asked_term(question) == term


@pytest.mark.parametrize(
    "question", ["Where is the rake?", "What is the price of a rake in the shop by the sea?", "谁是股东？"]
)
def test_other_questions_want_nothing_defined(question):
    assert asked_term(question) == ""


@pytest.mark.parametrize(
    ("sentence", "term"),
    [
        ("A rake is a tool with teeth.", "rake"), ("Rakes (garden tools) are sold here.", "rake"),
        ("Dew point refers to a temperature.", "dew point"), ("Such a tool is called a rake.", "rake"),
        ("大语言模型（LLM），也称大型语言模型，是一种人工智能模型。", "大语言模型"),
        ("控股股东，是指其出资额占百分之五十以上的股东。", "控股股东"), ("这种比例称为毛利率。", "毛利率"),
        ("It tells of Row and Column Access Control (RCAC).", "RCAC"),
    ],
)  # fmt: skip
def test_a_sentence_defines_it(sentence, term):
    assert defines(sentence, term)


@pytest.mark.parametrize(
    ("sentence", "term"),
    [
        ("He took a rake and left.", "rake"),
        ("大语言模型可以学习语法。", "大语言模型"),
        ("毛利率同比上升。", "毛利率"),
    ],
)
def test_a_sentence_that_uses_a_term_defines_nothing(sentence, term):
    assert not defines(sentence, term)


@pytest.mark.parametrize(
    ("question", "sentence", "named"),
    [
        ("Who is the Provider?", "Made between Brightwater Ltd (the Provider) and Castellan plc.", True),
        ("Who is the tenant?", "Tenant: John Smith", True),
        ("Who is the Provider?", "The Provider hosts the platform.", False),
        ("承租人是谁？", "承租人（乙方）：高志远", True),
        ("乙方是谁？", "高志远（以下简称“乙方”）", True),
        ("承租人是谁？", "承租人应当按时支付租金。", False),
    ],
)
def test_who_bears_a_role_is_told_in_brackets_or_behind_a_colon(question, sentence, named):
    assert names_bearer(sentence, asked_bearer(question)) == named


def test_no_role_is_asked_for():
    assert asked_bearer("Who is responsible?") == asked_bearer("谁是股东？") == ""
