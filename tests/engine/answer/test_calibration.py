import numpy as np
import pytest

from engine.answer.calibration import baseline
from engine.config import EmbeddingSettings
from engine.providers.embedding import open_embedder


class Words:
    """A model whose vectors are the letters of a text, all in a narrow cone; counts its calls."""

    name, dimension = "words", 64

    def __init__(self):
        self.calls = 0

    def query(self, text):
        vector = np.full(64, 3.0, np.float32)
        for letter in text:
            vector[ord(letter) % 64] += 1
        return vector / np.linalg.norm(vector)

    def passages(self, texts):
        self.calls += 1
        return np.stack([self.query(text) for text in texts])


def test_unrelated_pairs_lie_at_zero_and_answers_at_one():
    base = baseline(Words(), False, False)
    assert base.height(base.unrelated) == 0 and base.height(base.answering) == pytest.approx(1)
    assert base.answering > base.unrelated


def test_a_model_is_measured_once_for_each_pair_of_languages():
    model = Words()
    for _ in range(3):
        baseline(model, False, False)
        baseline(model, True, False)
    assert model.calls == 2


@pytest.mark.parametrize("chinese_question", [True, False])
@pytest.mark.parametrize("chinese_text", [True, False])
def test_the_embedded_model_tells_answers_from_unrelated_text_in_every_pair(chinese_question, chinese_text):
    embedder = open_embedder(EmbeddingSettings())
    base = baseline(embedder, chinese_question, chinese_text)
    assert base.answering - base.unrelated > 0.05
