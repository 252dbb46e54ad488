"""Judge what a step has brought, and what to do next (seed 003, 6.3)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.answer.agent.tools import Quality, ToolResult
from engine.config import AgentSettings

_KNOWN: frozenset[str] = frozenset(
    ("continue", "refine_query", "explore_deeper", "broaden_search", "verify_sources", "finalize")
)


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a step was worth: its result's quality, new passages, the density (0..1), and what follows from it."""

    quality: Quality
    new: int
    density: float
    strategy: str


def assess_step(
    result: ToolResult, new: int, density: float, gained: float, depth: int, settings: AgentSettings
) -> Assessment:
    """Return the assessment of a result.

    ``density`` is how much of the question the evidence holds now and ``gained`` by how much that rose;
    ``depth`` counts the steps that went deeper already.
    """
    quality = result.quality
    if quality == "good" and result.hits and not new and gained <= 0:
        quality = "low_relevance"
    return Assessment(quality, new, round(density, 3), _strategy(quality, density, depth, settings))


def _strategy(quality: Quality, density: float, depth: int, settings: AgentSettings) -> str:
    feedback = settings.feedback
    if quality == "contradictions_found":
        return _known(feedback.contradiction_action, "verify_sources")
    if density >= settings.info_density.sufficient_threshold:
        return "finalize"
    if quality in ("empty", "failed"):
        return _known(feedback.empty_result_action, "refine_query")
    if quality == "low_relevance":
        if depth < settings.strategy.max_depth_exploration:
            return _known(feedback.low_relevance_action, "explore_deeper")
        return "broaden_search"
    return "continue"


def _known(action: str, otherwise: str) -> str:
    return action if action in _KNOWN else otherwise
