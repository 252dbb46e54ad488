"""A question in, an Answer out: retrieve, judge, write, check.

With a model the evidence is given to it and what it writes is checked; without one, or when it fails,
sentences of the evidence are quoted. When the evidence does not answer the question the agent looks for more
(:mod:`engine.answer.agent`); when that does not help, the answer says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from engine.answer import grounded
from engine.answer.agent.judging import judge
from engine.answer.checked_reply import checked, stands_alone
from engine.answer.citations import Resolved, resolve
from engine.answer.grounded.reply import clean_reply, says_not_found
from engine.answer.consistency.told import tell_disagreements
from engine.answer.coverage import state_coverage
from engine.answer.events import Discard, OnEvent, Token
from engine.answer.evidence.judging import judge as judge_evidence
from engine.answer.extractive import SURE, quote
from engine.answer.phrases import mode_name, phrases_for
from engine.answer.refusal import Searched
from engine.answer.similarity import SentenceSimilarity
from engine.answer.tables.computed import Computed
from engine.answer.tables.from_evidence import answer_with_more, plan_from_evidence
from engine.answer.tables.joined_parts import parts_beside
from engine.answer.tables.known_ratios import item_questions, known_ratio
from engine.answer.trace import AnswerTrace, milliseconds_since
from engine.answer.understand import understand
from engine.answer.without_model import Basis, from_tables
from engine.config import Settings
from engine.errors import CancelledError, ProviderError, UsageError
from engine.model import Answer, Evidence
from engine.providers.metering import Meter

if TYPE_CHECKING:
    from engine.answer.agent.loop import Outcome
    from engine.answer.agent.tools import Desk
    from engine.answer.tables.from_evidence import CitedTableAnswer
    from engine.providers.embedding import Embedder
    from engine.providers.llm import Llm
    from engine.providers.reading import Reader
    from engine.retrieve.pack import Retrieved

Path = Literal["auto", "direct", "agent"]
PATHS: tuple[str, ...] = ("auto", "direct", "agent")
_TOGETHER = 0.5
# So many passages are shown to a model that finds no answer in all of them.
_FEW = 2


def answer(
    question: str,
    *,
    retrieve: Callable[[str], Retrieved],
    llm: Llm | None,
    embedder: Embedder | None,
    settings: Settings,
    history: Sequence[tuple[str, str]] = (),
    on_event: OnEvent | None = None,
    cancelled: Callable[[], bool] | None = None,
    searched: Callable[[], Searched] | None = None,
    desk: Desk | None = None,
    path: str = "auto",
    max_iterations: int | None = None,
    meter: Meter | None = None,
    reader: Reader | None = None,
) -> Answer:
    """Answer a question from what ``retrieve`` finds, with citations located word for word.

    ``history`` holds earlier (role, text) turns, the oldest first. ``on_event`` gets trace steps and the
    answer's text as they come. ``searched`` tells a refusal how large the searched library is. A failing model
    is told in ``warnings``. With a ``desk`` the agent may look for more, in at most ``max_iterations`` rounds (None:
    as set up): where one search is not enough (``path`` auto), always (agent) or never (direct). ``meter`` has counted
    what models used for it before; once the budget of the settings is used up, the rest is done without the model.
    ``reader`` tells which texts answer. Raises UsageError for an empty or endless question or an unknown path, and what
    ``retrieve`` raises.
    """
    question = question.strip()
    if path not in PATHS:
        raise UsageError(f"There is no path {path!r}; there are {', '.join(PATHS)}.")
    meter = meter or Meter(settings.llm)
    run = _Run(question, llm, embedder, settings, history, on_event, cancelled, searched, meter, reader)
    run.may_search_on(desk, path, max_iterations)
    return run.answer(retrieve)


class _Run:
    """The making of one answer; what it gathers on the way ends in the Answer."""

    def __init__(
        self,
        question: str,
        llm: Llm | None,
        embedder: Embedder | None,
        settings: Settings,
        history: Sequence[tuple[str, str]],
        on_event: OnEvent | None,
        cancelled: Callable[[], bool] | None,
        searched: Callable[[], Searched] | None,
        meter: Meter,
        reader: Reader | None,
    ) -> None:
        self._question = question
        self._asked = understand(question, history)
        self._standalone = self._asked.standalone
        self._model = None if llm is None else meter.metered(llm)
        self._meter = meter
        self._settings = settings
        self._history = history
        self._cancelled = cancelled
        self._searched = searched
        self._phrases = phrases_for(question)
        self._similarity = SentenceSimilarity(embedder) if embedder is not None else None
        self._reader = reader if settings.agent.quality_check.use_reader else None
        self._trace = AnswerTrace(on_event)
        meter.on_refused = self._budget_over
        self._mode = "hybrid"
        self._tables: Callable[[str], Sequence[Evidence]] = lambda question: ()
        self._desk: Desk | None = None
        self._sheets, self._disputed = set[str](), set[str]()
        self._path = "direct"
        self._rounds: int | None = None
        self._iterations: int | None = None

    def may_search_on(self, desk: Desk | None, path: str, rounds: int | None) -> None:
        """Let the agent look for more, with what it may read, when, and in how many rounds at most."""
        self._desk, self._path, self._rounds = desk, path if desk else "direct", rounds

    def answer(self, retrieve: Callable[[str], Retrieved]) -> Answer:
        """Run all steps."""
        started = time.perf_counter()
        basis: Basis | None = None
        try:
            basis = self._planned(self._evaluate(self._retrieve(retrieve)))
            made = self._directly(basis)
            if made is None:
                made, basis = self._by_agent(basis)
        except CancelledError:
            made = self._stopped_empty()
        with self._trace.timed("consistency"):
            made = self._completed(made, basis.evidence if basis else [])
        self._trace.timings["total"] = milliseconds_since(started)
        return replace(
            made,
            mode="direct" if self._iterations is None else "agent",
            iterations=self._iterations or 0,
            reasoning_steps=len(self._trace.steps),
            reasoning_trace=list(self._trace.steps),
            warnings=list(dict.fromkeys([*self._trace.warnings, *made.warnings])),
            timings_ms=self._trace.timings,
            tokens=dict(self._meter.tokens),
        )

    @property
    def _llm(self) -> Llm | None:
        """The model, as long as the answer's budget lasts."""
        return self._model if self._model is not None and self._meter.may_call() else None

    def _budget_over(self) -> None:
        """Say that the rest is done without the model."""
        told = self._phrases.budget_over.format(tokens=f"{sum(self._meter.tokens.values()):,}")
        self._trace.warnings.append(told)
        self._trace.step("evaluation", told)

    # --- steps ------------------------------------------------------------------------------------

    def _retrieve(self, retrieve: Callable[[str], Retrieved]) -> list[Evidence]:
        phrases, query = self._phrases, self._standalone
        restated = phrases.step_plan_restated.format(question=query)
        self._trace.step("initial_assessment", restated if self._asked.follow_up else phrases.step_plan)
        with self._trace.timed("retrieve"):
            retrieved = retrieve(query)
        result, evidence = retrieved.result, list(retrieved.evidence)
        self._tables = retrieved.tables
        self._mode = result.mode
        self._trace.warnings += result.notes
        for stage, milliseconds in result.timings_ms.items():
            self._trace.timings[f"retrieve_{stage}"] = milliseconds
        if evidence:
            best = evidence[0].hit
            summary = phrases.step_found.format(
                hits=len(result.hits),
                documents=len({hit.document_id for hit in result.hits}),
                views=", ".join(result.views) or mode_name(result.mode, phrases),
                best=" > ".join([best.document, *best.path]),
            )
        else:
            summary = phrases.step_found_none
        self._trace.step(
            "action", phrases.step_search.format(query=query), "hybrid_search", {"query": query}, summary
        )
        return evidence

    def _evaluate(self, evidence: list[Evidence]) -> Basis:
        """Judge evidence for the question."""
        with self._trace.timed("evaluate"):
            made = judge_evidence(self._asked, evidence, self._reader, self._similarity)
        phrases = self._phrases
        verdict = phrases.step_sufficient if made.state == "answered" else phrases.step_insufficient
        told = [verdict.format(score=f"{made.probability:.2f}")]
        if made.missing:
            told.append(phrases.missing_terms.format(terms=", ".join(made.missing)))
        self._trace.step("evaluation", " ".join(told))
        with self._trace.timed("tables"):
            return self._with_tables(Basis(self._asked, evidence, made, None), self._standalone)

    def _with_tables(self, basis: Basis, exactly: str) -> Basis:
        """Let operators over the cells of the found tables answer, where they clearly can."""
        parts = partial(parts_beside, storage=self._desk.storage, seen=self._sheets) if self._desk else None
        made, evidence = answer_with_more(exactly, basis.evidence, self._more_tables, parts)
        return basis if made is None else self._computed(replace(basis, evidence=evidence), made)

    def _computed(self, basis: Basis, made: CitedTableAnswer) -> Basis:
        """Take what operators computed as what the tables give."""
        for step in made.answer.steps:
            self._trace.computed(step, self._phrases)
        return replace(basis, from_tables=made)

    def _planned(self, basis: Basis) -> Basis:
        """Where rules find no answer in the tables, let the model plan one that operators compute."""
        if self._llm is None or self._path == "agent" or basis.from_tables is not None:
            return basis
        with self._trace.timed("plan"):
            found = plan_from_evidence(self._standalone, basis.evidence, self._llm, self._cancelled)
        if found is None:
            return basis
        made, planned = found
        content = self._phrases.step_plan_computes if made else self._phrases.step_plan_dropped
        told = content.format(reason=planned.reason or self._phrases.plan_none)
        self._trace.step("thought", told, "plan_table", dict(planned.plan))
        return basis if made is None else self._computed(basis, made)

    def _directly(self, basis: Basis) -> Answer | None:
        """Return the answer from the first search; None when the agent is to look for more."""
        if self._path == "agent":
            self._search_on(self._phrases.reason_chosen)
            return None
        wanting = not basis.sufficiency.sufficient and basis.from_tables is None
        if self._path == "auto" and wanting and basis.evidence and self._llm is not None:
            reason = self._judged(basis)
            if reason:
                self._search_on(reason)
                return None
        made = self._by_model(basis) if basis.evidence and self._llm is not None else None
        if made is not None:
            if self._path == "auto" and not made.answered and not self._stopped:
                self._search_on(self._phrases.reason_not_found)
                return None
            return made
        if self._path == "auto" and wanting and basis.evidence:
            score = f"{basis.sufficiency.score:.2f}"
            self._search_on(self._phrases.reason_scores.format(score=score))
            return None
        return self._without_model(basis)

    def _search_on(self, reason: str) -> None:
        """Say why the agent is needed."""
        rounds = self._rounds or self._settings.agent.max_iterations
        self._trace.step("initial_assessment", self._phrases.path_agent.format(reason=reason, rounds=rounds))

    def _judged(self, basis: Basis) -> str:
        """Return why the evidence is not enough, by the model where it is to be asked; "" when it is."""
        assert self._llm is not None
        by_scores = self._phrases.reason_scores.format(score=f"{basis.sufficiency.score:.2f}")
        if not self._settings.agent.quality_check.use_llm_judgment:
            return by_scores
        try:
            with self._trace.timed("judge"):
                judgement = judge(self._standalone, basis.evidence, self._llm, self._cancelled)
        except ProviderError:  # told when it fails again, with the answer
            return by_scores
        if judgement.sufficient:
            return ""
        return self._phrases.reason_model.format(missing=judgement.missing or "?")

    def _by_agent(self, basis: Basis) -> tuple[Answer, Basis]:
        """Return the answer of the agent and what it is made from."""
        assert self._desk is not None
        from engine.answer.agent.answering import kept, search_on

        self._iterations = 0
        with self._trace.timed("agent"):
            outcome = search_on(
                self._standalone, basis.evidence, self._desk, llm=self._llm, on_step=self._trace.step,
                cancelled=self._cancelled, rounds=self._rounds,
            )  # fmt: skip
        self._iterations = outcome.iterations
        self._disputed = {item.hit.node_id for item in outcome.disputed}
        self._trace.warnings += outcome.warnings
        basis = self._evaluate(kept(outcome, self._desk, self._standalone) or basis.evidence)
        made = self._replied(outcome, basis)
        if made is None and not outcome.model_down and basis.evidence and self._llm is not None:
            made = self._by_model(basis)
        return made or self._without_model(basis), basis

    def _replied(self, outcome: Outcome, basis: Basis) -> Answer | None:
        """Return the final answer that the model gave in the loop, checked; None when there is none that holds."""
        reply = clean_reply(outcome.reply)
        if not reply:
            return None
        if says_not_found(reply):
            self._trace.step("evaluation", self._phrases.step_model_says_no)
            return self._refusal(basis, "llm")
        with self._trace.timed("verify"):
            resolved = self._resolved(reply, outcome.quoted, outcome.computed)
        if not resolved.citations or resolved.refuted:
            return None
        self._trace.tell(Token(resolved.text))
        # A chain answers though none of its passages does alone: what they hold together counts.
        sufficiency = basis.sufficiency
        together = max(sufficiency.score, outcome.replan.confidence)
        sufficiency = replace(sufficiency, score=together, sufficient=together >= _TOGETHER)
        return checked(resolved, sufficiency, self._trace, self._phrases)

    def _by_model(self, basis: Basis, again: bool = False) -> Answer | None:
        """Return the model's checked answer, or None when there is to be one without it.

        Where it finds none and the passages seem to have it, it is shown the likeliest ones alone (``again``): a small
        model overlooks much among many.
        """
        assert self._llm is not None
        phrases, sufficiency = self._phrases, basis.sufficiency
        computed = [basis.from_tables.computed] if basis.from_tables else []
        try:
            with self._trace.timed("generate"):
                written = grounded.write(
                    self._question, basis.evidence, self._llm, history=self._history,
                    system_prompt=self._settings.llm.system_prompt, computed=computed,
                    on_text=lambda text: self._trace.tell(Token(text)), cancelled=self._cancelled,
                )  # fmt: skip
        except CancelledError:
            return self._stopped_empty()
        except ProviderError as error:
            self._trace.put_aside(phrases.model_failed.format(reason=error))
            return None
        reply = clean_reply(written.text)
        if says_not_found(reply):
            self._trace.step("evaluation", phrases.step_model_says_no)
            if self._trace.shown:
                self._trace.tell(Discard(phrases.step_model_says_no))
            if sufficiency.sufficient and not computed and not again and len(basis.evidence) > _FEW:
                self._trace.step("thought", phrases.step_asked_again.format(count=_FEW))
                return self._by_model(basis.narrowed(_FEW), again=True)
            if computed or sufficiency.score >= SURE:
                self._trace.warnings.append(phrases.model_disagrees)
            if computed:
                return None
            if self._path == "auto" and self._iterations is None:
                return Answer("", "direct", "low", False, [], engine="llm")
            return self._refusal(basis, "llm")
        if not reply:
            if written.stopped:
                return self._stopped_empty()
            self._trace.put_aside(phrases.model_unusable)
            return None
        if computed and not written.stopped and not computed[0].stated_in(reply):
            self._trace.warnings.append(phrases.computed_differs)
            reply += "\n\n" + phrases.computed_says.format(text=computed[0].text)
        with self._trace.timed("verify"):
            resolved = self._resolved(reply, basis.evidence, computed)
        if written.finish == "length":
            self._trace.warnings.append(phrases.model_cut)
        if written.stopped:
            self._trace.warnings.append(phrases.stopped)
        elif (
            not resolved.citations
            or resolved.refuted
            or (basis.from_tables is None and stands_alone(resolved, sufficiency, basis.evidence))
        ):
            self._trace.warnings += resolved.warnings
            self._trace.put_aside(phrases.model_unsupported)
            return None
        if basis.from_tables is not None:
            sure = max(sufficiency.score, basis.from_tables.answer.confidence)
            sufficiency = replace(sufficiency, score=sure, sufficient=True)
        return checked(resolved, sufficiency, self._trace, phrases)

    def _resolved(self, reply: str, evidence: list[Evidence], computed: Sequence[Computed]) -> Resolved:
        question = self._standalone
        try:
            return resolve(reply, evidence, self._phrases, self._similarity, question, computed)
        except ProviderError:  # the embedder went away
            return resolve(reply, evidence, self._phrases, None, question, computed)

    def _more_tables(self) -> list[Evidence]:
        exactly = self._standalone
        asked = item_questions(exactly, ratio) if (ratio := known_ratio(exactly)) else [exactly]
        return [item for question in asked for item in self._tables(question)]

    def _without_model(self, basis: Basis) -> Answer:
        """Return what the tables give, else quotations, else a refusal."""
        with self._trace.timed("write"):
            if basis.from_tables is not None:
                return from_tables(basis, basis.from_tables, self._trace, self._phrases)
            return self._quoted(basis, "extractive")

    def _quoted(self, basis: Basis, engine: Literal["llm", "extractive"]) -> Answer:
        phrases = self._phrases
        failed = phrases.quoted_budget_over if self._meter.refused else phrases.quoted_model_failed
        made = quote(
            basis.asked, basis.judged, basis.evidence, phrases, mode=self._mode,
            searched=self._searched() if self._searched else None,
            lead_in=phrases.quoted if self._model is None else failed,
        )  # fmt: skip
        for line in made.text.splitlines(keepends=True):
            self._trace.tell(Token(line))
        if made.answered:
            count = len(made.citations)
            told = phrases.step_verified.format(supported=count, total=count, citations=count)
            self._trace.step("verification", told)
        return Answer(
            made.text, "direct", made.confidence, made.answered, made.citations, warnings=made.warnings,
            engine=engine,
        )  # fmt: skip

    def _completed(self, made: Answer, evidence: list[Evidence]) -> Answer:
        """Let the answer tell both sides where its evidence disagrees, and what documents it covers."""
        told = tell_disagreements(made, self._standalone, evidence, self._phrases, self._disputed)
        if told is not made:
            added = told.warnings[len(made.warnings) :]
            self._trace.step("verification", " ".join(added), "verify_consistency")
        told = state_coverage(told, self._searched, self._phrases)
        if told is not made:
            self._trace.tell(Token(told.answer[len(made.answer) :]))
        return told

    def _refusal(self, basis: Basis, engine: Literal["llm", "extractive"]) -> Answer:
        """Say that there is no answer where a model found none, whatever the passages look like."""
        state: Literal["closest", "not_found"] = "not_found"
        return self._quoted(replace(basis, judged=replace(basis.judged, state=state)), engine)

    @property
    def _stopped(self) -> bool:
        return self._cancelled is not None and self._cancelled()

    def _stopped_empty(self) -> Answer:
        stopped = self._phrases.stopped
        return Answer(stopped, "direct", "low", False, [], warnings=[stopped], engine="llm")
