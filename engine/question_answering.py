"""A question's way through a library: to its versions, to its documents as a whole, or to the passages it finds."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.answer.agent.loop import gather
from engine.answer.agent.search_web import FoundOnWeb
from engine.answer.agent.tools import Desk
from engine.answer.answerer import Answerer
from engine.answer.grounded.conversation import read_message
from engine.answer.grounded.prompt import told_in
from engine.answer.refusal import Exploration, searched_in
from engine.answer.tables.found_tables import open_long_sheets
from engine.answer.tables.store import warm_tables
from engine.answer.trace import survived
from engine.answer.understand import understand
from engine.config import Settings
from engine.errors import BusyError, CancelledError, NotFoundError, ProviderError
from engine.finder import Finder
from engine.metrics import answered
from engine.model import Answer, Evidence, Filters, Manner, SearchResult
from engine.overview.answering import answer_overview
from engine.providers import reading
from engine.providers.cancelling import Cancelled
from engine.providers.context_window import evidence_tokens
from engine.providers.entailment import open_judge
from engine.providers.metering import Meter
from engine.providers.opened import OpenedProviders
from engine.providers.web_search import open_web_search
from engine.retrieve.pack import Retrieved, retrieved
from engine.structure.normalization import SPREADSHEETS
from engine.summaries import Summarizer
from engine.topics.library_topics import LibraryTopics
from engine.turns import AT_ONCE, COMPUTING, Turns
from engine.versions.answering import FromVersions
from engine.versions.asking import warm_versions
from engine.versions.history import VersionHistory
from storage.base import Storage

log = logging.getLogger(__name__)
# A model is shown as many passages as its evidence holds, taken to be so long: of the first thirty one in eight
# questions more has its answer than of the first ten.
_PASSAGE_TOKENS = 300
# What tells a model of each passage where it stands takes so many.
_PLACE_TOKENS = 20
# So many sheets are held open from the start.
_SHEETS = 4


@dataclass(eq=False)
class QuestionAnswering:
    """Answers questions from one library. All methods may be called from any thread.

    ``turns`` are those of all who ask.
    """

    _storage: Storage
    _providers: OpenedProviders
    _settings: Callable[[], Settings]
    _finder: Finder
    _topics: LibraryTopics
    _turns: Turns

    def warm(self) -> None:
        """Load what asks tables, reads and judges; only the first question tells if anything of it is missing."""
        import cn2an  # noqa: F401 - the first number would wait for it

        settings = self._settings()
        if settings.agent.quality_check.use_reader or settings.retrieval.k_read:
            with suppress(ProviderError):
                reading.open_reader().read("?", [reading.Passage("", "?")])
        if settings.agent.quality_check.use_reader and self._providers.llm_of(settings.llm) is not None:
            with suppress(ProviderError):
                open_judge().judge("?", [reading.Passage("", "?")])
        warm_tables()
        self.open_sheets()
        if any(one.versions > 1 for one in self._storage.documents()):
            with suppress(ProviderError):
                warm_versions()

    def open_sheets(self) -> None:
        """Open the longest sheets, whose first question would wait for seconds."""
        sheets = [one for one in self._storage.documents() if any(word in one.media_type for word in SPREADSHEETS)]
        for one in sorted(sheets, key=lambda one: -one.nodes)[:_SHEETS]:
            with suppress(NotFoundError):  # removed since
                open_long_sheets(one.document_id, one.version, self._storage)

    def ask(
        self, question: str, *, filters: Filters = Filters(), history: Sequence[tuple[str, str]] = (),
        on_event: Callable[[Any], None] | None = None, cancelled: Cancelled | None = None,
        path: str = "auto", max_iterations: int | None = None, manner: Manner = Manner(),
    ) -> Answer:  # fmt: skip
        """Answer a question from the documents, with verified citations.

        ``history`` holds earlier (role, text) turns. ``on_event`` gets trace steps and answer tokens as
        they come. ``path`` is direct (one search), agent (a loop of at most ``max_iterations`` rounds) or auto.
        ``manner`` says which model answers, and how, where that is not as it is set up.
        All of it is read from the library as it is when its turn has come, whatever is added or deleted meanwhile.
        Raises UsageError, NotFoundError, BusyError (also where the library is closed meanwhile), CancelledError; a
        failing model is told in the answer's warnings.
        """
        at_once = AT_ONCE if self._settings().llm.configured else COMPUTING
        cut_short, asked = False, time.perf_counter()

        def stopped() -> bool:
            nonlocal cut_short
            cut_short = cut_short or self._turns.ended
            return cut_short or (cancelled is not None and cancelled())

        try:
            with self._turns.taken(at_once, stopped):
                made = self._pinned()._ask(
                    question, filters, history=history, on_event=on_event, cancelled=stopped, path=path,
                    max_iterations=max_iterations, manner=manner,
                )  # fmt: skip
        except CancelledError:
            if not cut_short:
                raise
        if cut_short:
            raise BusyError("DropQA is being stopped. Ask again once it runs. DropQA 正在停止，请稍后再问。", 10)
        # What whoever asks waits for: its turn, what models read before, and all stages.
        made = replace(made, timings_ms=made.timings_ms | {"total": round((time.perf_counter() - asked) * 1000, 2)})
        answered(made)
        told = {"mode": made.mode, "outcome": made.state, "engine": made.engine, "tokens": made.tokens}
        log.info("Question answered", extra=told | {"stages_ms": made.timings_ms})
        return made

    def _pinned(self) -> QuestionAnswering:
        """Return the same for one state of the library."""
        storage = self._storage.pinned()
        return replace(self, _storage=storage, _finder=self._finder.reading(storage))

    def _ask(
        self, question: str, filters: Filters, *, history: Sequence[tuple[str, str]] = (),
        on_event: Callable[[Any], None] | None = None, cancelled: Cancelled | None = None,
        path: str = "auto", max_iterations: int | None = None, manner: Manner = Manner(),
        meter: Meter | None = None, given: Sequence[Evidence] = (),
    ) -> Answer:  # fmt: skip
        """Answer a question or a part of one, from what is ``given`` alone where there is some.

        ``meter`` counts what models use for it, where that belongs to a larger question.
        """
        settings = self._settings()
        chosen = settings.llm_for(manner)
        counted = meter or Meter(chosen)
        # What it is shown is read before: beside its own time that takes none.
        llm = self._providers.llm_of(chosen)
        told_how = told_in(chosen.system_prompt, manner.style, chosen.language, manner.instructions)
        settings = settings.model_copy(update={"llm": chosen.model_copy(update={"system_prompt": told_how})})
        finder = self._finder.asked_by(counted, cancelled)
        search = Exploration(partial(finder.search, read=llm is not None))

        # Which table is asked is settled by linking, not by the words in its rows, which are many to look through.
        unread = settings.retrieval.model_copy(update={"k_rerank": 1})
        fused = settings.model_copy(update={"retrieval": unread})
        by_fusion = partial(search, settings=fused, explain=settings.export.on_question)

        def retrieve(query: str) -> Retrieved:
            if given:
                return Retrieved(SearchResult(query, "given", [], {}), list(given))
            budget, widening = settings.agent.tools.max_context_tokens, settings.retrieval
            most, beside = None, 0
            if llm is not None:
                beside, budget = _PLACE_TOKENS, evidence_tokens(llm.context_tokens, budget)
                most = max(settings.retrieval.top_k, budget // _PASSAGE_TOKENS)
            wide = partial(search, top_k=most)
            found = retrieved(wide, self._storage, query, asked.filters, budget, widening, by_fusion, beside)
            return found if llm is None else finder.condensing(query, found)

        def told(made: Answer) -> Answer:
            return replace(asked.noted(made), tokens=dict(counted.tokens), cost=counted.cost)

        again = partial(
            self._ask, on_event=on_event, cancelled=cancelled, path=path, max_iterations=max_iterations,
            meter=counted, manner=manner,
        )  # fmt: skip
        metered = counted.metered(llm) if llm else None
        read = read_message(question, history, metered, cancelled)
        exactly = read.standalone
        asked = self._finder.narrowed(exactly, filters)
        find = partial(finder.search, read=False)
        by_versions = partial(VersionHistory(self._storage).answer, exactly, filters, again, find, llm, on_event)
        by_overview = partial(
            answer_overview, asked.question, asked.filters, self._storage, find,
            lambda: self.summaries(counted), lambda: self._providers.llm, on_event, cancelled,
        )  # fmt: skip
        wholes = (("versions", by_versions), ("overview", by_overview)) if read.aim == "documents" and not given else ()
        for name, stage in wholes:
            if (whole := survived(name, stage, None)) is not None:
                return told(whole)
        made = (FromVersions if given else Answerer)(
            question=understand(asked.question) if asked.notes and read.aim == "documents" else read,
            retrieve=retrieve, llm=llm, embedder=self._providers.embedder, settings=settings,
            history=history, on_event=on_event, cancelled=cancelled,
            searched=partial(searched_in, self._storage, asked.filters),
            desk=self._desk(search, asked.filters, settings), path=path, rounds=max_iterations,
            meter=counted, reader=reading.open_reader(),
        ).answer()  # fmt: skip
        self._finder.keep(search.found(exactly))
        return told(self._topics.marked(exactly, search.noted(made, self._storage, asked.filters)))

    def gather(self, question: str, *, top_k: int = 10, settings: Settings | None = None) -> SearchResult:
        """Search in rounds, planned by rules; return the passages kept. Raises UsageError, NotFoundError."""
        pinned = self._pinned()
        search = partial(pinned._finder.search, settings=settings, read=False)
        return gather(question, pinned._desk(search, Filters(), settings or self._settings()), top_k)

    def summaries(self, meter: Meter | None = None) -> Summarizer:
        """Return what summarises documents, sections and chosen nodes; ``meter`` counts what the model uses for it."""
        settings = self._settings
        return Summarizer(
            self._storage.pinned(), lambda: self._providers.metered(settings().summary_llm, meter), settings
        )

    def desk(self, filters: Filters = Filters()) -> Desk:
        """Return what agents' tools read: one state of the library within the filters."""
        pinned = self._pinned()
        return pinned._desk(pinned._finder.search, filters, self._settings())

    def _desk(self, search: Callable[..., SearchResult], filters: Filters, settings: Settings) -> Desk:
        """What the agent may read: this library within the filters."""
        within = partial(search, filters=filters)
        search_web = None if filters.documents else open_web_search(settings)  # theirs to tell, not the web's
        web = FoundOnWeb(search_web) if search_web is not None else None
        said_of = partial(self._topics.said_of, filters=filters)
        return Desk(within, self._storage, settings, filters, web, self._related, said_of)

    def _related(self, document_id: str) -> list[tuple[str, str]]:
        """The documents most related to one, each with the reasons."""
        return [
            (one.document_id, "; ".join(" ".join([reason.kind, *reason.words]) for reason in one.reasons))
            for one in self._topics.related(document_id)
        ]
