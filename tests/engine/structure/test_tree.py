from typing import Any

import pytest

from engine.config import ParsingSettings
from engine.index.graph_edges import graph_edges
from engine.model import Block, Node, ParsedFile, Tree, children_of
from engine.structure.tree import build_tree

LONG = "The arch was built from both sides at once and closed in the middle of a winter night. "


def tree_of(*blocks: Block, title: str = "", **facts: Any) -> Tree:
    parsed = ParsedFile("text/markdown", list(blocks), title=title, **facts)
    return build_tree(
        parsed, document_id="d1", name="bridge.md", sha256="ab" * 32, version=1, settings=ParsingSettings()
    )


def outline(tree: Tree) -> list[tuple[int, str, str]]:
    return [(node.depth, node.role, node.title or node.text) for node in tree.nodes]


def node(tree: Tree, role: str) -> Node:
    return next(node for node in tree.nodes if node.role == role)


def test_headings_hold_what_follows_them_and_text_may_stand_beside_sections():
    tree = tree_of(
        Block("heading", "Bridge", level=1),
        Block("paragraph", "It carries rail and road."),
        Block("heading", "Arch", level=2),
        Block("paragraph", "Built from both sides."),
        Block("heading", "Pylons", level=2),
        Block("heading", "Tunnel", level=1),
        Block("paragraph", "Opened later."),
    )
    assert outline(tree)[1:] == [
        (1, "section", "Bridge"),
        (2, "paragraph", "It carries rail and road."),
        (2, "section", "Arch"),
        (3, "paragraph", "Built from both sides."),
        (2, "section", "Pylons"),
        (1, "section", "Tunnel"),
        (2, "paragraph", "Opened later."),
    ]
    assert [child.position for child in children_of(tree.nodes)[tree.nodes[1].node_id]] == [0, 1, 2]


def test_a_skipped_level_does_not_leave_a_gap_in_depth():
    tree = tree_of(Block("heading", "A", level=1), Block("heading", "B", level=4), Block("heading", "C", level=2))
    assert [(node.depth, node.level) for node in tree.nodes[1:]] == [(1, 1), (2, 4), (2, 2)]


def test_list_items_that_follow_each_other_are_one_list():
    tree = tree_of(
        Block("paragraph", "Needed:"),
        Block("list_item", "steel", page=1, bbox=(10, 10, 50, 20), level=1),
        Block("list_item", "of the best kind", page=1, bbox=(15, 20, 60, 30), level=2),
        Block("list_item", "granite", page=2, bbox=(10, 10, 50, 20), level=1),
        Block("paragraph", "And paint."),
    )
    found = node(tree, "list")
    assert found.text == "steel\n  of the best kind\ngranite"
    assert found.page == 1 and found.bbox == (10, 10, 60, 30)
    assert [span["page"] for span in found.metadata["spans"]] == [1, 2]


@pytest.mark.parametrize(
    ("kind", "caption", "label"),
    [
        ("image", "Figure 3b: The arch in 1931", "Figure 3b"),
        ("table", "Table 2. Tons of steel", "Table 2"),
        ("table", "表2 钢材用量", "表2"),
        ("image", "图 1-2 桥的结构", "图 1-2"),
    ],
)
def test_a_caption_belongs_to_its_table_or_image(kind, caption, label):
    tree = tree_of(
        Block("paragraph", LONG),
        Block(kind, "", page=1, bbox=(70, 100, 300, 200)),
        Block("paragraph", caption, page=1, bbox=(70, 210, 300, 222)),
        Block("paragraph", LONG),
    )
    owner, found = node(tree, kind), node(tree, "caption")
    assert found.parent_id == owner.node_id and found.text == caption
    assert owner.metadata["caption"] == caption and owner.metadata["label"] == label
    assert ("caption_of", label) in {(edge.kind, edge.label) for edge in graph_edges(tree)}


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (
            ["合并资产负债表 2019 年12 月31 日", "编制单位：北方机械", "单位：元 币种：人民币"],
            "合并资产负债表 2019 年12 月31 日",
        ),
        (["Summary of operating leases", "(in thousands)"], "Summary of operating leases"),
        (["（续上表）"], ""),
        (["公司上年编制了合并资产负债表。", "单位：元"], ""),
        (["合并资产负债表", "本报告期内没有变化，说明如下", "单位：元"], ""),
    ],
)
def test_a_line_over_a_table_is_its_title_by_its_words_and_stays_where_it_is(lines, title):
    blocks = [Block("paragraph", line, page=1) for line in lines]
    tree = tree_of(*blocks, Block("table", "a | b", page=1, metadata={"rows": [["a", "b"]]}))
    assert node(tree, "table").metadata["caption"] == title
    assert [one.text for one in tree.nodes if one.role == "paragraph"] == lines


def test_a_sentence_that_names_a_table_is_no_caption():
    tree = tree_of(Block("table", "a | b"), Block("paragraph", "Table 2 shows that steel was dear in those years."))
    assert [node.role for node in tree.nodes] == ["document", "table", "paragraph"]


@pytest.mark.parametrize(
    ("caption", "label"),
    [
        ("表2 2024年水质指标", "表2"),
        ("表 4 2023年销售额（万元）", "表 4"),
        ("表3 3个水库的水位", "表3"),
        ("Table 5 2023 sales by plant", "Table 5"),
        ("Table 6 12-month costs", "Table 6"),
    ],
)
def test_a_title_that_begins_with_a_number_is_a_caption(caption, label):
    tree = tree_of(Block("paragraph", LONG), Block("paragraph", caption), Block("table", "a | b"))
    assert node(tree, "caption").text == caption and node(tree, "table").metadata["label"] == label


@pytest.mark.parametrize(
    "sentence", ["Table 2 2019 was a good year.", "表2 2024年的数据显示总磷上升。", "Table 2 12 15 18"]
)
def test_a_sentence_and_bare_numbers_are_no_title(sentence):
    tree = tree_of(Block("paragraph", sentence), Block("table", "a | b"))
    assert [node.role for node in tree.nodes] == ["document", "paragraph", "table"]


@pytest.mark.parametrize("caption", ["图2：厂区", "Figure 2: The plant", "附图2 厂区"])
def test_the_caption_of_a_figure_is_never_put_on_a_table(caption):
    tree = tree_of(Block("table", "a | b"), Block("paragraph", caption), Block("table", "c | d"))
    assert [node.role for node in tree.nodes[1:]] == ["table", "caption", "table"]
    assert not any(node.metadata["label"] for node in tree.nodes if node.role == "table")


@pytest.mark.parametrize(
    ("alt", "label"),
    [
        ("Figure 3b: Effect of the temperature", "Figure 3b"),
        ("图1 监测站点分布", "图1"),
        ("Chart 4: Sales by plant", "Chart 4"),
        ("Chart 4", None),
        ("图表 1", None),
        ("A lion", None),
    ],
)
def test_a_picture_is_called_what_its_alternative_text_calls_it(alt, label):
    tree = tree_of(Block("image", alt, metadata={"alt": alt}))
    image = node(tree, "image").metadata
    assert (image["label"], image["caption"]) == (label, alt if label else "")


def test_a_caption_that_says_what_the_alternative_text_says_belongs_to_its_picture():
    one = Block("image", "", metadata={"alt": "Fig. 1: Teacher"})
    tree = tree_of(one, Block("paragraph", "Figure 1: Teacher and student"))
    assert node(tree, "image").metadata["caption"] == "Figure 1: Teacher and student"


def test_a_caption_without_its_picture_stands_for_itself():
    tree = tree_of(Block("paragraph", "Figure 7: A sketch that was lost"))
    assert node(tree, "caption").metadata["label"] == "Figure 7"


def test_tables_and_images_have_the_facts_that_others_rely_on():
    tree = tree_of(
        Block("table", "a | b", metadata={"rows": [["a", "b"]]}),
        Block("image", "", metadata={"width": 10, "height": 20}),
    )
    assert {"columns", "rows", "caption", "label"} <= set(node(tree, "table").metadata)
    image = node(tree, "image").metadata
    assert {"caption", "label", "ocr_text", "description", "description_method"} <= set(image) and image["width"] == 10


def test_overlong_paragraphs_are_cut_at_sentence_ends_and_lose_nothing():
    text = (LONG * 60).strip()
    parts = [node.text for node in tree_of(Block("paragraph", text)).nodes if node.role == "paragraph"]
    assert len(parts) > 1 and all(len(part) <= 2000 and part.endswith(".") for part in parts)
    assert " ".join(parts) == text


def test_ids_are_the_same_for_the_same_file_and_unique_within_it():
    blocks = [Block("paragraph", "Same."), Block("paragraph", "Same."), Block("heading", "Same.", level=1)]
    first, second = tree_of(*blocks), tree_of(*blocks)
    ids = [node.node_id for node in first.nodes]
    assert ids == [node.node_id for node in second.nodes] and len(set(ids)) == len(ids)


@pytest.mark.parametrize(("stated", "shown"), [("三体", "三体"), ("id", "第一章 疯狂年代")])
def test_a_title_of_two_chinese_characters_counts(stated, shown):
    heading = Block("heading", "第一章 疯狂年代", level=1)
    assert tree_of(heading, Block("paragraph", "中国，1967年。"), title=stated).nodes[0].title == shown


def test_the_title_is_the_stated_one_when_the_text_shows_it_else_the_first_heading_or_the_name():
    heading, text = Block("heading", "On Bridges", level=1), Block("paragraph", "They carry rail.")
    assert tree_of(heading, text, title="On bridges").nodes[0].title == "On bridges"
    assert tree_of(heading, text).nodes[0].title == "On Bridges"
    assert tree_of(text, title="untitled").nodes[0].title == "bridge"


def test_edges_join_parents_children_neighbours_and_what_shares_a_page():
    tree = tree_of(
        Block("heading", "A", level=1, page=1),
        Block("paragraph", "One.", page=1),
        Block("paragraph", "Two.", page=1),
        Block("image", "", page=1),
    )
    by_text = {node.text or node.role: node.node_id for node in tree.nodes}
    edges = {(edge.source, edge.target, edge.kind) for edge in graph_edges(tree)}
    section, one, two, image = (by_text[text] for text in ("section", "One.", "Two.", "image"))
    assert {(section, one, "child"), (one, section, "parent"), (one, two, "sibling")} <= edges
    assert {(one, two, "prev_next"), ("P0", one, "same_page"), ("P0", image, "same_page")} <= edges
    assert not {(section, one, "prev_next"), (two, one, "sibling")} & edges


def test_reading_order_goes_on_over_the_end_of_a_section():
    tree = tree_of(
        Block("heading", "A", level=1), Block("paragraph", "One."), Block("heading", "B", level=1),
        Block("paragraph", "Two."),
    )  # fmt: skip
    by_text = {node.text: node.node_id for node in tree.nodes}
    kinds = {
        edge.kind for edge in graph_edges(tree) if (edge.source, edge.target) == (by_text["One."], by_text["Two."])
    }
    assert kinds == {"prev_next"}


def test_an_empty_file_is_a_document_alone():
    assert [node.role for node in tree_of().nodes] == ["document"]


def test_an_address_in_place_of_words_about_a_picture_is_no_text():
    tree = tree_of(
        Block(
            "image",
            "https://pictures.example/aXf3.png",
            metadata={"alt": "https://pictures.example/aXf3.png"},
        ),
        Block("image", "The bridge from the north", metadata={"alt": "The bridge from the north"}),
    )
    assert [one.text for one in tree.nodes if one.role == "image"] == ["", "The bridge from the north"]
