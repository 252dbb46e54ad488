"""From a real workbook and a real Markdown table to a cited answer, without a model."""

import pytest
from made_tables import SALES, workbook

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library

CITIES = "# 城市统计\n\n| 城市 | 省份 | 人口（万人） | 面积 |\n|---|---|---|---|\n" + "\n".join(
    f"| {name} | {province} | {people} | {area} |"
    for name, province, people, area in [
        ("杭州", "浙江", 1237, 16850), ("宁波", "浙江", 961, 9816),
        ("苏州", "江苏", 1291, 8657), ("南京", "江苏", 949, 6587),
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("tables")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source("sales.xlsx", workbook(Sales=SALES)), Source("cities.md", CITIES.encode())])
        yield opened


def test_a_workbook_answers_with_the_address_of_every_cell(library):
    made = library.ask("What is the percentage change in North from 2022 to 2023?")
    assert made.answered and "25% ((1,500 − 1,200) ÷ 1,200 = 25%) [1][2]" in made.answer
    assert [source.cell for source in made.sources] == ["Sales!B2", "Sales!C2"]
    step = next(step for step in made.reasoning_trace if step.tool == "PERCENT_CHANGE")
    assert step.params["old"]["row"] == 1 and step.result_summary == "25%"
    assert (made.mode, made.engine) == ("direct", "extractive")


def test_a_markdown_table_answers_in_chinese(library):
    made = library.ask("哪个城市的人口最多？")
    assert "苏州" in made.answer and made.sources[0].snippet.startswith("苏州 | 江苏")
    assert "342" in library.ask("南京和苏州的人口相差多少？").answer


@pytest.mark.parametrize("question", ["What were the South sales in 2022?", "浙江有几个城市？"])
def test_every_snippet_stands_word_for_word_in_its_node(library, question):
    made = library.ask(question)
    assert made.sources
    for source in made.sources:
        assert source.snippet in library.node(source.node_id).node.text
        assert f"[{source.n}]" in made.answer


def test_a_question_that_no_table_answers_goes_on_as_before(library):
    made = library.ask("Why did the sales of the South fall?")
    assert not any(step.tool in ("LOOKUP", "DIFF") for step in made.reasoning_trace)
