"""A BM25F index as a bm25s folder: weighted term frequencies, saturated once (seed 002, 2 and 5.6).

It is read with ``bm25s.BM25.load(folder, load_corpus=True)`` and asked with this library's tokens:

    model.retrieve([[term for term, _ in engine.index.tokenize.query_terms(question)]])
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from storage.base import IndexRecord
from storage.catalog.postings import build
from storage.catalog.sparse import K1, B, scores_alone


def write_bm25(folder: Path, records: Sequence[IndexRecord], corpus: Sequence[dict[str, str]]) -> None:
    """Write the index of some nodes (lucene variant) and their corpus rows, in the same order."""
    import bm25s

    postings = build((row, record.tokens) for row, record in enumerate(records))
    model = bm25s.BM25(method="lucene", k1=K1, b=B)
    data, rows, starts = np.empty(0, np.float32), np.empty(0, np.int32), np.zeros(1, np.int64)
    if postings:
        data, rows, starts = (scores_alone(postings), postings.keys[postings.rows].astype(np.int32), postings.starts)
    model.scores = {"data": data, "indices": rows, "indptr": starts, "num_docs": len(records)}
    model.vocab_dict = {term: column for column, term in enumerate(postings.terms)} if postings else {}
    model.nonoccurrence_array = None  # of other variants
    model.unique_token_ids_set = set(model.vocab_dict.values())
    model.save(folder, corpus=list(corpus), show_progress=False)
