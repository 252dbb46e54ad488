"""Finder: searching one library, and looking into a search, with the models that its settings name."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

from engine.config import Settings
from engine.enrich.aliases import LibrarySynonyms, other_forms
from engine.errors import ProviderError
from engine.export.automatic import write_found
from engine.export.nodes import node_files, search_text
from engine.model import Condensed, Filters, Node, SearchResult
from engine.providers import reading
from engine.providers.cancelling import Cancelled, awaited
from engine.providers.metering import Meter
from engine.providers.opened import OpenedProviders
from engine.providers.reranking import Reranker, endpoint_reranker
from engine.retrieve.hits import result_of
from engine.retrieve.inspect import Inspection, inspect
from engine.retrieve.journey import Journey, journey
from engine.retrieve.llm_judge import LONGEST_TEXT, condense, llm_reranker
from engine.retrieve.narrowing import Narrowed, narrowed
from engine.retrieve.notes import being_read, note
from engine.retrieve.pack import Retrieved
from engine.retrieve.run import Run, run_search
from engine.retrieve.translation import read_dictionary
from storage.base import Storage


@dataclass(eq=False)
class Finder:
    """Searches one library. All methods may be called from any thread."""

    _storage: Storage
    _providers: OpenedProviders
    _settings: Callable[[], Settings]
    _synonyms: Callable[[], LibrarySynonyms]
    _folder: Path
    _meter: Meter | None = None
    _cancelled: Cancelled | None = None

    def asked_by(self, meter: Meter | None, cancelled: Cancelled | None) -> Finder:
        """Return the same for who asks: ``meter`` counts what models use, ``cancelled`` is asked while they are waited
        for; an endpoint for embeddings may be slow, too."""
        return replace(self, _meter=meter, _cancelled=cancelled)

    def reading(self, storage: Storage) -> Finder:
        """Return the same for a view of the library, such as one state of it."""
        return replace(self, _storage=storage)

    def pinned(self) -> Finder:
        """Return the same for the library as it is now."""
        return self.reading(self._storage.pinned())

    def warm(self) -> None:
        """Make ready what the first question in a library in two languages would wait for: the dictionary."""
        if self._settings().retrieval.translate:
            read_dictionary(self._storage.snapshot())

    def search(
        self, query: str, *, mode: str = "hybrid", regex: bool = False, filters: Filters = Filters(),
        top_k: int | None = None, settings: Settings | None = None, read: bool = True, explain: bool = True,
    ) -> SearchResult:  # fmt: skip
        """Search the library; see ``engine.retrieve.run``. Raises UsageError, NotFoundError, CancelledError.

        ``settings`` are tried for this search only; None: those in force. Without ``read`` the texts are not read: who
        answers has more of them read, and later. Without ``explain`` hits have no snippet.
        """
        started = time.perf_counter()
        run = awaited(lambda: self._run(query, mode, filters, top_k, settings, regex, read), self._cancelled)
        return result_of(run, query, started, explain)

    def enhanced(self, result: SearchResult, *, always_as_text: bool = False) -> SearchResult:
        """Return a search as a person or an agent gets it: with summaries and as a text, where a model is set for it.

        The settings' model condenses the hits (seed 001). Without ``rerank.enabled`` and ``rerank.enable_summary`` and
        for exact search nothing is added, with ``always_as_text`` the text. A model that is missing or fails is told in
        the notes. Raises CancelledError.
        """
        self.keep(result)
        chosen = self._settings().rerank
        enhanced = bool(result.hits) and result.mode != "keyword" and chosen.asks_model
        if not (enhanced or always_as_text):
            return result
        started = time.perf_counter()
        trees = [self._storage.tree(*one).nodes for one in {(hit.document_id, hit.version) for hit in result.hits}]
        nodes = {node.node_id: node for node in chain.from_iterable(trees)}
        if enhanced:
            result = self._with_summaries(result, nodes, started)
        places = {node.node_id: place for place, node in chain.from_iterable(map(enumerate, trees))}
        return replace(result, text=search_text(result, nodes, places, enhanced=enhanced))

    def _with_summaries(self, result: SearchResult, nodes: Mapping[str, Node], started: float) -> SearchResult:
        if not self._settings().rerank.enable_summary:
            return result
        texts = [nodes[hit.node_id].text or nodes[hit.node_id].title for hit in result.hits]
        said, notes = self._condensed(result.query, texts)
        timings = {**result.timings_ms, "summary": round((time.perf_counter() - started) * 1000, 2)}
        condensed = {hit.node_id: one for hit, one in zip(result.hits, said, strict=False)}
        return replace(result, condensed=condensed, notes=[*result.notes, *notes], timings_ms=timings)

    def condensing(self, query: str, found: Retrieved) -> Retrieved:
        """Return what was packed for an answer with the key facts and summaries of its texts, where they are set up.

        They are what a model that answers is shown (seed 001); of tables it needs the cells. Raises CancelledError.
        """
        texts = [item for item in found.evidence if item.table is None]
        if not (texts and self._settings().rerank.enable_summary):
            return found
        said, notes = self._condensed(query, [item.text for item in texts])
        made = {id(item): one for item, one in zip(texts, said, strict=False)}
        evidence = [replace(item, condensed=made.get(id(item), item.condensed)) for item in found.evidence]
        result = replace(found.result, notes=[*found.result.notes, *notes])
        return replace(found, result=result, evidence=evidence)

    def keep(self, result: SearchResult) -> None:
        """Write what a question found for other agents, where ``[export] on_question`` asks for it."""
        if (chosen := self._settings().export).on_question:
            write_found(result, self._storage, self._folder / chosen.folder)

    def retrieved_nodes(
        self, question: str, *, filters: Filters = Filters(), top_k: int | None = None
    ) -> dict[str, dict[str, Any]]:
        """Search and return the files for other agents, content by name; see ``engine.export.nodes``.

        Raises UsageError, NotFoundError.
        """
        storage = self._storage.pinned()
        result = self.reading(storage).search(question, filters=filters, top_k=top_k)
        return node_files(result, storage, datetime.now().astimezone())

    def narrowed(self, question: str, filters: Filters) -> Narrowed:
        """Return what a question asks, and where it says to look ("only in lease.md"). Raises NotFoundError."""
        return narrowed(question, self._storage.snapshot(), filters)

    def inspect(
        self, query: str, *, mode: str = "hybrid", filters: Filters = Filters(), top_k: int | None = None,
        settings: Settings | None = None,
    ) -> Inspection:  # fmt: skip
        """Search and take the search apart: every stage's ranking, the parts of each score, the walk.

        Raises UsageError, NotFoundError.
        """
        started = time.perf_counter()
        run = self._run(query, mode, filters, top_k, settings)
        run.timings["total"] = round((time.perf_counter() - started) * 1000, 2)
        return inspect(run, query)

    def journey(
        self, query: str, node_id: str, *, mode: str = "hybrid", filters: Filters = Filters(),
        top_k: int | None = None, settings: Settings | None = None,
    ) -> Journey:  # fmt: skip
        """Tell stage by stage why a node is, or is not, among the hits. Raises UsageError, NotFoundError."""
        stored = self._storage.find_node(node_id)
        return journey(self._run(query, mode, filters, top_k, settings), stored, filters)

    def _run(
        self, query: str, mode: str, filters: Filters, top_k: int | None, settings: Settings | None,
        regex: bool = False, read: bool = True,
    ) -> Run:  # fmt: skip
        chosen = settings or self._settings()
        reranker, missing = self._reranker(chosen, mode)
        run = run_search(
            query, storage=self._storage.pinned(), settings=chosen, mode=mode, regex=regex, filters=filters,
            embedder=self._providers.embedder if mode in ("hybrid", "semantic") else None,
            depth=top_k or chosen.retrieval.top_k, also=other_forms(query, self._synonyms().own), reranker=reranker,
            reader=reading.open_reader() if read and reranker is None and chosen.retrieval.k_read else None,
        )  # fmt: skip
        run.notes += [note(query, missing)] if missing else []
        collected = self._storage.collections.documents_of(filters.collections)
        run.notes += being_read(query, filters, self._storage.jobs.list(("queued", "running")), collected)
        return run

    def _condensed(self, query: str, texts: Sequence[str]) -> tuple[Sequence[Condensed], list[str]]:
        """What a model says of each text, and a note where it cannot."""
        settings = self._settings()
        llm = self._providers.metered(settings.found_summary_llm, self._meter)
        if llm is None:
            return [], [note(query, "no_summary_llm")]
        read, letters = [text[:LONGEST_TEXT] for text in texts], settings.rerank.max_summary_length
        try:
            return condense(query, read, llm, self._storage.replies, letters, self._cancelled), []
        except ProviderError as error:
            return [], [note(query, "summary_failed", error=error)]

    def _reranker(self, settings: Settings, mode: str) -> tuple[Reranker | None, str]:
        """The reranking model of the settings; where it is asked for but not set up, the name of a note on it."""
        chosen = settings.rerank
        if not chosen.enabled or mode == "keyword":
            return None, ""
        if chosen.method == "endpoint":
            if not chosen.api_base:
                return None, "no_rerank_endpoint"
            return endpoint_reranker(chosen, self._cancelled), ""
        llm = self._providers.metered(settings.rerank_llm, self._meter)
        if llm is None:
            return None, "no_rerank_llm"
        return llm_reranker(llm, self._cancelled), ""
