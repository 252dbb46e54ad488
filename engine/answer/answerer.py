"""The way from a question to an Answer: understand, retrieve, weigh tables and texts, write, check.

One place decides which stage comes next. Every stage may fail alone (:mod:`engine.answer.trace`): the trace tells it
and the next way is taken, from a model's answer down to passages that are quoted.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from engine.answer.agent.loop import CONFIDENCES, FIRST_HITS, KEPT, AgentLoop, Outcome
from engine.answer.agent.search_web import with_web
from engine.answer.agent.tools import Desk
from engine.answer.basis import Basis, from_table, tentative, weighed
from engine.answer.check.checking import check
from engine.answer.check.disagreements import tell_disagreements
from engine.answer.events import Discard, OnEvent, Token
from engine.answer.evidence.judging import NOTHING_JUDGED, Judged, judge
from engine.answer.evidence.quotes import NEAREST
from engine.answer.evidence.units import MOST_WINDOWS
from engine.answer.extractive import quote
from engine.answer.grounded.prompt import chat_messages, in_order
from engine.answer.grounded.reply import Written, clean_reply, is_denied, is_partial, searches_in, without_marker
from engine.answer.grounded.writer import Writer
from engine.answer.joined_answers import behind, compared_results, joined, not_quoted, taken_in_turn
from engine.answer.phrases import phrases_for
from engine.answer.refusal import Searched, what_was_searched
from engine.answer.tables.answering import TableAnswer, TableHit, answer_from_tables, near_rows
from engine.answer.tables.cite import Computed
from engine.answer.tables.found_tables import found_tables
from engine.answer.tables.plan import plan_answer
from engine.answer.trace import AnswerTrace
from engine.answer.understand import Question, understand
from engine.config import Settings
from engine.errors import CancelledError, UsageError
from engine.model import Answer, Evidence
from engine.providers.context_window import evidence_tokens, is_small
from engine.providers.embedding import Embedder
from engine.providers.entailment import open_judge
from engine.providers.llm import Llm
from engine.providers.metering import Meter
from engine.providers.reading import Reader
from engine.providers.similarity import SentenceSimilarity
from engine.retrieve.pack import Retrieved, pack

PATHS: tuple[str, ...] = ("auto", "direct", "agent")
_MOST_EVIDENCE, _WINDOWS_A_PART = 16, 6
# An empty or broken reply is asked for once more.
_TRIES = 2


@dataclass(eq=False, kw_only=True)
class Answerer:
    """The making of one answer from what ``retrieve`` finds, with citations located word for word.

    ``history`` holds earlier (role, text) turns, the oldest first. ``on_event`` gets trace steps and the answer's text
    as they come. ``searched`` tells a refusal how large the searched library is. With a ``desk`` the agent may look
    for more, in at most so many ``rounds`` (None: as set up): where one search is not enough (``path`` auto), always
    (agent) or never (direct). ``meter`` has counted what models used for the question before; once the budget of the
    settings is used up, the rest is done without the model. ``reader`` tells which texts answer. Raises UsageError for
    an unknown path.
    """

    question: Question
    retrieve: Callable[[str], Retrieved]
    settings: Settings
    llm: Llm | None = None
    embedder: Embedder | None = None
    reader: Reader | None = None
    history: Sequence[tuple[str, str]] = ()
    on_event: OnEvent | None = None
    cancelled: Callable[[], bool] | None = None
    searched: Callable[[], Searched] | None = None
    desk: Desk | None = None
    path: str = "auto"
    rounds: int | None = None
    meter: Meter | None = None

    def __post_init__(self) -> None:
        if self.path not in PATHS:
            raise UsageError(f"There is no path {self.path!r}; there are {', '.join(PATHS)}.")
        self._meter = self.meter or Meter(self.settings.llm)
        self._model = None if self.llm is None else self._meter.metered(self.llm)
        self._meter.on_refused = self._budget_over
        self._phrases = phrases_for(self.question.text)
        self._trace = AnswerTrace(self._phrases, self.on_event)
        self._similarity = SentenceSimilarity(self.embedder) if self.embedder is not None else None
        self._reader = self.reader if self.settings.agent.quality_check.use_reader else None
        self._writer = Writer(self.question, self.history, self.settings.llm, self._trace, self.cancelled)
        self._more_tables: Callable[[str], Sequence[Evidence]] = lambda question: ()
        self._iterations: int | None = None
        self._mode, self._everywhere = "hybrid", False

    def answer(self) -> Answer:
        """Run all stages; a failing model is told in ``warnings``. Raises what ``retrieve`` raises."""
        with self._trace.timed("total"):
            try:
                made = self._made()
            except CancelledError:
                made = self._stopped()
        trace, by_agent = self._trace, self._iterations is not None
        return replace(
            made, mode="agent" if by_agent else "direct", iterations=self._iterations or 0,
            warnings=list(dict.fromkeys([*trace.warnings, *made.warnings])), reasoning_steps=len(trace.steps),
            reasoning_trace=trace.steps, timings_ms=dict(trace.timings), tokens=dict(self._meter.tokens),
            cost=self._meter.cost,
        )  # fmt: skip

    def _made(self) -> Answer:
        self._trace.read(self.question)
        if self.question.aim == "chat":
            return self._chatted()
        evidence = self._found(self.question)
        basis = self._judged(self.question, evidence)
        if self.question.aim == "conversation":
            return self._about_answer(basis)
        if len(self.question.parts) > 1 and not basis.by_table:
            if self._llm is None:
                return self._in_parts(basis)
            basis = self._judged(self.question, self._found_for_parts(evidence))
        if (llm := self._llm) is not None:
            basis = self._planned(basis, llm)
        made = self._by_agent(basis) if self._needs_agent(basis) else None
        if made is None and self._llm is not None and basis.evidence:
            made = self._by_model(basis, self._may_search_on)
        made = made or self._without_model(basis)
        told = self._trace.run("verify", partial(self._compared, made, basis), made)
        return with_web(told, basis.question.standalone, self.desk, self._trace)

    def _found(self, question: Question) -> list[Evidence]:
        """Search, and return what was found, the best first. Raises what a search refuses (filters, say)."""
        with self._trace.timed("retrieve"):
            retrieved = self.retrieve(question.standalone)
        result = retrieved.result
        self._mode, self._everywhere = result.mode, {"dense", "sparse"} <= set(result.views)
        self._more_tables = retrieved.tables
        self._trace.warnings += result.notes
        for stage, milliseconds in result.timings_ms.items():
            self._trace.timings[f"retrieve_{stage}"] = milliseconds
        self._trace.found(question.standalone, result, retrieved.evidence)
        return list(retrieved.evidence)

    def _found_besides(self, question: Question) -> list[Evidence]:
        """Search for something beside the question; nothing is found where that fails."""
        return self._trace.run("retrieve", partial(self._found, question), [])

    def _found_for_parts(self, evidence: list[Evidence]) -> list[Evidence]:
        """Return the evidence with what each part of the question finds by itself, taken in turn."""
        each = map(self._found_besides, map(understand, self.question.parts))
        return taken_in_turn([evidence, *each], max(len(evidence), _MOST_EVIDENCE))

    def _judged(self, question: Question, evidence: list[Evidence], windows: int = MOST_WINDOWS) -> Basis:
        """Judge the texts, so many windows of which are read, and ask the tables. Raises CancelledError."""
        if self.cancelled is not None and self.cancelled():
            raise CancelledError("The question was stopped.")
        judging = partial(judge, question, evidence, self._reader, self._similarity, windows)
        judged = self._trace.run("evaluate", judging, NOTHING_JUDGED)
        tables: list[TableHit] = self._trace.run("tables", lambda: self._tables(question, evidence), [])
        answering = partial(answer_from_tables, question.standalone, tables, question.language == "zh")
        table = self._trace.run("tables", answering, None)
        judged = weighed(question, judged, evidence, table)
        self._trace.judged(judged, table)
        if table is not None:
            self._trace.computed(table)
        return Basis(question, evidence, judged, tables, table)

    def _tables(self, question: Question, evidence: list[Evidence]) -> list[TableHit]:
        """Return the tables among the evidence, and those that a search for tables alone finds."""
        if self.desk is None:
            return []
        more = self._more_tables(question.standalone)
        return found_tables([*evidence, *more], self.desk.storage)

    def _planned(self, basis: Basis, llm: Llm) -> Basis:
        """Let the model write a query where the tables seem to hold the answer.

        It decides over what rules read in them; a model of a small machine is asked only where they are not sure.
        """
        asked, small = basis.question, is_small(llm.context_tokens)
        if basis.sufficient and (small or basis.by_table is None):
            return basis
        if not (tables := basis.asked_tables(small)):
            return basis
        documents = {one.hit.document_id for one in tables}
        further = [one for one in basis.tables if one.hit.document_id in documents]
        planning = partial(plan_answer, asked.standalone, tables, asked.language == "zh", llm, self.cancelled, further)
        planned = self._trace.run("plan", planning, None)
        if planned is None:
            return basis
        content = self._phrases.step_plan_computes if planned.answer else self._phrases.step_plan_dropped
        told = content.format(reason=planned.reason or self._phrases.plan_none)
        self._trace.step("thought", told, "plan_table", dict(planned.plan))
        if planned.answer is None:
            return basis if planned.reason else replace(basis, table=None, asked=True)
        self._trace.computed(planned.answer)
        return replace(basis, table=planned.answer)

    @property
    def _llm(self) -> Llm | None:
        """The model, None once its budget is used up."""
        return None if self._meter.refused else self._model

    def _needs_agent(self, basis: Basis) -> bool:
        if self.desk is None or self.path == "direct":
            return False
        if self.path == "agent":
            self._tell_agent(self._phrases.reason_chosen)
            return True
        # Without a model further rounds find what the one search found.
        least = self.settings.agent.quality_check.min_relevance_score
        enough = basis.by_table or (basis.sufficient and basis.judged.probability >= least)
        if enough or not basis.evidence or self._may_search_on or self._llm is None:
            return False
        self._tell_agent(self._phrases.reason_scores.format(score=f"{basis.judged.probability:.2f}"))
        return True

    @property
    def _may_search_on(self) -> bool:
        """True where the agent looks for more once the model, shown the evidence, says that it does not tell."""
        by_model = self._llm is not None and self.settings.agent.quality_check.use_llm_judgment
        return by_model and self.desk is not None and self.path == "auto"

    def _tell_agent(self, reason: str) -> None:
        rounds = self.rounds or self.settings.agent.max_iterations
        self._trace.step("initial_assessment", self._phrases.path_agent.format(reason=reason, rounds=rounds))

    def _by_agent(self, basis: Basis, denied: str = "", over: list[Evidence] | None = None) -> Answer | None:
        """Let the agent look for more, None where the usual ways go on.

        Where it finds no more than the reply before, ``denied``, that stands; its marks number the evidence ``over``.
        """
        assert self.desk is not None
        self._iterations = 0
        searching = partial(self._search_on, basis, self.desk, self._llm)
        outcome = self._trace.run("agent", searching, None)
        if outcome is None:
            return None
        self._iterations = outcome.iterations
        if outcome.reply:
            reply, evidence, computed = outcome.reply, outcome.quoted or basis.evidence, outcome.computed
            if denied and (not without_marker(reply) or (is_partial(denied) and is_denied(reply))):
                reply, evidence = denied, over or basis.evidence
            made = self._trace.run("verify", partial(self._checked, reply, evidence, computed), None)
            if made is not None:
                # A model that doubts its answer is believed, one that does not is not.
                doubt = min(made.confidence, outcome.confidence, key=CONFIDENCES.index)
                told = replace(made, confidence=doubt)
                return told if self._trace.shown else self._say(told)
        if self._trace.shown:
            self._trace.tell(Discard(""))
        found: list[Evidence] = self._trace.run("agent", partial(self._kept, outcome, basis, self.desk), [])
        wider = self._judged(basis.question, found or basis.evidence)
        surer = wider.judged.probability > basis.judged.probability
        if denied and not surer:
            return None
        may_write = self._llm is not None and not outcome.model_down and bool(wider.evidence)
        if may_write and (made := self._by_model(wider)) is not None:
            return made
        return self._without_model(wider if surer else basis)

    def _once_more(self, basis: Basis, denied: str, over: Sequence[Evidence]) -> Answer | None:
        """Search as the model that denies would; it is asked again over what that finds beside what it saw."""
        known = {(item.hit.node_id, item.text) for item in over}
        each = map(self._found_besides, map(understand, searches_in(denied)))
        found = [[item for item in one if (item.hit.node_id, item.text) not in known] for one in each]
        new = taken_in_turn(found, _MOST_EVIDENCE)
        return self._by_model(self._judged(basis.question, new)) if new else None

    def _search_on(self, basis: Basis, desk: Desk, llm: Llm | None) -> Outcome:
        """Let the agent search; for a model with a small context rules plan: each of its rounds would be paid for."""
        question = basis.question.standalone
        first = [item.hit for item in basis.evidence]
        with suppress(UsageError):  # nothing to be searched for by itself
            first = desk.search(question, mode="hybrid", top_k=FIRST_HITS).hits or first
        return AgentLoop(
            question, first, desk, llm=None if llm is None or is_small(llm.context_tokens) else llm,
            evidence=in_order(basis.shown()), trace=self._trace, cancelled=self.cancelled, rounds=self.rounds,
        ).run()  # fmt: skip

    def _by_model(self, basis: Basis, search_on: bool = False) -> Answer | None:
        """Return what the model writes, as it writes it, checked; None where it fails or writes nothing twice.

        With ``search_on`` the agent goes on where the model denies that the evidence tells; nothing was shown yet.
        """
        told = basis.shown()
        shown = replace(basis, evidence=in_order(told))
        computed = [one.computed for one in basis.by_table.all] if basis.by_table else []
        llm, written = self._llm, None
        assert llm is not None
        choosing = partial(self._writer.pictures, llm, shown.evidence, told, self.desk)
        pictures: Sequence[tuple[int, bytes]] = self._trace.run("pictures", choosing, ())
        for _ in range(_TRIES):
            written = self._trace.run("generate", partial(self._writer.written, llm, shown, computed, pictures), None)
            if written is None or written.stopped or clean_reply(written.text):
                break
        if written is None or self._llm is None:
            if self._trace.shown:
                self._trace.tell(Discard(self._phrases.quoted_model_failed))
            return None
        reply = clean_reply(written.text)
        if not reply:
            if written.stopped:
                return self._stopped()
            self._trace.warnings.append(self._phrases.model_unusable)
            self._trace.tell(Discard(self._phrases.model_unusable))
            return None
        settled = basis.by_table is not None and basis.by_table.result.empty
        lacking = search_on and (is_denied(reply) or is_partial(reply)) and not (written.stopped or settled)
        if lacking and (found := self._looked_further(basis, reply, shown.evidence)) is not None:
            return found
        if written.finish == "length":
            self._trace.warnings.append(self._phrases.model_cut)
        if written.stopped:
            self._trace.warnings.append(self._phrases.stopped)
        text = without_marker(reply) or self._phrases.not_found
        unchecked = Answer(text, "direct", "low", True, [], engine="llm")
        pictured = [n for n, _ in pictures if llm.sees()]
        made = self._trace.run("verify", partial(self._checked, reply, shown.evidence, computed, pictured), unchecked)
        made = self._with_table(made, basis.by_table)
        return made if self._trace.shown else self._say(made)

    def _looked_further(self, basis: Basis, reply: str, over: list[Evidence]) -> Answer | None:
        """Look further where the model, shown the evidence ``over``, denies; None where its denial stands."""
        reason = self._phrases.reason_model.format(missing=without_marker(reply) or "?")
        if self._everywhere and not is_partial(reply) and self.desk is not None and self.desk.web is None:
            self._trace.step("initial_assessment", reason)
            return self._once_more(basis, reply, over)
        self._tell_agent(reason)
        return self._by_agent(basis, reply, over)

    def _with_table(self, made: Answer, table: TableAnswer | None) -> Answer:
        """Return a model's answer with what a table gives, where it leaves out some of that or says otherwise.

        What came of its own query it was shown: of that it says what answers.
        """
        if table is None or table.planned or table.computed.stated_in(made.answer):
            return made
        beside = behind(self._phrases.table_beside, from_table(table))
        told = joined([("", made), ("", beside)])
        if self._trace.shown:
            self._trace.tell(Token(told.answer[len(made.answer) :]))
        return told

    def _kept(self, outcome: Outcome, basis: Basis, desk: Desk) -> list[Evidence]:
        """Return the best passages over all rounds as evidence."""
        window = self._llm.context_tokens if self._llm is not None else 0
        budget = evidence_tokens(window, self.settings.agent.tools.max_context_tokens)
        return pack(outcome.hits[:KEPT], desk.storage, budget, basis.question.standalone, desk.settings.retrieval)

    def _chatted(self) -> Answer:
        """Answer small talk, which nothing is searched for; without a model say what can be asked."""
        written: Written | None = None
        if self._llm is not None:
            messages = chat_messages(self.question.text, self.history, self.settings.llm.system_prompt)
            written = self._trace.run("generate", partial(self._writer.streamed, self._llm, messages), None)
        text = clean_reply(written.text) if written is not None else ""
        said = {"thanks": self._phrases.thanks, "about_app": self._phrases.about_app}
        told = text or said.get(self.question.talk, self._phrases.greeting)
        made = Answer(told, "direct", "high", True, [], engine="llm" if text else "extractive")
        return made if text and self._trace.shown else self._say(made)

    def _about_answer(self, basis: Basis) -> Answer:
        """Do what is asked about the answer before; without a model it can be looked up again, or what it left out."""
        if self._llm is not None and (made := self._by_model(basis)) is not None:
            return made
        talk, phrases = self.question.talk, self._phrases
        if talk == "reworded" and self._model is None:
            return self._say(Answer(phrases.needs_model, "direct", "high", True, []))
        if talk == "more":
            if not (rest := not_quoted(basis.evidence, self.history)):
                return self._say(Answer(phrases.nothing_more, "direct", "high", True, []))
            basis = self._judged(basis.question, rest)
        made = self._extracted(basis)
        return self._say(behind(phrases.checked_again, made) if talk == "sure" else made)

    def _checked(
        self, reply: str, evidence: Sequence[Evidence], computed: Sequence[Computed], pictured: Sequence[int] = ()
    ) -> Answer:
        """Return a model's reply as an answer: its text as it is, each statement marked by what supports it.

        The marker by which it says that the documents do not answer is no text for the reader.
        """
        text, denied = without_marker(reply), is_denied(reply)
        if not text:
            return replace(self._quoted(self.question, NOTHING_JUDGED, evidence), engine="llm")
        checked = check(
            text, evidence, question=self.question.standalone, phrases=self._phrases,
            entailment=open_judge() if self._reader else None, computed=computed, not_told=denied,
            outside=len(self.desk.web.sources) if self.desk and self.desk.web else 0, pictured=pictured,
        )  # fmt: skip
        self._trace.checked(checked)
        return checked.as_answer(denied)

    def _without_model(self, basis: Basis) -> Answer:
        return self._say(self._extracted(basis))

    def _extracted(self, basis: Basis) -> Answer:
        """Return what the tables give, else quotations; nothing is told yet."""
        if basis.by_table:
            return from_table(basis.by_table)
        may, judged, asked = basis.may_table, basis.judged, basis.question
        if may:
            judged = replace(judged, state="closest")
        near = partial(near_rows, asked.standalone, () if judged.state == "answered" else basis.tables)
        rows: list[Evidence] = self._trace.run("tables", near, [])
        quoted = self._trace.run("write", lambda: self._quoted(asked, judged, basis.evidence, rows), None) or Answer(
            self._phrases.not_found, "direct", "low", False, [], state="not_found"
        )
        return joined([("", tentative(may, self._phrases)), ("", quoted)]) if may else quoted

    def _quoted(
        self, question: Question, judged: Judged, evidence: Sequence[Evidence], rows: Sequence[Evidence] = ()
    ) -> Answer:
        asked = self.searched() if self.searched else None
        return quote(
            question, judged, evidence, self._phrases, mode=self._mode, searched=asked, lead_in=self._lead_in, rows=rows
        )

    @property
    def _lead_in(self) -> str:
        """What stands above quotations: also why it is no model that answers, where one is set up."""
        if self._model is None:
            return self._phrases.quoted
        return self._phrases.quoted_budget_over if self._meter.refused else self._phrases.quoted_model_failed

    def _in_parts(self, whole: Basis) -> Answer:
        """Answer the parts of a question each for itself, and say what they come to side by side."""
        parts = self.question.parts
        self._trace.step("thought", self._phrases.step_parts.format(count=len(parts)), None, {"parts": list(parts)})
        bases = [self._judged(one, self._found_besides(one), _WINDOWS_A_PART) for one in map(understand, parts)]
        if not any(one.sufficient for one in bases):
            return self._without_model(whole)
        made = joined([(one.question.standalone, self._extracted(one)) for one in bases])
        results = partial(compared_results, self.question, [one.by_table for one in bases], self._phrases)
        if (line := self._trace.run("compare", results, None)) is not None:
            made = behind(line, made)
        return self._say(made)

    def _say(self, made: Answer) -> Answer:
        self._trace.tell(Token(made.answer))
        return made

    def _compared(self, made: Answer, basis: Basis) -> Answer:
        """Let the answer tell both sides where its evidence disagrees, and what documents it covers."""
        asked = basis.question.standalone
        judge = open_judge() if self._reader else None
        told = tell_disagreements(made, asked, basis.evidence, self._phrases, judge)
        if told is not made:
            new = " ".join(told.warnings[len(made.warnings) :])
            self._trace.step("verification", new, "verify_consistency")
        return self._with_scope(told, basis) if told.state == "not_found" and told.engine == "llm" else told

    def _with_scope(self, made: Answer, basis: Basis) -> Answer:
        """Return a model's refusal with what was searched, and the nearest places where it names none itself."""
        if self.desk is not None and self.desk.web is not None and self.desk.web.sources:
            return made
        near = made.sources or self._quoted(basis.question, basis.judged, basis.evidence).sources[:NEAREST]
        scope = what_was_searched(self._mode, self.searched() if self.searched else None, self._phrases)
        return replace(made, sources=near, warnings=made.warnings + [scope] * (scope not in made.answer))

    def _budget_over(self) -> None:
        told = self._phrases.budget_over.format(tokens=sum(self._meter.tokens.values()))
        self._trace.warnings.append(told)
        self._trace.step("evaluation", told)

    def _stopped(self) -> Answer:
        told = self._phrases.stopped
        return Answer(told, "direct", "low", False, [], warnings=[told], engine="llm", state="not_found")
