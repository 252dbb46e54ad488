"""Documents that belong beside one: one names the other, they are alike in meaning, or they share topics."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import networkx

from engine.model import Value
from engine.topics.known import KnownTopics
from engine.topics.library_graph import LEAST_ALIKE

Kind = Literal["names", "named_by", "alike", "topics"]

MOST = 8
# What each reason is worth in full; being named says most, a topic in common least.
WORTH: Mapping[Kind, float] = {"names": 1.0, "named_by": 0.9, "alike": 0.7, "topics": 0.5}
FULLY_ALIKE = 0.7
LEAST_SHARED = 0.1
SHOWN_TOPICS = 3


@dataclass(frozen=True, slots=True)
class Reason(Value):
    """Why a document is related: it is named in this one or names it (``words`` are the name as printed), is alike,
    or shares topics (``words`` are theirs). ``strength`` is 0 to 1."""

    kind: Kind
    strength: float
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Related(Value):
    """A related document with the reasons, the strongest first; ``score`` ranks the documents related to one."""

    document_id: str
    name: str
    score: float
    reasons: list[Reason]


def related(
    document_id: str, graph: networkx.MultiDiGraph, names: Mapping[str, str], known: KnownTopics
) -> list[Related]:
    """Return the documents of ``names`` (by id) that are most related to one, the most related first."""
    found: dict[str, dict[Kind, Reason]] = {}
    for one, reason in (*_joined(document_id, graph), *_sharing(document_id, known, len(names))):
        if one in names and one != document_id:
            found.setdefault(one, {}).setdefault(reason.kind, reason)
    ranked = []
    for one, by_kind in found.items():
        reasons = sorted(by_kind.values(), key=lambda reason: -WORTH[reason.kind] * reason.strength)
        score = sum(WORTH[reason.kind] * reason.strength for reason in by_kind.values())
        ranked.append(Related(one, names[one], round(score, 4), reasons))
    return sorted(ranked, key=lambda one: (-one.score, one.name))[:MOST]


def _joined(document_id: str, graph: networkx.MultiDiGraph) -> Iterator[tuple[str, Reason]]:
    """The others that this document names or is alike, then those for which that holds of this one."""
    if document_id not in graph:
        return
    to, back = (edges(document_id, keys=True, data=True) for edges in (graph.out_edges, graph.in_edges))
    for one, other, kind, facts in (*to, *back):
        end = other if one == document_id else one
        if kind == "names":
            yield end, Reason("names" if end == other else "named_by", 1.0, tuple(facts["words"]))
        elif kind == "alike":
            share = (facts["value"] - LEAST_ALIKE) / (FULLY_ALIKE - LEAST_ALIKE)
            yield end, Reason("alike", round(min(1.0, share), 3))


def _sharing(document_id: str, known: KnownTopics, count: int) -> Iterator[tuple[str, Reason]]:
    """The others in the same topics; a topic says the more, the fewer documents are in it."""
    shared: dict[str, list[tuple[float, str]]] = {}
    for topic, confidence in known.of_document(document_id):
        rarity = math.log((count + 1) / len(topic.documents)) / math.log(count + 1)
        for member in topic.documents:
            worth = rarity * min(confidence, member.confidence)
            if member.document_id != document_id and worth >= LEAST_SHARED:
                shared.setdefault(member.document_id, []).append((worth, topic.name))
    for one, topics in shared.items():
        strength = round(min(1.0, sum(worth for worth, _ in topics)), 3)
        names = (name for _, name in sorted(topics, reverse=True)[:SHOWN_TOPICS])
        yield one, Reason("topics", strength, tuple(names))
