"""Retrieval beside other libraries in one run: ``python benchmarks/rivals.py FOLDER [SET …] [--limit N]``.

FOLDER holds question sets (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv`` each). Printed is nDCG@10 of plain
bm25s, plain dense search, their weighted sum (see ``benchmarks/retrieval.py``), LlamaIndex's hybrid retrieval
(QueryFusionRetriever over vector and BM25, by reciprocal ranks and by relative scores), Haystack's (BM25 and
embedding retrievers joined by reciprocal ranks) and DropQA's. All have the same embedding model and, because theirs
know no Chinese words, the same tokens for BM25. The others are no dependencies of the project::

    uv run --no-sync --with llama-index-core --with llama-index-retrievers-bm25 --with haystack-ai \\
        python benchmarks/rivals.py FOLDER

``--libraries`` keeps DropQA's libraries by set, ``--vectors`` the others' vectors; both are used again.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

os.environ |= {"HAYSTACK_TELEMETRY_ENABLED": "False", "ANONYMIZED_TELEMETRY": "False"}

import numpy as np
from retrieval import Plain

from engine.evaluate.datasets import Dataset, load_dataset
from engine.evaluate.metrics import ndcg
from engine.evaluate.runs import evaluate
from engine.index.tokenize import tokens
from engine.library import Library
from engine.providers.embedding import WEIGHTS
from engine.providers.embedding_e5 import E5
from engine.shared_library import temporary_library

# So many of each view are joined: more than this changes no first ten.
DEPTH = 100
NAMES = ("bm25s", "dense", "sum", "llama rrf", "llama rel", "haystack", "dropqa")
Search = Callable[[str], Sequence[str]]


def main() -> None:
    """Measure and print one line a set, then the means and the lead over the best of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", help="names of sets; all when left out")
    parser.add_argument("--limit", type=int, default=None, help="only the first N questions")
    parser.add_argument("--libraries", type=Path, help="a folder for DropQA's libraries")
    parser.add_argument("--vectors", type=Path, help="a folder for the vectors of the passages")
    options = parser.parse_args()
    model = E5(WEIGHTS)
    names = options.sets or sorted(path.parent.name for path in options.folder.glob("*/qrels.tsv"))
    print(f"{'set':<18}" + "".join(f"{name:>11}" for name in NAMES) + f"{'lead':>9}")
    rows = []
    for name in names:
        dataset = load_dataset(options.folder / name, options.limit)
        texts = [f"{passage.title}\n{passage.text}" for passage in dataset.passages]
        vectors = _vectors(options.vectors / f"{name}.npy" if options.vectors else None, texts, model)
        row = _others(dataset, texts, vectors, model)
        with _library(options.libraries / name if options.libraries else None) as library:
            ours = evaluate(library, options.folder / name, modes=("hybrid",), limit=options.limit)
        rows.append([*row, ours["metrics"]["ndcg@10"]])
        print(_line(name, rows[-1]), flush=True)
    if len(rows) > 1:
        print(_line("mean", [float(value) for value in np.mean(rows, axis=0)]))


def _line(name: str, row: Sequence[float]) -> str:
    return f"{name:<18}" + "".join(f"{value:>11.3f}" for value in row) + f"{row[-1] - max(row[:-1]):>+9.3f}"


@contextlib.contextmanager
def _library(folder: Path | None) -> Iterator[Library]:
    with temporary_library() if folder is None else Library.open(folder, background=False) as library:
        yield library


def _vectors(file: Path | None, texts: Sequence[str], model: E5) -> np.ndarray:
    if file is not None and file.exists():
        kept: np.ndarray = np.load(file)
        if kept.shape == (len(texts), model.dimension):
            return kept
    vectors = model.raw([f"passage: {text}" for text in texts])
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, vectors)
    return vectors


def _others(dataset: Dataset, texts: Sequence[str], vectors: np.ndarray, model: E5) -> list[float]:
    ids = [passage.passage_id for passage in dataset.passages]
    asked = {one.text: model.raw([f"query: {one.text}"])[0] for one in dataset.questions}
    cut = [" ".join(tokens(text)) for text in texts]
    plain = Plain(texts, vectors, asked)

    def best(scores: Callable[[str], np.ndarray]) -> Search:
        return lambda question: [ids[i] for i in np.argsort(-scores(question), kind="stable")[:10]]

    searches = [best(plain.sparse), best(plain.dense), best(plain.weighted)]
    searches += [_llama_index(ids, cut, vectors, asked, mode) for mode in ("reciprocal_rerank", "relative_score")]
    searches.append(_haystack(ids, cut, vectors, asked))
    return [_mean_ndcg(dataset, search) for search in searches]


def _mean_ndcg(dataset: Dataset, search: Search) -> float:
    return float(np.mean([ndcg(search(one.text), one.gold, 10) for one in dataset.questions]))


def _llama_index(
    ids: Sequence[str], texts: Sequence[str], vectors: np.ndarray, asked: dict[str, np.ndarray], mode: str
) -> Search:
    """LlamaIndex's fusion of its vector and its BM25 retriever, without a language model's other questions."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import QueryBundle, TextNode
    from llama_index.retrievers.bm25 import BM25Retriever

    nodes = [
        TextNode(id_=one, text=text, embedding=vector.tolist())
        for one, text, vector in zip(ids, texts, vectors, strict=True)
    ]
    embedding = MockEmbedding(embed_dim=vectors.shape[1])  # never asked: all vectors are given
    index = VectorStoreIndex(nodes, embed_model=embedding)
    depth = min(DEPTH, len(nodes))
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=depth, skip_stemming=True, token_pattern=r"\S+")
    fusion = QueryFusionRetriever(
        [index.as_retriever(similarity_top_k=depth), words],
        llm=MockLLM(),
        mode=mode,
        similarity_top_k=10,
        num_queries=1,
        use_async=False,
    )

    def search(question: str) -> Sequence[str]:
        bundle = QueryBundle(" ".join(tokens(question)), embedding=asked[question].tolist())
        return [found.node.node_id for found in fusion.retrieve(bundle)]

    return search


def _haystack(ids: Sequence[str], texts: Sequence[str], vectors: np.ndarray, asked: dict[str, np.ndarray]) -> Search:
    """Haystack's retrievers in memory, joined by reciprocal ranks."""
    from haystack import Document
    from haystack.components.joiners import DocumentJoiner
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore(bm25_tokenization_regex=r"\S+", return_embedding=False)
    store.write_documents(
        [
            Document(id=one, content=text, embedding=vector.tolist())
            for one, text, vector in zip(ids, texts, vectors, strict=True)
        ]
    )
    words = InMemoryBM25Retriever(store, top_k=DEPTH)
    meaning = InMemoryEmbeddingRetriever(store, top_k=DEPTH)
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=10)

    def search(question: str) -> Sequence[str]:
        by_words = words.run(query=" ".join(tokens(question)))["documents"]
        by_meaning = meaning.run(query_embedding=asked[question].tolist())["documents"]
        return [found.id for found in joiner.run(documents=[by_words, by_meaning])["documents"]]

    return search


if __name__ == "__main__":
    main()
