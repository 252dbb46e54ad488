"""Whether the words of an answer are of the kind asked for, by what they are near to in meaning.

Each kind is the mean vector of plain answers of that kind (``engine/language/answers.toml``).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.language import plain_answers

if TYPE_CHECKING:
    from engine.answer.similarity import SentenceSimilarity
    from engine.answer.understand.kinds import Expects
    from engine.providers.embedding import Embedder

_known: weakref.WeakKeyDictionary[object, dict[str, np.ndarray]] = weakref.WeakKeyDictionary()


def prototypes(embedder: Embedder) -> dict[str, np.ndarray]:
    """Return the mean vector of each kind of answer; computed once a model. Raises ProviderError."""
    if embedder not in _known:
        means = {kind: embedder.passages(list(told)).mean(axis=0) for kind, told in plain_answers().items()}
        centre = np.stack(list(means.values())).mean(axis=0)
        _known[embedder] = {kind: _unit(mean - centre) for kind, mean in means.items()} | {"": centre}
    return _known[embedder]


def kind_fits(expected: Expects, answers: Sequence[str], similarity: SentenceSimilarity) -> list[float]:
    """Return by how much each answer is nearer to the kind asked for than to the nearest other, about -1..1.

    0 for a kind without a prototype. Raises ProviderError.
    """
    known = prototypes(similarity.embedder)
    if expected not in known or not answers:
        return [0.0] * len(answers)
    centre = known[""]
    fits = []
    for vector in similarity.vectors([answer or "?" for answer in answers]):
        unit = _unit(vector - centre)
        others = max(float(unit @ mean) for kind, mean in known.items() if kind not in ("", expected))
        fits.append(float(unit @ known[expected]) - others)
    return fits


def _unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9))
