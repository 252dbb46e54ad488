"""What follows from a step, by the settings of the agent."""

import pytest

from engine.answer.agent.state import assess_step
from engine.answer.agent.tools import ToolResult
from engine.config import AgentSettings, InfoDensitySettings, StrategySettings

GOOD, NOTHING = ToolResult("2"), ToolResult("0", quality="empty")


def after(result: ToolResult, density: float = 0.5, refined: int = 0, **settings) -> str:
    return assess_step(result, 1, density, 0.1, 0, AgentSettings(**settings), refined).strategy


@pytest.mark.parametrize(("low", "strategy"), [(0.3, "continue"), (0.6, "broaden_search")])
def test_thin_evidence_asks_for_a_broader_search(low: float, strategy: str):
    assert after(GOOD, info_density=InfoDensitySettings(low_threshold=low)) == strategy


@pytest.mark.parametrize(("refined", "strategy"), [(0, "refine_query"), (1, "refine_query"), (2, "broaden_search")])
def test_a_query_is_refined_so_many_times(refined: int, strategy: str):
    settings = StrategySettings(query_refinement_attempts=2)
    assert after(NOTHING, refined=refined, strategy=settings) == strategy


def test_evidence_that_is_full_enough_is_answered_from():
    assert after(GOOD, density=0.8, info_density=InfoDensitySettings(sufficient_threshold=0.8)) == "finalize"
