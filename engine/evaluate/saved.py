"""A user's own question set: save a question with the nodes it is to find, run the set, compare two settings.

What is to be answered may be said, too; then it is asked, and the answer measured beside it. What the runs of the set
came to is kept, so that it is seen whether searches get better.
The Evaluation page works with :class:`SavedQuestions` (``library.questions``) alone. A question is saved from an
answer (its sources), from a search (the hits that were right) or by hand; what it expects is told by node ids. An
expected node that is no longer in a current version is told in the result (``missing``) and left out of the
measures, so that an edited document does not look like bad retrieval.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.config import Settings
from engine.errors import NotFoundError, UsageError
from engine.evaluate.metrics import DEPTH, grouped, latency, mean_scores, means, score, score_answer
from engine.kept_file import KeptFile
from engine.model import Answer, ExpectedNode, Filters, SavedQuestion, SearchResult, Value
from storage.base import Storage

FILE_NAME = "evaluation-runs.json"
MOST_RUNS = 200
SNIPPET = 200
# Smaller differences of nDCG@10 are told as "same".
NOTICEABLE = 0.005
# As that of ``Library``
Search = Callable[..., SearchResult]
# Gets how many questions are done, and how many there are.
OnDone = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class QuestionResult(Value):
    """How one question fared: ``ranks`` are those of its expected nodes by id (None: not found).

    ``metrics`` is empty when all expected nodes are ``missing`` from the library, ``answer`` where it was not asked.
    """

    question_id: str
    text: str
    kind: str
    ranks: dict[str, int | None]
    missing: list[str]
    metrics: dict[str, float]
    milliseconds: float
    answer: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SavedRun(Value):
    """A run of the whole set: mean measures over all and by kind of question, and those of its ``answers``."""

    metrics: dict[str, float]
    by_kind: dict[str, dict[str, Any]]
    latency_ms: dict[str, float]
    questions: list[QuestionResult] = field(default_factory=list)
    answers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change(Value):
    """A question under two settings: nDCG@10 before and after, and what became of it."""

    question_id: str
    text: str
    before: float
    after: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Comparison(Value):
    """Two runs of the same set; ``changes`` lists every question, what got worse first."""

    first: SavedRun
    second: SavedRun
    changes: list[Change]
    worse: int
    better: int
    same: int


class SavedQuestions:
    """The saved questions of a library. Every method names the owner and sees only that owner's."""

    def __init__(self, storage: Storage, search: Search, ask: Callable[..., Answer]) -> None:
        self._storage, self._search, self._ask = storage, search, ask

    def save(
        self, text: str, node_ids: Sequence[str], *, owner: str = "", filters: Filters = Filters(),
        kind: str = "", answer: str = "",
    ) -> SavedQuestion:  # fmt: skip
        """Save a question with the ids of the nodes that it is to find, its ``answer`` and a ``kind`` to group it by.

        Raises UsageError for no question or no node, NotFoundError for a node that is not in the library.
        """
        text = " ".join(text.split())
        if not text or not node_ids:
            raise UsageError("A saved question needs a text and at least one node that it is to find.")
        expected = [self._expected(node_id) for node_id in dict.fromkeys(node_ids)]
        return self._storage.questions.add(owner, text, expected, filters, kind.strip(), answer.strip())

    def list(self, owner: str = "") -> Sequence[SavedQuestion]:
        """Return the saved questions, the newest first."""
        return self._storage.questions.list(owner)

    def delete(self, question_id: str, owner: str = "") -> None:
        """Delete a question. Raises NotFoundError."""
        self._storage.questions.delete(owner, question_id)

    def change(
        self, question_id: str, text: str, node_ids: Sequence[str], *, owner: str = "", kind: str = "",
        answer: str = "",
    ) -> SavedQuestion:  # fmt: skip
        """Put another text, other nodes, another kind or answer in a question's place; its filters stay.

        The question gets a new id. Raises UsageError, NotFoundError (also for a node that is gone).
        """
        old = next((one for one in self.list(owner) if one.question_id == question_id), None)
        if old is None:
            raise NotFoundError("This question is not saved any more.")
        saved = self.save(text, node_ids, owner=owner, filters=old.filters, kind=kind, answer=answer)
        self.delete(question_id, owner)
        return saved

    def run(self, owner: str = "", settings: Settings | None = None, on_progress: OnDone | None = None) -> SavedRun:
        """Search every question under some settings (None: those in force) and return the measures.

        Under the settings in force what has an answer is asked, too. Raises UsageError for an empty set.
        """
        questions = self.list(owner)
        if not questions:
            raise UsageError("No question is saved yet. Save one from an answer or from the retrieval lab.")
        report = on_progress or (lambda done, total: None)
        results = []
        for done, question in enumerate(questions, 1):
            results.append(self._result(question, settings))
            report(done, len(questions))
        asked = list(filter(None, (result.answer for result in results)))
        return SavedRun(
            metrics=means(list(filter(None, (result.metrics for result in results)))),
            by_kind=grouped((one.kind, one.metrics) for one in results),
            latency_ms=latency([result.milliseconds for result in results]),
            questions=results,
            answers=mean_scores(asked) if asked else {},
        )

    def compare(
        self, second: Settings, first: Settings | None = None, owner: str = "", on_progress: OnDone | None = None
    ) -> Comparison:
        """Run the set under two settings (``first`` None: those in force) and return what changed.

        Raises UsageError for an empty set.
        """
        report = on_progress or (lambda done, total: None)
        before = self.run(owner, first, lambda done, total: report(done, 2 * total))
        after = self.run(owner, second, lambda done, total: report(total + done, 2 * total))
        changes = [_change(a, b) for a, b in zip(before.questions, after.questions, strict=True)]
        changes.sort(key=lambda change: change.after - change.before)
        counts = Counter(change.verdict for change in changes)
        return Comparison(before, after, changes, counts["worse"], counts["better"], counts["same"])

    def _expected(self, node_id: str) -> ExpectedNode:
        stored = self._storage.find_node(node_id)
        node = stored.node
        snippet = " ".join((node.text or node.title).split())[:SNIPPET]
        return ExpectedNode(node_id, stored.document_id, stored.document, stored.version, node.role, node.page, snippet)

    def _result(self, question: SavedQuestion, settings: Settings | None) -> QuestionResult:
        wanted = [one.node_id for one in question.expected]
        missing = [node_id for node_id in wanted if not self._exists(node_id, question.filters.version)]
        gold = frozenset(wanted).difference(missing)
        started = time.perf_counter()
        hits = self._search(question.text, filters=question.filters, top_k=DEPTH, settings=settings).hits
        spent = round((time.perf_counter() - started) * 1000, 2)
        rank = {hit.node_id: hit.rank for hit in hits}
        ranks = {node_id: rank.get(node_id) for node_id in wanted}
        metrics = score(list(rank), gold) if gold else {}
        answer = self._answered(question) if question.answer and settings is None else {}
        return QuestionResult(
            question.question_id, question.text, question.kind, ranks, missing, metrics, spent, answer
        )

    def _answered(self, question: SavedQuestion) -> dict[str, float]:
        made = self._ask(question.text, filters=question.filters)
        found = {source.node_id for source in made.sources}
        evident = any(one.node_id in found for one in question.expected)
        return score_answer(made, [question.answer], evident=evident)

    def _exists(self, node_id: str, version: int | None) -> bool:
        try:
            return self._storage.find_node(node_id, version).current or version is not None
        except NotFoundError:
            return False


def _change(before: QuestionResult, after: QuestionResult) -> Change:
    values = before.metrics.get("ndcg@10", 0.0), after.metrics.get("ndcg@10", 0.0)
    difference = values[1] - values[0]
    verdict = "same" if abs(difference) < NOTICEABLE else "better" if difference > 0 else "worse"
    return Change(before.question_id, before.text, *values, verdict)


@dataclass(frozen=True, slots=True)
class PastRun(Value):
    """A run: when, over how many questions, its mean measures, and the settings that were tried with it, if any."""

    at: float
    questions: int
    metrics: dict[str, float]
    tried: dict[str, Any]


class RunHistory:
    """The runs of one library, each owner's own. All methods are thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._file = KeptFile(folder / FILE_NAME)

    def add(self, owner: str, run: SavedRun, at: float, tried: Mapping[str, Any]) -> None:
        """Keep what a run came to; of very many the oldest are forgotten. Raises StorageError."""
        made = PastRun(at, len(run.questions), run.metrics, dict(tried))
        with self._file.changing("runs") as runs:
            runs[owner] = [*runs.get(owner, []), made.to_dict()][-MOST_RUNS:]

    def list(self, owner: str) -> Sequence[PastRun]:
        """Return an owner's runs, the oldest first. Raises StorageError."""
        return [PastRun.from_dict(one) for one in self._file.read("runs").get(owner, [])]


# The runs of a library folder, the same object each time.
run_history = lru_cache(maxsize=4)(RunHistory)
