"""Cells as citations: the row word for word, with sheet and cell."""

import pytest
from read_tables import ORDERS, SHIPS, table_of

from engine.answer.tables.cite import MOST_CITED, Computed, cite
from engine.answer.tables.found_tables import RelationCache
from engine.model import Citation, Hit, Node


def test_a_cell_is_cited_with_the_line_of_its_row(tmp_path):
    table = table_of(tmp_path, ORDERS)
    relation = table.linked.relation
    [citation] = cite([(1, 4)], relation, table.hit)
    assert (citation.cell, citation.document, citation.n) == ("Sheet!E3", "book.xlsx", 0)
    assert citation.snippet == "A-002 | Birch AG | South | cancelled | (60) | 2023-05-10"
    assert citation.snippet in relation.nodes[0].text


def test_a_cell_is_cited_once(tmp_path):
    table = table_of(tmp_path, SHIPS)
    assert len(cite([(0, 0), (0, 0)], table.linked.relation, table.hit)) == 1


def test_an_empty_cell_is_not_cited_by_a_text_that_it_does_not_have(tmp_path):
    table = table_of(tmp_path, ORDERS)
    assert all(one.snippet for one in cite([(4, 4)], table.linked.relation, table.hit))


def test_of_many_cells_the_last_citation_is_the_block_that_holds_them(tmp_path):
    table = table_of(tmp_path, [["Item", "Kind", "Tons"], *([f"i{n}", "x", n] for n in range(1, 31))])
    cells = [(row, column) for row in range(30) for column in (2, 0)]
    made = cite(cells, table.linked.relation, table.hit)
    assert [one.cell.partition("!")[2] for one in made] == [
        "C2",
        "A2",
        "C3",
        "A3",
        "C4",
        "A4",
        "C5",
        "A2:C31",
    ]
    assert len(made) == MOST_CITED


def test_the_block_holds_a_column_that_only_later_rows_are_cited_in(tmp_path):
    table = table_of(tmp_path, [["Item", "Kind", "Tons"], *([f"i{n}", "x", n] for n in range(1, 31))])
    cells = [(0, 2), *((row, 0) for row in range(1, 29)), (29, 1)]
    assert cite(cells, table.linked.relation, table.hit)[-1].cell == "Sheet!A2:C31"


def test_a_part_of_a_long_sheet_is_cited_by_its_own_node_and_the_address_of_the_sheet(tmp_path):
    table = table_of(tmp_path, [["Asset", "Cost"], *([f"A-{n}", n] for n in range(1, 451))])
    relation = table.linked.relation
    [citation] = cite([(429, 1)], relation, table.hit)
    assert (citation.cell, citation.snippet) == ("Sheet!B431", "A-430 | 430")
    assert citation.node_id == relation.nodes[2].node_id
    assert citation.snippet in relation.nodes[2].text


@pytest.mark.parametrize("text", ["", "other words"])
def test_what_does_not_stand_in_the_text_is_not_cited(text):
    rows = [["Item", "Price"], ["Tea", "3"], ["Milk", "2"]]
    node = Node("n1", None, "table", text=text, metadata={"rows": rows})
    linked = RelationCache().open("d1", 1, [node])
    hit = Hit("n1", "d1", "a.xlsx", 1, "table", 1.0, 1, None, None, [], "")
    assert cite([(0, 1)], linked.relation, hit) == []


def test_marks_stand_behind_the_lines_that_they_are_of_else_at_the_end():
    cited = [Citation(0, "d1", "a.csv", 1, "", f"n{n}", None, None, f"B{n}", f"A | {n}", 1.0) for n in (4, 5)]
    assert Computed(["4", "5"], "Found:\n\n- A: 4\n- B: 5", cited, [2, 3]).marked() == (
        "Found:\n\n- A: 4 [1]\n- B: 5 [2]"
    )
    assert Computed(["9"], "It is 9.", cited).marked() == "It is 9. [1][2]"
