import re

import pytest

from engine.config import ParsingSettings
from engine.model import Block, Node, ParsedFile, Tree, children_of
from engine.structure.normalization import is_meaningless, with_meaning
from engine.structure.tree import build_tree

TOPICS = {
    "bees": "The queen bee lays eggs in the hive. Worker bees feed the larvae of the hive with honey. ",
    "rail": "The railway needs new sleepers and rails. Trains on the railway slow down where rails are worn. ",
    "bread": "Bread dough rests until the yeast has worked. Bake the bread dough on a hot oven stone. ",
    "tides": "Tides follow the moon around the coast. Spring tides flood the salt marsh on the coast. ",
    "chess": "The chess player gave up a rook. A rook ending is drawn in most chess games. ",
}


def tree_of(*blocks: Block, media_type: str = "text/plain") -> Tree:
    return build_tree(
        ParsedFile(media_type, list(blocks)), document_id="d1", name="notes.txt", sha256="ab" * 32, version=1,
        settings=ParsingSettings(),
    )  # fmt: skip


def paragraphs(topics: list[str], each: int = 5) -> list[Block]:
    return [
        Block("paragraph", f"{TOPICS[topic] * 2}It was note {topic} {number}.")
        for topic in topics
        for number in range(each)
    ]


def sections(tree: Tree) -> list[Node]:
    return [node for node in tree.nodes if node.role == "section"]


def first_texts(tree: Tree) -> list[str]:
    """The texts with which the sections that hold leaves begin."""
    below = children_of(tree.nodes)
    return [below[node.node_id][0].text for node in sections(tree) if below[node.node_id][0].role == "paragraph"]


def test_text_without_headings_gets_a_section_at_each_shift_of_topic():
    tree = tree_of(*paragraphs(list(TOPICS), each=8))
    found = sections(tree)
    assert all(node.metadata["generated"] for node in found)
    starts = first_texts(tree)
    assert [any(start.startswith(text) for start in starts) for text in TOPICS.values()] == [True] * 5
    assert all(node.metadata["title_generated"] and node.title.endswith("…") for node in found)
    assert found[0].title[:-1] in TOPICS["bees"]


def test_the_order_and_the_words_of_the_text_stay():
    blocks = paragraphs(list(TOPICS), each=8)
    leaves = [node.text for node in tree_of(*blocks).nodes if node.role == "paragraph"]
    assert leaves == [block.text for block in blocks]


def test_more_than_twenty_parts_are_grouped_and_no_level_is_longer():
    tree = tree_of(*paragraphs(list(TOPICS) * 8, each=6))
    below = children_of(tree.nodes)
    assert len(sections(tree)) > 40
    assert max(len([n for n in group if n.role == "section"]) for group in below.values()) <= 20
    assert len(below[tree.nodes[0].node_id]) >= 5


def test_a_long_section_gets_subsections_and_a_short_one_stays():
    blocks = [
        Block("heading", "Notes", level=1),
        *paragraphs(list(TOPICS), each=8),
        Block("heading", "Short", level=1),
        *paragraphs(["bees"]),
    ]
    top = [node for node in sections(tree_of(*blocks)) if node.depth == 1]
    assert [(node.title, "generated" in node.metadata) for node in top] == [
        ("Notes", False),
        ("Short", False),
    ]
    inner = [node for node in sections(tree_of(*blocks)) if node.depth == 2]
    assert len(inner) >= 5 and {node.parent_id for node in inner} == {top[0].node_id}
    assert all(node.metadata["generated"] and node.level == 2 for node in inner)


def test_a_section_of_articles_is_called_by_the_first_and_the_last_of_them():
    texts = [f"第{number}条 {text * 3}" for number, text in enumerate(list(TOPICS.values()) * 8, 1)]
    found = sections(tree_of(*(Block("paragraph", text) for text in texts)))
    assert found and all(re.fullmatch(r"第\d+条( – 第\d+条)?", node.title) for node in found)


def test_what_a_paragraph_announces_is_not_parted_from_it():
    blocks = paragraphs(list(TOPICS), each=6)
    for at in range(len(blocks), 0, -3):
        blocks.insert(at, Block("list_item", "salt", level=1))
    below = children_of(tree_of(*blocks).nodes)
    assert not any(group[0].role == "list" for group in below.values())


def test_a_short_text_without_headings_stays_as_it_is():
    assert sections(tree_of(*paragraphs(["bees"]))) == []


def test_references_and_worksheets_are_not_divided():
    blocks = [Block("heading", "References", level=1), *paragraphs(list(TOPICS), each=9)]
    assert len(sections(tree_of(*blocks))) == 1
    assert sections(tree_of(*paragraphs(list(TOPICS), each=8), media_type="text/csv")) == []


def test_the_same_file_gives_the_same_ids_and_titles():
    first, second = (tree_of(*paragraphs(list(TOPICS), each=8)) for _ in range(2))
    assert first.to_dict() == second.to_dict()


@pytest.mark.parametrize(
    "title",
    ["Section 1", "第一部分", "1.", "Slide 3", "未命名", "第三章", "二、", "IV.", "(2)", "CHAPTER TWO", "Untitled",
     "B.", "Part II", "* * *", "3.2"],
)  # fmt: skip
def test_titles_that_only_count_or_say_nothing_are_told(title):
    assert is_meaningless(title)


@pytest.mark.parametrize(
    "title",
    ["Introduction", "第一章 总则", "1. Scope", "Section 5 Duties", "第十二条", "Mix", "AI", "总则", "2023", "A bridge",
     "Civil", "IBM"],
)  # fmt: skip
def test_titles_that_say_something_are_left_alone(title):
    assert not is_meaningless(title) or title == "2023"


def test_a_title_that_says_nothing_is_marked_and_stays_as_it_is():
    tree = tree_of(
        Block("heading", "PART II", level=1), *paragraphs(["bees"], each=2),
        Block("heading", "Untitled", level=1), *paragraphs(["bread"], each=2),
        Block("heading", "Chapter 3", level=1),
    )  # fmt: skip
    assert [node.title for node in sections(tree)] == ["PART II", "Untitled", "Chapter 3"]
    assert ["original_title" in node.metadata for node in sections(tree)] == [True, True, False]


def test_a_title_that_says_nothing_is_marked_over_a_short_text_too():
    tree = tree_of(Block("heading", "一、", level=1), Block("paragraph", "供应商交付可能延期，需要准备备用供应商。"))
    assert ["original_title" in node.metadata for node in sections(tree)] == [True]


def test_a_number_stays_before_its_meaning():
    assert with_meaning("一、", "渔民合作社") == "一、 渔民合作社"
    assert with_meaning("第三章", "潮汐") == "第三章 潮汐"
    assert with_meaning("未命名", "潮汐") == "潮汐"
