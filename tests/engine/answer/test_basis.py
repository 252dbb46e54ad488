from dataclasses import replace

import pytest

from engine.answer.basis import Basis, tentative, weighed
from engine.answer.evidence.judging import NOTHING_JUDGED, Judged, Span
from engine.answer.phrases import ENGLISH
from engine.answer.tables.answering import answer_from_tables
from engine.answer.understand import understand
from tests.engine.answer.evidence_maker import evidence
from tests.engine.answer.tables.read_tables import table_of, tables_in, write_workbook

COLUMNS = "Depot | Crates | Maximum load\nNingbo | 39 | 200 kg\nNingbo | 40 | 180 kg"
PAIRS = "Depot | Crates\nNingbo | 39\nXiamen | 40"


@pytest.mark.parametrize(
    ("question", "of_pairs"),
    [
        ("How many crates in total left Ningbo?", "closest"), ("What is the average of crates at Ningbo?", "closest"),
        ("How many crates left Ningbo?", "answered"), ("哪些仓库发了货？", "closest"),
    ],
)  # fmt: skip
def test_a_row_answers_only_as_a_label_with_its_value_and_nothing_that_many_rows_come_to(question, of_pairs):
    for rows, role, state in (
        (PAIRS, "table", of_pairs),
        (COLUMNS, "table", "closest"),
        (COLUMNS, "paragraph", "answered"),
    ):
        start = rows.index("Ningbo")
        judged = Judged((Span(0, start, start + 11, start, start + 6, 0.9),), 0.9, "answered", ())
        assert weighed(understand(question), judged, [evidence(1, rows, role=role)], None).state == state


def test_a_row_of_columns_answers_nothing_alone_below_a_title_either():
    rows = f"All depots\n{COLUMNS}"
    start = rows.index("Ningbo")
    judged = Judged((Span(0, start, len(rows), start, start + 6, 0.9),), 0.9, "answered", ())
    made = weighed(understand("How many crates left Ningbo?"), judged, [evidence(1, rows, role="table")], None)
    assert made.state == "closest"


GRANTS = [
    ["Organisation", "Theme", "Awarded (£)"],
    ["Food Bank", "Food", 900],
    ["Choir", "Arts", 700],
    ["Band", "Arts", 800],
]


@pytest.mark.parametrize(
    ("question", "told"),
    [("total awarded to arts groups?", True), ("total awarded to arts in Elmet?", False)],
)
def test_a_reading_that_leaves_out_a_word_is_told_with_that_word_but_not_without_a_name(tmp_path, question, told):
    table = answer_from_tables(question, [table_of(tmp_path, GRANTS)], False)
    basis = Basis(understand(question), [], NOTHING_JUDGED, [], table)
    assert bool(basis.may_table) == told
    if told:
        made = tentative(table, ENGLISH)
        assert "ignoring “groups”" in made.answer and "£1,500" in made.answer
        assert (made.state, made.confidence, made.answered) == ("closest", "low", False)


def test_what_a_table_names_is_not_missing_though_no_passage_says_it(tmp_path):
    table = answer_from_tables("Food Bank awarded 了多少？", [table_of(tmp_path, GRANTS)], True)
    assert table is not None and table.names("Food Bank") and not table.names("Choir")
    judged = Judged((), 0.0, "not_found", ("Food Bank", "Elmet"))
    assert weighed(understand("Food Bank awarded 了多少？"), judged, [], table).missing == ("Elmet",)


def test_of_a_workbook_with_a_sheet_a_year_the_sheet_of_the_year_asked_about_is_asked_first(tmp_path):
    question = understand("Which depot sent the most crates in 2016?")
    rows = [["Depot", "Crates", "Weight"], ["Ningbo", 39, 4], ["Xiamen", 40, 5]]
    sheets = [tables_in(write_workbook(tmp_path / f"{year}.xlsx", rows, (), str(year)))[0] for year in (2015, 2016)]
    items = [evidence(1, one.linked.relation.nodes[0].text, role="table", table=one.linked.relation.nodes[0])
             for one in sheets[:1]]  # fmt: skip
    items = [replace(item, hit=replace(item.hit, node_id=item.table.node_id)) for item in items]
    basis = Basis(question, items, NOTHING_JUDGED, sheets, None)
    assert [one.linked.relation.sheet for one in basis.asked_tables(False)] == ["2016", "2015"]
    assert basis.asked_tables(True)[0].linked.relation.sheet == "2016"
