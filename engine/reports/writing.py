"""The writing of a report, a job of the background: outline, sections, summary, each kept as soon as it is there.

What is kept already is not written again, so a report that was cut short goes on where it stood. A section that fails
is told as failed, and the next one is written; a model that cannot be reached at all ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from engine.answer.grounded.prompt import language_name
from engine.answer.phrases import phrases_for
from engine.config import LlmSettings, Settings
from engine.errors import CancelledError, DropQAError, ProviderUnavailableError
from engine.model import Job, Report
from engine.providers.entailment import open_judge
from engine.providers.metering import Meter
from engine.reports.outline import material, outline_by_model, outline_by_topics
from engine.reports.sections import Desk, quote_section, write_section, write_summary
from storage.base import Storage

if TYPE_CHECKING:
    from engine.finder import Finder
    from engine.providers.llm import Llm
    from engine.providers.opened import OpenedProviders
    from engine.topics.known import Topic

Tell = Callable[[str, float], None]
Stopped = Callable[[], bool]


@dataclass(frozen=True)
class ReportWriter:
    """Does the jobs "report". Safe to call from several threads; ``topics`` gives those of the library's documents."""

    storage: Storage
    providers: OpenedProviders
    settings: Callable[[], Settings]
    finder: Finder
    topics: Callable[[], Sequence[Topic]]

    def write(self, job: Job, tell: Tell, stopped: Stopped) -> None:
        """Write what is missing of the report that a job names; ``tell`` gets the stage and the share of it done.

        Raises CancelledError, NotFoundError when it was deleted, ProviderError when no model can be asked.
        """
        report = self.storage.reports.get(job.owner, str(job.payload["report_id"]))
        settings = self.settings()
        chosen = settings.llm.model_copy(update={"model": report.model}) if report.model else settings.llm
        pinned = self.storage.pinned()
        search = partial(self.finder.reading(pinned).asked_by(None, stopped).search, read=False)
        judge = open_judge() if settings.agent.quality_check.use_reader else None
        desk = Desk(pinned, search, settings, judge, stopped)
        run = _Run(self.storage, job.owner, report, desk, self.providers.llm_of(chosen), chosen)
        run.write(tell, self.topics)


@dataclass(eq=False)
class _Run:
    _storage: Storage
    _owner: str
    _report: Report
    _desk: Desk
    _llm: Llm | None
    _chosen: LlmSettings

    def __post_init__(self) -> None:
        self._phrases, self._language = phrases_for(self._report.subject), language_name(self._report.subject)

    def write(self, tell: Tell, topics: Callable[[], Sequence[Topic]]) -> None:
        tell("outline", 0.0)
        self._keep(state="writing", error="")
        if not self._report.sections:
            self._plan(topics())
        waiting = [number for number, one in enumerate(self._report.sections) if one.answer is None]
        for done, number in enumerate(waiting):
            self._stop_if_asked()
            tell("write", done / len(waiting))
            self._write_section(number)
        self._stop_if_asked()
        tell("summary", 0.0)
        self._conclude()

    def _stop_if_asked(self) -> None:
        if self._desk.cancelled():
            raise CancelledError("The report was stopped.")

    def _plan(self, topics: Sequence[Topic]) -> None:
        """Keep an outline: the model's, else one by topics, which is told."""
        report, notes = self._report, list(self._report.notes)
        found = material(self._desk.storage, self._desk.search, report.subject, report.filters, topics)
        planned = None
        if self._llm is None:
            notes.append(self._phrases.report_quoted)
        else:
            with self._counted() as llm:
                planned = outline_by_model(
                    report.subject, found, llm, language=self._language, cancelled=self._desk.cancelled,
                    budget=self._desk.settings.agent.tools.max_context_tokens,
                )  # fmt: skip
            if planned is None:
                notes.append(self._phrases.report_by_topics)
        planned = planned or outline_by_topics(report.subject, found)
        if not planned.sections:
            notes.append(self._phrases.report_no_outline)
        self._keep(title=planned.title, sections=planned.sections, notes=notes)

    def _write_section(self, number: int) -> None:
        section, given = self._report.sections[number], (self._report, self._desk)
        try:
            if self._llm is None:
                answer = quote_section(section, *given, self._phrases)
            else:
                with self._counted() as llm:
                    answer = write_section(section, *given, llm, self._phrases, self._language)
            made = replace(section, answer=answer, error="")
        except (CancelledError, ProviderUnavailableError):
            raise
        except DropQAError as error:
            made = replace(section, error=str(error))
        self._keep(sections=[made if at == number else one for at, one in enumerate(self._report.sections)])

    def _conclude(self) -> None:
        """Write the summary where all sections are there, and keep how the report ended."""
        error = ""
        try:
            if self._llm is not None and self._report.lacks_summary:
                with self._counted() as llm:
                    summary = write_summary(self._report, self._desk, llm, self._phrases, self._language)
                self._keep(summary=summary)
        except (CancelledError, ProviderUnavailableError):
            raise
        except DropQAError as failed:
            error = str(failed)
        self._keep(state="done" if self._report.complete else "failed", error=error)

    @contextmanager
    def _counted(self) -> Iterator[Llm]:
        """Lend the model for one piece of work, within the budget of an answer, and count what that uses."""
        assert self._llm is not None
        meter = Meter(self._chosen)
        try:
            yield meter.metered(self._llm)
        finally:
            before = self._report
            tokens = {name: before.tokens.get(name, 0) + count for name, count in meter.tokens.items()}
            cost = None if meter.cost is None else (before.cost or 0) + meter.cost
            self._report = replace(before, tokens=tokens, cost=cost)

    def _keep(self, **changes: Any) -> None:
        """Change the report and store it. Raises NotFoundError when it was deleted or is another job's now."""
        self._report = replace(self._report, **changes)
        self._storage.reports.save(self._owner, self._report, self._report.job_id)
