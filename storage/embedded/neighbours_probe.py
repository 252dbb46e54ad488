"""Run in a child process: can this Chroma folder be opened, and does it find what it holds?

``python -m storage.embedded.neighbours_probe CHROMA_FOLDER``; exits 0 when it does.
"""

import os
import sys
import threading
from pathlib import Path

import numpy as np

from storage.embedded.neighbours import connect

_SAMPLES, _LATEST = 20, 500
_FOUND = 0.9  # of the samples: the index is approximate


def probe(folder: Path) -> str:
    """Return what is wrong with a folder, or an empty string."""
    for collection in connect(folder).list_collections():
        count = collection.count()
        if not count:
            continue
        # What was added last was written last; the rest is looked at here and there.
        latest = collection.get(limit=_LATEST, offset=max(0, count - _LATEST), include=["embeddings"])
        ids, vectors = list(latest["ids"])[-_SAMPLES:], np.asarray(latest["embeddings"])[-_SAMPLES:]
        for offset in np.linspace(0, count - 1, min(count, _SAMPLES)).astype(int).tolist():
            one = collection.get(limit=1, offset=offset, include=["embeddings"])
            ids += one["ids"]
            vectors = np.concatenate([vectors, np.asarray(one["embeddings"])])
        answers = collection.query(query_embeddings=vectors, n_results=min(count, 10), include=["distances"])
        distances = answers["distances"] or []
        near = [1 - min(found) > vector @ vector - 1e-4 for vector, found in zip(vectors, distances, strict=True)]
        if sum(near) < _FOUND * len(ids):
            return f"{collection.name} finds {sum(near)} of {len(ids)} known vectors"
    return ""


def _end_with_parent() -> None:
    os.read(0, 1)  # the buffered reader would hang at shutdown
    os._exit(2)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    fault = probe(Path(sys.argv[1]))
    sys.stderr.write(fault)
    os._exit(1 if fault else 0)
