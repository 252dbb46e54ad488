"""A BM25F index as a bm25s folder: weighted term frequencies, saturated once (seed 002, 2 and 5.6).

It is read with ``bm25s.BM25.load(folder, load_corpus=True)`` and asked with this library's tokens:

    model.retrieve([[term for term, _ in engine.index.tokenize.query_terms(question)]])
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from storage.base import IndexRecord

K1, B = 1.5, 0.75


def write_bm25(folder: Path, records: Sequence[IndexRecord], corpus: Sequence[dict[str, str]]) -> None:
    """Write the index of some nodes (lucene variant) and their corpus rows, in the same order."""
    import bm25s

    frequencies = [_weighted(record) for record in records]
    lengths: np.ndarray = np.array([sum(one.values()) for one in frequencies] or [0.0], np.float64)
    average = float(lengths.mean()) or 1.0
    holders: dict[str, list[int]] = {}
    for row, terms in enumerate(frequencies):
        for term in terms:
            holders.setdefault(term, []).append(row)
    vocabulary = {term: column for column, term in enumerate(sorted(holders))}
    data, rows, starts = [], [], [0]
    for term in vocabulary:
        found = holders[term]
        idf = math.log(1 + (len(records) - len(found) + 0.5) / (len(found) + 0.5))
        for row in found:
            frequency = frequencies[row][term]
            norm = K1 * (1 - B + B * lengths[row] / average)
            data.append(idf * frequency / (frequency + norm))
            rows.append(row)
        starts.append(len(rows))
    model = bm25s.BM25(method="lucene", k1=K1, b=B)
    model.scores = {
        "data": np.array(data, np.float32),
        "indices": np.array(rows, np.int32),
        "indptr": np.array(starts, np.int64),
        "num_docs": len(records),
    }
    model.vocab_dict = vocabulary
    model.nonoccurrence_array = None  # of other variants
    model.unique_token_ids_set = set(vocabulary.values())
    model.save(folder, corpus=list(corpus), show_progress=False)


def _weighted(record: IndexRecord) -> dict[str, float]:
    summed: dict[str, float] = {}
    for term, weight in record.tokens:
        if weight > 0:
            summed[term] = summed.get(term, 0.0) + weight
    return summed
