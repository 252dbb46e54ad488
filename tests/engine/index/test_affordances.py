"""What can be done with a table, a picture or a section, and what it can be filtered by."""

import pytest

from engine.enrich.tables import enrich_table
from engine.index.affordances import OPERATORS, affordances, facets_of, has_numbers
from engine.model import Node
from storage.base import Facets


def table(*rows: list[str]) -> Node:
    return enrich_table(Node("t", "s", "table", metadata={"rows": list(rows)}))


def supported(node: Node, *inside: Node) -> set[str]:
    return {name for name in OPERATORS if affordances(node, inside)[f"supports_{name}"]}


SALES = table(["Region", "2021 (%)", "2022 (%)"], ["North", "12.5", "13.1"], ["South", "20.4", "19.9"])
COSTS = table(["Item", "Cost (USD)"], ["Paper", "1,200"], ["Ink", "300"])
NAMES = table(["Name", "Duty"], ["Ada", "Numbers"], ["Grace", "Compilers"])


def test_numbers_of_one_kind_can_be_compared_ranked_and_divided():
    assert supported(COSTS) >= {"LOOKUP", "COMPARE", "RANK", "DIFF", "DIVIDE", "SUM", "AVERAGE", "COUNT"}
    assert has_numbers(COSTS)


def test_percentages_do_not_add_up():
    assert "SUM" not in supported(SALES)
    assert "AVERAGE" in supported(SALES)


def test_a_trend_needs_an_order_in_time():
    assert "TREND" in supported(SALES)
    assert "TREND" not in supported(COSTS)
    assert "TREND" in supported(table(["Date", "Users"], ["2023-01-01", "4"], ["2023-02-01", "6"]))


def test_a_table_of_texts_can_be_looked_up_and_counted_only():
    assert supported(NAMES) == {"LOOKUP", "COUNT", "FILTER"}
    assert not has_numbers(NAMES)


def test_a_table_without_rows_supports_nothing():
    assert supported(Node("t", "s", "table")) == set()


@pytest.mark.parametrize(
    ("facts", "operators"),
    [
        ({"chart_type": "bar"}, {"COMPARE"}),
        ({"chart_type": "line"}, {"COMPARE", "TREND"}),
        ({"chart_type": "bar", "x_axis": "2015–2020"}, {"COMPARE", "TREND"}),
        ({"chart_type": "photo"}, set()),
        ({}, set()),
    ],
)
def test_a_picture_supports_what_its_kind_of_chart_shows(facts, operators):
    assert supported(Node("i", "s", "image", metadata=facts)) == operators


def test_a_section_can_what_its_tables_and_pictures_can():
    section = Node("s", "root", "section", title="Results")
    line = Node("i", "s", "image", metadata={"chart_type": "line"})
    assert supported(section, NAMES, line) == {"LOOKUP", "COUNT", "FILTER", "COMPARE", "TREND"}
    assert supported(section) == set()


def facets(node: Node) -> Facets:
    return facets_of([node])[node.node_id]


def test_facets_tell_pages_units_and_numbers():
    spread = Node(
        "p", "s", "paragraph", text="Margins rose to 7.5 % on $3 million; it weighs 10 kg.", page=3,
        metadata={"spans": [{"page": 3, "bbox": [0, 0, 1, 1]}, {"page": 4, "bbox": [0, 0, 1, 1]}]},
    )  # fmt: skip
    assert facets(spread).pages == (3, 4)
    assert set(facets(spread).units) >= {"%", "USD", "kg"}
    assert facets(spread).has_numbers
    assert facets(Node("p", "s", "paragraph", text="It fell 3 per cent to RMB 20.")).units == ("%", "CNY")
    assert facets(COSTS).units == ("USD",)
    assert facets(Node("p", "s", "paragraph", text="增长了百分之几")).has_numbers is False
    assert "CNY" in facets(Node("p", "s", "paragraph", text="营业收入为12.5亿元人民币。")).units
    assert facets(Node("h", "root", "section", title="A", level=2)).level == 2


def test_a_section_has_the_numbers_of_what_is_in_it():
    nodes = [
        Node("root", None, "document", "Report 2023"),
        Node("a", "root", "section", "1 Costs"),
        Node("b", "a", "section", "Details"),
        Node("p", "b", "paragraph", text="It cost 40 euro."),
        Node("c", "root", "section", "2 Thanks"),
        Node("q", "c", "paragraph", text="We thank everybody."),
        Node("t", "c", "table", metadata=NAMES.metadata),
        Node("k", "t", "caption", text="Table 1: Names"),
    ]
    with_numbers = {node_id for node_id, found in facets_of(nodes).items() if found.has_numbers}
    assert with_numbers >= {"root", "a", "b", "p"} and not with_numbers & {"q", "t"}


def test_a_table_is_found_by_the_types_of_its_columns():
    assert facets(COSTS).col_types and facets(NAMES).col_types == ("text",)
