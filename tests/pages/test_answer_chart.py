"""Which answers can be drawn as a chart."""

from engine.model import Answer, Statement
from pages.widgets.answer import figures_of
from tests.pages.shelves import new_app

RANKING = (
    "Sales, 3 found:\n\n- Zone NA: 12,553 million CHF\n- Zone EUR: 9,467 million CHF\n"
    "- Zone GC: −137 million CHF [1][2]"
)
TREND = "营业收入:\n\n- 2019年: 1,200.5 万元 [1]\n- 2020年：1,310 万元 [2]\n- 2021年：1,280 万元 [3]"


def answer(text: str, state: str = "computed") -> Answer:
    statements = [Statement(0, len(text), state)]
    return Answer(text, "direct", "high", answered=True, sources=[], statements=statements)


def drawn(text: str) -> str:
    """The chart that stands below the switch once it is on, as Vega-Lite."""

    def draw(answer):
        from pages.widgets import fragments
        from pages.widgets.answer import show_answer

        fragments.note_page("chat")
        show_answer(answer, "1")

    app = new_app(draw, answer(text)).run()
    app.toggle(key="chart.1").set_value(True).run()
    (chart,) = app.get("arrow_vega_lite_chart") or app.get("vega_lite_chart")
    return chart.proto.spec


def test_a_computed_ranking_is_drawn_as_bars_in_its_order():
    figures = figures_of(answer(RANKING))
    assert figures and figures.labels == ["Zone NA", "Zone EUR", "Zone GC"]
    assert figures.numbers == [12553, 9467, -137] and figures.unit == "million CHF" and not figures.over_time
    assert '"bar"' in drawn(RANKING) and "million CHF" in drawn(RANKING)


def test_numbers_over_years_are_drawn_as_a_line_in_chinese_too():
    figures = figures_of(answer(TREND))
    assert figures and figures.over_time and figures.unit == "万元"
    assert figures.numbers == [1200.5, 1310, 1280]
    assert '"line"' in drawn(TREND)


def test_what_was_not_computed_or_has_several_units_or_too_few_numbers_or_two_of_one_name_is_no_chart():
    assert figures_of(answer(RANKING, "supported")) is None
    assert figures_of(answer(RANKING.replace("9,467 million CHF", "12 %"))) is None
    assert figures_of(answer("- One: 1\n- Two: 2")) is None
    assert figures_of(answer("- One: 1\n- Two: 2\n- Two: 3")) is None  # bars of one name would be added up
    assert figures_of(answer("- No AI\n- Likely: Expert AGI\n- Level 3: none")) is None
