"""Embeddings: the shipped model, and any OpenAI-compatible endpoint."""

import numpy as np
import pytest
from openai_server import OpenAiServer

from engine.config import EmbeddingSettings
from engine.errors import ConfigError, ProviderError, ProviderUnavailableError
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


def test_a_question_is_nearest_to_its_answer_in_whichever_language_it_stands(embedder):
    passages = embedder.passages(
        [
            "猫每天大约睡十六个小时。",
            "公司应当按时申报纳税。",
            "The company must file its tax return in time.",
        ]
    )
    assert (passages @ embedder.query("什么时候报税？")).argmin() == 0
    near = embedder.passages(["Cats sleep about sixteen hours a day.", "狗喜欢在公园里奔跑。"])
    assert np.diff(near @ embedder.query("猫每天睡多久？"))[0] < 0


def endpoint(server, **changes):
    settings = {"api_base": server.base_url, "api_key": server.key, "model": "embed-1", "dimension": 32}
    return open_embedder(EmbeddingSettings(**settings | changes))


def test_an_endpoint_gives_unit_vectors_in_the_order_of_the_texts():
    with OpenAiServer(dimension=32) as server:
        embedder = endpoint(server)
        texts = [f"text number {i}" for i in range(150)]
        vectors = embedder.passages(texts)
        assert vectors.shape == (150, 32)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
        assert vectors[149] == pytest.approx(embedder.query("text number 149"))


def test_a_question_asked_again_costs_no_call():
    with OpenAiServer(dimension=32) as server:
        embedder = endpoint(server)
        assert (embedder.query("again") == embedder.query("again")).all()
        assert len(server.requests) == 1


def test_an_endpoint_of_another_dimension_is_told():
    with OpenAiServer(dimension=16) as server, pytest.raises(ProviderError, match=r"embedding\.dimension"):
        endpoint(server).query("x")


def test_an_endpoint_that_is_not_there_or_refuses_the_key_is_told():
    with OpenAiServer(dimension=32) as server:
        with pytest.raises(ProviderUnavailableError, match="key"):
            endpoint(server, api_key="wrong").query("x")
        gone = endpoint(server)
    with pytest.raises(ProviderUnavailableError, match="reached"):
        gone.query("x")


def test_an_endpoint_needs_a_model():
    with pytest.raises(ConfigError, match=r"embedding\.model"):
        open_embedder(EmbeddingSettings(api_base="http://127.0.0.1:9/v1"))
