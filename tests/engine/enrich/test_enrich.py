from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.config import ParsingSettings
from engine.enrich.enrich import enrich
from engine.model import ROLES, Node, Tree
from engine.parse.dispatch import parse_bytes
from engine.structure.tree import build_tree


def report():
    nodes = [
        Node("root", None, "document", "Annual report"),
        Node("s", "root", "section", "1 Results", position=0, depth=1, level=1),
        Node("p", "s", "paragraph", text="Earnings before tax (EBT) rose, as Table 1 shows. All is well.", depth=2),
        Node("u", "s", "paragraph", text="(in millions)", position=1, depth=2),
        Node(
            "t", "s", "table", text="Region | 2023\nNorth | 4.5\nSouth | 3.1", position=2, depth=2,
            metadata={"rows": [["Region", "2023"], ["North", "4.5"], ["South", "3.1"]], "columns": [], "label": None},
        ),
        Node("c", "t", "caption", text="Table 1: EBT by region", depth=3),
        Node("n", "s", "paragraph", text="Note: unaudited.", position=3, depth=2),
        Node("i", "s", "image", position=4, depth=2, metadata={"caption": "Figure 1: Pie chart of EBT"}),
    ]  # fmt: skip
    nodes[4] = replace(nodes[4], metadata=nodes[4].metadata | {"caption": "Table 1: EBT by region"})
    return Tree("d", "report.pdf", "application/pdf", 1, 1, nodes)


def test_a_tree_gets_all_facts_and_its_references():
    tree, edges = enrich(report())
    nodes = {node.node_id: node for node in tree.nodes}
    table = nodes["t"].metadata
    assert table["columns"][1] == {"name": "2023", "unit": None, "dtype": "number", "scale": 10**6}
    assert table["label"] == "Table 1"
    assert table["notes"] == ["Note: unaudited."]
    assert nodes["i"].metadata["chart_type"] == "pie"
    assert nodes["c"].metadata["aliases"] == ["Earnings before tax"]
    assert "Earnings before tax (EBT) rose" in nodes["s"].summary
    assert [(edge.source, edge.target) for edge in edges] == [("p", "t")]


def test_ids_texts_and_order_stay():
    before = report()
    after, _ = enrich(before)
    same = ("node_id", "parent_id", "role", "title", "text", "depth", "position", "page", "bbox", "level")
    assert [[getattr(n, f) for f in same] for n in after.nodes] == [[getattr(n, f) for f in same] for n in before.nodes]
    assert before == report()


def test_the_same_tree_gives_the_same_result_again():
    assert enrich(report()) == enrich(report())


def test_enriching_twice_changes_nothing_more():
    once, _ = enrich(report())
    assert enrich(once)[0] == once


@given(
    st.lists(
        st.tuples(
            st.sampled_from(ROLES),
            st.text(max_size=40) | st.sampled_from(["Table 1", "见表1", "A B (AB)", "(in millions)", "第一章"]),
            st.sampled_from(
                [
                    {},
                    {"rows": None},
                    {"rows": [[None, 3]]},
                    {"caption": None, "label": 5},
                    {"columns": [None]},
                ]
            ),
        ),
        max_size=8,
    )
)
def test_odd_trees_are_enriched_without_complaint(parts):
    nodes = [Node("root", None, "document", "x")]
    nodes += [
        Node(f"n{i}", "root", role, text, text, position=i, metadata=dict(m)) for i, (role, text, m) in enumerate(parts)
    ]
    tree, _ = enrich(Tree("d", "x", "x", 1, None, nodes))
    assert [node.node_id for node in tree.nodes] == [node.node_id for node in nodes]


def test_all_parts_of_a_divided_table_have_the_same_columns():
    lines = "".join(f"{number},Item {number % 97},{number * 1.5}\n" for number in range(1000, 2400))
    parsed = parse_bytes(f"Id,Name,Price\n{lines}".encode(), "long.csv")
    tree = build_tree(parsed, document_id="d", name="long.csv", sha256="ab" * 32, version=1, settings=ParsingSettings())
    tables = [node.metadata for node in enrich(tree)[0].nodes if node.role == "table"]
    assert [table["part"] for table in tables] == [[number, 7] for number in range(1, 8)]
    assert all(table["columns"] == tables[0]["columns"] and table["header_rows"] == 1 for table in tables)
    assert [column["dtype"] for column in tables[0]["columns"]] == ["number", "text", "number"]
    assert len({table["header_columns"] for table in tables}) == 1


def test_parts_without_a_repeated_header_take_their_names_from_the_first():
    rows = [["Name", "Age"], *[[f"Person {number}", str(number)] for number in range(20, 60)]]
    parts = [
        Node(
            f"t{n}",
            "root",
            "table",
            position=n,
            depth=1,
            metadata={"rows": part, "header_rows": 0, "part": [n + 1, 2]},
        )
        for n, part in enumerate((rows[:20], rows[20:]))
    ]
    tree, _ = enrich(Tree("d", "a.csv", "text/csv", 1, None, [Node("root", None, "document", "a"), *parts]))
    first, second = (node.metadata for node in tree.nodes[1:])
    assert (first["header_rows"], second["header_rows"]) == (1, 0)
    assert [column["name"] for column in second["columns"]] == ["Name", "Age"]
