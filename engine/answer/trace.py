"""What one answer gathers on its way: steps, warnings, timings and tokens; each step is told as it is taken."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.answer.events import Discard, OnEvent, Token
from engine.model import StepType, TraceStep

if TYPE_CHECKING:
    from engine.answer.phrases import Phrases
    from engine.answer.tables.answering import TableAnswer


class AnswerTrace:
    """The record of one answer. ``shown`` is true while text of the answer is told.

    ``timings`` are milliseconds by stage.
    """

    def __init__(self, on_event: OnEvent | None = None) -> None:
        self.steps: list[TraceStep] = []
        self.warnings: list[str] = []
        self.timings: dict[str, float] = {}
        self.shown = False
        self._on_event = on_event

    def step(
        self,
        kind: StepType,
        content: str,
        tool: str | None = None,
        params: dict[str, Any] | None = None,
        summary: str | None = None,
    ) -> None:
        """Record a step and tell it."""
        step = TraceStep(len(self.steps), kind, content, tool, params, summary)
        self.steps.append(step)
        self.tell(step)

    def computed(self, table: TableAnswer, phrases: Phrases) -> None:
        """Record the query that was run over a table, and what it gave."""
        operation = table.result.query.operation.upper()
        self.step("action", phrases.step_table, operation, {"query": table.told_query()}, table.computed.text)

    def tell(self, event: Token | Discard | TraceStep) -> None:
        """Tell whoever listens."""
        if not isinstance(event, TraceStep):
            self.shown = isinstance(event, Token)
        if self._on_event is not None:
            self._on_event(event)

    def put_aside(self, warning: str) -> None:
        """Warn, and take back what was told of the answer's text."""
        self.warnings.append(warning)
        self.tell(Discard(warning))

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time of a block to its stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = self.timings.get(stage, 0.0) + milliseconds_since(started)


def milliseconds_since(started: float) -> float:
    """Return the milliseconds since a ``time.perf_counter()``."""
    return round((time.perf_counter() - started) * 1000, 2)
