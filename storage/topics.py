"""What a library keeps of its topics: the topics themselves, which documents belong to them, and how it knows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import orjson

from engine.errors import NotFoundError
from storage.catalog.database import Kept, insert, put

TOPIC = "topic_id, name, description, state, into_id, by_hand, forms, model, vector"
LINK = "document_id, topic_id, confidence, by_hand"
PROFILE = "document_id, state, title, text, model, vector"

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


class Topics(Kept):
    """The topics of a library. Links and profiles of documents that are gone stay until they are forgotten."""

    changes = 0
    """Becomes another number whenever topics or links are saved."""

    def list(self) -> Sequence[StoredTopic]:
        """Return all topics, merged and deleted ones too, in the order of their ids."""
        rows = self._catalog.read(f"SELECT {TOPIC} FROM topic ORDER BY topic_id")
        return [
            StoredTopic(*[*row[:5], bool(row[5]), tuple(orjson.loads(row[6])), row[7], _vector(row[8])]) for row in rows
        ]

    def links(self) -> Sequence[TopicLink]:
        """Return all links, also of documents that are gone, by document and falling confidence."""
        rows = self._catalog.read(f"SELECT {LINK} FROM document_topic ORDER BY document_id, confidence DESC, topic_id")
        return [TopicLink(*row) for row in rows]

    def profiles(self) -> Sequence[TopicProfile]:
        """Return the profiles of documents, in the order of their ids."""
        rows = self._catalog.read(f"SELECT {PROFILE} FROM topic_profile ORDER BY document_id")
        return [TopicProfile(*[*row[:5], _vector(row[5])]) for row in rows]

    def save(
        self, topics: Sequence[StoredTopic] = (), links: Mapping[str, Sequence[TopicLink]] | None = None,
        profiles: Sequence[TopicProfile] = (),
    ) -> None:  # fmt: skip
        """Keep topics and profiles in place of those with the same ids, and for each document named its links.

        All of it takes effect together. Raises StorageError.
        """
        with self._catalog.transaction() as write:
            write.executemany(
                put("topic", TOPIC),
                [
                    (
                        one.topic_id, one.name, one.description, one.state, one.into, one.by_hand,
                        orjson.dumps(one.forms).decode(), one.model, _blob(one.vector),
                    )
                    for one in topics
                ],
            )  # fmt: skip
            for document_id, its_links in (links or {}).items():
                write.execute("DELETE FROM document_topic WHERE document_id = ?", (document_id,))
                write.executemany(
                    insert("document_topic", LINK),
                    [(document_id, link.topic_id, link.confidence, link.by_hand) for link in its_links],
                )
            write.executemany(
                put("topic_profile", PROFILE),
                [(p.document_id, p.state, p.title, p.text, p.model, _blob(p.vector)) for p in profiles],
            )
        self.changes += 1

    def forget(self, document_ids: Sequence[str]) -> None:
        """Forget what the profiles of documents say: title, text and vector.

        Their state and links stay, so that a document that is added again, unchanged, is where it was.
        """
        with self._catalog.transaction() as write:
            write.executemany(
                "UPDATE topic_profile SET title = '', text = '', vector = NULL WHERE document_id = ?",
                [(one,) for one in document_ids],
            )

    def remove(self, topic_ids: Sequence[str]) -> None:
        """Remove topics without a trace, with their links: a name that is told again makes a new one."""
        with self._catalog.transaction() as write:
            for table in ("topic", "document_topic"):
                write.executemany(f"DELETE FROM {table} WHERE topic_id = ?", [(one,) for one in topic_ids])

    def documents_of(self, references: Sequence[str]) -> Sequence[str]:
        """Return the ids of the documents in any of these topics (ids or names, without case).

        A merged topic stands for the one that took it over. Raises NotFoundError for an unknown or deleted one.
        """
        by_id = {topic.topic_id: topic for topic in self.list()}
        by_name = {topic.name.casefold(): topic for topic in by_id.values() if topic.state == "live"}
        wanted = []
        for reference in references:
            topic = resolved(reference, by_id) if reference in by_id else by_name.get(reference.casefold())
            if topic is None:
                raise no_topic(reference)
            wanted.append(topic.topic_id)
        found = self._catalog.read_in(
            "SELECT DISTINCT l.document_id FROM document_topic l JOIN document USING (document_id)"
            " WHERE l.by_hand >= 0 AND l.topic_id IN ({})",
            wanted,
        )
        return sorted({row[0] for row in found})


def resolved(topic_id: str | None, topics: Mapping[str, StoredTopic]) -> StoredTopic | None:
    """Return the topic that an id stands for, along merges; None for an unknown or deleted one."""
    topic = topics.get(topic_id or "")
    while topic is not None and topic.state == "merged":
        topic = topics.get(topic.into or "")
    return topic if topic is not None and topic.state == "live" else None


def _blob(vector: np.ndarray | None) -> bytes | None:
    return None if vector is None else np.asarray(vector, "<f4").tobytes()


def _vector(blob: bytes | None) -> np.ndarray | None:
    return None if blob is None else np.frombuffer(blob, "<f4").astype(np.float32)


def no_topic(reference: str) -> NotFoundError:
    """Return the error of a topic that is not there."""
    return NotFoundError(f"There is no topic {reference!r} in the library. `dropqa topics` lists them.")
