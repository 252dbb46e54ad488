"""Reports: what was asked for, and what has been written of it so far."""

from dataclasses import dataclass, field
from typing import Literal

from engine.model.answers import Answer
from engine.model.retrieval import Filters
from engine.model.values import Value

ReportState = Literal["waiting", "writing", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class ReportSection(Value):
    """A section: the questions that are looked up for it, and its text as an answer, checked and with sources.

    ``answer`` is None until it is written; ``error`` says why it could not be.
    """

    title: str
    questions: list[str]
    answer: Answer | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Report(Value):
    """A report on a subject; ``filters`` say which documents it draws on, ``model`` "" is the one that is set up.

    ``sections`` are empty until there is an outline; ``summary`` is written last. ``notes`` say what its reader must
    know of how it was made, ``error`` why it failed. While it is written, ``stage`` is outline, write or summary,
    ``progress`` 0 to 1 of what this run has to do, and ``eta`` in seconds. ``tokens`` and ``cost`` are of all calls.
    """

    report_id: str
    subject: str
    created_at: float
    filters: Filters = field(default_factory=Filters)
    model: str = ""
    title: str = ""
    sections: list[ReportSection] = field(default_factory=list)
    summary: Answer | None = None
    notes: list[str] = field(default_factory=list)
    state: ReportState = "waiting"
    error: str = ""
    updated_at: float = 0.0
    job_id: str = ""
    stage: str = ""
    progress: float = 0.0
    eta: float | None = None
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    cost: float | None = None

    @property
    def under_way(self) -> bool:
        """True while it waits or is being written."""
        return self.state in ("waiting", "writing")

    @property
    def lacks_summary(self) -> bool:
        """True while there is none and a section by a model has something to sum up."""
        told = (one.answer for one in self.sections if one.answer is not None)
        return self.summary is None and any(one.answered and one.engine == "llm" for one in told)

    @property
    def complete(self) -> bool:
        """True when there is an outline, and every section of it is written, and the summary."""
        written = bool(self.title) and all(one.answer is not None for one in self.sections)
        return written and not self.lacks_summary
