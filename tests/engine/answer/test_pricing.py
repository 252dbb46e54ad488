import pytest

from engine.answer.pricing import priced
from engine.config import LlmSettings, Settings
from engine.library import Library
from engine.model import Answer
from tests.openai_server import OpenAiServer

ANSWER = Answer("In 1932.", "direct", "high", True, [], tokens={"prompt": 2_000_000, "completion": 500_000})


def test_without_prices_an_answer_tells_no_cost():
    assert priced(ANSWER, LlmSettings()).cost is None


def test_the_cost_is_that_of_the_tokens_at_their_prices():
    assert priced(ANSWER, LlmSettings(price_prompt=0.5, price_completion=2)).cost == pytest.approx(2.0)


def test_an_asked_model_s_tokens_are_priced(tmp_path):
    with OpenAiServer() as server:
        llm = {"api_base": server.base_url, "api_key": server.key, "price_prompt": 1, "price_completion": 3}
        settings = Settings.model_validate({"llm": llm, "embedding": {"enabled": False}})
        with Library.open(tmp_path, settings=settings, background=False) as library:
            library.add_texts([("bridge.txt", "The Harbour Bridge opened in 1932.")])
            server.enqueue("The Harbour Bridge opened in 1932 [1].")
            told = library.ask("When did the Harbour Bridge open?", path="direct").to_dict()
    expected = (told["tokens"]["prompt"] + 3 * told["tokens"]["completion"]) / 1_000_000
    assert told["cost"] == pytest.approx(expected) and told["cost"] > 0
