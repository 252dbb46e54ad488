import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.answer.check.contradictions.denial import denies
from engine.answer.check.contradictions.exchanged import exchanges
from said_again import CHINESE, ENGLISH


def says_otherwise(claim, source):
    return denies(claim, source) or exchanges(claim, source)


@pytest.mark.parametrize("pairs", [ENGLISH, CHINESE], ids=["English", "Chinese"])
def test_the_same_in_other_words_is_hardly_ever_called_the_opposite(pairs):
    said = [(claim, one.source) for one in pairs for claim in one.true]
    alarms = [claim for claim, source in said if says_otherwise(claim, source)]
    assert len(said) > 50 and len(alarms) < 0.03 * len(said), alarms


@pytest.mark.parametrize("pairs", [ENGLISH, CHINESE], ids=["English", "Chinese"])
def test_the_opposite_is_nearly_always_told(pairs):
    said = [(claim, one.source) for one in pairs for claim in one.false]
    missed = [claim for claim, source in said if not says_otherwise(claim, source)]
    assert len(said) > 40 and len(missed) < 0.1 * len(said), missed


@pytest.mark.parametrize("one", [*ENGLISH, *CHINESE], ids=lambda one: one.source[:20])
def test_a_text_never_denies_itself(one):
    assert not says_otherwise(one.source, one.source)


def test_another_language_is_not_judged():
    assert not says_otherwise("可以乘坐公务舱。", "Business class is not allowed.")
    assert not says_otherwise("Business class is allowed.", "不得乘坐公务舱。")


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The rent is due after at most 30 days.", "The rent is due after at least 30 days."),
        ("押金至少在30日后退还。", "押金最多在30日后退还。"),
        ("The speed is unlimited.", "The speed may not exceed 25 km/h."),
    ],
)
def test_another_bound_is_the_opposite(claim, source):
    assert denies(claim, source)


def test_one_sentence_of_a_text_that_says_so_is_enough():
    assert not denies(
        "The library is closed on Mondays.",
        "The library is open on Mondays. The library is closed on Mondays.",
    )


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Avoid alcohol while taking this medication.", "Do not take this medication with alcohol."),
        (
            "Sugar-free drinks are allowed during the fast.",
            "During the fast, only drinks without sugar are allowed.",
        ),
        ("The new model has no fan.", "The older model has a fan; the new model is fanless and silent."),
        ("The committee did not reach a decision.", "The committee failed to reach a decision."),
        ("Wear is not covered by the warranty.", "The warranty covers defects. Wear is excluded."),
        ("他从未获得该奖项。", "他四次获得提名，但均未获奖。"),
        ("没有证件的人员不能操作设备。", "无证人员不得操作设备。"),
        ("超过14天提交的发票不予报销。", "发票应在出差结束后14天内提交，逾期不予报销。"),
        ("申请没有通过。", "该申请未予批准。"),
    ],
)
def test_what_is_denied_in_other_words_is_left_open(claim, source):
    assert not says_otherwise(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The seller pays the transport costs.",
            "The buyer pays the transport costs. The seller pays the insurance.",
        ),
        (
            "Transport is paid by the Seller.",
            "Transport is paid by the Buyer. Insurance is paid by the Seller.",
        ),
        ("Mr. Keller was appointed by Ms. Orth.", "Ms. Orth was appointed by Mr. Keller."),
        ("运输费用由卖方承担。", "运输费用由买方承担。保险费用由卖方承担。"),
    ],
)
def test_the_part_of_one_given_to_another_is_told(claim, source):
    assert exchanges(claim, source)


def test_one_person_under_two_names_is_not_exchanged():
    source = 'Harbour Ltd ("Landlord") owns the flat. The Landlord pays the repairs.'
    assert not exchanges("Harbour Ltd pays the repairs.", source)
    assert not exchanges("Ms. Orth married Mr. Keller in 2001.", "Mr. Keller married Ms. Orth in 2001.")


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("未成年人不得使用本平台。", "未满十八周岁的人员不得使用本平台。"),
        ("本公司不招用十六周岁以下的人员。", "本公司不招用未满十六周岁的人员。"),
        ("The machine is switched off at night.", "The machine is not switched on at night."),
        (
            "The lamps were turned on at dusk.",
            "The lamps are switched on at dusk and switched off at midnight.",
        ),
        ("Switch the pump off before cleaning.", "The pump must be switched off before cleaning."),
        ("自动售货机夜间关闭。", "自动售货机夜间不打开。"),
    ],
)
def test_ages_and_switches_in_other_words_are_no_denial(claim, source):
    assert not denies(claim, source) and not denies(source, claim)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("未满十八周岁的员工可以安排夜班。", "未满十八周岁的员工不得安排夜班。"),
        ("The machine is switched on at night.", "The machine stays switched off at night."),
        ("Leave the pump turned on while cleaning.", "The pump must be turned off while cleaning."),
    ],
)
def test_what_is_said_of_an_age_or_a_switch_may_be_denied(claim, source):
    assert denies(claim, source)
