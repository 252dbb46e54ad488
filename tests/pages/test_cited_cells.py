from dataclasses import replace

from engine.model import Answer, Citation, Node, Statement
from pages.widgets.beside import spoken_of
from pages.widgets.table_grid import cited_in

ROWS = [
    ["Ship", "Class", "Crew", "Engine", "Power (kW)", "Cars", "Home port"],
    ["Heron", "Ferry", "13", "Diesel 7", "2670", "13", "Vardo"],
    ["Ibis", "Tug", "14", "Diesel 8", "2880", "0", "Vardo"],
]
FACTS = {"rows": ROWS, "header_rows": 1, "header_columns": 1, "row_numbers": [4, 5, 6]}
SHIPS = Node("t", "s", "table", text="…", cell="Ships!B4:H6", metadata=FACTS)
ROW = Citation(1, "d", "ships.xlsx", 1, "Ships", "t", 1, None, "Ships!B5:H5", " | ".join(ROWS[1]), 1.0)


def spoken(text: str, question: str = "", *, node: Node = SHIPS, cited: Citation = ROW) -> str:
    stated = [Statement(0, len(text), "supported", sources=[cited.n])]
    answer = Answer(text, "direct", "high", True, [cited], statements=stated)
    return spoken_of(node, cited, answer, question)


def test_the_cells_of_a_cited_row_that_hold_what_the_answer_says_are_meant():
    assert spoken("The Heron runs on a Diesel 7 of 2,670 kW [1].") == "E5;F5"
    assert spoken("The Heron's home port is Vardo [1].") == "H5"


def test_of_cells_that_say_the_same_the_one_is_meant_whose_column_is_told():
    assert spoken("The Heron has a crew of 13 [1].") == "D5"
    assert spoken("13 [1].", "How many cars fit on the Heron?") == "G5"


def test_where_the_row_is_quoted_whole_the_column_that_was_asked_for_is_meant():
    assert spoken(" | ".join(ROWS[1]) + " [1]", "Which engine has the Heron?") == "E5"
    assert spoken(" | ".join(ROWS[1]) + " [1]", "Tell me about the Heron") == ""


def test_what_names_the_row_is_meant_only_where_nothing_else_is_said_of_it():
    assert spoken("The Heron is the only one [1].") == "B5"


def test_a_part_of_a_number_or_a_word_is_no_cell():
    assert spoken("The Heron was built in 1326 [1].") == "B5"


def test_of_a_block_of_rows_the_cells_are_meant_that_the_answer_states():
    block = replace(ROW, cell="Ships!B5:H6")
    assert spoken("Diesel 7 [1]", cited=block) == "E5"
    assert spoken("Most power has the Ibis: 2,880 kW [1].", cited=block) == "F6"
    assert spoken("- Ibis: 2,880 kW\n- Heron: 2,670 kW [1]", cited=block) == "F5;F6"
    assert spoken("The fleet has 27 hands [1].", cited=block) == ""
    sizes = replace(SHIPS, metadata=FACTS | {"rows": [ROWS[0], [*ROWS[1][:5], "1", "Vardo"], ROWS[2]]})
    assert spoken("27 hands in all [1].", node=sizes, cited=block) == "", "a mark states no 1"


def test_a_citation_of_one_cell_stays_as_it_is():
    assert spoken("Diesel 7 [1]", cited=replace(ROW, cell="Ships!E5")) == ""
    assert spoken("Diesel 7 [1]", node=Node("p", "s", "paragraph", text="Diesel 7")) == ""


def test_without_statements_the_lines_with_the_mark_say_what_is_meant():
    answer = Answer("Two ships have engines.\nHeron: Diesel 7 [1]\nIbis: Diesel 8 [2]", "direct", "high", True, [ROW])
    assert spoken_of(SHIPS, ROW, answer, "") == "E5"


def test_several_addresses_mark_their_cells():
    assert cited_in(SHIPS, cell="E5;F5") == {(1, 3), (1, 4)}
