"""Which topics documents belong to: those that are there where they fit, new ones where none does.

Only the documents that are looked at get other links; everything else stays as it is, so that a document added to
a thousand moves no other. A topic that fits a document is one whose documents are like it, or whose name stands in
its title or headings; documents that fit nowhere are grouped among themselves, and a group is named by the phrase
that most of it, and little else, says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.topics.likeness import ALIKE, Space
from engine.topics.names import Candidate, NameIndex, Phrases, resolved, shared_names, stands_in
from storage.topics import StoredTopic, TopicLink, TopicProfile

LEAST_TOPICS = 3
# What a document was in before is kept although it fits a little less well: topics shall not dance.
LOYALTY = 0.06
FULL_LIKENESS = 0.5
# Confidence: the first topic has 0.6 to 1, others less.
FIRST, NEXT, NAMED, OWN = 0.6, 0.25, 0.45, 0.35
# A further topic must fit better than a first one, where the alternative is a topic of its own.
QUITE_ALIKE = 0.25
# And nearly as well as the documents that it has: among recipes all laws are alike, and yet not all on labour.
NEARLY = 0.85
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
        self,
        profiles: Sequence[TopicProfile],
        topics: Mapping[str, StoredTopic],
        links: Mapping[str, Sequence[TopicLink]],
        names: NameIndex,
        *,
        most: int,
        spread: float | None,
    ) -> None:
        """``profiles`` are those of all documents there are, ``links`` by document; ``most`` topics a document."""
        self._profiles = {profile.document_id: profile for profile in profiles}
        self._topics = dict(topics)
        self._before = links
        self._names = names
        self._most = most
        self._phrases = Phrases(profiles)
        self._space = Space({p.document_id: p.vector for p in profiles if p.vector is not None}, spread)
        self._done = Assigned()

    def run(self, pending: Sequence[str]) -> Assigned:
        """Return the topics of the pending documents (ids)."""
        looked_at = sorted(set(pending))
        candidates = {one: self._phrases.of(self._profiles[one]) for one in looked_at}
        self._done.links = {one: self._by_hand(one) for one in looked_at}
        centres = self._centres(set(looked_at))
        lonely = [one for one in looked_at if not self._join_first(one, centres, CLOSELY)]
        for group in self._groups(lonely):
            if len(group) > 1 or not self._join_first(group[0], centres):
                self._new_topic(group, candidates)
        centres = self._centres(set())
        for one in looked_at:
            self._join_others(one, centres, candidates[one])
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
        for document_id, links in {**self._before, **self._done.links}.items():
            if document_id in without or document_id not in self._profiles:
                continue
            for link in links:
                if link.by_hand >= 0 and (link.confidence >= FIRST or link.by_hand):
                    members.setdefault(link.topic_id, []).append(document_id)
        found = {
            topic: centre
            for topic, documents in sorted(members.items())
            if resolved(topic, self._topics) and (centre := self._space.centre(documents)) is not None
        }
        return list(found), np.stack(list(found.values())) if found else np.zeros((0, 1))

    def _likeness(self, document_id: str, centres: tuple[list[str], np.ndarray]) -> dict[str, float]:
        """Return how alike a document is to the topics' documents; what it was in before counts more."""
        ids, matrix = centres
        if not ids or document_id not in self._space:
            return {}
        before = {link.topic_id for link in self._before.get(document_id, ())}
        values = self._space.to_centre(document_id, matrix).tolist()
        return {one: value + LOYALTY * (one in before) for one, value in zip(ids, values, strict=True)}

    def _join_first(
        self, document_id: str, centres: tuple[list[str], np.ndarray], closely: float = 0.0
    ) -> bool:
        """Put a document into the topic it fits best; False where it fits none.

        ``closely`` is how nearly it must be as alike to the topic's documents as these are among themselves.
        """
        if any(link.by_hand > 0 and link.confidence >= FIRST for link in self._done.links[document_id]):
            return True
        likeness = self._likeness(document_id, centres)
        tight = self._space.tightness(centres[1]).tolist() if likeness else []
        least = {one: max(ALIKE, closely * value) for one, value in zip(centres[0], tight, strict=False)}
        fitting = sorted((-value, one) for one, value in likeness.items() if value >= least[one])
        for value, topic_id in fitting:
            if self._link(document_id, topic_id, FIRST + (1 - FIRST) * _share(-value)):
                return True
        return document_id not in self._space and self._stay(document_id)

    def _stay(self, document_id: str) -> bool:
        """Keep a document whose words alone are known where it was, if it still says one of the topic's names."""
        text = self._text_of(document_id)
        for link in self._before.get(document_id, ()):
            topic = resolved(link.topic_id, self._topics)
            if (
                link.by_hand >= 0
                and link.confidence >= FIRST
                and topic is not None
                and names_topic(topic, text)
            ):
                return self._link(document_id, topic.topic_id, link.confidence)
        return False

    def _text_of(self, document_id: str) -> str:
        profile = self._profiles[document_id]
        return f"{profile.title}\n{profile.text}".casefold()

    def _join_others(
        self, document_id: str, centres: tuple[list[str], np.ndarray], candidates: Sequence[Candidate]
    ) -> None:
        """Add the further topics of a document: named in it, like it, and where these are few, its own phrases."""
        profile = self._profiles[document_id]
        title, text = profile.title.casefold(), self._text_of(document_id)
        scores: dict[str, float] = {}
        tight = dict(zip(centres[0], self._space.tightness(centres[1]).tolist(), strict=True))
        for topic_id, value in self._likeness(document_id, centres).items():
            if value >= max(QUITE_ALIKE, NEARLY * tight[topic_id]):
                scores[topic_id] = NEXT + (NAMED - NEXT) * _share(value)
        for topic in list(self._topics.values()):
            if topic.state == "live" and names_topic(topic, text):
                in_title = 0.1 if names_topic(topic, title) else 0.0
                scores[topic.topic_id] = NAMED + in_title + 0.04 * scores.get(topic.topic_id, 0)
        for topic_id in sorted(scores, key=lambda one: (-scores[one], one)):
            self._link(document_id, topic_id, scores[topic_id])
        # A title tells more than a text, be it another's, and what others say as well makes the better topic.
        shared = sorted(
            candidates,
            key=lambda one: (
                not one.in_title,
                not self._phrases.in_a_title(one.name),
                self._phrases.documents_with(one.name) < 2,
            ),
        )
        for rank, candidate in enumerate(shared):
            if len(_held(self._done.links[document_id])) >= min(LEAST_TOPICS, self._most):
                break
            known = self._named(candidate.name)
            if known:
                self._link(document_id, known, OWN - 0.01 * min(rank, 9))

    # --- new topics ---------------------------------------------------------------------------------

    def _groups(self, lonely: Sequence[str]) -> list[list[str]]:
        groups = self._space.groups(lonely)
        grouped = {one for group in groups for one in group}
        return groups + [[one] for one in lonely if one not in grouped]

    def _new_topic(self, group: Sequence[str], candidates: Mapping[str, Sequence[Candidate]]) -> None:
        """Give a group the best name that is not taken; where all are, it joins the topic of its best one."""
        texts = [self._text_of(one) for one in group]
        names = shared_names([candidates[one] for one in group], texts, self._phrases)
        topic_id = next((one for name in names if (one := self._created(name, names))), None)
        topic_id = topic_id or next((one for name in names if (one := self._named(name))), None)
        if topic_id is None:
            return
        centre = self._space.centre(group)
        for one in group:
            value = (
                float(self._space.to_centre(one, centre[None])[0])
                if centre is not None and one in self._space
                else 0.0
            )
            self._link(one, topic_id, FIRST + (1 - FIRST) * _share(value))

    def _created(self, name: str, others: Sequence[str]) -> str | None:
        """Return a new topic of this name; None where a topic goes, or went, by one that means the same."""
        if self._names.find(name) is not None:
            return None
        return self._add(name, [other for other in others if other != name][:DESCRIBED])

    def _named(self, name: str) -> str | None:
        """Return the topic that a name means, a new one where there is none; None for one that was deleted."""
        found = self._names.find(name)
        if found is not None:
            known = resolved(found, self._topics)
            return known.topic_id if known else None
        return self._add(name, [])

    def _add(self, name: str, others: Sequence[str]) -> str:
        joint = ", " if name.isascii() else "、"
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
