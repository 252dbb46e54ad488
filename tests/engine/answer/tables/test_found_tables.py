"""From nodes to relations: parts of a sheet belong together, and what was opened is kept for a while."""

import pytest
from read_tables import SHIPS, relation_of

from engine.answer.tables.found_tables import RelationCache, grouped
from engine.model import Node


def table(node_id, part=None):
    more = {"part": part} if part else {}
    rows = [["Item", "Price"], ["Tea", "3"]]
    return Node(node_id, None, "table", text="Item | Price\nTea | 3", metadata={"rows": rows, **more})


def ids(nodes):
    return [[node.node_id for node in group] for group in grouped(nodes)]


def test_tables_stand_alone_and_parts_together():
    text = Node("p", None, "paragraph", text="words")
    nodes = [table("a"), table("b", [1, 2]), text, table("c", [2, 2]), table("d")]
    assert ids(nodes) == [["a"], ["b", "c"], ["d"]]


@pytest.mark.parametrize("parts", [[[2, 2]], [[1, 3], [3, 3]], [[1, 2]]])
def test_a_sheet_of_which_a_part_is_missing_is_no_relation(parts):
    assert ids([table(str(number), part) for number, part in enumerate(parts)]) == []


def test_two_sheets_of_parts_are_not_mixed():
    nodes = [table("a", [1, 2]), table("b", [2, 2]), table("c", [1, 2]), table("d", [2, 2])]
    assert ids(nodes) == [["a", "b"], ["c", "d"]]


def test_a_relation_is_opened_once_for_each_version_of_a_document(tmp_path):
    cache, nodes = RelationCache(), relation_of(tmp_path, SHIPS).nodes
    first = cache.open("d1", 1, nodes)
    assert cache.open("d1", 1, nodes) is first
    assert cache.open("d1", 2, nodes) is not first
    assert cache.open("d2", 1, nodes) is not first


def test_another_place_in_the_document_changes_the_context_only(tmp_path):
    cache, nodes = RelationCache(), relation_of(tmp_path, SHIPS).nodes
    first, second = cache.open("d1", 1, nodes, ("Fleet",)), cache.open("d1", 1, nodes, ("Navy",))
    assert first.relation is second.relation and second.context == ("Navy",)


def test_the_oldest_relation_is_given_up():
    cache = RelationCache(kept=2)
    for name in ("a", "b", "c"):
        cache.open("d1", 1, [table(name)])
    assert [cache.get("d1", 1, name) is None for name in ("a", "b", "c")] == [True, False, False]


def test_any_part_leads_to_all_parts_while_they_are_kept():
    cache, parts = RelationCache(kept=1), [table("a", [1, 2]), table("b", [2, 2])]
    cache.open("d1", 1, parts)
    assert [node.node_id for node in cache.get("d1", 1, "b").relation.nodes] == ["a", "b"]
    cache.open("d1", 1, [table("c")])
    assert cache.get("d1", 1, "b") is None
