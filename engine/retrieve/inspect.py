"""A search taken apart: what every stage ranked, what the score is made of, the walk over the graphs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.index.tokenize import query_terms
from engine.model import Hit, Node, Value
from engine.retrieve.expand import prose_in_graph
from engine.retrieve.hits import hits_of
from engine.retrieve.run import Run
from engine.retrieve.snippet import Sought
from engine.retrieve.window import WIDENED_HITS, around
from storage.base import StoredNode

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Ranked(Value):
    """A node in one stage's ranking; ``rank`` counts from 1, ``score`` is the stage's own."""

    rank: int
    node_id: str
    document: str
    path: list[str]
    role: str
    page: int | None
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Stage(Value):
    """One stage: its name, how long it took, how many nodes it ranked and the first of them."""

    name: str
    milliseconds: float
    count: int
    nodes: list[Ranked]


@dataclass(frozen=True, slots=True)
class Walk(Value):
    """A step over the graph: ``kind`` from node ``origin`` to node ``node_id``; ``shown`` if that became a hit.

    Kind "window": a neighbour that an answer is given together with the hit.
    """

    origin: str
    node_id: str
    kind: str
    label: str
    shown: bool


@dataclass(frozen=True, slots=True)
class Inspection(Value):
    """A search taken apart.

    ``parts`` gives for each hit (by node id) what each view and prior added to its score. ``understood``
    holds the terms with their weights, phrases, labels, roles, operations and section.
    """

    query: str
    mode: str
    hits: list[Hit]
    stages: list[Stage]
    parts: dict[str, dict[str, float]]
    walk: list[Walk]
    understood: dict[str, Any]
    matched: float
    timings_ms: dict[str, float]
    notes: list[str] = field(default_factory=list)


def inspect(run: Run, query: str) -> Inspection:
    """Take a finished run apart; of each ranking the first :data:`SHOWN` nodes are given."""
    hits = hits_of(run)
    parts = {
        one.stored.node.node_id: {name: round(value, 4) for name, value in one.parts.items() if value}
        for one in run.ranked[: run.depth]
    }
    walk = [*_walk(run, {hit.node_id for hit in hits}), *_window(run, hits)]
    understood, matched = _understood(run), round(run.matched, 4)
    timings, notes = dict(run.timings), list(run.notes)
    return Inspection(query, run.mode, hits, _stages(run), parts, walk, understood, matched, timings, notes)


def _stages(run: Run) -> list[Stage]:
    rankings = _rankings(run)
    timings = {**run.timings, "fused": run.timings.get("nodes", 0.0)}
    wanted = {key for ranking in rankings.values() for key, _ in ranking[:SHOWN]}
    stored = {one.key: one for one in run.snapshot.nodes(sorted(wanted))}
    return [
        Stage(name, timings.get(name, 0.0), len(ranking), _ranked(ranking[:SHOWN], stored))
        for name, ranking in rankings.items()
        if ranking
    ]


def _rankings(run: Run) -> dict[str, Sequence[tuple[int, float]]]:
    """The rankings by stage, as keys with scores; that of a model which was not asked is empty."""
    return {
        "dense": run.dense, "sparse": run.sparse, "fused": [(one.key, one.score) for one in run.fused],
        "rerank": _features(run),
        "reading": [(one.fused.key, one.score) for one in run.ranked] if "reading" in run.timings else [],
        "rerank_model": [(one.fused.key, one.judged) for one in run.ranked if one.judged is not None],
    }  # fmt: skip


def _features(run: Run) -> list[tuple[int, float]]:
    """The ranking before a model had its say."""
    scored = [(one, one.score - one.parts.get("reading", 0.0)) for one in [*run.ranked, *run.dropped]]
    scored.sort(key=lambda pair: (-pair[1], pair[0].fused.key))
    return [(one.fused.key, score) for one, score in scored]


def _ranked(ranking: Iterable[tuple[int, float]], stored: dict[int, StoredNode]) -> list[Ranked]:
    return [
        Ranked(
            rank, one.node.node_id, one.document, one.path, one.node.role, one.node.page,
            (one.node.text or one.node.title)[:160], round(score, 4),
        )
        for rank, (key, score) in enumerate(ranking, 1)
        if (one := stored.get(key)) is not None
    ]  # fmt: skip


def _walk(run: Run, shown: set[str]) -> list[Walk]:
    stored = {one.key: one for one in run.snapshot.nodes([step.key for step in run.steps])}
    return [
        Walk(step.origin, one.node.node_id, step.kind, label_of(one.node), one.node.node_id in shown)
        for step in run.steps
        if (one := stored.get(step.key)) is not None
    ]


def _window(run: Run, hits: Sequence[Hit]) -> list[Walk]:
    if run.mode == "keyword":
        return []
    sought, window = Sought(query_terms(run.query.text)), run.settings.retrieval.window
    known = {hit.node_id for hit in hits}
    return [
        Walk(hit.node_id, node.node_id, "window", label_of(node), False)
        for hit in hits[:WIDENED_HITS]
        if (placed := prose_in_graph(hit, run.storage))
        for node in around(*placed, hit.path, sought, window)
        if node.node_id not in known
    ]


def label_of(node: Node) -> str:
    """Return a few words that stand for a node in a drawing or a list."""
    text = node.title or str(node.metadata.get("label") or "") or node.text
    return " ".join(text.split())[:60]


def _understood(run: Run) -> dict[str, Any]:
    intent = run.query.intent
    return {
        "terms": [[term, round(weight, 2)] for term, weight in run.query.terms],
        "translated": [
            [term.word, list(dict.fromkeys(" ".join(way) for way in term.ways)), round(weight, 2)]
            for term, weight in run.query.translated
        ],
        "formal": [[one.word, list(one.said)] for one in run.query.formal],
        "phrases": run.query.phrases,
        "labels": [label.printed for label in intent.labels],
        "roles": sorted(intent.roles),
        "operations": sorted(intent.operations),
        "section": run.filters.section,
        "named": [{"kind": one.kind, "printed": one.printed, "nodes": len(one.keys)} for one in run.named],
    }
