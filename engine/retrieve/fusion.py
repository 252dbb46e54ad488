"""Join the rankings of the views into one.

The seed's weights (002, 6.3) join two numbers between about 0 and 1:

- meaning: 1 for the best cosine, falling by 1 every SPAN below it. A model's cosines spread over a fixed
  range, whatever the question; scaling to the list found would make the best of a bad list look as good
  as a real one. Models whose range is not known are scaled to the list.
- words: the BM25 score over the best one, weighed by how much of the question the best match accounts
  for. A question in another language than the texts, or one that asks in other words, matches a name or
  a number at most; what was found by that must not push aside what was found by meaning.

Words cannot find what is written in another language: a node in another script than the question's is taken
to match by words as well as by meaning, so that in a library of both languages neither hides the other.

The constants were chosen on eight question sets in two languages and across them; around them the
result is flat.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from engine.config import FusionSettings
from storage.base import Scored

# By model name: how far a cosine falls from a passage that answers to one that has nothing to do with it.
SPANS = {"multilingual-e5-small": 0.0714}
WORDS_FLOOR = 0.4
WORDS_GAIN = 1.2


@dataclass(frozen=True, slots=True)
class Fused:
    """A node's joint score and what each view gave it; None where a view did not find it."""

    key: int
    score: float
    dense: float | None
    sparse: float | None
    dense_rank: int | None
    sparse_rank: int | None


def fuse(
    dense: Sequence[Scored],
    sparse: Sequence[Scored],
    settings: FusionSettings,
    *,
    cosines: Mapping[int, float] | None = None,
    matched: float = 1.0,
    foreign: Collection[int] = (),
    model: str = "",
) -> list[Fused]:
    """Return the union of both rankings (best first), best joint score first.

    ``cosines`` are those of nodes that only the sparse view found, so that both views judge every
    candidate; ``matched`` is the share of the question (0 to 1) that the best sparse hits account for;
    ``foreign`` are nodes in another script than the question's.
    """
    cosine = {**(cosines or {}), **dict(dense)}
    words = dict(sparse)
    dense_rank = {s.key: rank for rank, s in enumerate(dense, 1)}
    sparse_rank = {s.key: rank for rank, s in enumerate(sparse, 1)}
    if settings.method == "rrf":
        k = settings.rrf_k
        joint = {
            key: sum(1 / (k + ranks[key]) for ranks in (dense_rank, sparse_rank) if key in ranks)
            for key in dense_rank | sparse_rank
        }
    else:
        meaning = _meaning(cosine, dense, model)
        best = max(words.values(), default=0.0) or 1.0
        weight = settings.bm25f * (WORDS_FLOOR + WORDS_GAIN * matched if dense else 1.0)
        share = {key: score / best for key, score in words.items()}
        share |= {key: max(share.get(key, 0.0), meaning.get(key, 0.0)) for key in foreign}
        joint = {
            key: settings.dense * meaning.get(key, 0.0) + weight * share.get(key, 0.0)
            for key in cosine | words
        }
    return [
        Fused(key, joint[key], cosine.get(key), words.get(key), dense_rank.get(key), sparse_rank.get(key))
        for key in sorted(joint, key=lambda key: (-joint[key], key))
    ]


def _meaning(cosine: Mapping[int, float], dense: Sequence[Scored], model: str) -> dict[int, float]:
    """Return how near each cosine is to the best; below 0 for what is farther than one span."""
    if not dense:
        return {}
    best = dense[0].score
    span = SPANS.get(model.split("@")[0]) or best - dense[-1].score
    return {key: 1 - (best - value) / span if span > 0 else 1.0 for key, value in cosine.items()}
