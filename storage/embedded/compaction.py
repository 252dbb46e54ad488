"""Rewrites a model's vectors without the rows that no existing node uses any more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from storage.embedded import garbage, parts
from storage.embedded.catalog import Catalog
from storage.embedded.state import Generations, State
from storage.embedded.vectors import ModelVectors, VectorFiles, note_sums

LEAST = (
    10_000  # rows; smaller files stay as they are: an unused vector saves embedding a text that comes back
)
DEAD = 0.5
_SUMMED_ROWS = 1024


def due(state: State) -> ModelVectors | None:
    """Return a model most of whose rows are unused, or None."""
    for model in state.vectors.values():
        if model.rows >= LEAST and len(_used(state, model)[0]) < model.rows * (1 - DEAD):
            return model
    return None


def compact(catalog: Catalog, files: VectorFiles, generations: Generations, name: str, now: float) -> None:
    """Copy a model's used rows to a new folder, then make the catalog and readers turn to it in one step.

    ``now`` is the time in seconds since 1970. Raises OSError, StorageError.
    """
    with generations.lock:
        state = generations.current
        model = state.vectors[name]
        rows, pairs = _used(state, model)
        new_row = np.full(model.rows, -1, np.int64)
        new_row[rows] = np.arange(len(rows))
        pairs[:, 1] = new_row[pairs[:, 1]]
        compacted = files.copy(model, rows, pairs)
        with catalog.transaction() as write:
            remembered = write.execute(
                "SELECT hash, row FROM embedding WHERE model_id = ?", (model.id,)
            ).fetchall()
            write.execute("DELETE FROM embedding WHERE model_id = ?", (model.id,))
            write.executemany(
                "INSERT INTO embedding (model_id, hash, row) VALUES (?, ?, ?)",
                ((model.id, digest, int(new_row[row])) for digest, row in remembered if new_row[row] >= 0),
            )
            write.execute(
                "UPDATE model SET folder = ?, rows = ?, links = ? WHERE id = ?",
                (compacted.folder, compacted.rows, compacted.links, model.id),
            )
            garbage.note(write, [model.folder], now)
            write.execute("DELETE FROM vector_sum WHERE model_id = ?", (model.id,))
            for first in range(0, compacted.rows, _SUMMED_ROWS):
                part = replace(compacted, block=compacted.block[:first], links=0)
                note_sums(
                    write,
                    part,
                    compacted.block[first : first + _SUMMED_ROWS],
                    pairs if not first else pairs[:0],
                )
        generations.publish(replace(state, vectors={**state.vectors, name: compacted}))


def _used(state: State, model: ModelVectors) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that existing nodes and their parts are linked to, ascending, and those links as pairs."""
    live = state.live
    ids = np.flatnonzero(live.part_of >= 0)
    ids = ids[live.exists[live.part_of[ids]]]
    nodes = np.flatnonzero(live.exists)
    keys = np.concatenate([nodes, parts.names(ids)])
    rows = np.concatenate([model.locate(nodes), model.locate_parts(ids)]).astype(np.int64)
    linked = rows >= 0
    marks = np.zeros(model.rows, np.bool_)
    marks[rows[linked]] = True
    return np.flatnonzero(marks), np.stack([keys[linked], rows[linked]], axis=1)
