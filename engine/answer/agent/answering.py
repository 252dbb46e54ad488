"""From the first search's evidence through the loop to the evidence that is answered from."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.answer.agent.loop import OnStep, Outcome, run_agent
from engine.answer.agent.model_planner import ModelPlanner
from engine.answer.agent.tools import Desk, Toolbox
from engine.answer.phrases import phrases_for
from engine.errors import UsageError
from engine.model import Evidence, Hit, SearchResult
from engine.retrieve.pack import pack

if TYPE_CHECKING:
    from engine.answer.agent.state import Planner
    from engine.providers.llm import Llm

# So many passages are kept over all rounds.
KEPT = 10
# The loop starts from more hits than are shown: those further down may be the next hop.
FIRST_HITS = 40


def search_on(
    question: str,
    evidence: Sequence[Evidence],
    desk: Desk,
    *,
    llm: Llm | None,
    on_step: OnStep,
    cancelled: Callable[[], bool] | None = None,
    rounds: int | None = None,
) -> Outcome:
    """Run the loop from what the first search found. Raises CancelledError."""
    phrases = phrases_for(question)

    def planner_for(toolbox: Toolbox) -> Planner:
        assert llm is not None
        return ModelPlanner(llm, toolbox, desk.settings, phrases, evidence, cancelled)

    return run_agent(
        question,
        first_hits(question, desk) or [item.hit for item in evidence],
        desk,
        planner_for=None if llm is None else planner_for,
        on_step=on_step,
        cancelled=cancelled,
        rounds=rounds,
    )


def gather(
    question: str,
    desk: Desk,
    most: int,
) -> SearchResult:
    """Search in rounds, planned by rules, and return the passages kept, best by joint evidence first.

    Raises UsageError, NotFoundError.
    """
    started = time.perf_counter()
    first = desk.search(question, mode="hybrid", top_k=max(most, FIRST_HITS))
    outcome = run_agent(question, first.hits, desk, thorough=True)
    hits = outcome.hits
    timings = {**first.timings_ms, "total": round((time.perf_counter() - started) * 1000, 2)}
    return SearchResult(question, "agent", hits[:most], timings, first.views, first.notes)


def first_hits(question: str, desk: Desk, most: int = FIRST_HITS) -> list[Hit]:
    """Return the hits that the loop starts from."""
    try:
        return desk.search(question, mode="hybrid", top_k=most).hits
    except UsageError:
        return []


def kept(outcome: Outcome, desk: Desk, question: str) -> list[Evidence]:
    """Return the best passages over all rounds as evidence, within the budget of a context, then what is disputed."""
    budget, window = desk.settings.agent.tools.max_context_tokens, desk.settings.retrieval.window
    evidence = pack(outcome.hits[:KEPT], desk.storage, budget, question, window)
    known = {item.hit.node_id for item in evidence}
    return evidence + [item for item in outcome.disputed if item.hit.node_id not in known]
