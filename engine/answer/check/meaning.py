"""Does a source say what a statement says, in whatever words and language?

The reader that ships tells how surely a text answers; asked with a statement it tells whether the text speaks of just
that. The embedding tells how near the nearest sentence is in meaning. Both are weighed with what is known of the
statement's values; the weights were fitted on true and false statements (``benchmarks/statements.py``), so that 0 is
as likely said as not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.providers.reading import Passage, Reader
from engine.structure.sentences import is_cjk, split_sentences

_MOST_READ, _MOST_COMPARED = 4, 40
_READ_FROM, _READ_TO = (-13.0, 4.0), (-7.0, 6.0)
# Bias, read in the text and in its best sentence, cosine, across languages, in a table, what was computed, values that
# stand there, Chinese in Chinese, Chinese for another language.
WEIGHTS = (-0.76, 0.37, 0.1, 0.43, 0.35, 2.33, 0.92, -0.63)
_USUAL_COSINE, _A_STEP = 0.87, 0.04


# Returns, for a claim, a cosine for each sentence, across languages. Raises ProviderError.
Similarity = Callable[[str, Sequence[str]], Iterable[float]]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What was seen: how surely the reader finds the statement in the text and in its best sentence, and the cosine."""

    read: float
    read_best: float
    cosine: float


def meaning_of(
    statement: str, text: str, title: str, by_line: bool, reader: Reader | None, similarity: Similarity | None
) -> Meaning | None:
    """Look for what a statement says in a text; None without a reader and an embedding model. Raises ProviderError."""
    if reader is None or similarity is None:
        return None
    sentences = [sentence.text for sentence in split_sentences(text, by_line)][:_MOST_COMPARED]
    if not sentences:
        return None
    pairs = [f"{a} {b}" for a, b in pairwise(sentences)]
    cosines = [float(one) for one in similarity(statement, [*sentences, *pairs])]
    nearest = sorted(range(len(sentences)), key=lambda i: -cosines[i])[:_MOST_READ]
    passages = [Passage(title, text), *(Passage("", sentences[i]) for i in nearest)]
    readings = [reading.certainty for reading in reader.read(statement, passages)]
    return Meaning(readings[0], max(readings[1:]), max(cosines))


def features(
    statement: str, text: str, meaning: Meaning, table: bool, computed: bool, values: int
) -> list[float]:
    """Return what is weighed, in the order of :data:`WEIGHTS`."""
    chinese, foreign = is_cjk(statement), is_cjk(statement) != is_cjk(text)
    read = _within(meaning.read, _READ_FROM) + _within(meaning.read_best, _READ_TO)
    return [
        1.0, read / 5, (meaning.cosine - _USUAL_COSINE) / _A_STEP, float(foreign), float(table), float(computed),
        float(min(values, 3)), float(chinese and not foreign),
    ]  # fmt: skip


def certainty(seen: Sequence[float]) -> float:
    """Return how surely (log odds) the source says it."""
    return sum(weight * one for weight, one in zip(WEIGHTS, seen, strict=True))


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])
