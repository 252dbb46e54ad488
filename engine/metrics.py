"""What is counted while the program runs, for Prometheus: requests, answers, their stages, what models used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram

if TYPE_CHECKING:
    from engine.model import Answer

REGISTRY = CollectorRegistry()
_SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_REQUESTS = Counter("dropqa_requests", "Requests by door", ("door", "method", "status"), registry=REGISTRY)
_REQUEST_SECONDS = Histogram(
    "dropqa_request_seconds", "Duration of requests", ("door",), buckets=_SECONDS, registry=REGISTRY
)
_ANSWERS = Counter(
    "dropqa_answers", "Answers by mode (direct, agent), outcome (answered, closest, not_found) and engine",
    ("mode", "outcome", "engine"), registry=REGISTRY,
)  # fmt: skip
_STAGES = Histogram(
    "dropqa_stage_seconds", "Duration of an answer's stages", ("stage",), buckets=_SECONDS, registry=REGISTRY
)
_TOKENS = Counter("dropqa_tokens", "Tokens that models used for answers", ("kind",), registry=REGISTRY)

_LOOKUPS = Counter(
    "dropqa_cache_lookups", "What was looked for among the things kept (readings, vectors, replies), by what was there",
    ("cache", "found"), registry=REGISTRY,
)  # fmt: skip


def answered(answer: Answer) -> None:
    """Count an answer, its stages and what models used for it."""
    _ANSWERS.labels(answer.mode, answer.state, answer.engine).inc()
    for stage, milliseconds in answer.timings_ms.items():
        _STAGES.labels(stage).observe(milliseconds / 1000)
    for kind, tokens in answer.tokens.items():
        _TOKENS.labels(kind).inc(tokens)


def requested(door: str, method: str, status: int, seconds: float) -> None:
    """Count a request."""
    _REQUESTS.labels(door, method, str(status)).inc()
    _REQUEST_SECONDS.labels(door).observe(seconds)


def looked_up(cache: str, asked: int, new: int) -> None:
    """Count the things ``asked`` of a cache, of which so many were ``new`` to it."""
    _LOOKUPS.labels(cache, "yes").inc(asked - new)
    _LOOKUPS.labels(cache, "no").inc(new)


def hit_rates() -> dict[str, float]:
    """Return the share of what was looked for in each cache that was there, since the program started."""
    counts: dict[str, dict[str, float]] = {}
    for sample in next(iter(_LOOKUPS.collect())).samples:
        if sample.name.endswith("_total"):
            counts.setdefault(sample.labels["cache"], {})[sample.labels["found"]] = sample.value
    return {name: one["yes"] / total for name, one in counts.items() if (total := sum(one.values()))}
