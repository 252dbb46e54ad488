"""What follows from a step, by the settings of the agent."""

import pytest

from engine.answer.agent.state import AgentState, assess_step
from engine.answer.agent.tools import ToolResult
from engine.answer.agent.web import EvidenceWeb
from engine.config import AgentSettings, InfoDensitySettings, StrategySettings
from tests.engine.answer.evidence_maker import evidence

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


def test_a_place_has_one_number_in_a_question_with_all_of_it_that_was_shown():
    state = AgentState("What does berth 3 cost?", None, EvidenceWeb("What does berth 3 cost?"), 4)
    first, other = "Berth | Fee\nBerth 3 | 21", "Berth | Fee\nBerth 9 | 63"
    numbers = [state.number(evidence(n, text, role="table")) for n, text in ((1, first), (2, first), (1, other))]
    assert numbers == [1, 2, 1] and state.quoted[0].text == f"{other}\nBerth 3 | 21"
    assert state.number(evidence(1, "Berth 3 | 21", role="table")) == 1 and state.quoted[1].text == first
    whole = "Berth | Fee\nBerth 1 | 7\nBerth 3 | 21\nBerth 9 | 63"
    assert state.number(evidence(2, whole, role="table")) == 2 and state.quoted[1].text == whole
