"""Fusion: each view counts by its own evidence."""

import pytest

from engine.config import FusionSettings
from engine.retrieve.fusion import fuse
from storage.base import Scored

E5 = "multilingual-e5-small@x"
WEIGHTED = FusionSettings()


def order(fused):
    return [one.key for one in fused]


def test_a_node_that_both_views_find_wins():
    dense = [Scored(1, 0.90), Scored(2, 0.89)]
    sparse = [Scored(2, 9.0), Scored(3, 8.0)]
    fused = fuse(dense, sparse, WEIGHTED, model=E5)
    assert order(fused)[0] == 2
    best = fused[0]
    assert (best.dense_rank, best.sparse_rank) == (2, 1)


def test_words_that_account_for_little_of_the_question_do_not_push_meaning_aside():
    dense = [Scored(1, 0.90), Scored(2, 0.84)]
    sparse = [Scored(2, 3.0)]
    assert order(fuse(dense, sparse, WEIGHTED, matched=0.02, model=E5)) == [1, 2]
    assert order(fuse(dense, sparse, WEIGHTED, matched=0.9, model=E5)) == [2, 1]


def test_a_node_only_words_found_is_judged_by_its_meaning_too():
    dense = [Scored(1, 0.90)]
    sparse = [Scored(2, 5.0), Scored(3, 4.9)]
    fused = fuse(dense, sparse, WEIGHTED, cosines={2: 0.70, 3: 0.89}, model=E5)
    assert order(fused).index(3) < order(fused).index(2)


@pytest.mark.parametrize("method", ["weighted", "rrf"])
def test_one_view_alone_keeps_its_order(method):
    settings = FusionSettings(method=method)
    ranking = [Scored(7, 0.9), Scored(5, 0.8), Scored(6, 0.7)]
    assert order(fuse(ranking, [], settings, model=E5)) == [7, 5, 6]
    assert order(fuse([], ranking, settings)) == [7, 5, 6]
    assert fuse([], [], settings) == []


def test_an_unknown_model_is_scaled_to_its_own_list():
    dense = [Scored(1, 0.60), Scored(2, 0.20)]
    scores = {one.key: one.score for one in fuse(dense, [], WEIGHTED, model="other")}
    assert scores[1] == pytest.approx(WEIGHTED.dense)
    assert scores[2] == pytest.approx(0.0)
