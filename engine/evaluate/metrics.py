"""Measures of a ranking against a set of gold passages, all binary relevance.

Is the answer right: exact match, F1, numbers, and whether it is told from the right evidence (seed 002, section 9).

Exact match and F1 are those of SQuAD (Rajpurkar et al., EMNLP 2016) over words and, where a script has no spaces,
characters; articles count. Answers are sentences, so that ``contains`` says more than ``em``. A refusal scores 0.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.answer.tables.cite import Computed
from engine.enrich.cell_values import parse_cell
from engine.model import Answer

CUTOFFS = {"ndcg@10": 10, "ndcg@20": 20, "recall@5": 5, "recall@10": 10, "recall@50": 50, "mrr@10": 10, "all@10": 10}
DEPTH = max(CUTOFFS.values())


def ndcg(ranking: Sequence[str], gold: frozenset[str], k: int) -> float:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen, 2002) of the first k."""
    gain = sum(1 / math.log2(rank + 1) for rank, one in enumerate(ranking[:k], 1) if one in gold)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(gold)) + 1))
    return gain / ideal


def recall(ranking: Sequence[str], gold: frozenset[str], k: int) -> float:
    """Share of the gold passages among the first k."""
    return len(gold.intersection(ranking[:k])) / len(gold)


def reciprocal_rank(ranking: Sequence[str], gold: frozenset[str], k: int) -> float:
    """One over the rank of the first gold passage among the first k, else 0."""
    return next((1 / rank for rank, one in enumerate(ranking[:k], 1) if one in gold), 0.0)


def score(ranking: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """Return every measure of one question; a passage may stand in the ranking only once."""
    found: dict[str, Callable[[Sequence[str], frozenset[str], int], float]] = {
        "ndcg": ndcg,
        "recall": recall,
        "mrr": reciprocal_rank,
        "all": lambda ranking, gold, k: float(gold <= set(ranking[:k])),
    }
    return {name: found[name.split("@")[0]](ranking, gold, k) for name, k in CUTOFFS.items()}


def means(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of every measure over questions, to four digits; 0 for no question."""
    count = max(1, len(scores))
    return {name: round(sum(one[name] for one in scores) / count, 4) for name in CUTOFFS}


def grouped(pairs: Iterable[tuple[str | None, Mapping[str, float]]]) -> dict[str, dict[str, Any]]:
    """Return the number of questions and their mean measures by the name of their group; those of none are left out."""
    groups: dict[str, list[Mapping[str, float]]] = {}
    for name, one in pairs:
        if name and one:
            groups.setdefault(name, []).append(one)
    return {name: {"queries": len(scores), "metrics": means(scores)} for name, scores in groups.items()}


def latency(milliseconds: Sequence[float]) -> dict[str, float]:
    """Return the median and the 95th percentile of some durations."""
    return {name: round(percentile(milliseconds, share), 2) for name, share in (("p50", 0.5), ("p95", 0.95))}


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


MEASURES = ("answered", "em", "f1", "contains", "count_acc", "evidence_f1")
_MARK = re.compile(r"\[W?\d+\]")
_TOKEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


def score_answer(answer: Answer, golds: Sequence[str], *, evident: bool) -> dict[str, float]:
    """Return the measures of one answer beside the right ones, by the names of :data:`MEASURES`.

    ``count_acc``, whether it says the right number, is left out where no right answer is one. ``evident`` tells whether
    one of its sources is gold evidence; ``evidence_f1`` is F1 with it, 0 without.
    """
    text = _MARK.sub(" ", answer.answer) if answer.answered else ""
    said = _tokens(text)
    wanted = [tokens for gold in golds if (tokens := _tokens(gold))]
    f1 = max((_f1(said, one) for one in wanted), default=0.0)
    numbers = [gold for gold in golds if parse_cell(gold).value is not None]
    told = {
        "answered": float(answer.answered),
        "em": float(said in wanted),
        "f1": f1,
        "contains": float(any(_holds(said, one) for one in wanted)),
        "evidence_f1": f1 * evident,
    }
    if numbers:
        told["count_acc"] = float(any(Computed([one], "").stated_in(text) for one in numbers))
    return told


def mean_scores(scores: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each measure over the answers that have it, to four digits, and their number ("questions")."""
    listed = list(scores)
    told: dict[str, float] = {"questions": len(listed)}
    for name in MEASURES:
        if values := [one[name] for one in listed if name in one]:
            told[name] = round(sum(values) / len(values), 4)
    return told


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def _f1(said: Sequence[str], gold: Sequence[str]) -> float:
    return 2 * (Counter(said) & Counter(gold)).total() / (len(said) + len(gold))


def _holds(said: Sequence[str], gold: Sequence[str]) -> bool:
    return any(said[at : at + len(gold)] == gold for at in range(len(said) - len(gold) + 1))
