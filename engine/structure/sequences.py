"""Sequences of things: parted into runs or groups, and what of them weighs most."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def runs(items: Iterable[T], goes_on: Callable[[list[T], T], object]) -> list[list[T]]:
    """Part items into runs; one ends where ``goes_on``, asked with what it holds and the next item, says no."""
    found: list[list[T]] = []
    for item in items:
        if found and goes_on(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return the values of each key in their order, keys in the order in which they came."""
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def heaviest(weighed: Iterable[tuple[K, int]], default: K) -> K:
    """Return the key with the largest sum of weights, of several the first one; ``default`` where there is none."""
    weights: Counter[K] = Counter()
    for key, weight in weighed:
        weights[key] += weight
    return max(weights, key=weights.__getitem__, default=default)
