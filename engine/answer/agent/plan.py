"""What Planner, Observer and Reasoner hand to each other (seed 002, 7.1 to 7.3), and a step as a planner decides it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.model import Value


@dataclass(frozen=True, slots=True)
class Move:
    """The next step as a planner decided it; ``tool`` is "" where a reply asks for nothing that can be read.

    ``reply`` numbers the reply of a model that asked for it (0: none did); ``more`` where that asked for further steps.
    """

    thought: str
    tool: str
    params: Mapping[str, Any] = field(default_factory=dict)
    reply: int = 0
    more: bool = False

    @property
    def node(self) -> str | None:
        """The node that the step looks at; None for none in particular."""
        return self.params.get("node_id") or self.params.get("table")

    @property
    def key(self) -> str:
        """The same for the same call."""
        return self.tool + json.dumps(self.params, sort_keys=True, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class PlanCandidate(Value):
    """A node that may hold the answer, and why."""

    node_id: str
    role: str
    score: float
    why: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlanStep(Value):
    """One step: an operator or tool, the node it looks at (None: none in particular) and its budget in tokens."""

    op: str
    node: str | None = None
    args: dict[str, Any] = field(default_factory=dict)
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class ObservationPlan(Value):
    """What is to be looked at next, in order."""

    question: str
    candidates: list[PlanCandidate]
    steps: list[PlanStep]


@dataclass(frozen=True, slots=True)
class EvidenceSource(Value):
    """Where a value stands. ``page_idx`` counts from 0; ``cell`` names a row and a column of a table."""

    node_id: str
    page_idx: int | None = None
    cell: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ObservedEvidence(Value):
    """A value that was observed. ``type`` is number, date, text, list …; ``method`` the operator or tool.

    A number is in ``unit``, times ``scale``: 1280 m³ of scale 10000 are 12,800,000 m³.
    """

    value: Any
    type: str
    unit: str | None
    source: EvidenceSource
    method: str
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Gap(Value):
    """Something that is missing, and where to look for it.

    ``need`` is term (words of the question), has_col and has_row (of a table), figure_ref and table_ref.
    """

    need: str
    arg: str
    scope: Literal["same_section", "same_document", "global"] = "global"


@dataclass(frozen=True, slots=True)
class ReplanRequest(Value):
    """What is missing for an answer, with the certainty (0..1) that what there is answers the question."""

    gaps: list[Gap]
    confidence: float
