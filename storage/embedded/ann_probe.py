"""Run in a child process: can this Chroma folder be opened, and does it find vectors that it must hold?

``python -m storage.embedded.ann_probe CHROMA_FOLDER ROWS_FILE DIMENSION ROWS``; exits 0 when it does.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import numpy as np

from storage.embedded.ann import COLLECTION, connect

_SAMPLES = 20
_FOUND = 18  # the index is approximate: a few may be missed


def probe(folder: Path, rows_file: Path, dimension: int, rows: int) -> str:
    """Return what is wrong with an index over the first ``rows`` vectors, or an empty string."""
    collection = connect(folder).get_collection(COLLECTION, embedding_function=None)
    if collection.count() < rows:
        return f"it holds {collection.count()} of {rows} rows"
    block = np.memmap(rows_file, np.float32, "r", shape=(rows, dimension))
    samples = block[np.linspace(0, rows - 1, min(rows, _SAMPLES)).astype(np.int64)]
    answers = collection.query(query_embeddings=samples, n_results=min(rows, 10), include=[])["ids"]
    hits = 0
    for vector, ids in zip(samples, answers, strict=True):
        near = [row for row in map(int, ids) if row < rows]
        hits += bool(near) and float((block[near] @ vector).max()) > float(vector @ vector) - 1e-4
    return "" if hits >= min(len(samples), _FOUND) else f"it finds {hits} of {len(samples)} known vectors"


def _end_with_parent() -> None:
    os.read(0, 1)  # the buffered reader would hang at shutdown
    os._exit(2)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    fault = probe(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    sys.exit(fault or 0)
