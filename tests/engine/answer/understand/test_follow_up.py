import pytest

from engine.answer.understand import understand


def whole(*questions):
    *before, last = questions
    return understand(last, [turn for one in before for turn in (("user", one), ("assistant", "…"))])


@pytest.mark.parametrize(
    ("turns", "standalone"),
    [
        (("What was the profit in 2021?", "and in 2022?"), "What was the profit in 2022?"),
        (("Who designed the Eiffel Tower?", "When was it built?"), "When was the Eiffel Tower built?"),
        (("北京的住宿标准是多少？", "那上海呢？"), "上海的住宿标准是多少？"),
        (
            ("What is the warranty of Hydra 200?", "What about Hydra 2000?"),
            "What is the warranty of Hydra 2000?",
        ),
        (
            ("How much is the fee for adults?", "and for children?"),
            "How much is the fee for adults? and for children?",
        ),
        (("What was the profit in 2021?", "and in 2022?", "2023?"), "What was the profit in 2023?"),
    ],
)
def test_a_question_that_leans_on_the_one_before_is_made_whole(turns, standalone):
    read = whole(*turns)
    assert read.standalone == standalone and read.follow_up and read.text == turns[-1]


def test_what_cannot_be_put_in_place_stands_behind_the_question_before():
    assert whole("张伟是谁？", "他什么时候出生？").standalone == "张伟是谁？ 他什么时候出生？"


@pytest.mark.parametrize(
    "turns",
    [
        ("How long is the notice period?", "Does the landlord pay for repairs?"),
        ("How long is the notice period?", "thanks"),
        ("押金是多少？", "仓库在哪里？"),
        ("What is article 3 about?", "Does it apply to article 7?"),
        ("公司法什么时候施行？", "2025年的员工平均工资是多少？"),
    ],
)
def test_a_question_that_says_itself_what_it_asks_stands_alone(turns):
    read = whole(*turns)
    assert read.standalone == turns[-1] and not read.follow_up
