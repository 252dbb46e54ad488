"""Measures of a ranking against a set of gold passages, all binary relevance."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

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
