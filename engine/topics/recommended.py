"""Documents that a reader may want to see next, near to what they opened and asked lately, each with its reason.

Nothing is recorded for it: what was asked stands in the reader's conversations, what was opened the caller says.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from engine.errors import NotFoundError
from engine.model import Filters, Message, Value
from engine.topics.library_topics import LibraryTopics
from engine.topics.related import Kind

MOST, LATELY = 3, 6
# Nearer is on the subject: of 132 questions 41 had their own document so near, 10 another on it, none a wrong one.
LEAST_RELATED, LEAST_ASKED = 0.28, 0.3


@dataclass(frozen=True, slots=True)
class Recommended(Value):
    """A document, and how it is related to ``of``: a document that was opened (its id), or a question asked."""

    document_id: str
    reason: Kind | Literal["asked"]
    of: str
    score: float


def recommended(topics: LibraryTopics, messages: Sequence[Message], opened: Sequence[str]) -> list[Recommended]:
    """Return up to three documents, the best first; none that was ``opened`` (ids) or cited, the last first in both."""
    asked = [one for one in messages if one.role == "user"]
    about = [document for one in asked for document in (one.filters or Filters()).documents]
    seen, best = {*opened, *about, *_cited(messages)}, dict[str, Recommended]()
    near = [*_near_opened(topics, dict.fromkeys([*opened, *about])), *_near_asked(topics, asked)]
    for one in sorted(near, key=lambda one: -one.score):
        if one.document_id not in seen:
            best.setdefault(one.document_id, one)
    return list(best.values())[:MOST]


def _cited(messages: Iterable[Message]) -> Iterator[str]:
    return (source["document_id"] for one in messages for source in (one.answer or {}).get("sources", ()))


def _near_opened(topics: LibraryTopics, opened: Iterable[str]) -> Iterator[Recommended]:
    for document in [*opened][:LATELY]:
        with suppress(NotFoundError):  # removed since
            for one in topics.related(document):
                if one.score >= LEAST_RELATED:
                    yield Recommended(one.document_id, one.reasons[0].kind, document, one.score)


def _near_asked(topics: LibraryTopics, asked: Sequence[Message]) -> Iterator[Recommended]:
    for question in dict.fromkeys(one.text for one in asked[:LATELY]):
        for document, value in topics.alike(question):
            if value >= LEAST_ASKED:
                yield Recommended(document, "asked", question, value / (2 * LEAST_ASKED))
