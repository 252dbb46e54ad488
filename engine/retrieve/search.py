"""A question in, ranked nodes out, with the reasons for each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.config import Settings
from engine.errors import UsageError
from engine.model import SEARCH_MODES, Filters, Hit, SearchResult
from engine.retrieve.explain import reasons
from engine.retrieve.rerank import Candidate
from engine.retrieve.run import Run, run_search
from storage.base import Storage

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder
    from engine.providers.reranking import Reranker

MAX_TOP_K = 1000


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
    reranker: Reranker | None = None,
) -> SearchResult:
    """Return the ``top_k`` nodes that answer a question best.

    Modes: hybrid (meaning and words, weighed for each question), semantic, fulltext, keyword (exact;
    ``regex`` makes the query a pattern). ``also`` are other forms of words in the question; ``reranker`` has the
    last word over the best nodes. Where vectors are missing, what is missing stands in ``notes``;
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
    run = run_search(
        query,
        storage=storage,
        embedder=embedder,
        settings=settings,
        mode=mode,
        regex=regex,
        filters=filters,
        depth=top_k,
        also=also,
        reranker=reranker,
    )
    return result_of(run, query, started)


def result_of(run: Run, query: str, started: float) -> SearchResult:
    """Return the hits of a run; ``started`` is when it began (``time.perf_counter``)."""
    hits = hits_of(run)
    run.lap("explain")
    run.timings["total"] = round((time.perf_counter() - started) * 1000, 2)
    return SearchResult(query, run.mode, hits, run.timings, run.views, run.notes)


def hits_of(run: Run) -> list[Hit]:
    """Return the first ``run.depth`` nodes of the final ranking as hits."""
    return [_hit(run, rank, one) for rank, one in enumerate(run.ranked[: run.depth], 1)]


def _hit(run: Run, rank: int, one: Candidate) -> Hit:
    node = one.stored.node
    fused = one.fused
    exact = run.mode == "keyword"
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
            "rerank": one.together if one.judged is None else one.judged,
        },
        ranks={
            "dense": fused.dense_rank,
            "sparse": fused.sparse_rank,
            "keyword": rank if exact else None,
        },
        why=["exact"] if exact else reasons(run.query, one),
    )
