from engine.model import Node
from pages.widgets.table_grid import BLOCK_CHARACTERS, block_of


def test_a_list_is_handed_over_by_items_with_depth_and_marker():
    listed = Node("l", "s", "list", text="1. Apples\n  a) red\n  b) green\n2. Pears")
    assert block_of(listed)["items"] == [
        [0, "1.", "Apples"], [1, "a)", "red"], [1, "b)", "green"], [0, "2.", "Pears"],
    ]  # fmt: skip
    assert block_of(Node("l", "s", "list", text="（一）考勤\n（二）年假"))["items"][1] == [
        0,
        "（二）",
        "年假",
    ]


def test_a_list_without_markers_gets_bullets():
    assert [item[1] for item in block_of(Node("l", "s", "list", text="Apples\nPears"))["items"]] == ["•", "•"]


def test_what_text_recognition_was_unsure_of_is_listed():
    lines = [{"text": "clear", "page": 1, "bbox": [0, 0, 1, 1], "confidence": 0.99}]
    lines += [{"text": "b1urred", "page": 1, "bbox": [0, 0, 1, 1], "confidence": 0.61}]
    block = block_of(Node("p", "s", "paragraph", text="clear b1urred", metadata={"ocr_lines": lines}))
    assert block["doubtful"] == [("b1urred", 61)]


def test_a_picture_says_in_words_what_is_known_of_it():
    picture = Node("i", "s", "image", metadata={"alt": "A bridge", "caption": "Figure 1"})
    assert block_of(picture)["text"] == "A bridge"
    read = Node("i", "s", "image", metadata={"ocr_text": "Board\nMon | Anna"})
    assert block_of(read)["read"] == [["Board"], ["Mon", "Anna"]]
    assert block_of(picture, picture="data:image/jpeg;base64,AA")["source"].startswith("data:")


def test_notes_and_quotations_are_told_apart_from_the_text():
    assert block_of(Node("p", "s", "paragraph", text="x", metadata={"note": "speaker"}))["marks"] == {"note": "speaker"}


def test_an_endless_paragraph_is_cut():
    assert len(block_of(Node("p", "s", "paragraph", text="x" * 10**6))["text"]) < BLOCK_CHARACTERS + 5


def test_who_wrote_a_comment_and_what_was_changed_is_marked():
    changes = [{"author": "Eve", "deleted": "45 days"}]
    node = Node("p", "s", "paragraph", text="60 days", metadata={"author": "Eve", "changes": changes})
    assert block_of(node)["marks"] == {"author": "Eve", "changes": changes}
