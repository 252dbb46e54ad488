"""Which topics a question asks for (seed 003, 5.3.2).

A question asks for a topic when it names it; for the rest, the documents of the best nodes vote, each for its topics.
Ranking is left as it is: a preference for these topics changed nothing. Who wants a topic and nothing else filters by
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.retrieve.query import fold, is_unspaced

# So many documents vote, the best first; what a topic's share must be for the question to be about it.
VOTERS, LEAST_VOTE = 10, 0.15
ASKED_FOR = 3
SHORTEST_NAME = 2


@dataclass(frozen=True)
class TopicMembers:
    """A topic as ranking sees it: all names it goes by, the shown one first, and documents (ids) with confidence."""

    names: tuple[str, ...]
    documents: Mapping[str, float]

    @cached_property
    def _forms(self) -> tuple[str, ...]:
        return tuple(form for name in self.names if len(form := fold(name)) >= SHORTEST_NAME)

    def named_in(self, folded: str) -> bool:
        """Tell whether a folded text has one of the names, as words of their own where words have gaps."""
        return any(stands_in(form, folded) for form in self._forms)


def topics_asked_for(
    question: str, documents: Sequence[str], topics: Sequence[TopicMembers]
) -> list[tuple[TopicMembers, float]]:
    """Return up to three topics that a question is about, the surest first, with how surely: 0..1.

    ``documents`` are the ids of those that look like answering it, the best first.
    """
    voters: dict[str, float] = {}
    for document_id in documents:
        if len(voters) == VOTERS:
            break
        voters.setdefault(document_id, 1 / (1 + len(voters)))
    total, asked = sum(voters.values()) or 1.0, fold(question)
    votes: list[tuple[bool, float, TopicMembers]] = []
    for topic in topics:
        share = (
            sum(voters[one] * topic.documents[one] for one in voters.keys() & topic.documents.keys()) / total
        )
        named = topic.named_in(asked)
        if named or share >= LEAST_VOTE:
            votes.append((named, share, topic))
    votes.sort(key=lambda one: (-one[0], -one[1], one[2].names))
    return [(topic, 1.0 if named else min(1.0, share)) for named, share, topic in votes[:ASKED_FOR]]


def stands_in(name: str, text: str) -> bool:
    """Tell whether a name stands in a text, both folded, as words of its own; Chinese has no gaps to look for."""
    at = text.find(name)
    if at < 0 or is_unspaced(name):
        return at >= 0
    around = text[max(0, at - 1) : at] + text[at + len(name) : at + len(name) + 1]
    return not any(character.isalnum() and not is_unspaced(character) for character in around)
