from engine.model import Block
from engine.structure.footnotes import with_footnotes

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


def test_a_formats_own_notes_are_footnotes():
    found = with_footnotes(
        [Block("paragraph", "See annex B.", metadata={"note": "footnote", "number": 3})], []
    )
    assert found[0].metadata["kind"] == "footnote"
