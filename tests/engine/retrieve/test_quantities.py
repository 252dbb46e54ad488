"""An amount is the same however it is written, in either language, and its bearer is among the first found."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.retrieve.quantities import quantities_in
from engine.retrieve.written_numbers import number_forms, number_of


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("€248k", "248000", "EUR"),
        ("EUR 248,000", "248000", "EUR"),
        ("248000 euros", "248000", "EUR"),
        ("2900欧元", "2900", "EUR"),
        ("1.96万元", "19600", "CNY"),
        ("押金人民币19600元", "19600", "CNY"),
        ("五十万元", "500000", "CNY"),
        ("最高时速不得超过二十五公里", "25", "km/h"),
        ("25 km/h", "25", "km/h"),
        ("二十五公里每小时", "25", "km/h"),
        ("限速25公里/小时", "25", "km/h"),
        ("25 km per hour", "25", "km/h"),
        ("全程25公里。每小时一班", "25", "km"),
        ("每天万分之五的违约金", "5", "‱"),
        ("千分之2.5", "2.5", "‰"),
        ("2.5‰", "2.5", "‰"),
        ("twenty-five km", "25", "km"),
        ("three months' written notice", "3", "month"),
        ("提前三个月通知", "3", "month"),
        ("百分之七点五", "7.5", "%"),
        ("82 m²", "82", "m²"),
        ("82平方米", "82", "m²"),
    ],
)
def test_an_amount_is_read_however_it_is_written(text, value, unit):
    assert [(one.value, one.unit) for one in quantities_in(text)] == [(Decimal(value), unit)]


@pytest.mark.parametrize(
    "text", ["17 June 2024", "June 17, 2024", "2024-06-17", "2024/6/17", "2024年6月17日", "17th of June 2024"]
)
def test_a_whole_date_is_one_amount(text):
    assert [(one.value, one.unit) for one in quantities_in(text)] == [(Decimal(20240617), "date")]


@pytest.mark.parametrize(
    "text", ["一天", "一个月", "第三年", "5千米"[1:], "十分重要", "the 5 US firms", "第二十五条"]
)
def test_words_that_only_look_like_amounts_are_none(text):
    assert quantities_in(text) == ()


@given(st.integers(2, 9999))
def test_every_way_of_writing_a_number_means_that_number(value):
    plain, *others = number_forms(Decimal(value))
    assert number_of(plain) == value
    assert all(number_of(form) == value for form in others if not form[0].isdigit())


@given(st.text(max_size=60))
def test_any_text_may_hold_amounts(text):
    for one in quantities_in(text):
        assert one.forms


NOISE = [
    ("prices.md", "# Prices\n\n| Part | Cost (EUR) |\n| --- | --- |\n| Blade | 1,200 |\n| Tower | 4,500 |\n"),
    (
        "euro.md",
        "# The euro\n\nThe euro is what most members of the union pay with.\n\nCosts are told in euro.\n",
    ),
    ("路.md", "# 道路\n\n公里是长度单位。元是货币单位。\n\n万元以下的合同由部门负责。\n"),
]
TEXTS = [
    ("lease.md", "# Lease\n\nThe tenant pays a deposit of EUR 2,900, held apart.\n\nThe flat has 82 m².\n"),
    ("mail.md", "# Move\n\nThe warehouse moves on 17 June 2024. The budget is EUR 248,000.\n"),
    ("租赁.md", "# 合同\n\n押金为人民币19600元。\n\n解除合同应当提前三个月通知。\n"),
    ("条例.md", "# 条例\n\n最高时速不得超过二十五公里。\n\n违反规定的，处五十元罚款。\n"),
]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("quantities")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source(name, text.encode()) for name, text in (*NOISE, *TEXTS)])
        yield opened


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("2900 euros", "EUR 2,900"),
        ("What costs 2900 euros?", "EUR 2,900"),
        ("2900欧元", "EUR 2,900"),
        ("€248k", "EUR 248,000"),
        ("24.8万欧元", "EUR 248,000"),
        ("1.96万元", "19600元"),
        ("19,600 yuan", "19600元"),
        ("25公里", "二十五公里"),
        ("25 km", "二十五公里"),
        ("25 km/h", "二十五公里"),
        ("50元罚款", "五十元"),
        ("3 months", "三个月"),
        ("82平方米", "82 m²"),
        ("2024年6月17日", "17 June 2024"),
        ("2024-06-17", "17 June 2024"),
    ],
)
def test_the_bearer_of_an_amount_comes_first_however_the_question_writes_it(shelf, question, text):
    first = shelf.search(question).hits[0]
    assert text in shelf.node(first.node_id).node.text
    assert any(reason.startswith("quantity:") for reason in first.why)
