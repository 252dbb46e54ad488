"""A question in, an Answer out: retrieve, judge, write, check.

With a model the evidence is given to it and what it writes is checked; without one, or when it fails,
sentences of the evidence are quoted. When the evidence does not answer the question the answer says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from engine.answer import extractive, grounded
from engine.answer.candidates import Candidate, candidates
from engine.answer.citations import Resolved, resolve
from engine.answer.clean import clean_reply, says_not_found
from engine.answer.consistency.told import tell_disagreements
from engine.answer.events import Discard, OnEvent, Token
from engine.answer.follow_up import standalone
from engine.answer.phrases import mode_name, phrases_for
from engine.answer.refusal import Searched, refuse
from engine.answer.similarity import SentenceSimilarity
from engine.answer.sufficiency import Sufficiency, assess
from engine.answer.support import support_of, unsupported_warning
from engine.answer.tables.from_evidence import answer_from_evidence
from engine.config import Settings
from engine.errors import CancelledError, ProviderError, UsageError
from engine.model import Answer, Evidence, TraceStep

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder
    from engine.providers.llm import Llm
    from engine.retrieve.pack import Retrieved

Confidence = Literal["high", "medium", "low"]
_MAX_QUESTION = 4000
_SURE = 0.8


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
) -> Answer:
    """Answer a question from what ``retrieve`` finds, with citations located word for word.

    ``history`` holds earlier (role, text) turns, the oldest first. ``on_event`` gets trace steps and the
    answer's text as they come. ``searched`` tells a refusal how large the searched library is. A failing model
    is told in ``warnings``. Raises UsageError for an empty or endless question, and what ``retrieve``
    raises.
    """
    question = question.strip()
    if not question:
        raise UsageError("The question is empty. Write what you want to know.")
    if len(question) > _MAX_QUESTION:
        raise UsageError(f"The question is longer than {_MAX_QUESTION} characters. Shorten it.")
    run = _Run(question, llm, embedder, settings, history, on_event, cancelled, searched)
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
    ) -> None:
        self._question = question
        self._standalone = standalone(question, history)
        self._llm = llm
        self._settings = settings
        self._history = history
        self._on_event = on_event
        self._cancelled = cancelled
        self._searched = searched
        self._phrases = phrases_for(question)
        self._similarity = SentenceSimilarity(embedder) if embedder is not None else None
        self._steps: list[TraceStep] = []
        self._warnings: list[str] = []
        self._timings: dict[str, float] = {}
        self._tokens = {"prompt": 0, "completion": 0}
        self._mode = "hybrid"
        self._shown = False

    def answer(self, retrieve: Callable[[str], Retrieved]) -> Answer:
        """Run all steps."""
        started = time.perf_counter()
        evidence = self._retrieve(retrieve)
        with self._timed("evaluate"):
            found, sufficiency = self._evaluate(evidence)
        made = self._by_model(evidence, found, sufficiency) if self._llm is not None and evidence else None
        if made is None:
            with self._timed("tables"):
                made = self._from_tables(evidence)
        if made is None:
            with self._timed("write"):
                made = self._without_model(evidence, found, sufficiency)
        with self._timed("consistency"):
            made = self._with_disagreements(made, evidence)
        self._timings["total"] = _milliseconds(started)
        return replace(
            made,
            reasoning_steps=len(self._steps),
            reasoning_trace=list(self._steps),
            warnings=list(dict.fromkeys([*self._warnings, *made.warnings])),
            timings_ms=self._timings,
            tokens=self._tokens,
        )

    # --- steps ------------------------------------------------------------------------------------

    def _retrieve(self, retrieve: Callable[[str], Retrieved]) -> list[Evidence]:
        phrases, query = self._phrases, self._standalone
        follows = query != self._question
        self._step("initial_assessment", phrases.step_plan_follow_up if follows else phrases.step_plan)
        with self._timed("retrieve"):
            retrieved = retrieve(query)
        result, evidence = retrieved.result, list(retrieved.evidence)
        self._mode = result.mode
        self._warnings += result.notes
        for stage, milliseconds in result.timings_ms.items():
            self._timings[f"retrieve_{stage}"] = milliseconds
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
        self._step(
            "action", phrases.step_search.format(query=query), "hybrid_search", {"query": query}, summary
        )
        return evidence

    def _evaluate(self, evidence: list[Evidence]) -> tuple[list[Candidate], Sufficiency]:
        question = self._standalone
        try:
            found = candidates(question, evidence, self._similarity)
            sufficiency = assess(question, evidence, found, self._similarity)
        except ProviderError:  # the embedding model fails: go on by words
            self._similarity = None
            found = candidates(question, evidence)
            sufficiency = assess(question, evidence, found)
        phrases = self._phrases
        verdict = phrases.step_sufficient if sufficiency.sufficient else phrases.step_insufficient
        content = verdict.format(score=f"{sufficiency.score:.2f}")
        if sufficiency.missing:
            content += " " + phrases.missing_terms.format(terms=", ".join(sufficiency.missing))
        self._step("evaluation", content)
        return found, sufficiency

    def _by_model(
        self, evidence: list[Evidence], found: list[Candidate], sufficiency: Sufficiency
    ) -> Answer | None:
        """Return the model's checked answer, or None when there is to be one without it."""
        assert self._llm is not None
        phrases = self._phrases
        try:
            with self._timed("generate"):
                written = grounded.write(
                    self._question, evidence, self._llm, history=self._history,
                    system_prompt=self._settings.llm.system_prompt,
                    on_text=lambda text: self._tell(Token(text)), cancelled=self._cancelled,
                )  # fmt: skip
        except CancelledError:
            return self._stopped_empty()
        except ProviderError as error:
            self._put_aside(phrases.model_failed.format(reason=error))
            return None
        self._tokens = {"prompt": written.usage.prompt, "completion": written.usage.completion}
        reply = clean_reply(written.text)
        if says_not_found(reply):
            self._step("evaluation", phrases.step_model_says_no)
            if sufficiency.score >= _SURE:
                self._warnings.append(phrases.model_disagrees)
            if self._shown:
                self._tell(Discard(phrases.step_model_says_no))
            return self._refusal(evidence, found, "llm")
        if not reply:
            if written.stopped:
                return self._stopped_empty()
            self._put_aside(phrases.model_unusable)
            return None
        with self._timed("verify"):
            resolved = self._resolved(reply, evidence)
        if written.finish == "length":
            self._warnings.append(phrases.model_cut)
        if written.stopped:
            self._warnings.append(phrases.stopped)
        elif not resolved.citations:
            self._warnings += resolved.warnings
            self._put_aside(phrases.model_unsupported)
            return None
        return self._checked(resolved, sufficiency)

    def _checked(self, resolved: Resolved, sufficiency: Sufficiency) -> Answer:
        phrases = self._phrases
        warnings = list(resolved.warnings)
        if warning := unsupported_warning(resolved.sentences, phrases):
            warnings.append(warning)
        if not sufficiency.sufficient:
            warnings.append(phrases.answer_uncertain)
        told = phrases.step_verified.format(
            supported=resolved.supported, total=resolved.claims, citations=len(resolved.citations)
        )
        self._step("verification", told, None, {"sentences": support_of(resolved.sentences)})
        confidence = _confidence(resolved, sufficiency)
        return Answer(
            resolved.text, "direct", confidence, bool(resolved.citations), resolved.citations,
            warnings=warnings, engine="llm",
        )  # fmt: skip

    def _resolved(self, reply: str, evidence: list[Evidence]) -> Resolved:
        try:
            return resolve(reply, evidence, self._phrases, self._similarity, self._standalone)
        except ProviderError:  # the embedder went away
            return resolve(reply, evidence, self._phrases, None, self._standalone)

    def _from_tables(self, evidence: list[Evidence]) -> Answer | None:
        """Return what operators over the cells of a found table clearly answer, or None."""
        found = answer_from_evidence(self._standalone, evidence)
        if found is None:
            return None
        phrases, made = self._phrases, found.answer
        for step in made.steps:
            content = phrases.step_table.format(operators=step.operator)
            self._step("action", content, step.operator, dict(step.params), step.observation.text)
        self._step("verification", phrases.step_verified.format(
            supported=1, total=1, citations=len(found.citations)
        ))  # fmt: skip
        self._tell(Token(found.text))
        warnings = [phrases.table_silent.format(names=", ".join(made.silent))] if made.silent else []
        confidence: Confidence = "high" if made.confidence >= _SURE and not warnings else "medium"
        return Answer(
            found.text, "direct", confidence, True, found.citations, warnings=warnings, engine="extractive"
        )

    def _without_model(
        self, evidence: list[Evidence], found: list[Candidate], sufficiency: Sufficiency
    ) -> Answer:
        if not sufficiency.sufficient:
            return self._refusal(evidence, found, "extractive")
        phrases = self._phrases
        try:
            chosen = extractive.best_sentences(self._standalone, found, evidence, self._similarity)
        except ProviderError:
            chosen = extractive.best_sentences(self._standalone, found, evidence)
        lead_in = phrases.quoted if self._llm is None else phrases.quoted_model_failed
        text, citations = extractive.write(chosen, evidence, lead_in)
        for line in text.splitlines(keepends=True):
            self._tell(Token(line))
        self._step("verification", phrases.step_verified.format(
            supported=len(chosen), total=len(chosen), citations=len(citations)
        ))  # fmt: skip
        confidence: Confidence = "high" if sufficiency.score >= _SURE else "medium"
        warnings = []
        if not extractive.offers_what_is_asked(self._standalone, chosen):
            confidence, warnings = "low", [phrases.answer_uncertain]
        return Answer(text, "direct", confidence, True, citations, warnings=warnings, engine="extractive")

    def _with_disagreements(self, made: Answer, evidence: list[Evidence]) -> Answer:
        """Let the answer tell both sides where its evidence disagrees."""
        told = tell_disagreements(made, self._standalone, evidence, self._phrases)
        if told is not made:
            added = told.warnings[len(made.warnings) :]
            self._step("verification", " ".join(added), "verify_consistency")
            self._tell(Token(told.answer[len(made.answer) :]))
        return told

    def _refusal(
        self, evidence: list[Evidence], found: list[Candidate], engine: Literal["llm", "extractive"]
    ) -> Answer:
        text, citations = refuse(
            self._standalone, evidence, found,
            mode=self._mode, searched=self._searched() if self._searched else None, phrases=self._phrases,
        )  # fmt: skip
        self._tell(Token(text))
        return Answer(text, "direct", "low", False, citations, engine=engine)

    def _put_aside(self, warning: str) -> None:
        self._warnings.append(warning)
        self._tell(Discard(warning))

    def _stopped_empty(self) -> Answer:
        stopped = self._phrases.stopped
        return Answer(stopped, "direct", "low", False, [], warnings=[stopped], engine="llm")

    # --- what is told -------------------------------------------------------------------------------

    def _step(
        self,
        kind: Literal["initial_assessment", "action", "evaluation", "verification"],
        content: str,
        tool: str | None = None,
        params: dict[str, Any] | None = None,
        summary: str | None = None,
    ) -> None:
        step = TraceStep(len(self._steps), kind, content, tool, params, summary)
        self._steps.append(step)
        self._tell(step)

    def _tell(self, event: Token | Discard | TraceStep) -> None:
        self._shown = self._shown or isinstance(event, Token)
        if self._on_event is not None:
            self._on_event(event)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self._timings[stage] = self._timings.get(stage, 0.0) + _milliseconds(started)


def _confidence(resolved: Resolved, sufficiency: Sufficiency) -> Confidence:
    """Weigh what was checked: support of the sentences, numbers, and the evidence itself."""
    if resolved.support < 0.5 or resolved.wrong_numbers or not sufficiency.sufficient:
        return "low"
    if resolved.support >= 0.9 and not resolved.removed and not resolved.warnings:
        return "high" if sufficiency.score >= 0.6 else "medium"
    return "medium"


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
