"""What a library keeps of its topics: the topics themselves, which documents belong to them, and how it knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from engine.errors import NotFoundError

TopicState = Literal["live", "merged", "deleted"]
# A document was put into a topic, kept out of it, or neither, by hand.
ByHand = Literal[-1, 0, 1]


@dataclass(frozen=True, slots=True, eq=False)
class StoredTopic:
    """A topic as it is kept.

    ``forms`` are all names by which it is known, its first and former ones included; ``into`` is the topic that
    took over a merged one; ``by_hand`` tells that a person chose the name; ``vector`` is the name's unit vector
    of ``model``, None where none was made.
    """

    topic_id: str
    name: str
    description: str = ""
    state: TopicState = "live"
    into: str | None = None
    by_hand: bool = False
    forms: tuple[str, ...] = ()
    model: str = ""
    vector: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class TopicLink:
    """A document in a topic, with a confidence, 0 to 1; with ``by_hand`` -1 it is kept out of it."""

    document_id: str
    topic_id: str
    confidence: float
    by_hand: ByHand = 0


# Between the names in a profile's text and what follows them.
NAMES_END = "\n\n"


@dataclass(frozen=True, slots=True, eq=False)
class TopicProfile:
    """What topics are told from in one document: its title, telling text, and mean vector of ``model``.

    ``state`` names what it was made of; a document whose state differs wants its topics told again.
    """

    document_id: str
    state: str
    title: str
    text: str
    model: str = ""
    vector: np.ndarray | None = None

    @property
    def names(self) -> Sequence[str]:
        """The names in the document, the best first."""
        return [name for name in self.text.partition(NAMES_END)[0].splitlines() if name]

    @property
    def about(self) -> str:
        """The document's headings and summary, a line each."""
        return self.text.partition(NAMES_END)[2]


class Topics(Protocol):
    """The topics of a library. Links and profiles of documents that are gone stay until they are forgotten."""

    @property
    def changes(self) -> int:
        """A number that becomes another whenever topics or links are saved."""
        ...

    def list(self) -> Sequence[StoredTopic]:
        """Return all topics, merged and deleted ones too, in the order of their ids."""
        ...

    def links(self) -> Sequence[TopicLink]:
        """Return all links, also of documents that are gone, by document and falling confidence."""
        ...

    def profiles(self) -> Sequence[TopicProfile]:
        """Return the profiles of documents, in the order of their ids."""
        ...

    def save(
        self,
        topics: Sequence[StoredTopic] = (),
        links: Mapping[str, Sequence[TopicLink]] | None = None,
        profiles: Sequence[TopicProfile] = (),
    ) -> None:
        """Keep topics and profiles in place of those with the same ids, and for each document named its links.

        All of it takes effect together. Raises StorageError.
        """
        ...

    def forget(self, document_ids: Sequence[str]) -> None:
        """Forget what the profiles of documents say: title, text and vector.

        Their state and links stay, so that a document that is added again, unchanged, is where it was.
        """
        ...

    def remove(self, topic_ids: Sequence[str]) -> None:
        """Remove topics without a trace, with their links: a name that is told again makes a new one."""
        ...

    def documents_of(self, references: Sequence[str]) -> Sequence[str]:
        """Return the ids of the documents in any of these topics (ids or names, without case).

        A merged topic stands for the one that took it over. Raises NotFoundError for an unknown or deleted one.
        """
        ...


def no_topic(reference: str) -> NotFoundError:
    """Return the error of a topic that is not there."""
    return NotFoundError(f"There is no topic {reference!r} in the library. `dropqa topics` lists them.")
