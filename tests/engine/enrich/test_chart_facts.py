import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.enrich.figures import chart_facts, enrich_figure
from engine.model import Node


@pytest.mark.parametrize(
    ("caption", "kind"),
    [
        ("Figure 1: Bar chart of sales", "bar"),
        ("图3 2019—2023年营业收入柱状图", "bar"),
        ("Figure 2. Pie chart of costs", "pie"),
        ("Fig. 4. Scatter plot of height vs. weight", "scatter"),
        ("图2 气温变化折线图", "line"),
        ("Figure 5: Confusion matrix", "heatmap"),
        ("图1 系统架构图", "architecture"),
        ("Figure 6: Flow chart of the process", "flowchart"),
        ("图5 组织架构", "organization"),
    ],
)
def test_the_kind_of_chart_is_told_from_the_caption(caption, kind):
    assert chart_facts(caption)["chart_type"] == kind


def test_axes_are_read_from_what_the_caption_says():
    facts = chart_facts("The x-axis shows time in seconds and the y-axis shows accuracy (%).")
    assert (facts["x_axis"], facts["y_axis"]) == ("time in seconds", "accuracy (%)")
    facts = chart_facts("图2-1 两条曲线随时间的变化，横轴表示时间，纵轴为温度")
    assert (facts["x_axis"], facts["y_axis"], facts["series_count"]) == ("时间", "温度", 2)


def test_the_legend_counts_the_series():
    facts = chart_facts("Figure 5: Line chart. The legend lists Alda and Brin.")
    assert facts["legend"] == ["Alda", "Brin"]
    assert facts["series_count"] == 2


def test_ticks_are_read_from_the_picture():
    facts = chart_facts("Figure 1: Sales", "Revenue (USD m)\n2019\n2020\n2021\n100\n200")
    assert facts == {"has_numbers": True}


def test_an_image_keeps_what_it_had():
    node = enrich_figure(
        Node("i", None, "image", metadata={"caption": "Figure 3b: Bar chart", "ocr_text": "", "width": 40})
    )
    assert node.metadata["width"] == 40
    assert node.metadata["label"] == "Figure 3b"
    assert enrich_figure(Node("j", None, "image")) == Node("j", None, "image")


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_caption_will_do(prose, ocr):
    chart_facts(prose, ocr)
