"""Reranking: what the texts of the best nodes show."""

import pytest

from engine.config import FusionSettings
from engine.model import Node
from engine.retrieve.fusion import TERMS, Fused
from engine.retrieve.query import understand
from engine.retrieve.rerank import candidates, rerank, within_one
from storage.base import StoredNode

SETTINGS = FusionSettings()


def node(key, text, role="paragraph", parent="s1", title="", path=()):
    return StoredNode(key, Node(f"n{key}", parent, role, title, text), "d", "d.txt", 1, True, list(path))


def found(key, score, sparse_rank=None):
    return Fused(key, score, None, None, None, sparse_rank)


def ranked(question, fused, nodes, head=40, matched=1.0):
    query = understand(question)
    return rerank(candidates(fused, nodes, query), query, SETTINGS, head, matched=matched)


def test_words_that_stand_together_beat_words_scattered_over_a_text():
    scattered = "The river is long. Nothing else. " * 3 + "A bridge stood elsewhere. " + "Steel is costly."
    together = "It is costly. " * 3 + "Nothing else. " * 3 + "The steel bridge over the river is long."
    nodes = [node(1, scattered), node(2, together)]
    order = ranked("steel bridge river", [found(1, 0.5, 1), found(2, 0.5, 2)], nodes)
    assert [one.stored.key for one in order] == [2, 1]


def test_a_text_in_the_other_language_is_not_behind_for_sharing_no_words():
    nodes = [node(1, "公司受到了天气的影响。"), node(2, "Cloud revenue rose by 31 percent.")]
    order = ranked("云业务的销售额增长了多少？", [found(1, 0.50, 1), found(2, 0.47)], nodes, matched=0.3)
    assert [one.stored.key for one in order] == [2, 1]
    assert "other language" in order[0].why


def test_few_words_in_common_do_not_put_a_farther_text_in_the_other_language_first():
    nodes = [node(1, "The cardboard must be sent back unopened."), node(2, "灯塔的看守人每天清晨打扫灯室。")]
    order = ranked("May I return it without the box?", [found(1, 0.45, 1), found(2, 0.35)], nodes, matched=0.2)
    assert [one.stored.key for one in order] == [1, 2]


def test_a_text_that_holds_the_whole_question_is_not_pushed_aside_by_the_other_language():
    nodes = [node(1, "云业务的销售额增长了31%。"), node(2, "Cloud revenue rose by 31 percent.")]
    order = ranked("云业务的销售额增长", [found(1, 0.60, 1), found(2, 0.45)], nodes)
    assert [one.stored.key for one in order] == [1, 2]


def test_a_table_takes_the_place_of_its_caption_and_keeps_its_own():
    nodes = [node(1, "Sales of steel 2023", "caption", "n2"), node(2, "Zone | Sales\nNorth | 7", "table")]
    order = ranked("Sales of steel 2023", [found(1, 0.9, 1), found(2, 0.2, 2)], nodes)
    assert [one.stored.key for one in order] == [2] and "caption" in order[0].why
    assert order[0].score > 0.8


def test_a_section_gives_its_place_to_its_own_paragraph():
    nodes = [
        node(1, "", "section", "root", "Chips", ["Chips"]),
        node(2, "Copper."),
        node(3, "Gold."),
    ]
    nodes[0] = StoredNode(1, Node("s1", "root", "section", "Chips"), "d", "d.txt", 1, True, ["Chips"])
    order = ranked("chips", [found(3, 0.9), found(1, 0.8), found(2, 0.1)], nodes, head=0)
    assert [one.stored.key for one in order] == [3, 2] or [one.stored.key for one in order] == [3]
    order = ranked("chips", [found(1, 0.8), found(2, 0.1)], nodes, head=0)
    assert [one.stored.key for one in order] == [2]
    assert order[0].score == 0.8


def test_a_section_none_of_whose_leaves_was_found_stays():
    section = StoredNode(1, Node("s1", "root", "section", "Chips"), "d", "d.txt", 1, True, ["Chips"])
    assert [one.stored.key for one in ranked("chips", [found(1, 0.8)], [section])] == [1]


def test_a_quoted_phrase_comes_first():
    nodes = [node(1, "Sales net of tax fell."), node(2, "Net\nsales rose.")]
    order = ranked('"net sales"', [found(1, 0.9, 1), found(2, 0.2, 2)], nodes)
    assert [one.stored.key for one in order] == [2, 1]


def test_a_node_that_is_gone_is_left_out():
    assert ranked("x", [found(1, 0.9)], []) == []


def test_a_paragraph_that_stands_for_its_section_has_the_terms_of_the_section():
    nodes = [StoredNode(1, Node("s1", "root", "section", "Chips"), "d", "d.txt", 1, True, ["Chips"])]
    nodes.append(node(2, "Nothing of that kind."))
    (leaf,) = ranked("chips", [found(1, 0.8, 1)._replace(by_words=0.8), found(2, 0.1)], nodes)
    assert leaf.stored.key == 2 and leaf.parts["words"] == 0.8
    assert leaf.parts.keys() <= set(TERMS)
    assert sum(leaf.parts.values()) == pytest.approx(leaf.score)


def test_no_score_is_above_one_and_the_order_stays():
    nodes = [node(key, text) for key, text in enumerate(("Steel bridge.", "River.", "Sand."), 1)]
    order = ranked("steel bridge", [found(key, 1.4 - key / 10, key) for key in (1, 2, 3)], nodes)
    before = [(one.stored.key, one.score) for one in order]
    within_one(order)
    assert [one.score for one in order] == [pytest.approx(score / before[0][1]) for _, score in before]
    assert order[0].score == 1 and [one.stored.key for one in order] == [key for key, _ in before]
    within_one([])
