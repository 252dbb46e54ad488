"""Fusion: each view weighs as much as it tells apart."""

import pytest

from engine.config import FusionSettings
from engine.retrieve.fusion import fuse, trust_in_words
from storage.base import Scored

WEIGHTED = FusionSettings()
SPREAD = 0.06


def order(fused):
    return [one.key for one in fused]


def test_a_node_that_both_views_find_wins():
    dense = [Scored(1, 0.90), Scored(2, 0.89)]
    sparse = [Scored(2, 9.0), Scored(3, 8.0)]
    fused = fuse(dense, sparse, WEIGHTED, spread=SPREAD)
    assert order(fused)[0] == 2
    assert (fused[0].dense_rank, fused[0].sparse_rank) == (2, 1)


def test_meaning_decides_where_it_tells_nodes_apart_and_words_where_it_does_not():
    sparse = [Scored(2, 9.0), Scored(1, 3.0)]
    assert order(fuse([Scored(1, 0.90), Scored(2, 0.82)], sparse, WEIGHTED, spread=SPREAD)) == [1, 2]
    assert order(fuse([Scored(1, 0.83), Scored(2, 0.82)], sparse, WEIGHTED, spread=SPREAD)) == [2, 1]


def test_words_that_account_for_little_of_the_question_do_not_push_meaning_aside():
    dense = [Scored(1, 0.90), Scored(2, 0.875)]
    sparse = [Scored(2, 3.0)]
    stray, real = trust_in_words(0.02), trust_in_words(0.5)
    assert order(fuse(dense, sparse, WEIGHTED, spread=SPREAD, trust=stray)) == [1, 2]
    assert order(fuse(dense, sparse, WEIGHTED, spread=SPREAD, trust=real)) == [2, 1]


def test_a_node_only_words_found_is_judged_by_its_meaning_too():
    dense = [Scored(1, 0.90)]
    sparse = [Scored(2, 5.0), Scored(3, 4.9)]
    fused = fuse(dense, sparse, WEIGHTED, spread=SPREAD, cosines={2: 0.70, 3: 0.89})
    assert order(fused).index(3) < order(fused).index(2)


def test_a_node_without_a_vector_yet_is_not_behind_for_that():
    dense = [Scored(1, 0.90), Scored(2, 0.85)]
    sparse = [Scored(3, 9.0), Scored(2, 4.0)]
    assert order(fuse(dense, sparse, WEIGHTED, spread=SPREAD))[0] == 3


def test_a_full_list_of_words_is_taken_to_go_on_below():
    dense = [Scored(1, 0.90), Scored(2, 0.90)]
    sparse = [Scored(3, 9.0), Scored(2, 8.0)]
    cut, whole = ({one.key: one.score for one in fuse(dense, sparse, WEIGHTED, spread=SPREAD, full=k)} for k in (2, 3))
    assert cut[2] > cut[1] > whole[1]


def test_one_view_alone_keeps_its_order():
    ranking = [Scored(7, 0.9), Scored(5, 0.8), Scored(6, 0.7)]
    assert order(fuse(ranking, [], WEIGHTED, spread=SPREAD)) == [7, 5, 6]
    assert order(fuse([], ranking, WEIGHTED)) == [7, 5, 6]
    assert fuse([], [], WEIGHTED) == []


def test_a_model_of_unknown_spread_is_scaled_to_its_own_list():
    dense = [Scored(1, 0.60), Scored(2, 0.20)]
    scores = {one.key: one.score for one in fuse(dense, [], WEIGHTED)}
    assert scores[1] == pytest.approx(WEIGHTED.dense)
    assert scores[2] == pytest.approx(0.0)
