"""What one run of the loop knows: the evidence, what was done, its worth and cost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from engine.answer.agent.library_tools import texts_of
from engine.answer.agent.plan import Gap, Move, ObservationPlan, PlanCandidate, PlanStep, ReplanRequest
from engine.answer.agent.tools import Desk, Quality, ToolResult
from engine.answer.agent.web import EvidenceWeb
from engine.config import AgentSettings
from engine.model import Evidence, Node
from engine.retrieve.query import intent_of

_MOST_CANDIDATES, _MOST_TABLES = 5, 8


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a step was worth: its result's quality, new passages, the density (0..1), and what follows from it."""

    quality: Quality
    new: int
    density: float
    strategy: str


def assess_step(
    result: ToolResult, new: int, density: float, gained: float, depth: int, settings: AgentSettings, refined: int,
) -> Assessment:  # fmt: skip
    """Return the assessment of a result.

    ``density`` is how much of the question the evidence holds now and ``gained`` by how much that rose;
    ``depth`` counts the steps that went deeper already, ``refined`` those that found nothing.
    """
    quality = result.quality
    if quality == "good" and result.hits and not new and gained <= 0 and not result.opened:
        quality = "low_relevance"
    return Assessment(quality, new, round(density, 3), _strategy(quality, density, depth, settings, refined))


def _strategy(quality: Quality, density: float, depth: int, settings: AgentSettings, refined: int) -> str:
    feedback = settings.feedback
    if quality == "contradictions_found":
        return feedback.contradiction_action
    if density >= settings.info_density.sufficient_threshold:
        return "finalize"
    if quality in ("empty", "failed"):
        tried = refined >= settings.strategy.query_refinement_attempts
        return "broaden_search" if tried else feedback.empty_result_action
    if quality == "low_relevance":
        deep = depth >= settings.strategy.max_depth_exploration
        return "broaden_search" if deep else feedback.low_relevance_action
    return "broaden_search" if density < settings.info_density.low_threshold else "continue"


@dataclass(frozen=True, slots=True)
class Done:
    """A step that was taken, with what came of it; ``shown`` is the evidence shown with it."""

    move: Move
    result: ToolResult
    assessment: Assessment
    shown: Sequence[Evidence] = ()


class AgentState:
    """The memory of one loop; planners read it, the loop writes it."""

    def __init__(self, question: str, desk: Desk, web: EvidenceWeb, rounds: int) -> None:
        self.question = question
        self.desk = desk
        self.web = web
        self.rounds = rounds
        self._labels = [one for one in intent_of(question).labels if one.kind in ("figure", "table")]
        self.done: list[Done] = []
        self.problem = ""
        self.quoted: list[Evidence] = []
        self.depth = 0
        self._numbers: dict[str, int] = {}

    @property
    def round(self) -> int:
        """Rounds that are over, or under way: what one reply asks for is one."""
        return len({done.move.reply or -number for number, done in enumerate(self.done, 1)})

    @property
    def unfinished(self) -> bool:
        """True while the reply that asked for the last step asks for more."""
        return bool(self.done) and self.done[-1].move.more

    def number(self, item: Evidence) -> int:
        """Return the number (1-based) under which a node is shown to a model; rows and stretches of a text add up."""
        number = self._numbers.setdefault(item.hit.node_id, len(self._numbers) + 1)
        known = self.quoted[number - 1] if number <= len(self.quoted) else item
        if item.text not in known.text and known.text not in item.text:
            rows = "\n".join(dict.fromkeys(f"{item.text}\n{known.text}".split("\n")))
            whole = [] if item.hit.role == "table" else texts_of(self.desk, [item.hit.node_id])
            item = whole[0] if whole else replace(known, text=rows)
        self.quoted[number - 1 : number] = [max(known, item, key=lambda one: len(one.text))]
        return number

    def tables(self) -> list[Node]:
        """Return the tables of the evidence, the best first."""
        hits = [hit for hit in self.web.ranked() if hit.role == "table"][:_MOST_TABLES]
        return [self.desk.storage.find_node(hit.node_id, hit.version).node for hit in hits]

    def plan(self, moves: Sequence[Move]) -> ObservationPlan:
        """Return the next steps as a plan over the best candidates."""
        best = self.web.ranked()[:_MOST_CANDIDATES]
        candidates = [PlanCandidate(hit.node_id, hit.role, hit.score, list(hit.why)) for hit in best]
        steps = [PlanStep(one.tool, one.node, dict(one.params), self.desk.budget) for one in moves]
        return ObservationPlan(self.question, candidates, steps)

    def replan(self, confidence: float) -> ReplanRequest:
        """Return what the evidence leaves open: words, numbered figures and tables, columns and rows."""
        observed = (one for done in self.done for one in done.result.observed)
        seen = {name for one in observed for name in (one.source.cell or {}).values()}
        gaps = [gap for done in self.done for gap in done.result.gaps if gap.arg not in seen]
        missing = (label for label in self._labels if not self.web.is_labelled(label.key))
        gaps += [Gap(f"{label.kind}_ref", label.printed) for label in missing]
        gaps += map(partial(Gap, "term"), self.web.open_words())
        return ReplanRequest(list(dict.fromkeys(gaps)), round(confidence, 3))
