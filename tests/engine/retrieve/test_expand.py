"""The walk over the graph brings what belongs to a node."""

import pytest

from engine.config import ExpansionSettings
from engine.index.graph_edges import graph_edges
from engine.ingest import Source
from engine.model import Filters
from engine.retrieve.expand import expand

PAPER = """# Paper

## Method

Figure 1 shows the apparatus.

The second paragraph of the method.

The third paragraph of the method.

Table 1: Readings

| Hour | Level |
| --- | --- |
| 1 | 20 |

## Results

The level fell, as Table 1 says.
"""


@pytest.fixture
def paper(library):
    library.add([Source("paper.md", PAPER.encode())])
    return library


def reached(library, text, **radii):
    tree = library.tree("paper.md")
    seed = next(node for node in tree.nodes if text in (node.title, *node.text.splitlines()))
    snapshot = library.storage.snapshot()
    steps = expand([library.node(seed.node_id)], library.storage, ExpansionSettings(**radii), snapshot.scope(Filters()))
    names = {stored.key: stored.node for stored in snapshot.nodes([step.key for step in steps])}
    return {(step.kind, names[step.key].role, names[step.key].title or names[step.key].text) for step in steps}


def test_a_section_brings_its_tables_and_first_paragraphs(paper):
    found = reached(paper, "Method")
    assert ("child", "paragraph", "Figure 1 shows the apparatus.") in found
    assert any(kind == "child" and role == "table" for kind, role, _ in found)
    assert not any("third paragraph" in text for _, _, text in found)


def test_a_paragraph_brings_the_table_it_refers_to(paper):
    assert any(
        kind == "refers_to" and role == "table" for kind, role, _ in reached(paper, "The level fell, as Table 1 says.")
    )


def test_a_paragraph_brings_its_neighbours_and_its_section(paper):
    found = reached(paper, "The second paragraph of the method.")
    assert ("sibling", "paragraph", "The third paragraph of the method.") in found
    assert ("parent", "section", "Method") in found


def test_a_radius_of_nothing_brings_nothing(paper):
    assert not reached(paper, "The second paragraph of the method.", parent=0, siblings=0, children=0, same_page=0)


def test_the_stored_graph_has_every_edge_of_the_export(paper):
    document = paper.document("paper.md")
    tree, graph = paper.tree("paper.md"), paper.storage.graph(document.document_id)
    stored = {(one, other, kind) for one, other, facts in graph.edges(data=True) for kind in facts["kinds"]}
    assert stored == {(edge.source, edge.target, edge.kind) for edge in graph_edges(tree)}
    table = next(node for node in tree.nodes if node.role == "table")
    last = next(node for node in tree.nodes if node.text.startswith("The level fell"))
    assert graph.edges[last.node_id, table.node_id] == {"kinds": ["ref"], "label": "Table 1"}
    column, cell = f"{table.node_id}:col:Level", f"{table.node_id}:cell:1,1"
    assert graph.edges[table.node_id, column]["kinds"] == ["has_col"]
    assert graph.edges[column, cell] == {"kinds": ["has_cell"], "value": "20"}
    assert {"parent", "child", "sibling", "prev_next"} <= {kind for *_, kind in stored}
