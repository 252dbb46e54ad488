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

# Kinds that answer for each other: "who" may be a company, "when" after so many months.
_GROUPS = {
    "person": ("person", "organisation"),
    "organisation": ("person", "organisation"),
    "place": ("place",),
    "number": ("number", "date", "duration"),
    "date": ("number", "date", "duration"),
    "duration": ("number", "date", "duration"),
}
_known: weakref.WeakKeyDictionary[object, tuple[np.ndarray, dict[str, np.ndarray]]] = (
    weakref.WeakKeyDictionary()
)


def prototypes(embedder: Embedder) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the mean of all plain answers and the direction of each kind from it; computed once a model.

    Raises ProviderError.
    """
    if embedder not in _known:
        means = {kind: embedder.passages(list(told)).mean(axis=0) for kind, told in plain_answers().items()}
        centre = np.stack(list(means.values())).mean(axis=0)
        _known[embedder] = centre, {kind: _unit(mean - centre) for kind, mean in means.items()}
    return _known[embedder]


def kind_fits(expected: Expects, answers: Sequence[str], similarity: SentenceSimilarity) -> list[float]:
    """Return by how much each answer is nearer to the kind asked for than to the nearest other, about -1..1.

    0 for kinds that any words may tell, such as a reason. Raises ProviderError.
    """
    if expected not in _GROUPS or not answers:
        return [0.0] * len(answers)
    centre, known = prototypes(similarity.embedder)
    wanted = _GROUPS[expected]
    fits = []
    for vector in similarity.vectors([answer or "?" for answer in answers]):
        near = {kind: float(_unit(vector - centre) @ mean) for kind, mean in known.items()}
        others = max(value for kind, value in near.items() if kind not in wanted)
        fits.append(max(near[kind] for kind in wanted) - others)
    return fits


def _unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9))
