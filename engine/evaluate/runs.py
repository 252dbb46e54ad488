"""Measure retrieval: a question set goes in like uploaded files, and every question is searched."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.config import Settings, Strategy
from engine.evaluate import evidence
from engine.evaluate.datasets import Dataset, Question, load_dataset
from engine.evaluate.intake import Intake, take_in
from engine.evaluate.metrics import DEPTH, grouped, latency, mean_scores, means, score, score_answer
from engine.model import Hit
from engine.settings_sources import with_changes

if TYPE_CHECKING:
    from engine.library import Library

# A document may hold several found nodes: so many nodes are asked for to see DEPTH documents.
NODES = (DEPTH * 2, DEPTH * 8)
# Beside the modes of search: the passages that the agent's loop keeps.
AGENT = "agent"
# The stages of retrieval after that of vectors alone, each with what it switches on.
_STAGES: dict[str, Sequence[str]] = {
    "+ bm25f": (),
    "+ translation": ("translate",),
    "+ formal words": ("formal_words",),
    "+ tree prior": (
        "fusion.tree_prior", "fusion.intent_bonus", "expansion.parent", "expansion.siblings", "expansion.children",
        "expansion.same_page",
    ),
    "+ rerank": ("fusion.together",),
    "+ statements": ("fusion.statement",),
    "+ reader": ("fusion.reading",),
}  # fmt: skip


def evaluate(
    library: Library, folder: Path, *, modes: Sequence[str], limit: int | None = None, ablate: bool = False,
    answers: bool = False, strategy: Strategy | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the JSON of ``dropqa eval``: measures by mode, those of the first mode on top.

    With ``ablate`` the stages are measured one after the other instead of the modes, in ``ablation``; with ``answers``
    the questions whose answers the set has are asked, too.
    ``strategy`` is how the set is indexed; None: as the settings say. Raises UsageError for a malformed dataset,
    StorageError when a passage cannot be taken in.
    """
    dataset = load_dataset(folder, limit)
    intake = take_in(library, dataset, strategy)
    run = _Run(library, dataset, intake)
    told: dict[str, Any] = {"queries": len(dataset.questions), "index_seconds": intake.seconds}
    if ablate:
        stages = {name: run.measured(mode, chosen) for name, mode, chosen in stages_of(library.settings)}
        told["ablation"] = [{"stage": name, **measured} for name, measured in stages.items()]
        told["by_mode"] = {"hybrid": [*stages.values()][-1]}
    else:
        told["by_mode"] = {mode: run.measured(mode) for mode in modes}
    first = next(iter(told["by_mode"].values()))
    told |= {name: first[name] for name in ("metrics", "latency_ms")}
    if answers:
        told["answers"] = run.answered()
    return told | {"index": intake.size, "cache": intake.cache}


def stages_of(settings: Settings) -> list[tuple[str, str, Settings]]:
    """Return (name, mode, settings) for the stages of retrieval, each with all before it (seed 002, section 9)."""
    without: dict[str, Any] = {}
    stages = []
    for name, added in reversed(_STAGES.items()):
        stages.append((name, "hybrid", with_changes(settings, without)))
        without |= {f"retrieval.{one}": 0 for one in added}
    return [("dense", "semantic", stages[-1][2]), *reversed(stages)]


class _Run:
    """The questions of one set over one library."""

    def __init__(self, library: Library, dataset: Dataset, intake: Intake) -> None:
        self._library, self._questions, self._intake = library, dataset.questions, intake
        self._gold = {question.question_id: intake.gold(question) for question in dataset.questions}

    def measured(self, mode: str, settings: Settings | None = None) -> dict[str, Any]:
        """Search every question and return the measures, by type of question and place of the answer, too."""
        self._hits(self._questions[0], mode, settings, NODES[0])  # models are loaded outside the clock
        scores: list[dict[str, float]] = []
        latencies: list[float] = []
        checks: list[Mapping[str, bool]] = []
        for question in self._questions:
            started = time.perf_counter()
            hits = self._hits(question, mode, settings, NODES[0])
            latencies.append((time.perf_counter() - started) * 1000)
            ranking = self._ranking(hits)
            if len(ranking) < DEPTH:
                ranking = self._ranking(self._hits(question, mode, settings, NODES[1]))
            scores.append(score(ranking, question.gold))
            if gold := self._gold[question.question_id]:
                checks.append(evidence.check(gold, hits, self._intake.passage_of))
        told: dict[str, Any] = {"metrics": means(scores), "latency_ms": latency(latencies)}
        told |= self._grouped("by_type", scores, _type_of) | self._grouped("by_role", scores, self._role_of)
        return told | ({"evidence": evidence.shares(checks)} if checks else {})

    def answered(self) -> dict[str, float]:
        """Ask the questions whose answers are known and return the measures of what was answered."""
        scores = []
        for question in self._questions:
            if golds := [str(one) for one in question.facts.get("answers") or () if str(one).strip()]:
                made = self._library.ask(question.text)
                found = {self._intake.passage_at(one.document_id, one.page) for one in made.sources}
                scores.append(score_answer(made, golds, evident=bool(found & question.gold)))
        return mean_scores(scores)

    def _hits(self, question: Question, mode: str, settings: Settings | None, nodes: int) -> Sequence[Hit]:
        if mode == AGENT:
            return self._library.gather(question.text, top_k=nodes, settings=settings).hits
        return self._library.search(question.text, mode=mode, top_k=nodes, settings=settings).hits

    def _ranking(self, hits: Sequence[Hit]) -> list[str]:
        """Return passage ids, each at the place of its best node."""
        found = [self._intake.passage_of(hit) for hit in hits]
        return list(dict.fromkeys(passage for passage in found if passage is not None))[:DEPTH]

    def _role_of(self, question: Question) -> str | None:
        gold = self._gold[question.question_id]
        return evidence.role_of(gold) if gold else None

    def _grouped(
        self, name: str, scores: Sequence[dict[str, float]], group_of: Callable[[Question], str | None]
    ) -> dict[str, Any]:
        """Return the measures of groups of questions under a name; nothing where there are no two groups."""
        groups = grouped(zip(map(group_of, self._questions), scores, strict=True))
        return {name: dict(sorted(groups.items()))} if len(groups) > 1 else {}


def _type_of(question: Question) -> str | None:
    """Return what the set calls the type of a question."""
    found = (question.facts.get(key) for key in ("type", "kind"))
    return next((value for value in found if isinstance(value, str) and value), None)
