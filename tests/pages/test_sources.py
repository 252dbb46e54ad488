"""The cards of an answer's sources."""

from dataclasses import replace

from engine.model import Citation
from pages.widgets.answer import cards

CELL = Citation(1, "d1", "notices.pdf", 1, "Notices > July", "n1", 1, None, "A2", "July | Edison | 38", 1.0)


def test_cells_of_one_row_are_one_card_that_opens_the_first_of_them():
    other = replace(CELL, n=3, snippet="May | Golf | 64", cell="A9")
    first, second = cards([CELL, replace(CELL, n=2, cell="B2"), other])
    assert (first["n"], first["said"], first["section"]) == ([1, 2], "July · Edison · 38", "Notices › July")
    assert "cell=A2" in first["href"] and second["n"] == [3]


def test_the_same_words_of_another_document_are_another_card():
    assert len(cards([CELL, replace(CELL, n=2, node_id="n2", document="other.pdf")])) == 2


def test_cells_of_one_row_of_a_sheet_are_one_card_that_names_them():
    cell = replace(CELL, document="benches.csv", page=None, cell="H2")
    row = [replace(cell, n=n, cell=name) for n, name in enumerate(("H2", "F2", "B2"), 1)]
    [two] = cards(row[:2])
    [three] = cards(row)
    assert (two["n"], two["place"]) == ([1, 2], "H2, F2")
    assert (three["n"], three["place"]) == ([1, 2, 3], "H2 … B2")
