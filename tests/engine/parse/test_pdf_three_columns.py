"""Three columns of prose with narrow gutters, as gazettes and journals print them, are read one after the other."""

from pathlib import Path

import pymupdf

from engine.config import ParsingSettings
from engine.parse.pdf import parse_pdf

WORDS = "the agency received comments on this part of the rule and answers each of them below in the order of receipt"


def gazette(path: Path) -> Path:
    """Write a page of three columns, 170 points wide with gutters of 8, each of thirty lines of its own."""
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for column, name in enumerate(("Left", "Middle", "Right")):
            words = f"{name} column. " + " ".join([WORDS] * 12) + "."
            box = pymupdf.Rect(45 + 178 * column, 60, 45 + 178 * column + 170, 500)
            page.insert_textbox(box, words, fontsize=9, align=pymupdf.TEXT_ALIGN_JUSTIFY)
        document.save(path)
    return path


def test_the_columns_of_a_gazette_are_read_one_after_the_other(tmp_path):
    parsed = parse_pdf(gazette(tmp_path / "gazette.pdf"), ParsingSettings())
    texts = [block.text for block in parsed.blocks if block.text]
    roles = {block.kind for block in parsed.blocks}
    assert "table" not in roles
    assert [text.split()[0] for text in texts if " column. " in text] == ["Left", "Middle", "Right"]
