"""The judge of statements: a model that tells whether a text says a statement, contradicts it or leaves it open.

It is the reader's network (multilingual-e5-small, Wang et al. 2024) trained on for natural language inference (Bowman
et al. 2015) by ``benchmarks/train_entailment.py``, on statements in Chinese and English, also about texts in the other
language. What it has in common with the embedding model is read from that model's file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.providers.e5_model import E5Model, Pairs
from engine.providers.embedding import WEIGHTS
from engine.providers.reading import Passage
from engine.recent import Recent

FILE = "entailment.onnx"
REMEMBERED = 2048


class Entailment(NamedTuple):
    """How likely (0..1, together 1) a text entails a statement, leaves it open, contradicts it."""

    entailed: float
    neutral: float
    contradicted: float


class EntailmentJudge:
    """A judge from a folder with ``entailment.onnx``, ``model.onnx`` and ``tokenizer.json``. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._model = E5Model(folder, FILE, "the judge of statements")
        self._judged: Recent[tuple[str, Passage], Entailment] = Recent("entailments", REMEMBERED)

    @cached_property
    def name(self) -> str:
        """The model's identity: its name and the first digits of the SHA-256 of its weights."""
        return f"entailment-e5-small@{self._model.digest(FILE)}"

    def judge(self, statement: str, passages: Sequence[Passage]) -> list[Entailment]:
        """Return what each passage (512 tokens of it) says of a statement, in their order. Raises ProviderError."""

        def fresh(new: Sequence[tuple[str, Passage]]) -> list[Entailment]:
            return self._judge(statement, [passage for _, passage in new])

        return self._judged.of([(statement, passage) for passage in passages], fresh)

    def _judge(self, statement: str, passages: Sequence[Passage]) -> list[Entailment]:
        tokenizer, session = self._model.loaded()
        found: dict[int, Entailment] = {}
        for rows, inputs in Pairs(tokenizer, statement, passages).batches():
            (verdicts,) = session.run(["verdicts"], inputs)
            likely = np.exp(verdicts - verdicts.max(-1, keepdims=True))
            likely /= likely.sum(-1, keepdims=True)
            found |= {row: Entailment(*map(float, likely[i])) for i, row in enumerate(rows)}
        return [found[row] for row in range(len(passages))]


@lru_cache(maxsize=1)
def open_judge() -> EntailmentJudge:
    """Return the judge that ships, one for all libraries of the process; nothing is loaded before it judges."""
    return EntailmentJudge(WEIGHTS)
