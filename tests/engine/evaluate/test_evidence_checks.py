"""Checks of evidence: page, box, cell and unit."""

from engine.enrich.tables import enrich_table
from engine.evaluate.evidence import Gold, check, role_of, shares
from engine.model import Hit, Node

TABLE = enrich_table(
    Node(
        "t", "s", "table", page=3, bbox=(0, 0, 9, 9),
        metadata={"rows": [["Item", "2023 (USD)"], ["Machines", "1,577"], ["Land", "20"]]},
    )
)  # fmt: skip
TEXT = Node("p", "s", "paragraph", text="Profit was 12.5 % of sales.", page=3, bbox=(0, 0, 9, 9))


def hit(node: Node, rank: int = 1) -> Hit:
    return Hit(node.node_id, "d", "a.pdf", 1, node.role, 1.0, rank, node.page, node.bbox, [], "")


def page_of(one: Hit) -> str:
    return f"a#{(one.page or 1) - 1}"


def gold(*answers: str) -> Gold:
    return Gold(frozenset({"a#2"}), [TABLE, TEXT], answers)


def test_the_right_page_box_cell_and_unit_are_seen():
    assert check(gold("$1577.00"), [hit(TABLE)], page_of) == {"page": True, "cell": True, "unit": True}
    assert check(gold("12.5%"), [hit(TEXT)], page_of) == {"page": True, "box": True}


def test_a_wrong_unit_is_told():
    assert check(gold("1577 €"), [hit(TABLE)], page_of)["unit"] is False


def test_another_node_of_the_right_page_is_not_the_cell():
    assert check(gold("1577"), [hit(TEXT)], page_of) == {"page": True, "cell": False}


def test_only_the_first_hits_count():
    others = [hit(Node(f"o{n}", "s", "paragraph", page=9), n) for n in range(1, 6)]
    assert check(gold("1577"), [*others, hit(TABLE, 6)], page_of)["page"] is False


def test_what_a_set_does_not_have_is_not_checked():
    assert check(gold("a long explanation"), [hit(TEXT)], page_of) == {"page": True}
    assert role_of(gold("a long explanation")) is None
    assert role_of(gold("1577")) == "table"
    assert role_of(gold("of sales")) == "text"


def test_shares_count_the_questions_that_a_check_applies_to():
    told = shares([{"page": True, "box": False}, {"page": False}])
    assert told == {"page": {"share": 0.5, "queries": 2}, "box": {"share": 0.0, "queries": 1}}
