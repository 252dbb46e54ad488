"""Retrieval quality side by side: ``python benchmarks/retrieval.py FOLDER [SET …] [--limit N]``.

FOLDER holds question sets (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv`` each). Printed is nDCG@10 of
plain bm25s and plain dense search (the embedded model as it was trained) over whole passages, of their
plain weighted sum (0.45 dense, scaled between its 200th and its best; 0.35 sparse, over its best), and of
DropQA's modes through the whole pipeline.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import bm25s
import numpy as np

from engine.evaluate.datasets import Dataset, load_dataset
from engine.evaluate.metrics import ndcg
from engine.evaluate.runs import evaluate
from engine.index.tokenize import tokens
from engine.providers.embedding import WEIGHTS
from engine.providers.embedding_e5 import E5
from engine.shared_library import temporary_library

K = 200
MODES = ("hybrid", "semantic", "fulltext")


def main() -> None:
    """Measure and print one line a set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", help="names of sets; all when left out")
    parser.add_argument("--limit", type=int, default=None, help="only the first N questions")
    options = parser.parse_args()
    model = E5(WEIGHTS)
    names = options.sets or sorted(path.parent.name for path in options.folder.glob("*/qrels.tsv"))
    print(f"{'set':<18}" + "".join(f"{name:>10}" for name in ("bm25s", "dense", "sum", *MODES)))
    for name in names:
        dataset = load_dataset(options.folder / name, options.limit)
        plain = _plain(dataset, model)
        with temporary_library() as library:
            ours = evaluate(library, options.folder / name, modes=MODES, limit=options.limit)["by_mode"]
        row = [*plain, *(ours[mode]["metrics"]["ndcg@10"] for mode in MODES)]
        print(f"{name:<18}" + "".join(f"{value:>10.3f}" for value in row), flush=True)


def _plain(dataset: Dataset, model: E5) -> list[float]:
    """Return nDCG@10 of bm25s, dense and their weighted sum over whole passages."""
    texts = [f"{passage.title}\n{passage.text}" for passage in dataset.passages]
    ids = [passage.passage_id for passage in dataset.passages]
    questions = {one.text: model.raw([f"query: {one.text}"])[0] for one in dataset.questions}
    plain = Plain(texts, model.raw([f"passage: {text}" for text in texts]), questions)
    return [_mean_ndcg(dataset, ids, score) for score in (plain.sparse, plain.dense, plain.weighted)]


class Plain:
    """The simple searches over texts with their vectors, shape (len(texts), d); ``questions`` are vectors by text.

    Each method returns a question's scores, shape (len(texts),).
    """

    def __init__(self, texts: Sequence[str], vectors: np.ndarray, questions: Mapping[str, np.ndarray]) -> None:
        self._index = bm25s.BM25(method="lucene")
        self._index.index([tokens(text) for text in texts], show_progress=False)
        self._vectors = vectors
        self._questions = questions

    def sparse(self, question: str) -> np.ndarray:
        """BM25."""
        known = [token for token in tokens(question) if token in self._index.vocab_dict]
        return np.asarray(self._index.get_scores(known)) if known else np.zeros(len(self._vectors))

    def dense(self, question: str) -> np.ndarray:
        """Cosines."""
        return np.asarray(self._vectors @ self._questions[question])

    def weighted(self, question: str) -> np.ndarray:
        """Both, scaled to their first :data:`K`."""
        words, meaning = self.sparse(question), self.dense(question)
        low = np.sort(meaning)[-min(K, len(meaning))]
        joint = 0.45 * np.maximum(meaning - low, 0) / max(meaning.max() - low, 1e-9)
        kept = words >= np.sort(words)[-min(K, len(words))]
        return np.asarray(joint + 0.35 * np.where(kept, words, 0) / (words.max() or 1.0))


def _mean_ndcg(dataset: Dataset, ids: Sequence[str], score: Callable[[str], np.ndarray]) -> float:
    values = []
    for question in dataset.questions:
        best = np.argsort(-score(question.text), kind="stable")[:10]
        values.append(ndcg([ids[i] for i in best], question.gold, 10))
    return float(np.mean(values))


if __name__ == "__main__":
    main()
