"""What is asked of one thing and told of others only is not there."""

import pytest

from engine.answer.attribute import told_of_others_only
from engine.index.tokenize import tokens

NODES = [
    "锦程置业开发住宅，目前在建项目两个。",
    "云帆物流经营冷链运输，总经理为罗永强。",
    "Acme makes paper in Bergen.",
    "Borealis had a revenue of 5 million euros.",
]


@pytest.mark.parametrize(
    ("question", "only_of_others"),
    [
        ("锦程置业的总经理是谁？", True),
        ("云帆物流的总经理是谁？", False),
        ("锦程置业的董事是谁？", False),
        ("青禾种业的总经理是谁？", False),
        ("What is the revenue of Acme?", True),
        ("What is Acme's revenue?", True),
        ("What is the revenue of Borealis?", False),
        ("Where was the head of Acme born?", False),
    ],
)
def test_it_is_told_of_others_only_where_passages_on_the_thing_lack_it_and_others_have_it(
    question, only_of_others
):
    assert told_of_others_only(question, [frozenset(tokens(node)) for node in NODES]) == only_of_others
