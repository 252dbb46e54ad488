"""Tables among the evidence of questions that no operator answers: what of them is quoted, and what is refused."""

import pytest
from evidence_maker import evidence

from engine.answer.candidates import candidates
from engine.answer.check.sources import Sources
from engine.answer.extractive import offers_what_is_asked, quotation
from engine.answer.grounded.prompt import block
from engine.answer.phrases import CHINESE, ENGLISH
from engine.answer.quotes import Quote
from engine.answer.refusal import refuse
from engine.enrich.tables import enrich_table
from engine.model import Node

SYSTEMS = [["System", "Accuracy (%)", "Latency (ms)"], ["BM25", "48.2", "5"], ["GraDis", "71.4", "19"]]
RESERVOIRS = [["水库", "2022年", "2023年"], ["青溪水库", "1200", "1350"], ["白鹿水库", "860", "910"]]


def tabled(number, rows, caption, **more):
    """Return a table as it is found: with its rows as text and its node."""
    text = "\n".join(" | ".join(row) for row in rows)
    node = Node(
        f"n{number:014x}", None, "table", text=text, metadata={"rows": rows, "caption": caption}, **more
    )
    return evidence(number, text, role="table", title=caption, table=enrich_table(node), cell=node.cell)


def systems():
    said = evidence(2, "Table 1 lists the accuracy of all systems. The systems were trained for 11 hours.")
    return [tabled(1, SYSTEMS, "Table 1: Accuracy and latency of all systems"), said]


def reservoirs():
    said = evidence(2, "本报告汇总近年各水库的监测数据。表1列出蓄水量。", document="年报.md")
    return [tabled(1, RESERVOIRS, "表1 各水库蓄水量（单位：万立方米）"), said]


def quoted(question, items):
    found = quotation(question, candidates(question, items), items)
    return [items[quote.index].text[quote.start : quote.end] for quote in found.quotes], found.plain


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Rank the systems by accuracy.", systems), ("What is the average accuracy of the systems?", systems),
        ("Which system has the highest accuracy?", systems), ("Which systems are above 50 in accuracy?", systems),
        ("What latency has a good system?", systems), ("What is accuracy minus latency for GraDis?", systems),
        ("2023年哪座水库的蓄水量最多？", reservoirs), ("各水库2023年的蓄水量合计", reservoirs),
        ("按蓄水量对2023年的水库排序", reservoirs), ("玉泉水库2023年的蓄水量是多少？", reservoirs),
    ],
)  # fmt: skip
def test_neither_a_header_nor_what_it_is_computed_from_is_an_answer(question, items):
    assert quoted(question, items()) == ([], False)


@pytest.mark.parametrize(
    ("question", "items", "row"),
    [
        ("What is the latency of GraDis?", systems, "GraDis | 71.4 | 19"),
        ("白鹿水库2023年的蓄水量是多少？", reservoirs, "白鹿水库 | 860 | 910"),
    ],
)
def test_the_row_that_is_asked_for_is_quoted_below_its_header(question, items, row):
    lines, _ = quoted(question, items())
    assert lines[1] == row and lines[0] == items()[0].text.split("\n")[0]


def test_a_row_that_tells_the_outcome_itself_is_quoted():
    rows = [["Region", "2022"], ["North", "5"], ["South", "7"], ["Total", "12"]]
    lines, _ = quoted("What is the total of 2022?", [tabled(1, rows, "Sales")])
    assert lines == ["Region | 2022", "Total | 12"]


def test_a_sentence_that_tells_the_outcome_answers_beside_a_table():
    said = evidence(2, "GraDis is the system with the highest accuracy of all.")
    lines, _ = quoted("Which system has the highest accuracy?", [systems()[0], said])
    assert lines == ["GraDis is the system with the highest accuracy of all."]


@pytest.mark.parametrize(
    ("question", "items", "count"),
    [("Which systems are in the table on accuracy?", systems, 3), ("哪些水库有蓄水量？", reservoirs, 3)],
)
def test_a_small_table_is_quoted_whole_where_the_question_asks_for_what_it_lists(question, items, count):
    lines, plain = quoted(question, items()[:1])
    assert len(lines) == count and not plain


def test_a_table_that_does_not_tell_what_its_list_is_to_be_limited_to_is_not_quoted():
    assert quoted("Which systems are open source?", systems()[:1]) == ([], False)


@pytest.mark.parametrize(
    ("question", "items", "phrases"),
    [("Rank the systems by accuracy.", systems, ENGLISH), ("按蓄水量对水库排序", reservoirs, CHINESE)],
)
def test_a_refusal_says_that_the_nearest_table_would_have_to_be_computed_with(question, items, phrases):
    found = candidates(question, items())
    text, citations = refuse(question, items(), found, mode="hybrid", searched=None, phrases=phrases)
    assert phrases.not_computed in text and citations[0].node_id == items()[0].hit.node_id


@pytest.mark.parametrize(
    ("items", "told"),
    [
        (
            systems,
            ["Table 1: Accuracy and latency of all systems", "(columns: System; Accuracy (%); Latency (ms))"],
        ),
        (reservoirs, ["表1 各水库蓄水量（单位：万立方米）", "(columns: 水库; 2022年 (万m³); 2023年 (万m³))"]),
    ],
)
def test_a_model_is_shown_a_table_with_its_caption_and_units(items, told):
    lines = block(1, items()[0]).split("\n")
    assert lines[1:3] == told and lines[3] == items()[0].text.split("\n")[0]


def test_quoted_rows_have_the_address_of_their_cells():
    table = systems()[0]
    sources = Sources([table, tabled(2, SYSTEMS, "", cell="Runs!B7:D9")])
    sources.add(0, table.text.index("GraDis"), len(table.text))
    sources.add(0, 0, len(table.text))
    sources.add(1, 0, 5)
    assert [one.cell for one in sources.citations] == ["A3:C3", "A1:C3", "A1:C1"]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the latency of GraDis?", True),
        ("What is the licence of GraDis?", False),
        ("How loud is GraDis?", False),
        ("GraDis 的许可证是什么？", False),
    ],
)
def test_a_row_whose_table_has_no_such_column_is_no_sure_answer(question, answers):
    items = systems()[:1]
    at = items[0].text.index("GraDis")
    row = [Quote(0, at, len(items[0].text))]
    assert offers_what_is_asked(question, row, items) == answers
