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


def journal(path: Path) -> Path:
    """Write a page of two columns with a gutter of 11 points, whose lines stand wide apart.

    Beside prose of the one column stand a heading and a formula of three pieces in the other.
    """
    with pymupdf.open() as document:
        page = document.new_page(width=568, height=780)
        page.insert_text((120, 50), "JOURNAL OF BRIDGES AND WATERWAYS, VOLUME TWELVE, JULY 2007", fontsize=8)
        for x, top, name, odd in ((49, 90, "Left", (9, 20)), (300, 92, "Right", (5, 14))):
            for line in range(30):
                y = top + 20 * line
                if line == odd[0]:
                    page.insert_text((x, y), "2.1 Data", fontsize=9.4)
                elif line == odd[1]:
                    for place, piece in ((30, "N(t) = M"), (110, "1 + q"), (200, "(2)")):
                        page.insert_text((x + place, y), piece, fontsize=9.4)
                else:
                    words = f"{name} line {line} of a story that goes on and on, and on"
                    size = 9.4 * 239 / pymupdf.get_text_length(words, fontsize=9.4)
                    page.insert_text((x, y), words, fontsize=size)
        document.save(path)
    return path


def test_columns_whose_lines_stand_far_apart_are_read_one_after_the_other(tmp_path):
    parsed = parse_pdf(journal(tmp_path / "journal.pdf"), ParsingSettings())
    text = " ".join(block.text for block in parsed.blocks)
    assert text.index("Left line 29") < text.index("Right line 0")
