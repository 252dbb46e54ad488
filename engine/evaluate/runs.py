"""Measure retrieval: a question set goes in like uploaded texts, and every question is searched."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import StorageError
from engine.evaluate.datasets import Dataset, Passage, Question, load_dataset
from engine.evaluate.metrics import CUTOFFS, DEPTH, percentile, score
from engine.model import document_id_for
from engine.parse.filename import clean_name

if TYPE_CHECKING:
    from engine.library import Library

# A document may hold several found nodes: so many nodes are asked for to see DEPTH documents.
NODES = (DEPTH * 2, DEPTH * 8)


def evaluate(
    library: Library, folder: Path, *, modes: Sequence[str], limit: int | None = None
) -> dict[str, Any]:
    """Return the JSON of ``dropqa eval``: measures by mode, those of the first mode on top.

    Raises UsageError for a malformed dataset, StorageError when a passage cannot be taken in.
    """
    dataset = load_dataset(folder, limit)
    started = time.perf_counter()
    ids = _take_in(library, dataset)
    seconds = time.perf_counter() - started
    by_mode = {mode: _run(library, dataset.questions, ids, mode) for mode in modes}
    first = by_mode[modes[0]]
    return {
        "metrics": first["metrics"],
        "queries": len(dataset.questions),
        "latency_ms": first["latency_ms"],
        "index_seconds": round(seconds, 2),
        "by_mode": by_mode,
    }


def _take_in(library: Library, dataset: Dataset) -> dict[str, str]:
    """Add the corpus and compute its vectors; return passage ids by document id."""
    names = {passage.passage_id: clean_name(f"{passage.passage_id}.txt") for passage in dataset.passages}
    results = library.add_texts(
        (names[passage.passage_id], _document(passage)) for passage in dataset.passages
    )
    failed = [result for result in results if result.status == "failed"]
    if failed:
        raise StorageError(f"{len(failed)} passages could not be added; {failed[0].name}: {failed[0].error}")
    library.embed_pending()
    while library.storage.maintain():
        pass
    return {document_id_for(name): passage_id for passage_id, name in names.items()}


def _document(passage: Passage) -> str:
    return f"{passage.title}\n\n{passage.text}" if passage.title else passage.text


def _run(library: Library, questions: Sequence[Question], ids: dict[str, str], mode: str) -> dict[str, Any]:
    library.search(questions[0].text, mode=mode)  # models are loaded outside the clock
    scores, latencies = [], []
    for question in questions:
        started = time.perf_counter()
        ranking = _ranking(library, question.text, ids, mode, NODES[0])
        latencies.append((time.perf_counter() - started) * 1000)
        if len(ranking) < DEPTH:
            ranking = _ranking(library, question.text, ids, mode, NODES[1])
        scores.append(score(ranking, question.gold))
    return {
        "metrics": {name: round(sum(one[name] for one in scores) / len(scores), 4) for name in CUTOFFS},
        "latency_ms": {
            "p50": round(percentile(latencies, 0.5), 2),
            "p95": round(percentile(latencies, 0.95), 2),
        },
    }


def _ranking(library: Library, text: str, ids: dict[str, str], mode: str, nodes: int) -> list[str]:
    """Search and return passage ids, each at the place of its best node."""
    hits = library.search(text, mode=mode, top_k=nodes).hits
    return list(dict.fromkeys(ids[hit.document_id] for hit in hits if hit.document_id in ids))[:DEPTH]
