import pytest

from engine.answer.follow_up import standalone

ENGLISH = [("user", "How much revenue did Acme report in 2022?"), ("assistant", "412 million [1].")]
CHINESE = [("user", "公司2022年的营业收入是多少？"), ("assistant", "4.12亿元[1]。")]


@pytest.mark.parametrize("question", ["And the year before?", "Why?", "What about it?", "Who said that?"])
def test_a_question_that_points_back_is_asked_together_with_the_one_before(question):
    assert standalone(question, ENGLISH) == f"{ENGLISH[0][1]} {question}"


@pytest.mark.parametrize("question", ["那去年呢？", "为什么？", "它的总部在哪里？"])
def test_a_chinese_question_that_points_back_too(question):
    assert standalone(question, CHINESE).startswith("公司2022年的营业收入是多少？")


def test_a_new_year_replaces_the_old_one():
    assert "2022" not in standalone("And in 2023 in Europe?", ENGLISH)
    assert standalone("And in 2023 in Europe?", ENGLISH).endswith("And in 2023 in Europe?")


@pytest.mark.parametrize("question", ["And in 2023?", "2023?", "and 2023", "What about 2023?"])
def test_a_question_that_says_only_a_year_is_the_one_before_asked_of_that_year(question):
    assert standalone(question, ENGLISH) == "How much revenue did Acme report in 2023?"


@pytest.mark.parametrize("question", ["那2023年呢？", "2023年呢", "2023年？"])
def test_a_chinese_one_too(question):
    assert standalone(question, CHINESE) == "公司2023年的营业收入是多少？"


def test_a_question_that_stands_alone_is_left_as_it_is():
    question = "Which foundries supply chips to the company in Dresden?"
    assert standalone(question, ENGLISH) == question
    assert standalone("员工每年有多少天带薪年假？", CHINESE) == "员工每年有多少天带薪年假？"


def test_follow_ups_of_follow_ups_lean_on_the_last_question_that_stands_alone():
    history = [*ENGLISH, ("user", "And in 2021?"), ("assistant", "300 [1].")]
    assert standalone("And the year after?", history).startswith("How much revenue did Acme report in 2022?")


def test_the_first_question_has_nothing_to_lean_on():
    assert standalone("And in 2023?", []) == "And in 2023?"
