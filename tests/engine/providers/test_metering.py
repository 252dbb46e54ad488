"""What models use for one answer is counted, priced, and ended by a budget."""

import pytest

from engine.config import LlmSettings
from engine.errors import BudgetSpentError, ProviderError
from engine.providers.llm import Usage, open_llm
from engine.providers.metering import Meter
from tests.openai_server import Script

ASK = [{"role": "user", "content": "When did the bridge open?"}]


@pytest.fixture
def metered(server):
    """A model and the meter that counts it, by the settings of a budget."""

    def make(**budget):
        settings = LlmSettings(api_base=server.base_url, api_key=server.key, retries=0, **budget)
        meter = Meter(settings)
        return meter.metered(open_llm(settings)), meter

    return make


def test_without_prices_nothing_is_known_of_the_cost():
    meter = Meter(LlmSettings())
    meter.spend(Usage(2_000_000, 500_000))
    assert meter.cost is None


def test_the_cost_is_that_of_the_tokens_at_their_prices():
    meter = Meter(LlmSettings(price_prompt=0.5, price_completion=2))
    meter.spend(Usage(2_000_000, 500_000))
    assert meter.cost == pytest.approx(2.0)


def test_whole_and_streamed_replies_are_counted(metered):
    llm, meter = metered()
    whole = llm.complete(ASK).usage
    reply = llm.stream(ASK)
    assert "".join(reply) == "OK"
    assert meter.tokens == {
        "prompt": whole.prompt + reply.usage.prompt, "completion": whole.completion + reply.usage.completion
    }  # fmt: skip
    assert reply.finish == "stop" and not reply.tool_calls


def test_a_reply_that_breaks_off_is_counted_as_far_as_it_came(metered, server):
    llm, meter = metered()
    server.enqueue(Script("one two three four", cut_after=2))
    with pytest.raises(ProviderError):
        list(llm.stream(ASK))
    assert meter.tokens["prompt"] > 0 and meter.tokens["completion"] > 0


@pytest.mark.parametrize(
    "budget", [{"answer_tokens": 1}, {"answer_cost": 1e-9, "price_prompt": 1.0, "price_completion": 1.0}]
)
def test_once_the_budget_is_used_up_no_call_is_begun_and_that_is_told_once(metered, server, budget):
    llm, meter = metered(**budget)
    told = []
    meter.on_refused = lambda: told.append(dict(meter.tokens))
    llm.complete(ASK)
    assert meter.spent and not meter.refused
    for begin in (llm.complete, llm.stream):
        with pytest.raises(BudgetSpentError, match=r"llm\.answer_tokens"):
            begin(ASK)
    assert len(server.chats) == 1 and meter.refused and told == [meter.tokens]


def test_a_call_that_was_begun_comes_to_its_end_beyond_the_budget(metered, server):
    llm, _ = metered(answer_tokens=1)
    server.enqueue("a long reply that takes more than one token")
    assert "".join(llm.stream(ASK)).endswith("one token")


def test_a_cost_that_nothing_is_known_of_ends_nothing(metered):
    llm, meter = metered(answer_cost=1e-9)
    llm.complete(ASK)
    assert not meter.spent
