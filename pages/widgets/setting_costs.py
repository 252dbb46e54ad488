"""What settings cost at most at the prices that are set, in the currency of the prices."""

from __future__ import annotations

from engine.config import LlmSettings, Settings

MILLION = 1_000_000
CALLS_A_ROUND = 3
WRITTEN_A_CALL = 500
READ_BY_RERANKING = 4_000


def cost_of(llm: LlmSettings, read: float, written: float) -> float | None:
    """Return the cost of tokens that a model reads and writes; None where its prices are not known."""
    if not llm.price_prompt and not llm.price_completion:
        return None
    return (read * llm.price_prompt + written * llm.price_completion) / MILLION


def most(settings: Settings, group: str) -> float | None:
    """Return what a document ("indexing") or a question ("agent", "rerank.llm") costs at most, None if unknown."""
    if group == "indexing":
        llm, budget = settings.indexing_llm, settings.indexing.max_tokens
        return max(cost_of(llm, budget, 0) or 0, cost_of(llm, 0, budget) or 0) or None
    if group == "agent":
        calls = settings.agent.max_iterations * CALLS_A_ROUND + 1
        read = calls * settings.agent.tools.max_context_tokens
        cost, limit = cost_of(settings.llm, read, calls * WRITTEN_A_CALL), settings.llm.answer_cost
        return min(cost, limit) if cost and limit else cost
    if group == "rerank.llm":
        return cost_of(settings.rerank_llm, READ_BY_RERANKING, WRITTEN_A_CALL)
    return None


def told(cost: float) -> str:
    """Return a cost as it is shown: two decimals, and four for less than a tenth."""
    return f"{cost:,.2f}" if cost >= 0.1 else f"{cost:.4f}"
