"""Where the topic shifts in a run of texts, told by their vectors, or by the words that neighbouring texts share.

Similarity across each gap is the cosine of the mean vectors, or of the weighted terms, on its two sides; a gap's
depth is how far it lies below the similarities around it (M. Hearst, "TextTiling", Computational Linguistics 23(1),
1997). The cuts are those that together lie deepest below Hearst's threshold while the parts keep their lengths.
"""

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean, pstdev

import numpy as np

from engine.structure.terms import terms_of

MOST_WINDOW, FARTHEST, FORBIDDEN = 5, 20, 1e6
TOO_SHORT, UNLIKELY = 2.0, 4.0


def similarities(texts: Sequence[str], lengths: Sequence[float], window: float) -> list[float]:
    """Return for each gap how alike (0..1) the texts next to it are, up to ``window`` of ``lengths`` on a side."""
    terms = [terms_of(text) for text in texts]
    found = Counter(term for counts in terms for term in counts)
    weights = {term: math.log(1 + len(texts) / count) for term, count in found.items()}
    weighted = [Counter({term: n * weights[term] for term, n in counts.items()}) for counts in terms]
    similar = []
    for gap in range(len(texts) - 1):
        sides = (_indexes(lengths, one, window) for one in (range(gap, -1, -1), range(gap + 1, len(texts))))
        before, behind = (sum((weighted[n] for n in side), Counter[str]()) for side in sides)
        shared = sum(weight * behind[term] for term, weight in before.items())
        norms = math.hypot(*before.values()) * math.hypot(*behind.values())
        similar.append(shared / norms if shared else 0.0)
    return similar


def likenesses(vectors: np.ndarray, lengths: Sequence[float], window: float) -> list[float]:
    """Return the same as :func:`similarities` by the unit vectors of the texts, -1..1."""
    found = []
    for gap in range(len(lengths) - 1):
        before, behind = _indexes(lengths, range(gap, -1, -1), window), range(gap + 1, len(lengths))
        one, other = vectors[before].mean(axis=0), vectors[_indexes(lengths, behind, window)].mean(axis=0)
        found.append(float(one @ other / max(np.linalg.norm(one) * np.linalg.norm(other), 1e-9)))
    return found


def unshifted(similar: Sequence[float], threshold: float) -> frozenset[int]:
    """Return the indexes of the texts before which the topic goes on.

    Cosines of different models mean different things: a gap counts as one where similarity is below this share of the
    way from the least to the most in this run.
    """
    least, most = min(similar, default=0.0), max(similar, default=0.0)
    return frozenset(gap for gap, value in enumerate(similar, 1) if value - least >= threshold * (most - least) > 0)


def depths(similar: Sequence[float]) -> list[float]:
    """Return how deep each gap lies below the nearest peaks of similarity on both sides."""
    return [
        _peak(value, similar[max(0, gap - FARTHEST) : gap][::-1])
        + _peak(value, similar[gap + 1 : gap + FARTHEST + 1])
        - 2 * value
        for gap, value in enumerate(similar)
    ]


def _peak(value: float, beside: Sequence[float]) -> float:
    """Return what the values beside a gap rise to from its own before they fall."""
    for other in beside:
        if other < value:
            break
        value = other
    return value


def cuts(
    depth: Sequence[float], lengths: Sequence[float], least: float, most: float, barred: frozenset[int],
    unlikely: frozenset[int] = frozenset(),
) -> list[int]:  # fmt: skip
    """Return the indexes of the texts before which a run is cut, ascending.

    Parts are at most ``most`` long, but for a text that alone is longer, and seldom shorter than ``least``;
    no cut falls before a ``barred`` text unless a part would grow beyond twice ``most``, before an ``unlikely`` one
    where a part would grow beyond ``most`` or much too short ones would stand beside it.
    """
    count = len(lengths)
    spread, mean = (pstdev(depth), fmean(depth)) if depth else (0.0, 0.0)
    threshold, unit = mean - spread / 2, spread or 1.0
    best = [0.0] + [-math.inf] * count
    origin = [0] * (count + 1)
    for end in range(1, count + 1):
        length = 0.0
        for start in range(end - 1, -1, -1):
            length += lengths[start]
            if length > 2 * most and end - start > 1:
                break
            value = best[start] + _worth(length, end - start, least, most, unit)
            if start:
                value += depth[start - 1] - threshold - FORBIDDEN * unit * (start in barred)
                value -= UNLIKELY * unit * (start in unlikely)
            if value > best[end]:
                best[end], origin[end] = value, start
    result, end = list[int](), count
    while end := origin[end]:
        result.append(end)
    return result[::-1]


def _worth(length: float, texts: int, least: float, most: float, unit: float) -> float:
    """Return what a part's length counts, 0 or less."""
    if length < least:
        return -TOO_SHORT * unit * (1 + (least - length) / least)
    if length > most and texts > 1:
        return -FORBIDDEN * unit / 2 * (length / most)
    return -unit * max(0.0, 1 - 2 * length / most)


def _indexes(lengths: Sequence[float], indexes: range, window: float) -> list[int]:
    """The first of some texts, up to a window of their lengths."""
    found: list[int] = []
    length = 0.0
    for index in indexes[:MOST_WINDOW]:
        found.append(index)
        length += lengths[index]
        if length >= window:
            break
    return found
