"""Articles of laws and contracts are known by their numbers, and so are the paragraphs that belong to them."""

import pytest

from engine.model import Node, children_of
from engine.structure.articles import article_number, articles_of, name_articles


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("第二条 本法所称的发明创造", (2,)), ("第一百二十条之一 资助恐怖活动组织的", (120, 1)), ("第12条　租金", (12,)),
        ("Article 5", (5,)), ("Section 3.2 Delivery", (3, 2)), ("§ 7 The owner", (7,)), ("Clause 4 Price", (4,)),
        ("3.1 The Supplier shall deliver", (3, 1)), ("3.1. “Goods” means", (3, 1)),
    ],
)  # fmt: skip
def test_an_article_begins_with_its_number(text, number):
    assert article_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "第二条第一款规定的情形", "第五条规定的期限", "第三条、第四条所称", "第九条所称公司",
        "Article 5 of the Treaty binds", "Section 3(b) applies", "3.5 million people",
        "2.5 percent", "Articles were written", "第一次", "",
    ],
)  # fmt: skip
def test_a_reference_or_an_amount_begins_none(text):
    assert article_number(text) is None


def paragraphs(*texts, parent="s"):
    return [Node(f"{parent}{i}", parent, "paragraph", text=text, position=i) for i, text in enumerate(texts)]


def told(nodes):
    return [(one.number, [leaf.text for leaf in one.rest]) for one in articles_of(children_of(nodes))]


def test_an_article_has_the_leaves_up_to_the_next_one():
    nodes = paragraphs("Preamble.", "第一条 甲", "乙", "丙", "第二条 丁", "第三条 戊", "己")
    assert told(nodes) == [((1,), ["乙", "丙"]), ((2,), []), ((3,), ["己"])]


def test_an_article_ends_with_the_next_heading():
    nodes = [
        *paragraphs("第一条 甲", "乙", "第二条 丙", "第三条 丁"),
        Node("t", "s", "section", title="第二章", position=4),
        Node("after", "s", "paragraph", text="附则", position=5),
    ]
    assert told(nodes)[-1] == ((3,), [])


def test_fewer_than_three_are_references():
    assert told(paragraphs("第一条 甲", "乙", "第二条 丙")) == []


def test_the_leaves_of_an_article_tell_how_it_is_called():
    nodes = [
        *paragraphs("第一条 甲", "乙", "第二条 丙", "第三条 丁", "（一）戊"),
        *paragraphs("页脚", parent="f"),
    ]
    name_articles(nodes)
    assert [node.metadata.get("article") for node in nodes] == [
        "第一条",
        "第一条",
        "第二条",
        "第三条",
        "第三条",
        None,
    ]
    bare = paragraphs("3.1 The rent", "3.2 The deposit", "3.3 The keys")
    name_articles(bare)
    assert not any(node.metadata for node in bare)
