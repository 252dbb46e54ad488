"""What is known of a library's topics at one moment: each with its documents, each document with its topics."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine.model import Document, Value
from engine.structure.sentences import is_fragment, sentences_of
from engine.structure.terms import fold, length_of
from engine.topics.names import stands_in
from storage.topics import StoredTopic, TopicLink, resolved

# So many documents vote, the best first; what a topic's share must be for the question to be about it.
VOTERS, LEAST_VOTE = 10, 0.15
ASKED_FOR = 3
SHORTEST_NAME = 2
# How long a sentence is that tells what a topic is about, in characters of Chinese.
LEAST_SENTENCE, LONGEST_SENTENCE = 10, 110


@dataclass(frozen=True, slots=True)
class TopicDocument(Value):
    """A document in a topic; ``confidence`` is 0 to 1."""

    document_id: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Topic(Value):
    """A topic with its documents, the surest first; the shape of ``dropqa topics --json``."""

    topic_id: str
    name: str
    description: str
    documents: list[TopicDocument] = field(default_factory=list)


class KnownTopics:
    """The topics that documents belong to. Not to be changed; made anew when topics or documents change."""

    def __init__(
        self, stored: Sequence[StoredTopic], links: Sequence[TopicLink], documents: Sequence[Document]
    ) -> None:
        by_id = {one.topic_id: one for one in stored}
        found = _topics(stored, links, documents)
        self.topics = sorted(found, key=lambda topic: (-len(topic.documents), topic.name))
        self.by_id = {topic.topic_id: topic for topic in self.topics}
        self._stored = stored
        self._forms = {one: _forms_of(by_id[one]) for one in self.by_id}
        standing = {one: resolved(one, by_id) for one in by_id}
        # Of topics that are gone, too: the one that took over, else the name it had.
        self.ids = {one: topic.topic_id for one, topic in standing.items() if topic is not None}
        self.names = {one: (topic or by_id[one]).name for one, topic in standing.items()}

    @cached_property
    def _of(self) -> dict[str, list[tuple[Topic, float]]]:
        found: dict[str, list[tuple[Topic, float]]] = {}
        for topic in self.topics:
            for one in topic.documents:
                found.setdefault(one.document_id, []).append((topic, one.confidence))
        return found

    @cached_property
    def browsed(self) -> list[Topic]:
        """The topics of several documents and those that somebody named; of a document in none its surest one.

        What else a document has to say is found by name and on its own page.
        """
        kept = {one.topic_id for one in self._stored if one.by_hand}
        kept |= {one.topic_id for one in self.topics if len(one.documents) > 1}
        for topics in map(self.of_document, self._of):
            if not any(topic.topic_id in kept for topic, _ in topics):
                kept.add(topics[0][0].topic_id)
        return [one for one in self.topics if one.topic_id in kept]

    def of_document(self, document_id: str) -> list[tuple[Topic, float]]:
        """Return the topics of a document with their confidence, the surest first."""
        return sorted(self._of.get(document_id, ()), key=lambda pair: (-pair[1], pair[0].name))

    def asked_for(self, question: str, documents: Sequence[str]) -> list[tuple[Topic, float]]:
        """Return up to three topics that a question is about, the surest first, with how surely: 0..1.

        A question asks for a topic when it names it; for the rest the documents vote, each for its topics: the ids of
        those that look like answering it, the best first (seed 003, 5.3.2). Ranking is left as it is: a preference for
        these topics changed nothing.
        """
        voters = {one: 1 / rank for rank, one in enumerate(list(dict.fromkeys(documents))[:VOTERS], 1)}
        total, asked = sum(voters.values()) or 1.0, fold(question)
        votes: list[tuple[bool, float, Topic]] = []
        for topic in self.topics:
            share = sum(voters.get(one.document_id, 0.0) * one.confidence for one in topic.documents) / total
            named = any(stands_in(form, asked) for form in self._forms[topic.topic_id])
            if named or share >= LEAST_VOTE:
                votes.append((named, share, topic))
        votes.sort(key=lambda one: (-one[0], -one[1], one[2].name))
        return [(topic, 1.0 if named else min(1.0, share)) for named, share, topic in votes[:ASKED_FOR]]


def sentence_on(names: Collection[str], about: str, alone: bool = False) -> str:
    """Return the first whole sentence of what a document says of itself that has one of a topic's names, else "".

    Where the document is of this topic ``alone`` any sentence of it will do.
    """
    forms = set(map(fold, names))
    lines = (line for line in map(str.strip, about.splitlines()) if alone or any(one in fold(line) for one in forms))
    whole = [*_whole_sentences(lines)]
    naming = (one for one in whole if any(stands_in(form, fold(one)) for form in forms))
    return next(naming, whole[0] if alone and whole else "")


def _whole_sentences(lines: Iterable[str]) -> Iterator[str]:
    for one in (said.strip() for line in lines if not is_fragment(line) for said in sentences_of(line)):
        if LEAST_SENTENCE <= length_of(one) <= LONGEST_SENTENCE and not is_fragment(one):
            yield one


def _forms_of(topic: StoredTopic) -> set[str]:
    return {form for form in map(fold, (topic.name, *topic.forms)) if len(form) >= SHORTEST_NAME}


def _topics(
    stored: Sequence[StoredTopic], links: Sequence[TopicLink], documents: Sequence[Document]
) -> Iterator[Topic]:
    """Yield the live topics that some of the ``documents`` belong to."""
    members: dict[str, list[TopicDocument]] = {}
    there = {document.document_id for document in documents}
    for link in sorted(links, key=lambda link: (-link.confidence, link.document_id)):
        if link.by_hand >= 0 and link.document_id in there:
            members.setdefault(link.topic_id, []).append(TopicDocument(link.document_id, link.confidence))
    for one in stored:
        if one.state == "live" and one.topic_id in members:
            yield Topic(one.topic_id, one.name, one.description, members[one.topic_id])
