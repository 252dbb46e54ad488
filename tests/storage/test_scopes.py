"""What every backend must do with filters, seen from outside."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from library_maker import EVERYTHING, add, found, remove, upkeep, version

from engine.errors import UsageError
from engine.model import Filters, document_id_for
from storage.base import Facets
from storage.catalog.dense import DenseSearch
from storage.catalog.scope import KeyScope
from storage.catalog.vectors import ModelVectors, Names


def test_filters_narrow_what_is_searched(storage):
    add(storage, "a.txt", ["red apple", "green apple"], section="Fruit")
    add(storage, "b.txt", ["apple phone"], section="Devices")
    add(storage, "b.txt", ["apple watch"], section="Devices")
    assert sorted(found(storage, "apple")) == ["apple watch", "green apple", "red apple"]
    assert found(storage, "apple", Filters(documents=("b.txt",))) == ["apple watch"]
    assert found(storage, "apple", Filters(documents=(document_id_for("b.txt"),))) == ["apple watch"]
    assert sorted(found(storage, "apple", Filters(section="fRUIT"))) == ["green apple", "red apple"]
    assert found(storage, "apple", Filters(section="vegetable")) == []
    assert sorted(found(storage, "apple", Filters(version=1))) == ["apple phone", "green apple", "red apple"]
    assert found(storage, "apple", Filters(version=1, documents=("b.txt",))) == ["apple phone"]
    assert found(storage, "apple", Filters(version=2)) == ["apple watch"]
    assert found(storage, "apple", Filters(roles=("table",))) == []
    assert len(found(storage, "apple", Filters(roles=("table", "paragraph")))) == 3
    assert found(storage, "apple", Filters(roles=("paragraph",), section="dev", documents=("b.txt",))) == [
        "apple watch"
    ]


def test_a_scope_knows_its_size_and_members(storage):
    add(storage, "a.txt", ["red apple"])
    add(storage, "a.txt", ["green pear", "blue plum"])
    snapshot = storage.snapshot()
    scope = snapshot.scope(EVERYTHING)
    keys = snapshot.keyword_search(lambda _: True, 99, scope)
    assert scope.size == len(keys) == 4
    assert scope.contains(np.array([*keys, -1, 10**9])).tolist() == [True] * 4 + [False] * 2
    assert snapshot.scope(Filters(version=1)).contains(np.array(keys)).sum() == 0


def test_sections_above_sections_count_for_the_section_filter(storage):
    write = version("a.txt", ["red apple", "green apple"], section="Outer")
    inner = dataclasses.replace(
        write.nodes[1], node_id="inner", parent_id=write.nodes[1].node_id, title="Inner", depth=2
    )
    moved = dataclasses.replace(write.nodes[3], parent_id="inner", depth=3)
    write = dataclasses.replace(write, nodes=[*write.nodes[:3], inner, moved])
    with storage.unit_of_work() as unit:
        unit.write(write)
        unit.commit()
    assert sorted(found(storage, "apple", Filters(section="outer"))) == ["green apple", "red apple"]
    assert found(storage, "apple", Filters(section="inner")) == ["green apple"]


def faceted(storage, name, facets):
    """A document with a paragraph "apple 0", "apple 1" … for each of the facets."""
    write = version(name, [f"apple {n}" for n in range(len(facets))])
    by_id = {node.node_id: one for node, one in zip(write.nodes[2:], facets, strict=True)}
    with storage.unit_of_work() as unit:
        unit.write(dataclasses.replace(write, facets=by_id))
        unit.commit()


def test_filters_by_page_level_numbers_units_and_chart_narrow_what_is_searched(storage):
    faceted(
        storage,
        "a.txt",
        [
            Facets(pages=(1,)),
            Facets(pages=(2, 3), has_numbers=True, units=("%", "USD")),
            Facets(pages=(3,), level=2, units=("kg",)),
            Facets(chart_type="bar", has_numbers=True, col_types=("date", "number")),
            Facets(pages=(4,)),
        ],
    )

    def kept(**filters):
        return sorted(int(text[-1]) for text in found(storage, "apple", Filters(**filters)))

    assert kept(pages=(1, 4)) == [0, 1, 2, 4]
    assert kept(pages=(3, 3)) == [1, 2]
    assert kept(pages=(4, 9)) == [4]
    assert kept(has_numbers=True) == [1, 3]
    assert kept(has_numbers=False) == [0, 2, 4]
    assert kept(units=("usd",)) == kept(units=("%",)) == [1]
    assert kept(units=("%", "kg")) == [1, 2]
    assert kept(levels=(2,)) == [2]
    assert kept(chart_types=("bar", "pie")) == [3]
    assert kept(col_types=("date",)) == [3]
    assert kept(chart_types=("bar",), pages=(1, 4)) == []
    assert kept(roles=("paragraph",), section="intro", pages=(2, 2), documents=("a.txt",)) == [1]


def test_a_filter_loses_nothing_when_documents_come_change_and_go(storage):
    rng = np.random.default_rng(7)
    expected = {}
    for round_ in range(12):
        name = f"{rng.integers(5)}.txt"
        facets = [Facets(pages=(int(page),)) for page in rng.integers(1, 6, size=rng.integers(1, 9))]
        faceted(storage, name, facets)
        expected[name] = [one.pages[0] for one in facets]
        if round_ % 4 == 3:
            remove(storage, document_id_for(name))
            del expected[name]
        upkeep(storage)
        for first, last in ((1, 1), (2, 4), (5, 9)):
            count = sum(first <= page <= last for pages in expected.values() for page in pages)
            assert len(found(storage, "apple", Filters(pages=(first, last)), k=99)) == count


def test_a_filter_that_cannot_be_applied_is_refused(storage):
    with pytest.raises(UsageError):
        storage.snapshot().scope(Filters(roles=("chapter",)))


class Recorded:
    """An index of many entries that notes how many are asked for; the vectors are as near as their names are small."""

    def __init__(self, entries):
        self.names, self.asked = Names(np.ones(entries, np.bool_)), []

    def held(self, model):
        return self.names

    def nearest(self, model, query, count):
        self.asked.append(count)
        return np.arange(count)

    def fetch(self, model, names):
        self.fetched = len(names)
        return names, np.tile(np.float32([1.0, 0.0]), (len(names), 1)) / (1 + names[:, None])


@pytest.mark.parametrize(("entries", "least"), [(5_000, 50), (100_000, 1_000), (9_000_000, 2_000)])
def test_a_large_index_is_searched_more_widely_and_no_more_is_compared(entries, least):
    index = Recorded(entries)
    scope = KeyScope(np.ones(entries, np.bool_), True, np.zeros(0, np.int64))
    model = ModelVectors(1, "any", 2, index.names)
    found = DenseSearch(index, index, 4000).search(model, np.float32([1, 0]), 10, scope)
    assert [one.key for one in found] == [*range(10)]
    assert index.asked == [least + 15] and index.fetched == 60
