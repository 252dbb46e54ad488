"""The loop: think, act with one tool, observe, evaluate, adapt (seed 003, 6.4)."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Literal

from engine import errors
from engine.answer.agent.analysis_tools import analysis_tools
from engine.answer.agent.library_tools import library_tools, node_of, texts_of
from engine.answer.agent.model_planner import ModelPlanner
from engine.answer.agent.plan import Move, ObservedEvidence
from engine.answer.agent.protocol import FINAL
from engine.answer.agent.rule_planner import RulePlanner
from engine.answer.agent.search_web import web_tool
from engine.answer.agent.state import AgentState, Assessment, Done, assess_step
from engine.answer.agent.table_tools import table_tools
from engine.answer.agent.tools import Desk, Tool, Toolbox, ToolResult
from engine.answer.agent.web import EvidenceWeb
from engine.answer.phrases import Phrases, phrases_for
from engine.answer.tables.cite import Computed
from engine.answer.trace import AnswerTrace
from engine.model import Evidence, Hit, SearchResult
from engine.providers.cancelling import stop_if
from engine.providers.llm import Llm
from engine.retrieve.pack import pack

# So many passages are kept over all rounds.
KEPT = 10
# The loop starts from more hits than are shown: those further down may be the next hop.
FIRST_HITS = 40
_SUMMARY = 300
Confidence = Literal["low", "medium", "high"]
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")
# A reply of which no step can be taken is asked for once more.
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the loop ends with.

    ``hits`` are all passages, the best by joint evidence first; ``reply`` is the model's final answer, its marks
    numbering ``quoted``, and ``confidence`` its own doubt; ``computed`` what operators computed;
    ``model_down`` is true when the model could not be reached, was too busy or may not be asked any more.
    """

    hits: list[Hit]
    iterations: int
    reply: str = ""
    quoted: list[Evidence] = field(default_factory=list)
    computed: list[Computed] = field(default_factory=list)
    model_down: bool = False
    confidence: Confidence = "high"


@dataclass(eq=False)
class AgentLoop:
    """One run of the loop, from the hits of the first search.

    ``llm`` plans, shown the first ``evidence``; without a model, and after it has failed, rules plan. ``trace`` is told
    the steps and the model's final answer as it comes, and warned of a model that fails. ``thorough`` goes on to the
    last round even where the evidence seems to be sufficient.
    """

    question: str
    found: Sequence[Hit]
    desk: Desk
    _: KW_ONLY
    llm: Llm | None = None
    evidence: Sequence[Evidence] = ()
    trace: AnswerTrace | None = None
    cancelled: Callable[[], bool] | None = None
    rounds: int | None = None
    thorough: bool = False

    def __post_init__(self) -> None:
        desk, question = self.desk, self.question
        self._agent = desk.settings.agent
        self._phrases: Phrases = phrases_for(question)
        self._trace = self.trace or AnswerTrace(self._phrases, None)
        web = EvidenceWeb(question)
        web.start([(hit, one) for hit in self.found if (one := node_of(desk, hit.node_id)) is not None])
        self._state = AgentState(question, desk, web, self.rounds or self._agent.max_iterations)
        self._told = self._phrases.tools
        self._toolbox = Toolbox(self._tools(), self._told)
        self._rules = RulePlanner(desk.settings, self._phrases)
        self._planner: RulePlanner | ModelPlanner = self._rules
        if self.llm is not None:
            self._planner = ModelPlanner(
                self.llm, self._toolbox, desk.settings, self._phrases, self.evidence, self._trace.tell,
                self.cancelled,
            )  # fmt: skip
        self._down = False
        self._confidence: Confidence = "high"

    def run(self) -> Outcome:
        """Return what the loop ends with. Raises CancelledError; a failing model is warned of."""
        state, reply = self._state, self._last_reply()
        if not self.thorough and self._agent.strategy.enable_verification:
            self._verify()
        hits, doubt = state.web.ranked(), self._confidence
        computed = [one for done in state.done for one in done.result.computed]
        return Outcome(hits, state.round, reply, state.quoted, computed, self._down, doubt)

    def _last_reply(self) -> str:
        """Take steps until there is nothing more to do, or no round is left; return the model's answer, if any."""
        state, phrases = self._state, self._phrases
        while state.round < state.rounds or state.unfinished:
            stop_if(self.cancelled)
            move = self._think()
            if move is None:
                self._trace.step("thought", phrases.agent_nothing_more)
                return ""
            if move.tool == FINAL:
                self._trace.step("thought", move.thought or phrases.agent_answers)
                return self._said(move)
            self._act(move)
            by_rules = self._planner is self._rules  # a model says itself when it is ready
            if by_rules and not self.thorough and state.done[-1].assessment.strategy == "finalize":
                self._trace.step("thought", phrases.agent_enough)
                return ""
        self._trace.step("evaluation", phrases.agent_rounds_over.format(rounds=state.rounds))
        return self._last_word()

    def _think(self) -> Move | None:
        """Return the next step that can be taken; a model gets one round to mend a wrong one."""
        state = self._state
        tries = 0
        while tries < _TRIES:
            try:
                move = self._planner.next(state)
            except errors.BudgetSpentError:  # told where it is counted
                self._down, self._planner = True, self._rules
                return self._rules.next(state)
            except errors.ProviderError as error:
                self._down = isinstance(error, errors.ProviderUnavailableError | errors.ProviderBusyError)
                return self._without_model(str(error))
            if move is None:
                return None
            problem = self._problem(move)
            if not problem:
                return move
            told = self._phrases.agent_problem.format(reason=problem)
            self._trace.step("evaluation", told, move.tool or None, dict(move.params))
            state.problem = problem
            tries += not move.more
        return self._without_model(state.problem)

    def _last_word(self) -> str:
        """Let a model answer from all that it has seen, once its rounds are used up."""
        if self._planner is self._rules:
            return ""
        try:
            move = self._planner.next(self._state)
        except errors.ProviderError:  # answered from what was found
            return ""
        return self._said(move) if move is not None and move.tool == FINAL else ""

    def _said(self, move: Move) -> str:
        """Return the answer of the last word; the nodes that it names for its sources are evidence, too."""
        sources = move.params.get("sources")
        for item in texts_of(self.desk, map(str, sources if isinstance(sources, list) else ())):
            self._state.number(item)
        self._confidence = next((one for one in CONFIDENCES if one == move.params.get("confidence")), "high")
        return str(move.params.get("answer") or "")

    def _problem(self, move: Move) -> str:
        if not move.tool:
            return self._phrases.agent_unreadable
        if any(done.move.key == move.key for done in self._state.done):
            return self._phrases.agent_repeats
        try:
            self._toolbox.prepare(move.tool, move.params)
        except errors.UsageError as error:
            return str(error)
        return ""

    def _without_model(self, reason: str) -> Move | None:
        """Let the rules plan from here on."""
        if self._planner is self._rules:
            return None
        self._planner = self._rules
        self._trace.warnings.append(self._phrases.planner_failed.format(reason=reason.rstrip(".。")))
        return self._rules.next(self._state)

    def _act(self, move: Move) -> None:
        state = self._state
        tool, params = self._toolbox.prepare(move.tool, move.params)
        plan = state.plan([move, *self._planner.ahead])
        self._trace.step("thought", move.thought, None, {"plan": plan.to_dict()})
        before, had = state.web.covered(), list(state.quoted)
        result = self._run(tool, params)
        new = state.web.add(result.hits, result.worth)
        if tool.category in ("search", "browse"):
            state.web.follow(state.web.frontier(4))
        state.depth += tool.category == "browse"
        self._trace.step("action", tool.name, tool.name, dict(params), result.summary[:_SUMMARY])
        density = state.web.covered()
        refined = sum(one.assessment.quality in ("empty", "failed") for one in state.done)
        shown = self._to_show(result, params) if self.llm is not None else []
        for item in shown:
            state.number(item)
        new = max(new, sum(item not in had for item in state.quoted))  # what a model sees for the first time is new
        assessment = assess_step(result, new, density, density - before, state.depth, self._agent, refined)
        state.done.append(Done(replace(move, tool=tool.name), result, assessment, shown))
        self._tell(assessment, result.observed)

    def _run(self, tool: Tool, params: Mapping[str, Any]) -> ToolResult:
        try:
            return tool.run(**params)
        except errors.NotFoundError:
            named = [str(params[name]) for name in ("node_id", "document_id", "table") if params.get(name)]
            problem = self._told.outside.format(reference=", ".join(named))
        except (errors.UsageError, errors.ProviderError) as error:
            problem = str(error)
        return ToolResult(problem, problem, "failed")

    def _to_show(self, result: ToolResult, params: Mapping[str, Any]) -> list[Evidence]:
        """Return what a model is shown of a result: opened texts, else what the best hits say of the query."""
        if result.opened:
            return result.opened
        most = max(2 * self._agent.tools.search_top_k, int(params.get("top_k") or 0))
        hits = [hit for hit, _ in result.hits][:most]
        asked = " ".join([str(params.get("query") or ""), *params.get("keywords", ()), self.question])
        return pack(hits, self.desk.storage, self.desk.budget, asked, self.desk.settings.retrieval)

    def _verify(self) -> None:
        """Check whether the evidence contradicts itself, before it is answered from."""
        state = self._state
        if not state.done or any(one.move.tool == "verify_consistency" for one in state.done):
            return
        result = self._toolbox.tools["verify_consistency"].run()
        self._trace.step("verification", result.summary, "verify_consistency", {}, result.text[:_SUMMARY])

    def _tell(self, assessment: Assessment, seen: Sequence[ObservedEvidence]) -> None:
        """Tell what a step was worth, what its operator observed, and what is still missing."""
        params: dict[str, Any] = {"quality": assessment.quality, "strategy": assessment.strategy}
        if seen:
            params["observed"] = [one.to_dict() for one in seen]
        params["replan"] = self._state.replan(assessment.density).to_dict()
        told = self._phrases.agent_evaluated.format(
            quality=self._told.qualities[assessment.quality], new=assessment.new,
            strategy=self._told.strategies[assessment.strategy],
        )  # fmt: skip
        self._trace.step("evaluation", told, None, params)

    def _tools(self) -> list[Tool]:
        tools = [
            *library_tools(self.desk, self._told),
            *analysis_tools(self._evidence, self.question, self._told),
            *table_tools(self.desk, self._state.tables, self._told),
            *([web_tool(self.desk.web, self._told)] if self.desk.web is not None else []),
        ]
        summarizes = self._agent.tools.enable_summarize
        return [tool for tool in tools if summarizes or tool.name != "summarize_findings"]

    def _evidence(self) -> list[Evidence]:
        return texts_of(self.desk, (hit.node_id for hit in self._state.web.ranked()[: 2 * KEPT]))


def gather(question: str, desk: Desk, most: int) -> SearchResult:
    """Search in rounds, planned by rules, and return the passages kept, best by joint evidence first.

    Raises UsageError, NotFoundError.
    """
    started = time.perf_counter()
    first = desk.search(question, mode="hybrid", top_k=max(most, FIRST_HITS))
    outcome = AgentLoop(question, first.hits, desk, thorough=True).run()
    timings = {**first.timings_ms, "total": round((time.perf_counter() - started) * 1000, 2)}
    return SearchResult(question, "agent", outcome.hits[:most], timings, first.views, first.notes)
