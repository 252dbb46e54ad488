"""The judge of statements: a model that tells whether a text says a statement, contradicts it or leaves it open.

It is the reader's network (multilingual-e5-small, Wang et al. 2024) trained on for natural language inference (Bowman
et al. 2015) by ``benchmarks/train_entailment.py``, on statements in Chinese and English, also about texts in the other
language. What it has in common with the embedding model is read from that model's file.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.providers.e5_model import PairModel, Pairs
from engine.providers.embedding import WEIGHTS
from engine.providers.reading import Passage

FILE = "entailment.onnx"


class Entailment(NamedTuple):
    """How likely (0..1, together 1) a text entails a statement, leaves it open, contradicts it."""

    entailed: float
    neutral: float
    contradicted: float


class EntailmentJudge(PairModel[Entailment]):
    """A judge from a folder with ``entailment.onnx``, ``model.onnx`` and ``tokenizer.json``. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, FILE, "the judge of statements", "entailments")

    def judge(self, statement: str, passages: Sequence[Passage]) -> list[Entailment]:
        """Return what each passage (512 tokens of it) says of a statement, in their order. Raises ProviderError."""
        return self._of(statement, passages)

    def _batch(
        self, session: Any, pairs: Pairs, rows: Sequence[int], inputs: Mapping[str, np.ndarray]
    ) -> list[Entailment]:
        (verdicts,) = session.run(["verdicts"], inputs)
        likely = np.exp(verdicts - verdicts.max(-1, keepdims=True))
        return [Entailment(*map(float, one)) for one in likely / likely.sum(-1, keepdims=True)]


@lru_cache(maxsize=1)
def open_judge() -> EntailmentJudge:
    """Return the judge that ships, one for all libraries of the process; nothing is loaded before it judges."""
    return EntailmentJudge(WEIGHTS)
