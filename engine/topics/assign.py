"""Which topics documents belong to: those that are there where they fit, new ones where none does.

Only the documents that are looked at get other links; everything else stays as it is, so that a document added to
a thousand moves no other. A topic fits a document that is like those in it and says its name, or has its name in the
title or over a section; documents that fit nowhere are grouped among themselves, and those of a group that share a name
make a topic of it. No document is in a topic whose name it does not say.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.structure.sentences import is_cjk
from engine.topics.likeness import ALIKE, Space
from engine.topics.names import LibraryNames, NameIndex, fold, stands_in, text_of
from storage.topics import StoredTopic, TopicLink, TopicProfile, resolved

LEAST_TOPICS = 5
# What a document was in before is kept although it fits a little less well: topics shall not dance.
LOYALTY = 0.06
FULL_LIKENESS = 0.5
# Confidence: the first topic has 0.6 to 1, others less.
FIRST, NAMED, OWN = 0.6, 0.45, 0.35
# Documents that come together make topics of their own rather than join one whose documents are much more alike.
CLOSELY = 0.6
SHORTEST_NAMED = 2
DESCRIBED = 4


@dataclass(slots=True)
class Assigned:
    """What changes: new topics by id, and the links of each document that was looked at."""

    topics: dict[str, StoredTopic] = field(default_factory=dict)
    links: dict[str, list[TopicLink]] = field(default_factory=dict)


class Assignment:
    """One pass over some documents of a library."""

    def __init__(
        self, profiles: Sequence[TopicProfile], topics: Mapping[str, StoredTopic],
        links: Mapping[str, Sequence[TopicLink]], names: NameIndex, *, most: int, spread: float | None,
    ) -> None:  # fmt: skip
        """``profiles`` are those of all documents there are, ``links`` by document; ``most`` topics a document."""
        self._profiles = {profile.document_id: profile for profile in profiles}
        self._topics, self._before, self._names, self._most = dict(topics), links, names, most
        self._given = LibraryNames(profiles, names)
        self._space = Space({p.document_id: p.vector for p in profiles if p.vector is not None}, spread)
        self._done = Assigned()

    def run(self, pending: Sequence[str]) -> Assigned:
        """Return the topics of the pending documents (ids)."""
        looked_at = sorted(set(pending))
        self._done.links = {one: self._by_hand(one) for one in looked_at}
        centres = self._centres(set(looked_at))
        lonely = [one for one in looked_at if not self._join_first(one, centres, CLOSELY)]
        words_alone = [one for one in lonely if one not in self._space]
        for group in filter(None, [*self._space.groups(lonely), words_alone]):
            if len(group) > 1 or not self._join_first(group[0], centres):
                self._new_topics(group)
        there = self._topics_there()
        for one in looked_at:
            self._join_others(one, there)
        return self._done

    # --- joining what is there --------------------------------------------------------------------

    def _by_hand(self, document_id: str) -> list[TopicLink]:
        """What a person decided about a document stays; so does a refusal."""
        return [
            link
            for link in self._before.get(document_id, ())
            if link.by_hand and (link.by_hand < 0 or resolved(link.topic_id, self._topics))
        ]

    def _centres(self, without: set[str]) -> tuple[list[str], np.ndarray]:
        """Return the topics that documents mainly belong to, and what stands for these documents."""
        members: dict[str, list[str]] = {}
        for link in self._links_now():
            mainly = link.confidence >= FIRST or link.by_hand
            if mainly and link.document_id in self._profiles and link.document_id not in without:
                members.setdefault(link.topic_id, []).append(link.document_id)
        found = {
            topic: centre
            for topic, documents in sorted(members.items())
            if resolved(topic, self._topics) and (centre := self._space.centre(documents)) is not None
        }
        return list(found), np.stack(list(found.values())) if found else np.zeros((0, 1))

    def _links_now(self) -> Iterator[TopicLink]:
        """Yield the links of all documents, as far as they are told, without refused ones."""
        for links in {**self._before, **self._done.links}.values():
            yield from _held(links)

    def _likeness(self, document_id: str, centres: tuple[list[str], np.ndarray]) -> dict[str, float]:
        """Return how alike a document is to the topics' documents; what it was in before counts more."""
        ids, matrix = centres
        if not ids or document_id not in self._space:
            return {}
        before = {link.topic_id for link in self._before.get(document_id, ())}
        values = self._space.to_centre(document_id, matrix).tolist()
        return {one: value + LOYALTY * (one in before) for one, value in zip(ids, values, strict=True)}

    def _join_first(self, document_id: str, centres: tuple[list[str], np.ndarray], closely: float = 0.0) -> bool:
        """Put a document into the topic it fits best; False where it fits none.

        ``closely`` is how nearly it must be as alike to the topic's documents as these are among themselves.
        """
        if any(link.by_hand > 0 and link.confidence >= FIRST for link in self._done.links[document_id]):
            return True
        likeness, tightness = self._likeness(document_id, centres), self._space.tightness(centres[1])
        fitting = sorted(
            (-likeness[one], one)
            for one, tight in zip(centres[0], tightness.tolist(), strict=True)
            if likeness.get(one, 0.0) >= max(ALIKE, closely * tight)
        )
        text = text_of(self._profiles[document_id])
        for value, topic_id in fitting:
            confidence = FIRST + (1 - FIRST) * _share(-value)
            if names_topic(self._topics[topic_id], text) and self._link(document_id, topic_id, confidence):
                return True
        return document_id not in self._space and self._stay(document_id)

    def _stay(self, document_id: str) -> bool:
        """Keep a document whose words alone are known where it was, if it still says one of the topic's names."""
        text = text_of(self._profiles[document_id])
        for link in self._before.get(document_id, ()):
            mainly = link.by_hand >= 0 and link.confidence >= FIRST
            topic = resolved(link.topic_id, self._topics) if mainly else None
            if topic is not None and names_topic(topic, text):
                return self._link(document_id, topic.topic_id, link.confidence)
        return False

    def _topics_there(self) -> list[StoredTopic]:
        """Return the topics that somebody named or a document belongs to; those that documents left are not offered."""
        linked = {link.topic_id for link in self._links_now()}
        live = (topic for topic in self._topics.values() if topic.state == "live")
        found = [topic for topic in live if topic.by_hand or topic.topic_id in linked]
        return sorted(found, key=lambda topic: topic.topic_id)

    def _join_others(self, document_id: str, there: Sequence[StoredTopic]) -> None:
        """Add further topics: those in a document's title or called as one of its names, else topics of its names."""
        title, names = self._profiles[document_id].title.casefold(), self._given.of(document_id)
        own = set(map(fold, names))
        for topic in there:
            if names_topic(topic, title):
                self._link(document_id, topic.topic_id, NAMED + 0.1)
        for topic in there:
            if own & {fold(form) for form in (topic.name, *topic.forms)}:
                self._link(document_id, topic.topic_id, NAMED)
        for rank, name in enumerate(names):
            if len(_held(self._done.links[document_id])) >= min(LEAST_TOPICS, self._most):
                break
            if known := self._named(name):
                self._link(document_id, known, OWN - 0.01 * min(rank, 9))

    # --- new topics ---------------------------------------------------------------------------------

    def _new_topics(self, group: Sequence[str]) -> None:
        """Give those of a group that share a name a topic of it; one that shares none has its own."""
        for names, documents in self._given.shared(group):
            if (topic_id := self._topic_of(names)) is None:
                continue
            centre = self._space.centre(documents)
            for one in documents:
                alike = 0.0
                if centre is not None and one in self._space:
                    alike = float(self._space.to_centre(one, centre[None])[0])
                self._link(one, topic_id, FIRST + (1 - FIRST) * _share(alike))

    def _topic_of(self, names: Sequence[str]) -> str | None:
        """Return a topic by the first name that means none yet, else one that a name means; None for deleted ones."""
        new = next((name for name in names if self._names.find(name) is None), None)
        if new is not None:
            return self._add(new, [name for name in names if name != new][:DESCRIBED])
        return next(filter(None, map(self._named, names)), None)

    def _named(self, name: str) -> str | None:
        """Return the topic that a name means, a new one where there is none; None for one that was deleted."""
        found = self._names.find(name)
        if found is not None:
            known = resolved(found, self._topics)
            return known.topic_id if known else None
        return self._add(name, [])

    def _add(self, name: str, others: Sequence[str]) -> str:
        joint = "、" if is_cjk(name) else ", "
        topic = self._names.new(name, joint.join(others))
        self._topics[topic.topic_id] = self._done.topics[topic.topic_id] = topic
        return topic.topic_id

    def _link(self, document_id: str, topic_id: str, confidence: float) -> bool:
        links = self._done.links[document_id]
        if any(link.topic_id == topic_id for link in links):
            return any(link.topic_id == topic_id and link.by_hand > 0 for link in links)
        if len(_held(links)) >= self._most:
            return False
        links.append(TopicLink(document_id, topic_id, round(min(confidence, 1.0), 3)))
        return True


def _share(likeness: float) -> float:
    return min(1.0, max(0.0, likeness / FULL_LIKENESS))


def _held(links: Sequence[TopicLink]) -> list[TopicLink]:
    return [link for link in links if link.by_hand >= 0]


def names_topic(topic: StoredTopic, text: str) -> bool:
    """Tell whether a text, case-folded, says a topic's name or a former one."""
    forms = {form.casefold() for form in (topic.name, *topic.forms)}
    return any(len(form) >= SHORTEST_NAMED and stands_in(form, text) for form in forms)
