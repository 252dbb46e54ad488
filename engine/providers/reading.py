"""The reader: a model that tells whether a text answers a question, and with which of its words.

It is multilingual-e5-small (Wang et al. 2024) trained on as a cross-encoder: it sees question and text together, which
vectors of each alone cannot make up for where many texts are about the very subject of the question. Its layers were
trained by ``benchmarks/train_reader.py`` to point at the answer of a question in a passage or to say that there is
none (as Devlin et al. 2019 do for SQuAD 2.0), and to tell by one more number whether there is one. What it has in
common with the embedding model, the vectors of words above all, is read from that model's file.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.providers.e5_model import PairModel, Pairs
from engine.providers.embedding import WEIGHTS

FILE = "reader.onnx"
# An answer is of so many tokens at most.
LONGEST = 24
# The verdict and the lead of the best span over none tell about as well; together a little better.
_SPAN_COUNTS = 0.3


class Passage(NamedTuple):
    """What is read: a text, and what it stands under ("" for nothing)."""

    title: str
    text: str


class Reading(NamedTuple):
    """What was read in a passage.

    ``certainty`` is how sure it is that the text answers, as log odds (0 is as likely as not). ``start`` and ``end``
    are the letters of the passage's text that answer best, whether it does or not; both 0 where it has no words.
    """

    certainty: float
    start: int
    end: int


class Reader(PairModel[Reading]):
    """A reader from a folder with ``reader.onnx``, ``model.onnx`` and ``tokenizer.json``. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, FILE, "the reader", "readings")

    def read(self, question: str, passages: Sequence[Passage]) -> list[Reading]:
        """Return one reading a passage, in their order. Raises ProviderError."""
        return self._of(question, passages)

    def _batch(
        self, session: Any, pairs: Pairs, rows: Sequence[int], inputs: Mapping[str, np.ndarray]
    ) -> list[Reading]:
        spans, verdicts = session.run(["spans", "verdicts"], inputs)
        body, begins = inputs["body_mask"], pairs.begins
        return [
            _reading(spans[i], body[i], float(verdicts[i, 0]), pairs.encoded[row].offsets, begins[row])
            for i, row in enumerate(rows)
        ]


@lru_cache(maxsize=1)
def open_reader() -> Reader:
    """Return the reader that ships, one for all libraries of the process; nothing is loaded before it reads."""
    return Reader(WEIGHTS)


def _reading(
    logits: np.ndarray, body: np.ndarray, verdict: float, offsets: Sequence[tuple[int, int]], begin: int
) -> Reading:
    """Return what the model's numbers for a text say; ``begin`` is where its passage's text begins in it."""
    lead, first, last = _best_span(logits, body)
    start, end = offsets[first][0], offsets[last][1]
    return Reading(verdict + _SPAN_COUNTS * lead, max(0, start - begin), max(0, end - begin))


def _best_span(logits: np.ndarray, body: np.ndarray) -> tuple[float, int, int]:
    """Return by how much the best span of the body leads none, and its first and last token.

    ``logits``, shape (tokens, 2), are for the begin and the end of the answer; the first token stands for none.
    """
    inside = np.flatnonzero(body)
    if not len(inside):
        return 0.0, 0, 0
    low, high = inside[0], inside[-1] + 1
    starts = np.where(body[low:high] > 0, logits[low:high, 0], -1e9)
    ends = np.where(body[low:high] > 0, logits[low:high, 1], -1e9)
    joint = starts[:, None] + ends[None, :]
    joint = np.where(np.triu(np.ones_like(joint)) * np.tril(np.ones_like(joint), LONGEST) > 0, joint, -1e9)
    first, last = np.unravel_index(int(joint.argmax()), joint.shape)
    lead = float(joint[first, last] - logits[0].sum())
    return lead, int(first + low), int(last + low)
