"""A figure, table or equation that is asked for by its label is quoted: it alone, from the documents that have it."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.overview.places import place_in

PAPER = r"""# Small Retrievers

## 2 Loss

The loss is given by Equation (1):

$$ L = \alpha L_{KD} + L_{G} \tag{1} $$

Table 1 lists the accuracy. Figure 3b shows the effect of the temperature. See Tab. 1 and Eq. (1) again.

Table 1: Accuracy of all systems

| System | Accuracy (%) |
| --- | --- |
| GraDis | 71.4 |

![Figure 1: The pipeline](a.png)

![Figure 3b: Effect of the temperature](b.png)
"""
REPORT = """# 水库监测年报

表1列出蓄水量，图1为站点分布。

![图1 监测站点分布](sites.png)

表1 2024年蓄水量

| 水库 | 蓄水量 |
| --- | --- |
| 白鹿 | 1005 |
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("labels")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source("paper.md", PAPER.encode()), Source("年报.md", REPORT.encode())])
        yield opened


def quoted(library, question):
    made = library.ask(question)
    for source in made.sources:
        assert source.snippet in library.node(source.node_id).node.text
    return [(source.document, source.snippet) for source in made.sources if made.answered]


TABLE = [
    ("paper.md", "Table 1: Accuracy of all systems"),
    ("paper.md", "System | Accuracy (%)"),
    ("paper.md", "GraDis | 71.4"),
]


@pytest.mark.parametrize("question", ["Table 1", "Tab. 1", "What does Table 1 list?", "What is in Tab. 1 of paper.md?"])
def test_a_table_is_quoted_with_its_caption_however_its_label_is_written(shelf, question):
    assert quoted(shelf, question) == TABLE


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does Equation (1) say?", r"L = \alpha L_{KD} + L_{G} \tag{1}"),
        ("式1是什么？", r"L = \alpha L_{KD} + L_{G} \tag{1}"),
        ("What does Fig. 3b show?", "Figure 3b: Effect of the temperature"),
        ("图1是什么？", "图1 监测站点分布"),
        ("What is Figure 1?", "Figure 1: The pipeline"),
        ("paper.md 的图1是什么？", "Figure 1: The pipeline"),
    ],
)
def test_what_bears_the_label_is_quoted_and_nothing_of_another_kind_or_document(shelf, question, text):
    assert [snippet for _, snippet in quoted(shelf, question)] == [text]


def test_the_caption_of_a_table_may_begin_with_a_year(shelf):
    assert quoted(shelf, "表1列出了什么？")[0] == ("年报.md", "表1 2024年蓄水量")


@pytest.mark.parametrize("question", ["What does Table 9 list?", "图8是什么？"])
def test_a_label_that_nothing_bears_is_not_quoted(shelf, question):
    assert not shelf.ask(question).answered


def test_of_several_labels_none_is_meant():
    assert place_in("Compare Table 1 with Table 2") is None


def test_a_question_for_something_in_a_table_is_answered_by_its_cell(shelf):
    made = shelf.ask("What is the accuracy of GraDis in Table 1?")
    assert "71.4" in made.answer and "Table 1: Accuracy" not in made.answer
