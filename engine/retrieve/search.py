"""A question in, ranked nodes out, with the reasons for each.

The stages: understand the question, recall from the views, fuse, ask the dense view once more with
what was found (feedback), look up what the question names, walk from the best nodes over their graphs
(expand), rerank by the texts and the priors, explain. Each leaves its time in ``SearchResult.timings_ms``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.config import Settings
from engine.errors import ProviderError, UsageError
from engine.model import SEARCH_MODES, Filters, Hit, SearchResult
from engine.retrieve import recall
from engine.retrieve.expand import SEEDS, Step, expand
from engine.retrieve.explain import reasons
from engine.retrieve.feedback import feedback
from engine.retrieve.fusion import Fused, fuse, trust_in_words
from engine.retrieve.keyword import pattern, substring
from engine.retrieve.named import Named, look_up
from engine.retrieve.query import Query, understand
from engine.retrieve.rerank import Candidate, candidates, keep_named, rerank
from storage.base import Scope, Scored, Snapshot, Storage, StoredNode

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder

MAX_TOP_K = 1000
# So many of the best sparse hits tell how much of the question words account for.
BEST_MATCHES = 10


@dataclass
class _Run:
    """One search on its way. ``matched`` is the share of the question that the best hits by words hold."""

    query: Query
    storage: Storage
    snapshot: Snapshot
    scope: Scope
    settings: Settings
    embedder: Embedder | None
    depth: int
    views: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    matched: float = 1.0
    named: list[Named] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    @property
    def model(self) -> str:
        """The embedding model's identity."""
        return self.embedder.name if self.embedder else ""

    def lap(self, stage: str) -> None:
        """Note the time since the last stage."""
        now = time.perf_counter()
        self.timings[stage] = round((now - self._since) * 1000, 2)
        self._since = now


def search(
    query: str,
    *,
    storage: Storage,
    embedder: Embedder | None,
    settings: Settings,
    mode: str = "hybrid",
    regex: bool = False,
    filters: Filters = Filters(),
    top_k: int = 10,
    also: Sequence[str] = (),
) -> SearchResult:
    """Return the ``top_k`` nodes that answer a question best; ``also`` are other forms of its words.

    Modes: hybrid (meaning and words, weighed for each question), semantic, fulltext, keyword (exact;
    ``regex`` makes the query a pattern). Where vectors are missing, what is missing stands in ``notes``;
    a semantic or hybrid search with no vectors at all searches by words and says so. Raises UsageError
    for an empty query, an unknown mode or a bad pattern, NotFoundError for an unknown document.
    """
    if mode not in SEARCH_MODES:
        raise UsageError(f"There is no search mode {mode!r}; there are {', '.join(SEARCH_MODES)}.")
    if regex and mode != "keyword":
        raise UsageError("A pattern can only be searched in mode keyword.")
    if not 1 <= top_k <= MAX_TOP_K:
        raise UsageError(f"The number of hits must be between 1 and {MAX_TOP_K}, not {top_k}.")
    started = time.perf_counter()
    understood, snapshot = understand(query, also), storage.snapshot()
    scope, note = _scope(understood if mode != "keyword" else None, snapshot, filters)
    run = _Run(understood, storage, snapshot, scope, settings, embedder, top_k)
    run.notes += note
    run.lap("scope")
    hits = _by_keyword(run, query, regex) if mode == "keyword" else _by_views(run, mode)
    run.lap("explain")
    run.timings["total"] = round((time.perf_counter() - started) * 1000, 2)
    return SearchResult(query, mode, hits, run.timings, run.views, run.notes)


def _scope(query: Query | None, snapshot: Snapshot, filters: Filters) -> tuple[Scope, list[str]]:
    """The nodes to search in: those that pass the filters, and those of the one section a question insists on."""
    scope = snapshot.scope(filters)
    section = query.intent.section if query is not None else None
    if section is None or filters.section is not None:
        return scope, []
    inside = snapshot.scope(replace(filters, section=section))
    if inside.size:
        return inside, [f"Searched only in sections named {section!r}, as the question says."]
    return scope, [f"No section is named {section!r}; searched everywhere."]


def _by_views(run: _Run, mode: str) -> list[Hit]:
    retrieval = run.settings.retrieval
    vector = None if mode == "fulltext" else _query_vector(run)
    k_dense, k_sparse = max(retrieval.k_dense, run.depth), max(retrieval.k_sparse, run.depth)
    dense: list[Scored] = []
    sparse: list[Scored] = []
    if vector is not None:
        dense = recall.dense(vector, run.snapshot, run.scope, k_dense, run.model)
        run.views.append("dense")
        run.lap("dense")
    if mode != "semantic" or vector is None:
        sparse = recall.sparse(run.query, run.snapshot, run.scope, k_sparse)
        run.views.append("sparse")
        run.lap("sparse")
    if dense and sparse:
        best = [one.key for one in sparse[:BEST_MATCHES]]
        run.matched = max(run.snapshot.matched_share(run.query.terms, best))
    fused = _fuse(run, vector, dense, sparse)
    if dense and sparse and vector is not None:
        vector = feedback(vector, fused, run.snapshot, run.model, trust_in_words(run.matched))
        dense = recall.dense(vector, run.snapshot, run.scope, k_dense, run.model)
        fused = _fuse(run, vector, dense, sparse)
        run.lap("feedback")
    found = candidates(fused, _head(run, fused), run.query)
    run.lap("nodes")
    if mode == "hybrid":
        others = _others(run, found)
        fused = _fuse(run, vector, dense, sparse, others) if others else fused
        found = candidates(fused, _head(run, fused, others), run.query)
        run.lap("expand")
    found = rerank(
        found,
        run.query,
        retrieval.fusion,
        retrieval.k_rerank if sparse else 0,
        matched=run.matched,
        named=run.named,
        steps=run.steps,
    )
    found = keep_named(found, run.named, run.depth)
    run.lap("rerank")
    return [_hit(run, rank, one) for rank, one in enumerate(found[: run.depth], 1)]


def _fuse(
    run: _Run,
    vector: np.ndarray | None,
    dense: list[Scored],
    sparse: list[Scored],
    others: Sequence[int] = (),
) -> list[Fused]:
    retrieval = run.settings.retrieval
    beside = [*(one.key for one in sparse), *others]
    cosines = {} if vector is None else recall.cosines(vector, run.snapshot, dense, beside, run.model)
    spread = run.embedder.spread if run.embedder else None
    return fuse(
        dense,
        sparse,
        retrieval.fusion,
        spread=spread,
        cosines=cosines,
        full=retrieval.k_sparse,
        trust=trust_in_words(run.matched),
        others=others,
    )


def _others(run: _Run, found: Sequence[Candidate]) -> list[int]:
    """The nodes that take part beside those of the views: what the question names, what the graphs bring."""
    if not run.query.intent.empty or run.query.phrases:
        run.named = look_up(run.query, run.snapshot, run.scope)
    seeds = [one.stored for one in found[:SEEDS]]
    run.steps = expand(seeds, run.storage, run.settings.retrieval.expansion, run.scope)
    return list(dict.fromkeys([*(k for one in run.named for k in one.keys), *(s.key for s in run.steps)]))


def _head(run: _Run, fused: Sequence[Fused], others: Sequence[int] = ()) -> list[StoredNode]:
    """The nodes that may be shown: some more than asked for, because sections give way to their leaves."""
    head = fused[: max(run.depth + run.depth // 2, run.settings.retrieval.k_rerank)]
    return run.snapshot.nodes(list(dict.fromkeys([*(one.key for one in head), *others])))


def _query_vector(run: _Run) -> np.ndarray | None:
    if run.embedder is None:
        run.notes.append("Searched by words only: no embedding model is available.")
        return None
    have, want = run.snapshot.coverage(run.embedder.name, run.scope)
    if not have:
        if want:
            run.notes.append(f"Searched by words only: none of {want:,} nodes has a vector yet.")
        return None
    if have < want:
        run.notes.append(
            f"{want - have:,} of {want:,} nodes have no vector yet; they are found by words only."
        )
    try:
        return run.embedder.query(run.query.text)
    except ProviderError as error:
        run.notes.append(f"Searched by words only: {error}")
        return None
    finally:
        run.lap("embed")


def _by_keyword(run: _Run, query: str, regex: bool) -> list[Hit]:
    settings = run.settings.search.keyword
    count = pattern(query, settings) if regex else substring(query, settings)
    keys = recall.exact(count, run.snapshot, run.scope, max(run.depth, settings.max_results))
    run.views.append("keyword")
    run.lap("keyword")
    stored = run.snapshot.nodes(keys)
    counts = {one.key: max(1, count(one.node.title) + count(one.node.text)) for one in stored}
    most = max(counts.values(), default=1)
    ranked = sorted(counts, key=lambda key: (-counts[key], key))[: run.depth]
    fused = [Fused(key, counts[key] / most, None, None, None, None) for key in ranked]
    found = candidates(fused, stored, run.query)
    return [_hit(run, rank, one, keyword=rank) for rank, one in enumerate(found, 1)]


def _hit(run: _Run, rank: int, one: Candidate, keyword: int | None = None) -> Hit:
    node = one.stored.node
    fused = one.fused
    return Hit(
        node_id=node.node_id,
        document_id=one.stored.document_id,
        document=one.stored.document,
        version=one.stored.version,
        role=node.role,
        score=round(max(0.0, one.score), 4),
        rank=rank,
        page=node.page,
        bbox=node.bbox,
        path=one.stored.path,
        snippet=one.passage.snippet(),
        signals={
            "dense": fused.dense,
            "sparse": fused.sparse,
            "tree_prior": one.tree_prior,
            "intent": one.intent,
            "rerank": one.together,
        },
        ranks={"dense": fused.dense_rank, "sparse": fused.sparse_rank, "keyword": keyword},
        why=reasons(run.query, one) if keyword is None else ["exact"],
    )
