import pytest

from engine.answer.tables.its_figure import without_its_figure


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("哪个产品毛利率最高？是多少？", "哪个产品毛利率最高？"),
        ("哪家店销售额最低，具体是多少", "哪家店销售额最低？"),
        ("Which product has the highest margin, and what is it?", "Which product has the highest margin?"),
        ("Which city has the most shops? How many are they?", "Which city has the most shops?"),
    ],
)
def test_the_thing_of_an_extreme_is_told_with_its_figure(question, rest):
    assert without_its_figure(question) == rest


@pytest.mark.parametrize(
    "question", ["毛利率是多少？", "谁负责，是多少？", "What is the margin, and what is it made of?"]
)
def test_other_questions_stay_as_they_are(question):
    assert without_its_figure(question) == question
