"""A user's own evaluation set."""

from dataclasses import dataclass

from engine.model.retrieval import Filters
from engine.model.tree import Role
from engine.model.values import Value


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
