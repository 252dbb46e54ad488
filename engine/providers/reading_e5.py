"""The embedded reader: multilingual-e5-small (Wang et al. 2024) trained on as a cross-encoder.

Its layers were trained by ``benchmarks/train_reader.py`` to point at the answer of a question in a passage or to say
that there is none (as Devlin et al. 2019 do for SQuAD 2.0), and to tell by one more number whether there is one.
What it has in common with the embedding model, the vectors of words above all, is read from that model's file.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ProviderUnavailableError
from engine.providers.embedding_e5 import PAD, SPECIAL, batches, open_tokenizer
from engine.providers.reading import Passage, Reading

FILE = "reader.onnx"
# An answer is of so many tokens at most.
LONGEST = 24
REMEMBERED = 2048
_QUERY, _PASSAGE = "query: ", "passage: "
# The verdict and the lead of the best span over none tell about as well; together a little better.
_SPAN_COUNTS = 0.3


class E5Reader:
    """A reader from a folder with ``reader.onnx``, ``model.onnx`` and ``tokenizer.json``, loaded on first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._read: OrderedDict[tuple[str, Passage], Reading] = OrderedDict()

    @cached_property
    def name(self) -> str:
        """Model name and the first digits of the SHA-256 of its weights."""
        try:
            digest = hashlib.sha256((self._folder / FILE).read_bytes()).hexdigest()
        except OSError as error:
            raise self._missing(error) from error
        return f"reader-e5-small@{digest[:12]}"

    def read(self, question: str, passages: Sequence[Passage]) -> list[Reading]:
        """Return one reading a passage; the last ones are remembered."""
        with self._lock:
            known = {one: self._read.get((question, one)) for one in dict.fromkeys(passages)}
        new = [one for one, reading in known.items() if reading is None]
        known.update(zip(new, self._readings(question, new) if new else (), strict=True))
        with self._lock:
            for one in new:
                reading = known[one]
                assert reading is not None
                self._read[question, one] = reading
            while len(self._read) > REMEMBERED:
                self._read.popitem(last=False)
        return [reading for one in passages if (reading := known[one]) is not None]

    def _readings(self, question: str, passages: Sequence[Passage]) -> list[Reading]:
        tokenizer, session = self._load()
        asked = _QUERY + _harmless(question)
        texts = [
            _PASSAGE + _harmless(one.title + "\n" if one.title else "") + _harmless(one.text)
            for one in passages
        ]
        encoded = [tokenizer.encode(asked, text) for text in texts]
        found: list[Reading] = [Reading(0.0, 0, 0)] * len(passages)
        for rows in batches([len(one.ids) for one in encoded]):
            width = max(len(encoded[row].ids) for row in rows)
            ids = np.full((len(rows), width), PAD, np.int64)
            mask, body = np.zeros_like(ids), np.zeros_like(ids)
            for i, row in enumerate(rows):
                one = encoded[row]
                begin = len(texts[row]) - len(passages[row].text)
                ids[i, : len(one.ids)] = one.ids
                mask[i, : len(one.ids)] = 1
                body[i, : len(one.ids)] = [
                    part == 1 and start >= begin and end > start
                    for part, (start, end) in zip(one.sequence_ids, one.offsets, strict=True)
                ]
            inputs = {"input_ids": ids, "attention_mask": mask, "body_mask": body}
            spans, verdicts = session.run(["spans", "verdicts"], inputs)
            for i, row in enumerate(rows):
                begin = len(texts[row]) - len(passages[row].text)
                lead, first, last = _best_span(spans[i], body[i])
                start, end = encoded[row].offsets[first][0], encoded[row].offsets[last][1]
                certainty = float(verdicts[i, 0] + _SPAN_COUNTS * lead)
                found[row] = Reading(certainty, max(0, start - begin), max(0, end - begin))
        return found

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()
            return self._loaded

    def _open(self) -> tuple[Any, Any]:
        import onnxruntime

        onnxruntime.disable_telemetry_events()  # else it keeps a database of what it does
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        path = str(self._folder / FILE)
        try:
            tokenizer = open_tokenizer(self._folder)
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except (
            Exception
        ) as error:  # the libraries have no classes of their own for what is missing or no model
            raise self._missing(error) from error
        return tokenizer, session

    def _missing(self, error: Exception) -> ProviderUnavailableError:
        return ProviderUnavailableError(
            f"The weights of the reader cannot be read from {self._folder} ({error}). Install DropQA again."
        )


def _harmless(text: str) -> str:
    """Return a text of the same length in which nothing is a control token of the model."""
    return SPECIAL.sub(lambda match: "(" + match[0][1:], text)


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
