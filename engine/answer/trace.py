"""The stages of one answer as they are run, and what is gathered on the way: steps, warnings and timings.

Each step is told as it is taken, in the question's language. A stage that fails is a step, and the next way is taken.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from engine.answer.events import Discard, OnEvent, Token
from engine.errors import CancelledError, DropQAError
from engine.model import StepType, TraceStep

if TYPE_CHECKING:
    from engine.answer.check.checking import Checked
    from engine.answer.evidence.judging import Judged
    from engine.answer.phrases import Phrases
    from engine.answer.tables.answering import TableAnswer
    from engine.answer.understand import Question
    from engine.model import Evidence, SearchResult

_GOOD = ("supported", "computed")
Made = TypeVar("Made")
_log = logging.getLogger(__name__)


def survived(
    name: str, make: Callable[[], Made], otherwise: Made, told: Callable[[str], None] = lambda reason: None
) -> Made:
    """Return what an optional step makes, ``otherwise`` where it fails unforeseen: ``told`` gets the kind of failure.

    Raises DropQAError as the step does.
    """
    try:
        return make()
    except DropQAError:
        raise
    except Exception as error:  # noqa: BLE001 a step that may be left out never takes the answer down
        _log.exception("The step %s failed.", name)
        told(type(error).__name__)
        return otherwise


class AnswerTrace:
    """The record of one answer. ``shown`` is true while text of the answer is told.

    ``timings`` are milliseconds by stage.
    """

    def __init__(self, phrases: Phrases, on_event: OnEvent | None) -> None:
        self.steps: list[TraceStep] = []
        self.warnings: list[str] = []
        self.timings: dict[str, float] = {}
        self.shown = False
        self.phrases = phrases
        self._on_event = on_event

    def step(
        self, kind: StepType, content: str, tool: str | None = None, params: dict[str, Any] | None = None,
        summary: str | None = None,
    ) -> None:  # fmt: skip
        """Record a step and tell it."""
        step = TraceStep(len(self.steps), kind, content, tool, params, summary)
        self.steps.append(step)
        self.tell(step)

    def tell(self, event: Token | Discard | TraceStep) -> None:
        """Tell whoever listens."""
        if not isinstance(event, TraceStep):
            self.shown = isinstance(event, Token)
        if self._on_event is not None:
            self._on_event(event)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time of a block to its stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            taken = round((time.perf_counter() - started) * 1000, 2)
            self.timings[stage] = self.timings.get(stage, 0.0) + taken

    def run(self, stage: str, make: Callable[[], Made], otherwise: Made) -> Made:
        """Return what a stage makes, ``otherwise`` where it fails. Raises CancelledError alone.

        A failure that is foreseen (a model is down) is told with its reason; any other goes to the log, too.
        """

        def failed(reason: str) -> None:
            self.step("evaluation", self.phrases.step_failed.format(stage=stage, reason=reason))

        try:
            with self.timed(stage):
                return survived(stage, make, otherwise, failed)
        except CancelledError:
            raise
        except DropQAError as error:
            failed(str(error))
            return otherwise

    def read(self, asked: Question) -> None:
        """Record how a question was read."""
        told = self.phrases.step_plan
        if asked.follow_up:
            told = self.phrases.step_plan_restated.format(question=asked.standalone)
        self.step("initial_assessment", told, None, {
            "language": asked.language, "expects": asked.expects, "names": list(asked.names),
            "numbers": list(asked.numbers), "years": list(asked.years), "parts": list(asked.parts),
        })  # fmt: skip

    def found(self, query: str, result: SearchResult, evidence: Sequence[Evidence]) -> None:
        """Record a search and what it found."""
        summary = self.phrases.step_found_none
        if evidence:
            best = evidence[0].hit
            summary = self.phrases.step_found.format(
                hits=len(result.hits), documents=len({hit.document_id for hit in result.hits}),
                best=" > ".join([best.document, *best.path]),
            )  # fmt: skip
        told = self.phrases.step_search.format(query=query)
        self.step("action", told, "hybrid_search", {"query": query}, summary)

    def judged(self, verdict: Judged, table: TableAnswer | None) -> None:
        """Record whether the evidence answers, by its texts and by its tables."""
        phrases = self.phrases
        told = phrases.step_sufficient if verdict.state == "answered" else phrases.step_insufficient
        lines = [told.format(score=f"{verdict.probability:.2f}")]
        if table is not None:
            lines.append(phrases.step_table_read.format(score=f"{table.score:.2f}"))
        if verdict.missing:
            lines.append(phrases.missing_terms.format(terms=", ".join(verdict.missing)))
        self.step("evaluation", " ".join(lines))

    def computed(self, table: TableAnswer) -> None:
        """Record the queries that were run over tables, and what each gave."""
        for one in table.all:
            operation, query = one.result.query.operation.upper(), {"query": one.told_query()}
            self.step("action", self.phrases.step_table, operation, query, one.computed.text)

    def checked(self, made: Checked) -> None:
        """Record how many statements of a model's answer are supported, and the state of each."""
        told = self.phrases.step_verified.format(
            supported=sum(one.state in _GOOD for one in made.statements),
            total=len(made.statements), citations=len(made.citations),
        )  # fmt: skip
        statements = [
            {"text": made.text[one.start : one.end], "state": one.state, "reason": one.reason}
            for one in made.statements
        ]
        self.step("verification", told, None, {"statements": statements})
