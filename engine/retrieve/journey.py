"""Why is this node not among the hits? Its way through the stages, each with what it met there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.index.tokenize import Terms, as_written
from engine.model import Filters, Value
from engine.retrieve.rerank import Candidate
from engine.retrieve.run import Run
from engine.retrieve.snippet import Passage, Sought
from storage.base import StoredNode

Verdict = Literal["passed", "stopped", "absent"]
Facts = Mapping[str, str | int | float | None]


@dataclass(frozen=True, slots=True)
class Stop(Value):
    """What became of a node at one stage.

    ``verdict``: passed, stopped (here it fell out) or absent (this stage has no say about it). ``reason`` is a
    name for it ("below_k", "no_vector" …), ``facts`` are the numbers and words behind it.
    """

    stage: str
    verdict: Verdict
    reason: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Journey(Value):
    """A node's way through one search; ``rank`` is its rank among the hits, None when it is not there."""

    node_id: str
    document: str
    path: list[str]
    role: str
    rank: int | None
    stops: list[Stop]


def journey(run: Run, stored: StoredNode, filters: Filters = Filters()) -> Journey:
    """Return a node's way through a finished run; ``filters`` are those the search was given."""
    node = stored.node
    rank = _rank_of(stored, (one.fused.key for one in run.ranked))
    shown = rank if rank is not None and rank <= run.depth else None
    stops = [_in_scope(run, stored, filters)]
    if stops[0].verdict == "passed":
        stops += _by_keyword(run, stored) if run.mode == "keyword" else _by_views(run, stored, rank)
    return Journey(node.node_id, stored.document, stored.path, node.role, shown, stops)


def _in_scope(run: Run, stored: StoredNode, filters: Filters) -> Stop:
    if bool(run.scope.contains(np.asarray([stored.key], np.int64))[0]):
        # The passages that the Documents page counts: no headings, nothing without a text.
        passages = run.snapshot.coverage("", run.scope)[1] or run.scope.size
        return Stop("filters", "passed", "in_scope", {"nodes": passages})
    if not stored.current and filters.version is None:
        return Stop("filters", "stopped", "old_version", {"version": stored.version})
    given = {**filters.to_dict(), "section": run.filters.section}
    facts = {name: str(value) for name, value in given.items() if value}
    return Stop("filters", "stopped", "filtered_out", facts)


def _by_keyword(run: Run, stored: StoredNode) -> list[Stop]:
    rank = _rank_of(stored, (one.key for one in run.fused))
    if rank is None:
        return [Stop("keyword", "stopped", "no_match", {})]
    return [Stop("keyword", "passed", "matched", {"rank": rank})]


def _rank_of(stored: StoredNode, keys: Iterable[int]) -> int | None:
    """Return a node's rank, from 1, in a ranking."""
    return next((rank for rank, key in enumerate(keys, 1) if key == stored.key), None)


def _by_views(run: Run, stored: StoredNode, rank: int | None) -> list[Stop]:
    stops = []
    if "dense" in run.views:
        stops.append(_dense(run, stored))
    if "sparse" in run.views:
        stops.append(_sparse(run, stored))
    by_graph = next((step for step in run.steps if step.key == stored.key), None)
    if by_graph is not None:
        stops.append(Stop("expand", "passed", by_graph.kind, {"origin": by_graph.origin}))
    stops.append(_fused(run, stored))
    if stops[-1].verdict == "passed":
        stops.append(_ranked(run, stored, rank))
    return stops


def _dense(run: Run, stored: StoredNode) -> Stop:
    if rank := _rank_of(stored, (one.key for one in run.dense)):
        facts = {"rank": rank, "cosine": round(run.dense[rank - 1].score, 4)}
        return Stop("dense", "passed", "found", facts)
    vector = run.snapshot.vectors([stored.key], run.model).get(stored.key)
    if vector is None or run.vector is None:
        return Stop("dense", "absent", "no_vector", {})
    cosine = round(float(vector @ run.vector), 4)
    last = round(run.dense[-1].score, 4) if run.dense else None
    return Stop("dense", "absent", "below_k", {"cosine": cosine, "last": last, "k": len(run.dense)})


def _sparse(run: Run, stored: StoredNode) -> Stop:
    shared, missing = _words(run, stored)
    words = {"shared": ", ".join(shared), "missing": ", ".join(missing[:12])}
    if rank := _rank_of(stored, (one.key for one in run.sparse)):
        place = {"rank": rank, "score": round(run.sparse[rank - 1].score, 4)}
        return Stop("sparse", "passed", "found", {**place, **words})
    if not shared:
        return Stop("sparse", "absent", "no_shared_words", words)
    last = round(run.sparse[-1].score, 4) if run.sparse else None
    return Stop("sparse", "absent", "below_k", {"last": last, "k": len(run.sparse), **words})


def _words(run: Run, stored: StoredNode) -> tuple[list[str], list[str]]:
    """Return the question's words that a node shares, in any language or wording, and those that it lacks."""
    weights = dict(run.query.terms)
    text = "\n".join([*stored.path, stored.node.title, stored.node.text])
    translated = sorted(Passage(text, "", Sought(run.query.translated)).translated)
    formal = [word for one in run.query.formal for word in one.said if word.casefold() in text.casefold()]
    held = Terms(weights).held_by(text)
    own, missing = (
        as_written(run.query.text, [one for one in weights.items() if (one[0] in held) is there])
        for there in (True, False)
    )
    return [*own[:12], *translated[:12], *formal[:12]], missing


def _fused(run: Run, stored: StoredNode) -> Stop:
    place = _rank_of(stored, (one.key for one in run.fused))
    if place is None:
        return Stop("fused", "stopped", "in_no_view", {})
    one = run.fused[place - 1]
    parts = {"score": one.score, "meaning": one.by_meaning, "words": one.by_words}
    facts = {"rank": place} | {name: round(value, 4) for name, value in parts.items()}
    if any(other.fused.key == stored.key for other in [*run.ranked, *run.dropped]):
        return Stop("fused", "passed", "read", facts)
    if leaf := _stands_in(run, stored):
        return Stop("fused", "stopped", "leaf_shown", {**facts, "leaf": leaf.stored.node.node_id})
    return Stop("fused", "stopped", "below_head", facts)


def _stands_in(run: Run, stored: StoredNode) -> Candidate | None:
    """What took a node's place, if something did: a section's leaf, a caption's table."""
    if stored.node.role == "caption":
        parent = stored.node.parent_id
        return next((one for one in run.ranked if one.stored.node.node_id == parent), None)
    if stored.node.role not in ("section", "document"):
        return None
    return next((one for one in run.ranked if one.stored.node.parent_id == stored.node.node_id), None)


def _ranked(run: Run, stored: StoredNode, rank: int | None) -> Stop:
    dropped = next((one for one in run.dropped if one.fused.key == stored.key), None)
    if dropped is not None:
        facts = {"judged": dropped.judged, "threshold": run.settings.rerank.relevance_threshold}
        return Stop("rerank_model", "stopped", "judged_too_low", facts)
    if rank is None:
        return Stop("rerank", "stopped", "gone", {})
    one = run.ranked[rank - 1]
    parts = {name: round(value, 4) for name, value in one.parts.items() if value}
    facts = {"rank": rank, "score": round(one.score, 4), **parts}
    if rank <= run.depth:
        return Stop("rerank", "passed", "shown", facts)
    last = run.ranked[run.depth - 1]
    return Stop("rerank", "stopped", "below_top_k", {**facts, "last": round(last.score, 4), "top_k": run.depth})
