"""The vectors of an embedded library: in a database of their own, linked in memory."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from storage.catalog.embeddings import Embeddings
from storage.catalog.vectors import ModelVectors
from storage.embedded.vectors import VectorFile

log = logging.getLogger(__name__)


class EmbeddedEmbeddings(Embeddings):
    """The vectors of a library, by model."""

    _file: VectorFile

    def forget_changed(self, after: int, limit: int) -> int:
        """Forget vectors that are not what was written, so that they are computed again.

        Looks at ``limit`` vectors behind an id and returns the id to go on behind, -1 at the end.
        """
        with self._generations.lock:
            changed, last = self._file.changed(after, limit)
            if changed:
                log.warning("%d vectors are damaged and will be computed again", len(changed))
                self._unlinked(self._file.forget(changed))
        return last

    def forget_deleted(self, ranges: Sequence[tuple[int, int]], part_ids: Sequence[int]) -> None:
        """Remove the links of nodes in key ranges (first, last) and of parts that are gone for good."""
        with self._generations.lock:
            self._file.unlink([*ranges, *((-1 - id_, -1 - id_) for id_ in part_ids)])
            names = [np.arange(first, last + 1) for first, last in ranges]
            gone = np.concatenate([*names, -1 - np.array(part_ids, np.int64)])
            models = self._generations.current.vectors.values()
            self._unlinked({model.id: gone[model.linked.holds(gone)] for model in models})

    def begin_anew(self) -> None:
        """Forget all vectors: their file is damaged."""
        with self._generations.lock:
            self._file.begin_anew()
            self._publish({})

    def _unlinked(self, names: Mapping[int, np.ndarray]) -> None:
        known = self._generations.current.vectors
        self._publish(
            {
                name: replace(model, linked=model.linked.changed(names[model.id], False))
                if model.id in names and len(names[model.id])
                else model
                for name, model in known.items()
            }
        )

    def _model(self, name: str, dimension: int) -> ModelVectors:
        model = self._file.create(name, dimension)
        state = self._generations.current
        self._generations.publish(replace(state, vectors={**state.vectors, name: model}))
        return model

    def _commit(self, name: str, new: Mapping[bytes, np.ndarray], links: Sequence[tuple[int, bytes]]) -> None:
        with self._generations.lock:
            state = self._generations.current
            model = state.vectors[name]
            kept = [link for link in links if -len(state.live.part_of) <= link[0] < state.live.size]
            self._file.add(model.id, new, kept)
            linked = model.linked.changed(np.array([name for name, _ in kept], np.int64), True)
            self._publish({**state.vectors, name: replace(model, linked=linked)})

    def _publish(self, known: dict[str, ModelVectors]) -> None:
        with self._catalog.transaction(durable=False) as write:
            write.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
        state = self._generations.current
        self._generations.publish(replace(state, generation=state.generation + 1, vectors=known))
