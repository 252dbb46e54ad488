"""The last word of a reranking model over the best nodes (seed 001; seed 004, 3.5).

The model judges the texts of the first nodes; those below the threshold are dropped, at most ``top_n`` are
kept. The same text is not judged twice for a question. A judge that fails changes nothing, and that is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from engine.errors import ProviderError
from engine.providers.reranking import Judgement
from engine.retrieve.llm_judge import remembered
from engine.retrieve.rerank import Candidate

if TYPE_CHECKING:
    from engine.providers.reranking import Reranker
    from engine.retrieve.run import Run

JUDGED = 20
TEXT_LETTERS = 1500
# With an adaptive threshold: as far below the best as this share of it, when nothing reaches the threshold.
ADAPTIVE_SHARE = 0.6


def by_model(run: Run, reranker: Reranker) -> None:
    """Let the model judge the first nodes of a run and order them; what it drops goes to ``run.dropped``."""
    settings = run.settings.rerank
    judged = run.ranked[:JUDGED]
    judgements = _judgements(run, reranker, judged)
    if not judgements:
        return
    scores = [round(judgement.score, 4) for judgement in judgements]
    for one, score, judgement in zip(judged, scores, judgements, strict=True):
        one.judged = score
        if judgement.reason:
            one.why.append(f"rerank:{judgement.reason}")
    limit = threshold(scores, settings.relevance_threshold, adaptive=settings.adaptive)
    ordered = sorted(zip(scores, judged, strict=True), key=lambda pair: (-pair[0], -pair[1].score))
    run.ranked = [one for score, one in ordered if score >= limit][: settings.top_n]
    if not run.ranked:
        run.note("all_dropped", best=max(scores), limit=limit)
    run.dropped = [one for _, one in ordered if one not in run.ranked]
    run.lap("rerank_model")


def _judgements(run: Run, reranker: Reranker, judged: Sequence[Candidate]) -> list[Judgement]:
    """The model's judgements; none where it fails, which is told."""
    if not judged:
        return []
    try:
        question, texts = run.query.text, [_text(one) for one in judged]
        return remembered(
            run.storage.replies, ("judge", reranker.name(), question), texts, partial(reranker.judge, question),
            lambda one: [one.score, one.reason], lambda value: Judgement(*value),
        )  # fmt: skip
    except ProviderError as error:
        run.note("reranker_failed", error=error)
        run.lap("rerank_model")
        return []


def threshold(scores: Sequence[float], wanted: float, *, adaptive: bool) -> float:
    """Return the score below which nodes are dropped; an adaptive one comes down when none reaches it."""
    best = max(scores, default=0.0)
    return ADAPTIVE_SHARE * best if adaptive and 0 < best < wanted else wanted


def _text(one: Candidate) -> str:
    above = " > ".join([one.stored.document, *one.stored.path])
    return f"{above}\n{one.stored.node.text or one.stored.node.title}"[:TEXT_LETTERS]
