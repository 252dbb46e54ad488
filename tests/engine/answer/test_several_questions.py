import pytest

from engine.answer.several_questions import questions_in


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Who leads the work and how many days a month does it take?",
            ["Who leads the work?", "how many days a month does it take?"],
        ),
        (
            "Who paid for it, how big was the grant, and did any author object?",
            ["Who paid for it?", "how big was the grant?", "did any author object?"],
        ),
        ("Is there a deposit? When is it paid back?", ["Is there a deposit?", "When is it paid back?"]),
        ("押金是多少，什么时候退还？", ["押金是多少？", "什么时候退还？"]),
        ("谁负责维修？多久要到场？", ["谁负责维修？", "多久要到场？"]),
        ("发票几天内要付？逾期利息怎么算？", ["发票几天内要付？", "逾期利息怎么算？"]),
    ],
)
def test_each_part_is_a_question_as_it_stands_there(text, parts):
    assert questions_in(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "When did the bridge open?",
        "Which band released the song and had a famous drummer?",
        "What was written by him and was also filmed?",
        "Which player got a penalty, which gave the others a new set of downs?",
        "Do you know who leads the work?",
        "Who wrote the book and when?",
        "哪个产品毛利率最高，是多少？",
        "在任何情况下，谁可以解除合同？",
        "北朝几个朝代中，哪个最积极？",
        "这家公司成立后的未来几年，哪些产品最赚钱？",
        "",
    ],
)
def test_what_goes_on_with_the_same_question_is_no_part(text):
    assert questions_in(text) == []


def test_more_than_three_are_left_to_the_reader():
    assert questions_in("Who pays? Who signs? Who delivers? Who checks?") == []
