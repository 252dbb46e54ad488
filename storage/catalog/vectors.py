"""Vectors of texts: how a text is remembered, and which nodes and parts have a vector of a model."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from engine.errors import UsageError

KEPT_VECTORS = 10_000  # an unused vector saves embedding a text that comes back


def text_hash(text: str) -> bytes:
    """Return the 16 bytes by which a text's vector is remembered."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _none() -> np.ndarray:
    return np.zeros(0, np.bool_)


@dataclass(frozen=True, slots=True)
class Names:
    """A set of nodes, by key, and of parts, by the negative name ``-1 - id``."""

    nodes: np.ndarray = field(default_factory=_none)  # bool by key; may be shorter than the library
    parts: np.ndarray = field(default_factory=_none)  # bool by part id, likewise

    def holds(self, names: np.ndarray) -> np.ndarray:
        """Return which of these are in the set."""
        return np.where(names >= 0, marked(self.nodes, names), marked(self.parts, -1 - names))

    def changed(self, names: np.ndarray, value: bool) -> Names:
        """Return the set with (or without) these."""
        return Names(_set(self.nodes, names[names >= 0], value), _set(self.parts, -1 - names[names < 0], value))

    @property
    def size(self) -> int:
        """How many there are."""
        return int(np.count_nonzero(self.nodes) + np.count_nonzero(self.parts))

    def all(self) -> np.ndarray:
        """Return the names, nodes first."""
        return np.concatenate([np.flatnonzero(self.nodes), -1 - np.flatnonzero(self.parts)])


@dataclass(frozen=True, eq=False, slots=True)
class ModelVectors:
    """Which nodes and parts have a vector of one model, in one generation."""

    id: int
    name: str
    dimension: int
    linked: Names = Names()

    def complete(self, keys: np.ndarray, part_of: np.ndarray) -> np.ndarray:
        """Return which of these nodes have a vector for each of their texts; ``part_of`` leads from part to node."""
        ids = np.flatnonzero(part_of >= 0)
        awaited = part_of[ids[~self.linked.holds(-1 - ids)]]
        return self.linked.holds(keys) & ~np.isin(keys, awaited)


def checked(vectors: np.ndarray, count: int, name: str, dimension: int | None) -> np.ndarray:
    """Return vectors as float32 (count, dimension). Raises UsageError when they do not fit the model."""
    array = np.asarray(vectors, np.float32)
    if array.ndim != 2 or len(array) != count or (dimension is not None and array.shape[1] != dimension):
        raise UsageError(
            f"Vectors of shape {array.shape} do not fit {count} texts of model {name} (dimension {dimension})."
        )
    if not np.isfinite(array).all():
        raise UsageError(f"Model {name} gave vectors with values that are not numbers.")
    return array


def marked(bitmap: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return which of these places are marked in a bitmap, which may end before them."""
    inside = (places >= 0) & (places < len(bitmap))
    inside[inside] = bitmap[places[inside]]
    return inside


def _set(bitmap: np.ndarray, places: np.ndarray, value: bool) -> np.ndarray:
    if not len(places):
        return bitmap
    longer = np.zeros(max(len(bitmap), int(places.max()) + 1), np.bool_)
    longer[: len(bitmap)] = bitmap
    longer[places] = value
    return longer
