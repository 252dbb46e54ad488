from engine.model import Node
from engine.retrieve.hits import place_of
from engine.retrieve.snippet import Passage, Sought

ROWS = ["Item | 2021 | 2020\n", "Inventories | 31 | 29\n", "Goodwill | 12 | 12\n", "Total assets | 90 | 84"]
SPANS = [
    {"page": 4, "bbox": [10, 20, 30, 40], "chars": len(ROWS[0] + ROWS[1]), "row": 0},
    {"page": 5, "bbox": [10, 5, 30, 15], "chars": len(ROWS[2] + ROWS[3]), "row": 2},
]


def table(spans):
    return Node("t", None, "table", text="".join(ROWS), page=4, bbox=(10, 20, 30, 40), metadata={"spans": spans})


def found(node, word):
    return place_of(node, Passage(node.text, "", Sought([(word, 1.0)])))


def test_a_row_on_the_second_page_of_a_table_is_shown_there():
    assert found(table(SPANS), "goodwil") == (5, (10, 5, 30, 15))


def test_a_row_on_the_first_page_is_shown_there():
    assert found(table(SPANS), "inventori") == (4, (10, 20, 30, 40))


def test_a_table_of_which_no_row_is_asked_for_is_shown_where_it_begins():
    assert found(table(SPANS), "weather") == (4, (10, 20, 30, 40))


def test_parts_of_unknown_length_are_shown_where_the_node_begins():
    bare = [{"page": 4, "bbox": [10, 20, 30, 40]}, {"page": 5, "bbox": [10, 5, 30, 15]}]
    assert found(table(bare), "goodwil") == (4, (10, 20, 30, 40))
