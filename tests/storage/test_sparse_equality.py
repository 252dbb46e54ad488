"""The scores of many segments equal those of one bm25s index over exactly the current nodes."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_maker import add, embed_all, upkeep, upkeep_later, version

from engine.model import Filters, document_id_for
from storage.base import AnyOf
from storage.embedded import open_storage
from storage.postgres import PostgresStorage
from tests.postgres_server import drop, new_database

WORDS = [f"t{i}" for i in range(12)]
PARAGRAPH = st.lists(st.tuples(st.sampled_from(WORDS), st.integers(1, 3)), min_size=1, max_size=8)
DOCUMENT = st.lists(PARAGRAPH, min_size=1, max_size=5)
CHANGE = st.one_of(
    st.tuples(st.just("write"), st.dictionaries(st.integers(0, 7), DOCUMENT, min_size=1)),
    st.tuples(st.just("delete"), st.integers(0, 7)),
    st.tuples(st.just("upkeep"), st.none()),
    st.tuples(st.just("reopen"), st.none()),
)  # fmt: skip
QUERY = st.lists(st.sampled_from([*WORDS, "unknown"]), min_size=1, max_size=5)


class Model:
    """The same library as plain lists: document -> versions -> paragraphs -> weighted tokens."""

    def __init__(self):
        self.documents = {}
        self.count = 0

    def write(self, storage, documents):
        with storage.unit_of_work() as unit:
            for number, paragraphs in documents.items():
                name = f"{number}.txt"
                self.count += 1
                # Each text gets a word of its own, so that hits can be told apart.
                marked = [[*tokens, (f"own{self.count}-{i}", 1)] for i, tokens in enumerate(paragraphs)]
                texts = [" ".join(word for word, _ in tokens) for tokens in marked]
                weights = [[float(weight) for _, weight in tokens] for tokens in marked]
                unit.write(version(name, texts, weights=weights))
                self.documents.setdefault(name, []).append(dict(zip(texts, marked, strict=True)))
            unit.commit()

    def delete(self, storage, number):
        if self.documents.pop(f"{number}.txt", None) is not None:
            with storage.unit_of_work() as unit:
                unit.delete(document_id_for(f"{number}.txt"))
                unit.commit()

    def current(self):
        return {text: tokens for versions in self.documents.values() for text, tokens in versions[-1].items()}


def shipped_scores(paragraphs, query):
    """Scores by text from the bm25s package itself; an integer weight is a repeated token."""
    corpus = [[word for word, weight in tokens for _ in range(weight)] for tokens in paragraphs.values()]
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index(corpus, show_progress=False)
    known = [word for word in query if word in index.vocab_dict]
    if not known:
        return {}
    return {text: s for text, s in zip(paragraphs, index.get_scores(known).tolist(), strict=True) if s > 0}


def our_scores(storage, query, filters=Filters()):
    snapshot = storage.snapshot()
    hits = snapshot.sparse_search([(word, 1.0) for word in query], 1000, snapshot.scope(filters))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    nodes = snapshot.nodes([hit.key for hit in hits])
    return {stored.node.text: hit.score for stored, hit in zip(nodes, hits, strict=True)}


CHANGES = given(changes=st.lists(CHANGE, min_size=1, max_size=14), queries=st.lists(QUERY, min_size=1, max_size=4))
ANEW = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=40, **ANEW)
@CHANGES
def test_scores_equal_one_index_over_the_current_nodes(changes, queries):
    folder = Path(tempfile.mkdtemp())
    equal_one_index(partial(open_storage, folder), folder, changes, queries)


@settings(max_examples=10, **ANEW)
@CHANGES
def test_scores_in_a_database_equal_one_index_over_the_current_nodes(changes, queries):
    folder, address = Path(tempfile.mkdtemp()), new_database()
    equal_one_index(partial(PostgresStorage, address, folder), folder, changes, queries)
    drop(address)


def equal_one_index(opened, folder, changes, queries):
    storage = opened()
    model = Model()
    try:
        for what, value in changes:
            if what == "upkeep":
                upkeep(storage)
            elif what == "reopen":
                storage.close()
                storage = opened()
            else:
                getattr(model, what)(storage, value)
        current = model.current()
        for query in queries:
            assert our_scores(storage, query) == pytest.approx(
                shipped_scores(current, query) if current else {}, rel=1e-5
            )
        for name, versions in model.documents.items():
            for number, paragraphs in enumerate(versions, 1):
                for text in paragraphs:
                    only = Filters(documents=(name,), version=number)
                    assert list(our_scores(storage, [text.split()[-1]], only)) == [text]
    finally:
        storage.close()
        shutil.rmtree(folder)


def test_many_small_segments_merge_and_keep_their_scores(tmp_path):
    storage = open_storage(tmp_path)
    for i in range(30):
        add(storage, f"{i}.txt", [f"common w{i % 5} only{i}", f"common common w{i % 3}"])
    for i in range(0, 30, 4):
        add(storage, f"{i}.txt", [f"changed common {i}"])
    with storage.unit_of_work() as unit:
        for i in range(1, 30, 5):
            unit.delete(document_id_for(f"{i}.txt"))
        unit.commit()
    queries = ["common w1", "w2 w3 changed", "only7", "only4", "only1"]
    before = [our_scores(storage, query.split()) for query in queries]
    assert len(list((tmp_path / "sparse").iterdir())) == 38
    upkeep(storage)
    upkeep_later(storage)
    assert len(list((tmp_path / "sparse").iterdir())) == 1
    after = [our_scores(storage, query.split()) for query in queries]
    assert after == [pytest.approx(scores, rel=1e-6) for scores in before]
    assert before[2] and not before[3] and not before[4]
    assert our_scores(storage, ["only4"], Filters(version=1))
    assert all(check.ok for check in storage.check())
    storage.close()


def test_the_stock_library_loads_a_segment_and_ranks_by_it_as_the_library_does(tmp_path):
    storage = open_storage(tmp_path)
    texts = ["the harbour of vardo has twelve berths", "a harbour fee of vardo", "the fee", "narvik"]
    add(
        storage,
        "a.txt",
        [*texts, "berths berths berths in the harbour of bodo, which is longer than the others"],
    )
    (folder,) = (tmp_path / "sparse").iterdir()
    index = bm25s.BM25.load(folder, mmap=True)
    keys = np.load(folder / "ids.npy").tolist()
    for query in (["harbour"], ["berths", "vardo"], ["the", "fee", "of"], ["narvik", "harbour"]):
        found, scores = index.retrieve([query], k=len(keys), show_progress=False)
        stock = {keys[row]: score for row, score in zip(found[0], scores[0].tolist(), strict=True) if score > 0}
        snapshot = storage.snapshot()
        scope = snapshot.scope(Filters())
        ours = dict(snapshot.sparse_search([(word, 1.0) for word in query], 10, scope))
        assert ours and stock == pytest.approx(ours, rel=1e-5)
    storage.close()


def test_terms_are_found_whatever_characters_they_have(storage):
    words = ["a", "aa", "é", "知识", "知", "z\u00ff", "\U0001f600", "~", "0"]
    for word in words:
        add(storage, f"{word}.txt", [word])
    upkeep(storage)
    for word in words:
        assert list(our_scores(storage, [word])) == [word]
    assert our_scores(storage, ["", "b", "\uffff"]) == {}
    assert embed_all(storage) == len(words)


def test_ways_of_saying_one_thing_score_as_if_they_were_one_word(storage):
    """What the bm25s package gives for one token in place of the several."""
    texts = ["car car road", "automobile road", "motor vehicle rules", "motor rules", "vehicle", "tree"]
    for i, text in enumerate(texts):
        add(storage, f"{i}.txt", [text])
    car = AnyOf("汽车", (("car",), ("automobile",), ("motor", "vehicle"), ("coach",)))
    snapshot = storage.snapshot()
    hits = snapshot.sparse_search([(car, 1.0)], 10, snapshot.scope(Filters()))
    nodes = snapshot.nodes([hit.key for hit in hits])
    found = {stored.node.text: hit.score for stored, hit in zip(nodes, hits, strict=True)}
    as_one_word = ["C C road", "C road", "C x rules", "motor rules", "vehicle", "tree"]
    as_one = {text: [(word, 1) for word in said.split()] for text, said in zip(texts, as_one_word, strict=True)}
    assert found == pytest.approx(shipped_scores(as_one, ["C"]), rel=1e-5)


def test_ways_of_saying_one_thing_are_the_same_in_one_segment_and_in_many(tmp_path):
    storage = open_storage(tmp_path)
    for i in range(12):
        add(storage, f"{i}.txt", [f"common w{i % 5} v{i % 3} only{i}", f"common v{i % 2}"])
    with storage.unit_of_work() as unit:
        unit.delete(document_id_for("4.txt"))
        unit.commit()
    some = [(AnyOf("w", (("w1",), ("v0", "common"), ("w2", "v2"))), 2.0), ("v1", 1.0)]

    def scores():
        snapshot = storage.snapshot()
        hits = snapshot.sparse_search(some, 100, snapshot.scope(Filters()))
        texts = [stored.node.text for stored in snapshot.nodes([hit.key for hit in hits])]
        return dict(zip(texts, [hit.score for hit in hits], strict=True))

    before = scores()
    upkeep(storage)
    assert scores() == pytest.approx(before, rel=1e-6)
    storage.close()
