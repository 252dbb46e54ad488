"""The title of a document, where its file states none that says anything."""

import pytest

from engine.model import Block, ParsedFile
from engine.structure.section_kinds import title_of


def title(stated: str, first: Block, name: str) -> str:
    blocks = [first, Block("paragraph", "What it says.", 1)]
    return title_of(ParsedFile("text/plain", blocks, title=stated), blocks, name)


def test_the_number_that_we_gave_a_slide_is_no_title():
    slide = Block("heading", "Slide 1", 1, level=1, metadata={"generated": True})
    assert title("PowerPoint Presentation", slide, "harbours.pptx") == "harbours"


@pytest.mark.parametrize(("stated", "expected"), [("书单", "书单"), ("ab", "Sheet1"), ("Books", "Books")])
def test_two_chinese_characters_are_a_title_and_two_letters_none(stated, expected):
    assert title(stated, Block("heading", "Sheet1", 1, level=1), "x.xlsx") == expected
