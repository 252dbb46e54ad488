"""What settings cost at most at the prices that are set, in the currency of the prices."""

from __future__ import annotations

from engine.config import Settings

MILLION = 1_000_000
CALLS_A_ROUND = 3
WRITTEN_A_CALL = 500
READ_BY_RERANKING = 4_000


def cost_of(settings: Settings, read: float, written: float) -> float | None:
    """Return the cost of tokens that the language model reads and writes; None where no prices are set."""
    llm = settings.llm
    if not llm.price_prompt and not llm.price_completion:
        return None
    return (read * llm.price_prompt + written * llm.price_completion) / MILLION


def most(settings: Settings, group: str) -> float | None:
    """Return what a document ("indexing") or a question ("agent", "rerank.llm") costs at most, None if unknown."""
    if group == "indexing":
        budget = settings.indexing.max_tokens
        return max(cost_of(settings, budget, 0) or 0, cost_of(settings, 0, budget) or 0) or None
    if group == "agent":
        calls = settings.agent.max_iterations * CALLS_A_ROUND + 1
        return cost_of(settings, calls * settings.agent.tools.max_context_tokens, calls * WRITTEN_A_CALL)
    if group == "rerank.llm":
        return cost_of(settings, READ_BY_RERANKING, WRITTEN_A_CALL)
    return None


def told(cost: float) -> str:
    """Return a cost as it is shown: two decimals, and four for less than a tenth."""
    return f"{cost:,.2f}" if cost >= 0.1 else f"{cost:.4f}"
