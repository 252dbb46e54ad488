from engine.model import Block, Node
from engine.structure.footnotes import footnote_edges, with_footnotes

TEXT = (
    "Ferries crossed the strait before the bridge was built.1 They were slow and often late, as letters tell."
)
LOOK = {"font": "Serif", "color": 0, "bold": 0.0, "lines": 2, "column": (70, 500)}


def block(text: str, y: float, size: float) -> Block:
    return Block("paragraph", text, page=1, bbox=(70, y, 500, y + 20), evidence={**LOOK, "size": size})


def test_small_text_at_the_foot_of_a_page_that_begins_with_a_mark_is_a_footnote():
    blocks = [
        block(TEXT, 100, 11), block("1 Letters of the harbour master, 1901.", 700, 8),
        block("2019 was a dry year", 720, 8), block("1 Small, but among the text", 90, 8),
    ]  # fmt: skip
    found = with_footnotes(blocks, [800.0])
    assert [item.metadata.get("kind") for item in found] == [None, "footnote", None, None]
    assert found[1].metadata["marker"] == "1"


def test_a_formats_own_notes_are_footnotes():
    found = with_footnotes(
        [Block("paragraph", "See annex B.", metadata={"note": "footnote", "number": 3})], []
    )
    assert found[0].metadata["kind"] == "footnote" and found[0].metadata["marker"] == "3"


def test_a_footnote_is_tied_to_the_text_that_bears_its_mark():
    note = {"kind": "footnote", "marker": "1"}
    nodes = [
        Node("a", None, "paragraph", text=TEXT, page=1),
        Node("b", None, "paragraph", text="Nothing is marked here, in 1 of 10 cases.", page=1),
        Node("c", None, "paragraph", text="1 Letters.", page=1, metadata=note),
        Node("d", None, "paragraph", text="1 Lost.", page=2, metadata=note),
    ]
    assert [(edge.source, edge.target, edge.label) for edge in footnote_edges(nodes)] == [("c", "a", "1")]


def test_a_formats_own_note_belongs_to_the_paragraph_before_it():
    nodes = [
        Node("a", None, "paragraph", text="Claim."),
        Node("b", None, "paragraph", text="See annex B.", metadata={"kind": "footnote", "note": "footnote"}),
        Node("c", None, "paragraph", text="And C.", metadata={"kind": "footnote", "note": "footnote"}),
    ]
    assert {(edge.source, edge.target) for edge in footnote_edges(nodes)} == {("b", "a"), ("c", "a")}
