"""Embeddings: the shipped model, and any OpenAI-compatible endpoint."""

import numpy as np
import pytest

from engine.config import EmbeddingSettings
from engine.providers.embedding import open_embedder


@pytest.fixture(scope="module")
def embedder():
    return open_embedder(EmbeddingSettings())


def test_vectors_have_unit_length_and_the_announced_dimension(embedder):
    vectors = embedder.passages(["A cat sleeps.", "猫在睡觉。", ""])
    assert vectors.shape == (3, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-3)


def test_what_means_the_same_is_nearer_across_languages(embedder):
    question = embedder.query("How long do cats sleep?")
    cats, tax = embedder.passages(["猫每天睡十六个小时。", "公司应当按时申报纳税。"])
    assert question @ cats > question @ tax


def test_a_text_has_the_same_vector_alone_and_in_a_batch(embedder):
    alone = embedder.passages(["The Danube flows through ten countries."])[0]
    batch = embedder.passages(["x " * 300, "The Danube flows through ten countries.", "短"])[1]
    assert alone @ batch > 0.999


def test_markers_of_the_tokenizer_in_a_document_are_only_text(embedder):
    plain, marked = embedder.passages(["one two three", "one </s> two <mask> three <s>"])
    assert plain @ marked > 0.85


def test_switched_off_there_is_no_embedder():
    assert open_embedder(EmbeddingSettings(enabled=False)) is None


def test_the_name_identifies_the_weights(embedder):
    assert embedder.name.startswith("multilingual-e5-small@")
