"""Sentences are embedded once, however many questions look at them."""

import numpy as np
import pytest

from engine.providers.similarity import SentenceSimilarity
from engine.recent import Recent


class Letters:
    """An embedding model that counts letters, and the texts it was asked for."""

    dimension = 26

    def __init__(self, name: str = "letters"):
        self.name = name
        self.asked: list[str] = []

    def query(self, text):
        counts = np.array([text.lower().count(chr(97 + i)) for i in range(26)], np.float32)
        return counts / np.linalg.norm(counts)

    def passages(self, texts):
        self.asked += texts
        return np.stack([self.query(text) for text in texts])


def test_the_nearest_sentence_has_the_highest_cosine_in_the_order_asked():
    similarity = SentenceSimilarity(Letters(), Recent("vectors", 8))
    cosines = similarity("tide", ["moon", "the tide", "moon"])
    assert cosines.shape == (3,) and cosines[1] > cosines[0] == cosines[2]
    assert similarity("tide", []).shape == (0,)


def test_another_question_about_the_same_sentences_embeds_only_what_is_new():
    model, kept = Letters(), Recent("vectors", 8)
    first = SentenceSimilarity(model, kept)("tide", ["the tide", "a boat"])
    again = SentenceSimilarity(model, kept)("tide", ["a boat", "the tide", "a moor"])
    assert model.asked == ["the tide", "a boat", "a moor"]
    assert again[:2].tolist() == first[::-1].tolist()


def test_vectors_of_another_model_are_never_taken():
    kept, other = Recent("vectors", 8), Letters("other")
    SentenceSimilarity(Letters(), kept)("tide", ["the tide"])
    SentenceSimilarity(other, kept)("tide", ["the tide"])
    assert other.asked == ["the tide"]


def test_only_the_last_sentences_are_kept_and_more_than_those_are_still_answered():
    model = Letters()
    similarity = SentenceSimilarity(model, Recent("vectors", 2))
    assert similarity("tide", ["ebb", "flow", "moor"]).shape == (3,)
    similarity("tide", ["flow", "moor"])
    assert model.asked == ["ebb", "flow", "moor"]
    similarity("tide", ["ebb"])
    assert model.asked[3:] == ["ebb"]


def test_what_the_model_cannot_do_is_raised_and_nothing_is_kept():
    class Broken(Letters):
        def passages(self, texts):
            raise OSError("gone")

    kept = Recent("vectors", 8)
    with pytest.raises(OSError, match="gone"):
        SentenceSimilarity(Broken(), kept)("tide", ["the tide"])
    model = Letters()
    SentenceSimilarity(model, kept)("tide", ["the tide"])
    assert model.asked == ["the tide"]
