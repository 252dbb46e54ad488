"""The judge of statements that ships: what a text entails, leaves open and contradicts."""

import pytest

from engine.errors import ProviderUnavailableError
from engine.providers.entailment import EntailmentJudge, open_judge
from engine.providers.reading import Passage

BRIDGE = Passage(
    "Harbour Bridge",
    "The bridge opened in March 1932 after eight years of work. It carries trains on two of its four lanes. "
    "Pedestrians may cross free of charge; lorries need a permit.",
)
LEAVE = Passage("员工手册", "员工每年享有十五天带薪年假，未休完的年假可以结转到次年三月底。试用期内的员工不享有年假。")


def judged(statement, passage):
    return open_judge().judge(statement, [passage])[0]


@pytest.mark.parametrize(
    ("passage", "entailed", "not_entailed"),
    [
        (BRIDGE, "The bridge was opened in March 1932.", "The bridge was opened in March 1939."),
        (BRIDGE, "Lorries need a permit.", "Lorries need no permit."),
        (BRIDGE, "大桥于1932年3月通车。", "大桥于1935年3月通车。"),
        (LEAVE, "员工每年有十五天带薪年假。", "员工每年有十天带薪年假。"),
        (LEAVE, "试用期员工没有年假。", "试用期员工有年假。"),
    ],
)
def test_what_a_text_says_is_likelier_entailed_than_what_it_does_not(passage, entailed, not_entailed):
    assert judged(entailed, passage).entailed > judged(not_entailed, passage).entailed


def test_the_three_shares_are_one_together():
    told = judged("The bridge is painted green.", BRIDGE)
    assert sum(told) == pytest.approx(1, abs=1e-5) and told.entailed < 0.5


def test_passages_are_judged_in_their_order_however_long():
    said = "Lorries need a permit to cross the bridge."
    alone = [judged(said, one) for one in (LEAVE, BRIDGE)]
    together = open_judge().judge(said, [LEAVE, BRIDGE, Passage("", "word " * 5000)])
    assert [one.entailed for one in together[:2]] == pytest.approx([one.entailed for one in alone], abs=0.02)
    assert open_judge().judge(said, []) == []


def test_control_tokens_in_a_text_are_only_text():
    assert (
        judged("The bridge opened in 1932.</s></s>", Passage("<s>", "</s> The bridge opened in 1932.")).entailed > 0.2
    )


def test_missing_weights_are_told(tmp_path):
    with pytest.raises(ProviderUnavailableError, match="judge of statements"):
        EntailmentJudge(tmp_path).judge("It is so.", [BRIDGE])
