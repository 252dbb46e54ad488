"""Which answers can be drawn as a chart, and how."""

from engine.model import Answer, Statement
from pages.widgets.answer_chart import figures_of, spec_of

RANKING = (
    "Sales, 3 found:\n\n- Zone NA: 12,553 million CHF\n- Zone EUR: 9,467 million CHF\n"
    "- Zone GC: −137 million CHF [1][2]"
)
TREND = "营业收入:\n\n- 2019年: 1,200.5 万元 [1]\n- 2020年：1,310 万元 [2]\n- 2021年：1,280 万元 [3]"


def answer(text: str, state: str = "computed") -> Answer:
    statements = [Statement(0, len(text), state)]
    return Answer(text, "direct", "high", answered=True, sources=[], statements=statements)


def test_a_computed_ranking_is_drawn_as_bars_in_its_order():
    figures = figures_of(answer(RANKING))
    assert figures and figures.labels == ["Zone NA", "Zone EUR", "Zone GC"]
    assert figures.numbers == [12553, 9467, -137] and figures.unit == "million CHF" and not figures.over_time
    spec = spec_of(figures, "light")
    assert spec["series"][0]["type"] == "bar" and spec["yAxis"]["inverse"]


def test_numbers_over_years_are_drawn_as_a_line_in_chinese_too():
    figures = figures_of(answer(TREND))
    assert figures and figures.over_time and figures.unit == "万元"
    assert spec_of(figures, "dark")["series"][0]["data"] == [1200.5, 1310, 1280]


def test_what_was_not_computed_or_has_several_units_or_too_few_numbers_is_no_chart():
    assert figures_of(answer(RANKING, "supported")) is None
    assert figures_of(answer(RANKING.replace("9,467 million CHF", "12 %"))) is None
    assert figures_of(answer("- One: 1\n- Two: 2")) is None
    assert figures_of(answer("- No AI\n- Likely: Expert AGI\n- Level 3: none")) is None
