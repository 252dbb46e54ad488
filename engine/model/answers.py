"""Answers with their sources and steps, the conversations they stand in, and a user's own evaluation set."""

from dataclasses import dataclass, field
from typing import Any, Literal

from engine.model.retrieval import Filters
from engine.model.tree import BBox, Role
from engine.model.values import Value


@dataclass(frozen=True, slots=True)
class Citation(Value):
    """A source of an answer: ``snippet`` stands word for word in node ``node_id``."""

    n: int
    document_id: str
    document: str
    version: int
    section: str
    node_id: str
    page: int | None
    bbox: BBox | None
    cell: str | None
    snippet: str
    relevance: float


@dataclass(frozen=True, slots=True)
class WebSource(Value):
    """A place on the web that an answer names beside its sources, marked [W1]: outside of the documents, unchecked."""

    n: int
    title: str
    url: str
    snippet: str


StatementState = Literal["supported", "computed", "unverified", "contradicted"]


@dataclass(frozen=True, slots=True)
class Statement(Value):
    """A statement of an answer, ``Answer.answer[start:end]``, and what the check found.

    ``reason`` is one sentence in the question's language, empty for what is supported. ``sources`` are numbers of the
    citations it rests on. ``quotes`` are, for what is contradicted, the statement's words and those of the place cited.
    """

    start: int
    end: int
    state: StatementState
    reason: str = ""
    sources: list[int] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)


AnswerState = Literal["answered", "closest", "not_found"]
# What the agent may do next.
NextAction = Literal["continue", "refine_query", "explore_deeper", "broaden_search", "verify_sources", "finalize"]
Style = Literal["", "short", "full", "table"]
StepType = Literal["initial_assessment", "thought", "action", "evaluation", "verification"]


@dataclass(frozen=True, slots=True)
class TraceStep(Value):
    """One step on the way to an answer."""

    step: int
    type: StepType
    content: str
    tool: str | None = None
    params: dict[str, Any] | None = None
    result_summary: str | None = None


@dataclass(frozen=True, slots=True)
class Answer(Value):
    """An answer with its verified sources; the shape of ``dropqa ask --json``.

    ``state`` tells an answer from passages that only come closest, and from what the documents do not tell.
    ``statements`` are what was checked; ``web_sources`` is what the web says, where the documents do not tell. ``cost``
    is what its tokens cost, in the currency of the settings' prices; None where these name none. ``explored`` are the
    nodes and edges that were looked at, where the documents do not tell, ``scope`` is what was asked: the number of
    ``documents`` and, by name, the ``filters`` that they passed.
    """

    answer: str
    mode: Literal["direct", "agent"]
    confidence: Literal["high", "medium", "low"]
    answered: bool
    sources: list[Citation]
    identified_topics: list[str] = field(default_factory=list)
    iterations: int = 0
    reasoning_steps: int = 0
    reasoning_trace: list[TraceStep] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    engine: Literal["llm", "extractive"] = "extractive"
    cost: float | None = None
    statements: list[Statement] = field(default_factory=list)
    state: AnswerState = "answered"
    web_sources: list[WebSource] = field(default_factory=list)
    explored: dict[str, Any] = field(default_factory=dict)
    scope: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """What is not answered is not found, unless it is said to come close."""
        if not self.answered and self.state == "answered":
            object.__setattr__(self, "state", "not_found")


@dataclass(frozen=True, slots=True)
class Message(Value):
    """One turn of a conversation. ``answer`` is set on the assistant's turns once it is done.

    ``state`` is "withheld" where an answer rests on documents that its reader may not read (any more).
    ``filters`` are what a question was limited to; ``rating`` is what its reader thinks of an answer: 1 good,
    -1 bad, 0 not said.
    """

    message_id: str
    conversation_id: str
    role: Literal["user", "assistant"]
    text: str
    created_at: float
    answer: dict[str, Any] | None = None
    state: Literal["running", "done", "stopped", "failed", "withheld"] = "done"
    filters: Filters | None = None
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Conversation(Value):
    """A stored conversation of one owner."""

    conversation_id: str
    owner: str
    title: str
    created_at: float
    updated_at: float


@dataclass(frozen=True, slots=True)
class ExpectedNode(Value):
    """A node that a saved question is to find, as it was when the question was saved."""

    node_id: str
    document_id: str
    document: str
    version: int
    role: Role
    page: int | None
    snippet: str


@dataclass(frozen=True, slots=True)
class SavedQuestion(Value):
    """A question of a user's own evaluation set: ``kind`` groups it, ``answer`` is the right one if known."""

    question_id: str
    owner: str
    text: str
    expected: list[ExpectedNode]
    filters: Filters
    kind: str
    created_at: float
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Manner(Value):
    """Which model answers, and how; what is empty or None is as it is set up.

    ``endpoint`` is the name of one of ``[endpoints]``, ``model`` one that it lists. ``language`` is that of the answer,
    by its English name; "" is the question's. ``instructions`` are a person's own words.
    """

    endpoint: str = ""
    model: str = ""
    temperature: float | None = None
    language: str = ""
    style: Style = ""
    instructions: str = ""
