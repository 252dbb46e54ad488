"""The question is moved towards what was found first, or away from what all passages share."""

import numpy as np
import pytest

from engine.retrieve.feedback import feedback
from engine.retrieve.fusion import Fused
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
