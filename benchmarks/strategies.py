"""What the indexing strategies give and cost: ``python benchmarks/strategies.py FOLDER … [--limit N]``.

Each FOLDER is a question set (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``), or one of long documents: a
folder ``corpora`` with text files, and ``queries.jsonl`` with the texts (``span_texts``) of each question's gold
passages. The sets are indexed by one strategy after the other, without a language model. Printed are nDCG@10 and
recall@5 of hybrid and of semantic search, and how many texts had to be embedded that no strategy before had.
Gold passages of long documents count as found where a node among the hits holds them (or lies in them).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.config import Strategy
from engine.evaluate.metrics import means, score
from engine.evaluate.runs import evaluate
from engine.index.strategies import STRATEGIES
from engine.ingest import Source
from engine.library import Library
from engine.model import Hit
from engine.shared_library import temporary_library

MODES = ("hybrid", "semantic")
MEASURES = ("ndcg@10", "recall@5")
DEPTH = 20


@dataclass(frozen=True)
class Asked:
    """A question with the texts that answer it, without white space."""

    text: str
    gold: list[str]


def main() -> None:
    """Measure and print a line a set and strategy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, default=None, help="only the first N questions")
    parser.add_argument("--letters", type=int, default=None, help="only the first N letters of a document")
    parser.add_argument("--strategies", nargs="*", choices=STRATEGIES, default=STRATEGIES)
    options = parser.parse_args()
    print(f"{'set':<12}{'strategy':<14}" + "".join(f"{f'{m} {n}':>19}" for m in MODES for n in MEASURES), end="")
    print(f"{'embedded':>10}")
    for folder in options.folders:
        with temporary_library() as library:
            for strategy in options.strategies:
                if strategy == "questions":
                    continue  # nothing without a model
                if (folder / "corpora").is_dir():
                    told = long_documents(library, folder, strategy, options.limit, options.letters)
                else:
                    told = question_set(library, folder, strategy, options.limit)
                row = "".join(f"{told[mode][name]:>19.3f}" for mode in MODES for name in MEASURES)
                print(f"{folder.name:<12}{strategy:<14}{row}{told['cost']['embedded']:>10.0f}", flush=True)


Measured = dict[str, dict[str, float]]


def question_set(library: Library, folder: Path, strategy: Strategy, limit: int | None) -> Measured:
    """Return the measures of a set by mode, and what it cost."""
    told = evaluate(library, folder, modes=MODES, limit=limit, strategy=strategy)
    cost = {"embedded": float(told["cache"]["computed"])}
    return {mode: told["by_mode"][mode]["metrics"] for mode in MODES} | {"cost": cost}


def long_documents(
    library: Library, folder: Path, strategy: Strategy, limit: int | None, letters: int | None
) -> Measured:
    """Return the measures of long documents by mode, and what they cost."""
    texts = {path.name: path.read_text("utf-8")[:letters] for path in sorted((folder / "corpora").iterdir())}
    library.add([Source(name, text.encode(), strategy) for name, text in texts.items()])
    embedded = library.embed_pending()
    solid = {name: _solid(text) for name, text in texts.items()}
    asked = []
    for line in (folder / "queries.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        gold = [_solid(text) for text in row["span_texts"]]
        if all(text in solid.get(row["doc"], "") for text in gold):
            asked.append(Asked(row["text"], gold))
    step = max(1, len(asked) // limit) if limit else 1
    asked = asked[::step]
    measured: Measured = {}
    for mode in MODES:
        scores = [
            score(
                _found(library, one, library.search(one.text, mode=mode, top_k=DEPTH).hits),
                frozenset(map(str, range(len(one.gold)))),
            )
            for one in asked
        ]
        measured[mode] = means(scores)
    return measured | {"cost": {"embedded": float(embedded)}}


def _found(library: Library, asked: Asked, hits: Sequence[Hit]) -> list[str]:
    """Return for each hit the gold texts that it holds for the first time, or a name of no gold text."""
    ranking: list[str] = []
    for hit in hits:
        text = _solid(library.node(hit.node_id, hit.version).node.text)
        held = [
            str(number)
            for number, gold in enumerate(asked.gold)
            if text and (gold in text or text in gold) and str(number) not in ranking
        ]
        ranking += held or [f"-{hit.node_id}"]
    return list(dict.fromkeys(ranking))


def _solid(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    main()
