"""Join the rankings of the views into one (seed 002, 6.3): 0.45 * meaning + 0.35 * words.

- words: the BM25 score over the best one, as far as it can be trusted: a question in another language than
  the texts matches a name, a number or a stray character at most, and a list that found nothing real must
  not count. So it counts fully only when its best hits account for a fifth of the question (by idf).
- meaning: 1 for the best cosine, falling by 1 for every ``spread`` below it. The spread belongs to the
  embedding model, not to the list that was found: a question whose best match stands far above the rest is
  decided by meaning, one that many passages answer alike is decided by words. So each view weighs as much
  as it tells apart. A model whose spread is not known is scaled to the list.

What a view does not know is not held against a node. The cosine of a node that only words found is looked
up; a node that has no vector yet is taken to match by meaning as well as by words; one below the end of a
full sparse list is given a little less than the last on it.

The constants were chosen on nine question sets in two languages, across them and mixed; around them the
result is flat.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from engine.config import FusionSettings
from storage.base import Scored

# All that a score is made of: the two views and the document named (here), what the texts show
# (:mod:`engine.retrieve.rerank`) and what the reader makes of them (:mod:`engine.retrieve.reader_rerank`).
Term = Literal["meaning", "words", "document", "together", "tree_prior", "intent", "statement", "reading"]
TERMS: tuple[Term, ...] = get_args(Term)
BELOW_LAST = 0.8
TRUSTED_SHARE = 0.2


class Fused(NamedTuple):
    """A node's joint score and what each view gave it; None where a view did not find it.

    ``by_meaning``, ``by_words`` and ``by_document`` (for being in one that the question names) are the parts
    of the score.
    """

    key: int
    score: float
    dense: float | None
    sparse: float | None
    dense_rank: int | None
    sparse_rank: int | None
    by_meaning: float = 0.0
    by_words: float = 0.0
    by_document: float = 0.0


def fuse(
    dense: Sequence[Scored], sparse: Sequence[Scored], settings: FusionSettings, *, spread: float | None = None,
    cosines: Mapping[int, float] | None = None, full: int = 200, trust: float = 1.0, others: Collection[int] = (),
) -> list[Fused]:  # fmt: skip
    """Return the union of both rankings (best first) and of ``others``, best joint score first.

    ``spread`` is how far below the best cosine an unrelated passage lies; ``cosines`` are those of nodes
    that only the sparse view found; a sparse ranking of ``full`` nodes is taken to go on below;
    ``trust`` (0 to 1) is what :func:`trust_in_words` gives.
    """
    cosine = {**(cosines or {}), **dict(dense)}
    bm25 = dict(sparse)
    dense_rank = {one.key: rank for rank, one in enumerate(dense, 1)}
    sparse_rank = {one.key: rank for rank, one in enumerate(sparse, 1)}
    keys = dict.fromkeys([*dense_rank, *sparse_rank, *others])
    meaning, (words, below) = _meaning(cosine, dense, spread), _words(sparse, full, trust)
    by_words = {key: words.get(key, below) for key in keys}
    parts = [(key, settings.dense * meaning.get(key, by_words[key]), settings.bm25f * by_words[key]) for key in keys]
    parts.sort(key=lambda one: (-(one[1] + one[2]), one[0]))
    return [
        Fused(key, m + w, cosine.get(key), bm25.get(key), dense_rank.get(key), sparse_rank.get(key), m, w)
        for key, m, w in parts
    ]


def trust_in_words(matched: float) -> float:
    """Return how far words count when the best hits hold this share of the question's words (by idf)."""
    return min(1.0, matched / TRUSTED_SHARE)


def _words(sparse: Sequence[Scored], full: int, trust: float) -> tuple[dict[int, float], float]:
    """Return the sparse scores over the best, and what a node gets that is not among them."""
    if not sparse or sparse[0].score <= 0:
        return {}, 0.0
    best = sparse[0].score
    below = BELOW_LAST * trust * sparse[-1].score / best if len(sparse) >= full else 0.0
    return {one.key: trust * one.score / best for one in sparse}, below


def _meaning(cosine: Mapping[int, float], dense: Sequence[Scored], spread: float | None) -> dict[int, float]:
    """Return how near each cosine is to the best; below 0 for what is farther than one spread."""
    if not dense:
        return {}
    best = dense[0].score
    width = best - dense[-1].score if spread is None else spread
    return {key: 1 - (best - value) / width if width > 0 else 1.0 for key, value in cosine.items()}
