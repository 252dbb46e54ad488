"""Forms on covers, and passages that are boxes to tick."""

import pytest

from engine.ingest import Source
from engine.structure.section_kinds import cover_form, is_form

COVER = """Harbour Commission, Form 7

Indicate by check mark whether the registrant is a shell company under Rule 12 of the Harbour Act. Yes {box} No ☐

The aggregate market value of the voting equity of the registrant was approximately $13.4 million as of July 29.
"""
BODY = """
# Business

Vardo Ferries carries passengers and freight between nine islands in the north of the country.

## Fleet

The fleet has eleven ferries, of which four run on batteries that are charged in the harbour.

## Staff

In summer 240 people work on board and in the harbours.
"""


@pytest.mark.parametrize(
    "text", ["Yes ☒ No ☐", "√适用 □不适用", "□ 是 √ 否", "Large accelerated filer ☐", "Yes þ No ¨ or ¨ no þ"]
)
def test_a_passage_with_boxes_to_tick_is_a_form(text):
    assert is_form(text)


@pytest.mark.parametrize(
    "text", ["We divide by √d so that sums stay small.", "□ 第一项工作已经完成。", "The naïve þorn."]
)
def test_a_root_a_bullet_or_a_letter_is_no_box(text):
    assert not is_form(text)


def test_a_cover_with_boxes_is_left_out_of_what_a_document_is_about(library):
    library.add([Source("ferries.md", (COVER.format(box="☒") + BODY).encode())])
    tree = library.tree("ferries.md")
    assert {node.text[:9] for node in tree.nodes if node.node_id in cover_form(tree)} == {
        "Harbour C",
        "Indicate ",
        "The aggre",
    }
    told = library.summaries.document("ferries.md").summary
    assert "ferries" in told and "check mark" not in told and "market value" not in told
    assert "check mark" not in tree.nodes[0].summary and "islands" in tree.nodes[0].summary
    for question in ("What is this library about?", "这个资料库讲了什么？"):
        answer = library.ask(question).answer
        assert "islands" in answer and "check mark" not in answer and "market value" not in answer


def test_an_introduction_without_boxes_is_part_of_the_whole(library):
    text = "Vardo Ferries was founded in 1902 by forty fishermen of the northern islands.\n" + BODY
    library.add([Source("ferries.md", text.encode())])
    assert cover_form(library.tree("ferries.md")) == frozenset()
    assert "1902" in library.summaries.document("ferries.md").summary


def test_a_document_that_is_a_form_is_told_by_what_stands_in_it(library):
    library.add([Source("form.md", COVER.format(box="☒").encode())])
    assert library.summaries.document("form.md").sources
