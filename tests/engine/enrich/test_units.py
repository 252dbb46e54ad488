import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.enrich.units import Measure, header_measure, measure_of, note_measure


@pytest.mark.parametrize(
    ("phrase", "unit", "scale"),
    [
        ("in millions of €", "EUR", 10**6),
        ("(In thousands, except percentages)", None, 1000),
        ("$ in millions, except per share amounts", "USD", 10**6),
        ("$'000", "USD", 1000),
        ("$000", "USD", 1000),
        ("USDm", "USD", 10**6),
        ("RMB million", "CNY", 10**6),
        ("in thousands of U.S. dollars", "USD", 1000),
        ("NT dollars in thousands", "TWD", 1000),
        ("Shares in thousands", "share", 1000),
        ("(inthousands)", None, 1000),
        ("人民币万元", "CNY", 10**4),
        ("亿千瓦时", "kWh", 10**8),
        ("元/股", "CNY/share", 1),
        ("mg/L", "mg/L", 1),
        ("％", "%", 1),
    ],
)
def test_a_phrase_of_units_is_read(phrase, unit, scale):
    assert measure_of(phrase) == Measure(unit, scale)


@pytest.mark.parametrize("phrase", ["", "see Note 2", "loss", "decrease", "the", "in", "/", "per"])
def test_a_phrase_that_says_more_or_nothing_is_no_measure(phrase):
    assert measure_of(phrase) is None


@pytest.mark.parametrize(
    ("header", "unit", "scale"),
    [
        ("Prop. (%)", "%", 1),
        ("Fuel expense (in millions)", None, 10**6),
        ("Revenue, $m", "USD", 10**6),
        ("Weight / kg", "kg", 1),
        ("Mass kg/m3", "kg/m³", 1),
        ("Latency ms", "ms", 1),
        ("耗时ms", "ms", 1),
        ("营业收入（万元）", "CNY", 10**4),
        ("收入/万元", "CNY", 10**4),
        ("同比增减(%)", "%", 1),
        ("% change", "%", 1),
        ("Sales in USD", "USD", 1),
        ("Percentage of total", "%", 1),
        ("Passengers (thousands) (c)", None, 1000),
        ("Temperature (℃)", "℃", 1),
    ],
)
def test_a_header_names_its_unit(header, unit, scale):
    assert header_measure(header) == Measure(unit, scale)


@pytest.mark.parametrize(
    "header",
    [
        "Year",
        "Market share",
        "Games won",
        "People",
        "Company",
        "Men",
        "W",
        "Net (loss)",
        "MIN (min)",
        "Depth of the wells / M (m)",
        "Height in",
        "Robbery rate per 100,000",
        "人数",
        "",
    ],
)
def test_a_plain_word_is_no_unit(header):
    assert header_measure(header) is None


def test_letters_that_mark_footnotes_are_no_units():
    assert header_measure("Weight (g)") == Measure("g") and header_measure("Time / MAX (min)") == Measure("min")
    assert header_measure("Cost per mile (g)", lettered=True) is None


@pytest.mark.parametrize(
    ("note", "unit", "scale"),
    [
        ("Table 3: Sales (In millions, except per share data)", None, 10**6),
        ("表2-1 主要指标 单位：人民币万元", "CNY", 10**4),
        ("单位：元 币种：人民币", "CNY", 1),
        ("The following table shows net sales by type (in thousands):", None, 1000),
        ("All amounts are in thousands of U.S. dollars except where noted.", "USD", 1000),
        ("Millions, except per share amounts, for the three months ended June 30,", None, 10**6),
    ],
)
def test_a_note_states_the_unit_of_a_table(note, unit, scale):
    assert note_measure(note) == Measure(unit, scale)


def test_an_ordinary_sentence_states_no_unit():
    assert note_measure("Shown in the table are the main results of the year.") is None


@given(st.text(max_size=200))
def test_no_text_is_too_odd(text):
    measure_of(text)
    header_measure(text)
    note_measure(text)
