"""Who decides the next step: a model, or rules."""

from __future__ import annotations

from typing import Protocol

from engine.answer.agent.state import AgentState, Move
from engine.errors import ProviderError


class PlannerFailedError(ProviderError):
    """A planner cannot go on; the message says why."""


class Planner(Protocol):
    """Decides one step at a time."""

    def next(self, state: AgentState) -> Move | None:
        """Return the next step; None when there is nothing more to do.

        Raises PlannerFailedError, ProviderError, CancelledError.
        """
        ...
