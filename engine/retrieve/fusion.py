"""Join the rankings of the views into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.config import FusionSettings
from storage.base import Scored


@dataclass(frozen=True, slots=True)
class Fused:
    """A node's joint score and what each view gave it; None where a view did not find it."""

    key: int
    score: float
    dense: float | None
    sparse: float | None
    dense_rank: int | None
    sparse_rank: int | None


def fuse(dense: Sequence[Scored], sparse: Sequence[Scored], settings: FusionSettings) -> list[Fused]:
    """Return the union of both rankings (best first), best joint score first.

    Sparse scores are divided by the best one; dense scores are scaled between the last and the best,
    because cosines of the embedding model never come near 0.
    """
    best = max((s.score for s in sparse), default=0.0)
    words = {s.key: s.score / best for s in sparse} if best > 0 else {}
    high, low = (dense[0].score, dense[-1].score) if dense else (0.0, 0.0)
    meaning = {s.key: (s.score - low) / (high - low) if high > low else 1.0 for s in dense}
    dense_rank = {s.key: rank for rank, s in enumerate(dense, 1)}
    sparse_rank = {s.key: rank for rank, s in enumerate(sparse, 1)}
    dense_score, sparse_score = dict(dense), dict(sparse)
    if settings.method == "rrf":
        k = settings.rrf_k
        joint = {
            key: sum(1 / (k + ranks[key]) for ranks in (dense_rank, sparse_rank) if key in ranks)
            for key in dense_rank | sparse_rank
        }
    else:
        joint = {
            key: settings.dense * meaning.get(key, 0.0) + settings.bm25f * words.get(key, 0.0)
            for key in meaning | words
        }
    return [
        Fused(key, joint[key], dense_score.get(key), sparse_score.get(key), dense_rank.get(key), sparse_rank.get(key))
        for key in sorted(joint, key=lambda key: (-joint[key], key))
    ]
