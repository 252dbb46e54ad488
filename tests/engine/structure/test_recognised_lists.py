from engine.config import ParsingSettings
from engine.model import Block
from engine.structure.tree import leaves_of


def test_a_list_that_text_recognition_has_read_keeps_its_lines():
    line = {"text": "1. Apples", "page": 1, "bbox": [0, 0, 9, 9], "confidence": 0.7}
    items = [
        Block("list_item", text, 1, evidence={"ocr": True, "confidence": 0.7}, metadata={"ocr_lines": [line]})
        for text in ("1. Apples", "2. Pears")
    ]
    (listed,) = leaves_of(items, ParsingSettings())
    assert listed.metadata["ocr_lines"] == [line, line]
