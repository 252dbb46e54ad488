"""A question in, ranked nodes out, with the reasons for each.

The stages: understand the question, recall from the views, fuse, fold sections into their leaves,
explain. Each leaves its time in ``SearchResult.timings_ms``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine.config import Settings
from engine.errors import ProviderError, UsageError
from engine.model import SEARCH_MODES, Filters, Hit, SearchResult
from engine.retrieve import recall
from engine.retrieve.explain import reasons
from engine.retrieve.feedback import feedback
from engine.retrieve.fusion import Fused, fuse
from engine.retrieve.keyword import pattern, substring
from engine.retrieve.query import Query, is_unspaced, understand
from engine.retrieve.snippet import snippet
from storage.base import Scope, Scored, Snapshot, Storage, StoredNode

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder

MAX_TOP_K = 1000
# So many of the best sparse hits tell how much of the question words can account for.
BEST_MATCHES = 10
# So many of the nodes nearest in meaning are looked at for their script.
NEAREST = 30


@dataclass
class _Run:
    """One search on its way."""

    query: Query
    snapshot: Snapshot
    scope: Scope
    settings: Settings
    embedder: Embedder | None
    depth: int
    views: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def lap(self, stage: str) -> None:
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
) -> SearchResult:
    """Return the ``top_k`` nodes that answer a question best.

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
    snapshot = storage.snapshot()
    run = _Run(understand(query), snapshot, snapshot.scope(filters), settings, embedder, top_k)
    run.lap("scope")
    hits = _by_keyword(run, query, regex) if mode == "keyword" else _by_views(run, mode)
    run.lap("explain")
    run.timings["total"] = round((time.perf_counter() - started) * 1000, 2)
    return SearchResult(query, mode, hits, run.timings, run.views, run.notes)


def _by_views(run: _Run, mode: str) -> list[Hit]:
    retrieval = run.settings.retrieval
    vector = None if mode == "fulltext" else _query_vector(run)
    dense: list[Scored] = []
    sparse: list[Scored] = []
    if vector is not None:
        dense = _dense(run, vector)
        run.views.append("dense")
        run.lap("dense")
    if mode != "semantic" or vector is None:
        sparse = recall.sparse(run.query, run.snapshot, run.scope, max(retrieval.k_sparse, run.depth))
        run.views.append("sparse")
        run.lap("sparse")
    fused = _fused(run, vector, dense, sparse)
    run.lap("fuse")
    if dense and sparse and vector is not None:
        vector = feedback(vector, fused, run.snapshot, _model(run))
        fused = _fused(run, vector, _dense(run, vector), sparse)
        run.lap("feedback")
    nodes = _hydrate(run, fused)
    run.lap("nodes")
    return [
        _hit(run, rank, one, nodes[one.key])
        for rank, one in enumerate(fused[: run.depth], 1)
        if one.key in nodes
    ]


def _model(run: _Run) -> str:
    return run.embedder.name if run.embedder is not None else ""


def _dense(run: _Run, vector: np.ndarray) -> list[Scored]:
    k = max(run.settings.retrieval.k_dense, run.depth)
    return recall.dense(vector, run.snapshot, run.scope, k, _model(run))


def _fused(run: _Run, vector: np.ndarray | None, dense: list[Scored], sparse: list[Scored]) -> list[Fused]:
    matched, cosines, foreign = 1.0, {}, set()
    if dense and sparse and vector is not None:
        found = {one.key for one in dense}
        missing = [one.key for one in sparse if one.key not in found]
        cosines = {
            key: float(other @ vector) for key, other in run.snapshot.vectors(missing, _model(run)).items()
        }
        best = [one.key for one in sparse[:BEST_MATCHES]]
        matched = max(run.snapshot.matched_share(run.query.terms, best))
        foreign = _foreign(run, dense)
    return fuse(
        dense,
        sparse,
        run.settings.retrieval.fusion,
        cosines=cosines,
        matched=matched,
        foreign=foreign,
        model=_model(run),
    )


def _foreign(run: _Run, dense: list[Scored]) -> set[int]:
    """Return which of the nodes nearest in meaning are in another script than the question."""
    asked = is_unspaced(run.query.text)
    nearest = run.snapshot.nodes([one.key for one in dense[:NEAREST]])
    return {one.key for one in nearest if is_unspaced(one.node.text or one.node.title) != asked}


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
    k = max(run.depth, settings.max_results)
    keys = recall.exact(count, run.snapshot, run.scope, k)
    run.views.append("keyword")
    run.lap("keyword")
    stored = {node.key: node for node in run.snapshot.nodes(keys)}
    counts = {key: max(1, count(node.node.title) + count(node.node.text)) for key, node in stored.items()}
    ranked = sorted(stored, key=lambda key: (-counts[key], key))[: run.depth]
    best = max(counts.values(), default=1)
    fused = [Fused(key, counts[key] / best, None, None, None, None) for key in ranked]
    return [_hit(run, rank, one, stored[one.key], keyword=rank) for rank, one in enumerate(fused, 1)]


def _hydrate(run: _Run, fused: Sequence[Fused]) -> dict[int, StoredNode]:
    return {node.key: node for node in run.snapshot.nodes([one.key for one in fused[: run.depth]])}


def _hit(run: _Run, rank: int, one: Fused, stored: StoredNode, keyword: int | None = None) -> Hit:
    node = stored.node
    text = node.text or node.title
    return Hit(
        node_id=node.node_id,
        document_id=stored.document_id,
        document=stored.document,
        version=stored.version,
        role=node.role,
        score=round(one.score, 4),
        rank=rank,
        page=node.page,
        bbox=node.bbox,
        path=stored.path,
        snippet=snippet(text, dict(run.query.terms)),
        signals={
            "dense": one.dense,
            "sparse": one.sparse,
            "tree_prior": None,
            "intent": None,
            "rerank": None,
        },
        ranks={"dense": one.dense_rank, "sparse": one.sparse_rank, "keyword": keyword},
        why=reasons(run.query, one, stored, keyword is not None),
    )
