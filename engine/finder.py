"""Finder: searching one library, and looking into a search, with the models that its settings name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from engine.config import Settings
from engine.enrich.aliases import other_forms
from engine.enrich.synonyms import LibrarySynonyms
from engine.model import Filters, SearchResult
from storage.base import Storage

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder
    from engine.providers.opened import OpenedProviders
    from engine.providers.reranking import Reranker
    from engine.retrieve.inspect import Inspection
    from engine.retrieve.journey import Journey
    from engine.retrieve.run import Run
    from engine.retrieve.topic_prior import TopicMembers


class Finder:
    """Searches one library. All methods may be called from any thread."""

    def __init__(
        self,
        storage: Storage,
        providers: OpenedProviders,
        settings: Callable[[], Settings],
        synonyms: Callable[[], LibrarySynonyms],
        topics: Callable[[], Sequence[TopicMembers]] = tuple,
    ) -> None:
        self._storage = storage
        self._providers = providers
        self._settings = settings
        self._synonyms = synonyms
        self._topics = topics

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        regex: bool = False,
        filters: Filters = Filters(),
        top_k: int | None = None,
        settings: Settings | None = None,
    ) -> SearchResult:
        """Search the library; see ``engine.retrieve.run``. Raises UsageError, NotFoundError.

        ``settings`` are tried for this search only; None: those in force.
        """
        from engine.retrieve.hits import result_of

        started = time.perf_counter()
        run = self._run(query, mode, filters, top_k, settings, regex)
        return result_of(run, query, started)

    def retrieved_nodes(
        self,
        question: str,
        *,
        filters: Filters = Filters(),
        top_k: int | None = None,
        settings: Settings | None = None,
    ) -> dict[str, dict[str, Any]]:
        """Search and return the files for other agents, content by name; see ``engine.export.nodes``.

        ``settings`` are tried for this search only. Raises UsageError, NotFoundError.
        """
        from engine.export.nodes import node_files

        result = self.search(question, filters=filters, top_k=top_k, settings=settings)
        return node_files(result, self._storage, datetime.now().astimezone())

    def inspect(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        filters: Filters = Filters(),
        top_k: int | None = None,
        settings: Settings | None = None,
    ) -> Inspection:
        """Search and take the search apart: every stage's ranking, the parts of each score, the walk.

        Raises UsageError, NotFoundError.
        """
        from engine.retrieve.inspect import inspect

        started = time.perf_counter()
        run = self._run(query, mode, filters, top_k, settings)
        run.timings["total"] = round((time.perf_counter() - started) * 1000, 2)
        return inspect(run, query)

    def journey(
        self,
        query: str,
        node_id: str,
        *,
        mode: str = "hybrid",
        filters: Filters = Filters(),
        top_k: int | None = None,
        settings: Settings | None = None,
    ) -> Journey:
        """Tell stage by stage why a node is, or is not, among the hits. Raises UsageError, NotFoundError."""
        from engine.retrieve.journey import journey

        stored = self._storage.find_node(node_id)
        return journey(self._run(query, mode, filters, top_k, settings), stored, filters)

    def _run(
        self,
        query: str,
        mode: str,
        filters: Filters,
        top_k: int | None,
        settings: Settings | None,
        regex: bool = False,
    ) -> Run:
        from engine.retrieve.notes import being_read, note
        from engine.retrieve.run import run_search

        chosen = settings or self._settings()
        reranker, missing = self._reranker(chosen, mode)
        run = run_search(
            query,
            storage=self._storage,
            embedder=self._embedder(mode),
            settings=chosen,
            mode=mode,
            regex=regex,
            filters=filters,
            depth=top_k or chosen.retrieval.top_k,
            also=other_forms(query, self._synonyms().own),
            reranker=reranker,
            topics=self._topics() if mode == "hybrid" else (),
        )
        run.notes += [note(query, missing)] if missing else []
        run.notes += being_read(query, filters, self._storage.jobs.list(("queued", "running")))
        return run

    def _embedder(self, mode: str) -> Embedder | None:
        return self._providers.embedder if mode in ("hybrid", "semantic") else None

    def _reranker(self, settings: Settings, mode: str) -> tuple[Reranker | None, str]:
        """The reranking model of the settings; where it is asked for but not set up, the name of a note on it."""
        chosen = settings.rerank
        if not chosen.enabled or mode == "keyword":
            return None, ""
        if chosen.method == "endpoint":
            from engine.providers.reranking import EndpointReranker

            if not chosen.api_base:
                return None, "no_rerank_endpoint"
            return EndpointReranker(chosen), ""
        from engine.retrieve.llm_judge import LlmReranker

        named = "model" in chosen.model_fields_set
        llm = self._providers.llm_named(chosen.model if named else "")
        if llm is None:
            return None, "no_rerank_llm"
        return LlmReranker(llm, self._storage.replies), ""
