from engine.config import ParsingSettings
from engine.model import Block, ParsedFile
from engine.structure.tree import build_tree


def running(text: str, zone: str = "header") -> Block:
    return Block("paragraph", text, metadata={"running": zone})


def leaves(*blocks: Block) -> list[tuple[str, str | None]]:
    tree = build_tree(
        ParsedFile("text/plain", list(blocks)), document_id="d", name="a.txt", sha256="ab" * 32, version=1,
        settings=ParsingSettings(),
    )  # fmt: skip
    return [(node.text, node.metadata.get("kind")) for node in tree.nodes if node.role not in ("document", "section")]


def test_a_header_is_kept_once_behind_the_text():
    order = running("Order 4711")
    text = [Block("heading", "One", level=1), Block("paragraph", "Text.")]
    assert leaves(order, *text, order, running("IBAN", "footer")) == [
        ("Text.", None), ("Order 4711", "header"), ("IBAN", "footer"),
    ]  # fmt: skip


def test_a_header_that_the_text_says_and_page_numbers_are_left_out():
    text = Block("paragraph", "The Order 4711 of May.")
    assert leaves(text, running("order 4711"), running("Page 3 of 9"), running("第 3 页")) == [(text.text, None)]


def test_what_shows_nothing_is_no_node():
    empty = [Block("paragraph", text) for text in ("\u200b", "\u3164 \ufe0f", "\u2800")]
    assert leaves(*empty, Block("paragraph", "…"), Block("list_item", "\u200e", level=1)) == [("…", None)]


def test_a_header_table_of_two_columns_is_kept_as_names_with_their_values():
    rows = [["Document no.:", "QP-0827"], ["Revision", "C"], ["Confidential", "Confidential"]]
    block = Block("table", "…", metadata={"rows": rows, "running": "header"})
    said = "Document no.: QP-0827\nRevision: C\nConfidential"
    assert leaves(Block("paragraph", "Text."), block) == [("Text.", None), (said, "header")]
