"""A part of a block stands where its own text stands."""

from engine.model import Block

SPANS = [
    {"page": 7, "bbox": [50, 700, 300, 715], "chars": 12},
    {"page": 8, "bbox": [50, 60, 300, 90], "chars": 20},
]


def test_the_rest_of_a_block_over_two_pages_is_on_the_page_that_it_is_on():
    block = Block("paragraph", "(2) Methods: the rest is over there", 7, (50, 700, 300, 715), metadata={"spans": SPANS})
    left = block.part(12, len(block.text))
    assert (left.page, left.bbox) == (8, (50, 60, 300, 90))
    assert "spans" not in left.metadata


def test_a_rest_that_begins_on_the_first_page_keeps_both():
    block = Block("paragraph", "(2) Methods: the rest is over there", 7, (50, 700, 300, 715), metadata={"spans": SPANS})
    left = block.part(4, len(block.text))
    assert left.page == 7
    assert [(span["page"], span["chars"]) for span in left.metadata["spans"]] == [(7, 8), (8, 20)]
