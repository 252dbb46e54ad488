import pytest

from engine.answer.understand import understand


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Who leads the survey, and how many days does it take?",
            ("Who leads the survey?", "Who leads the survey? how many days does it take?"),
        ),
        (
            "How many staff were hired and why did they leave?",
            ("How many staff were hired?", "How many staff were hired? why did they leave?"),
        ),
        ("陈兰在哪个部门，做什么岗位？", ("陈兰在哪个部门？", "陈兰在哪个部门，做什么岗位？")),
        ("第二年的租金是多少，物业费由谁承担？", ("第二年的租金是多少？", "物业费由谁承担？")),
        ("押金多少，什么时候退？", ("押金多少？", "押金多少，什么时候退？")),
        (
            "Which had the higher profit, Acme in 2022 or Borel in 2019?",
            ("Which had the higher profit, Acme in 2022?", "Which had the higher profit, Borel in 2019?"),
        ),
        (
            "Compare the warranties of Hydra 200 and Hydra 2000",
            ("the warranties of Hydra 200", "the warranties of Hydra 2000"),
        ),
        (
            "Compare the lead times of the NL-150 and the NL-200.",
            ("the lead times of the NL-150.", "the lead times of the NL-200."),
        ),
        ("What was the rent in 2021 and 2022?", ("What was the rent in 2021?", "What was the rent in 2022?")),
        ("甲方和乙方的责任分别是什么？", ("甲方的责任是什么？", "乙方的责任是什么？")),
    ],
)
def test_what_is_asked_of_several_things_is_asked_of_each(question, parts):
    assert understand(question).parts == parts


@pytest.mark.parametrize(
    "question",
    [
        "When was Procter and Gamble founded?",
        "What is the difference between Plan A and Plan B?",
        "Do you know who wrote it and why?",
        "What happens if the tenant leaves, and the deposit is lost?",
        "Which part do we have most of, and how many are there?",
        "张三和李四是什么关系？",
        "清单一共涉及多少个不同的件号？",
    ],
)
def test_one_question_stays_one(question):
    assert understand(question).parts == (question,)
