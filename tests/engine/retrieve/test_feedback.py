"""The question is moved towards what was found first, or away from what all passages share."""

import numpy as np
import pytest

from engine.retrieve.feedback import feedback, nearest_again
from engine.retrieve.fusion import Fused
from engine.settings_sources import with_changes
from storage.base import Scored

QUESTION = np.array([1, 0, 0], np.float32)
FIRST, COMMON = np.array([0, 1, 0], np.float32), np.array([0, 0, 1], np.float32)


class Vectors:
    """A snapshot with the vectors of a few nodes."""

    def __init__(self, by_key):
        self._by_key = by_key

    def vectors(self, keys, model):
        return {key: self._by_key[key] for key in keys if key in self._by_key}


def moved(trust, known=None, own_trust=None):
    """The question after feedback from one first passage and a hundred others that are all alike."""
    ranking = [Scored(key, 1 - key / 1000) for key in range(101)]
    snapshot = Vectors({0: FIRST, **dict.fromkeys(range(1, 101), COMMON)} if known is None else known)
    first = [Fused(0, 1.0, 1.0, None, 1, None)]
    return feedback(
        QUESTION, first, ranking, snapshot, "model", trust, trust if own_trust is None else own_trust
    )


def test_where_words_back_the_first_passages_the_question_moves_towards_them():
    vector = moved(trust=1.0)
    assert vector @ FIRST > 0 == vector @ COMMON


def test_where_words_tell_nothing_it_moves_away_from_what_all_passages_share():
    vector = moved(trust=0.0)
    assert vector @ COMMON < 0 == vector @ FIRST


def test_between_the_two_it_moves_a_little_of_both():
    assert moved(0.5) @ FIRST < moved(1.0) @ FIRST
    assert moved(0.0) @ COMMON < moved(0.5) @ COMMON < 0


@pytest.mark.parametrize("trust", [0.0, 1.0])
def test_it_stays_where_it_was_without_vectors(trust):
    assert moved(trust, known={}).tolist() == QUESTION.tolist()


def test_found_through_translations_it_moves_towards_the_first_and_away_from_what_all_share():
    both = moved(1.0, own_trust=0.0)
    assert both @ FIRST > moved(0.0) @ FIRST
    assert both @ COMMON < moved(1.0) @ COMMON


def test_in_a_large_scope_the_nearest_are_put_in_order_anew_for_a_small_move():
    random = np.random.default_rng(5)
    vectors = random.normal(size=(300, 24)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    asked = vectors[0]
    small = asked + 0.2 * vectors[1]
    small /= np.linalg.norm(small)

    def nearest(vector, k):
        scores = vectors @ vector
        return [Scored(int(key), float(scores[key])) for key in np.argsort(-scores)[:k]]

    snapshot = Vectors(dict(enumerate(vectors)))
    again = nearest_again(small, asked, nearest(asked, 100), snapshot, "model", 20)
    assert [one.key for one in again] == [one.key for one in nearest(small, 20)]
    assert [one.score for one in again] == pytest.approx([one.score for one in nearest(small, 20)], abs=1e-5)


def test_a_large_library_is_not_searched_again_for_a_small_move(filled, monkeypatch):
    filled.embed_pending()
    question = "How much did cloud revenue grow in the report?"
    settings = with_changes(filled.settings, {"retrieval.k_dense": 1})
    whole = [hit.node_id for hit in filled.search(question, top_k=1, settings=settings).hits]
    monkeypatch.setattr("engine.retrieve.run.LARGE", 5)
    searched = []
    kind = type(filled.storage.snapshot())
    dense = kind.dense_search
    monkeypatch.setattr(kind, "dense_search", lambda *told: searched.append(told[2]) or dense(*told))
    assert [hit.node_id for hit in filled.search(question, top_k=1, settings=settings).hits] == whole
    assert searched == [5]
