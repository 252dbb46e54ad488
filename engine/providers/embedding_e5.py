"""The embedded model: multilingual-e5-small (Wang et al. 2024) on onnxruntime.

The shipped weights are pruned to Latin, Greek, CJK and kana scripts, int8 layers with static
activations, so that a text's vector does not depend on its batch. Texts are cut at 512 tokens. Cosines
of this model lie between about 0.7 and 0.95: they rank, they are no measure of relevance by themselves.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ProviderUnavailableError
from engine.providers.embedding import QueryCache

MAX_TOKENS = 512
# Small batches keep the activations in the processor's cache: 512 tokens a batch is 1.5 times as fast
# as 3000, and a little slower than 256.
BATCH_TOKENS = 512
PAD = 1
# Text such as "<s>" would become a control token of the model, also in its full-width form.
_SPECIAL = re.compile("[<\uff1c]\\s*(/?s|pad|unk|mask)\\s*[>\uff1e]")


class E5:
    """multilingual-e5-small from a folder with ``model.onnx`` and ``tokenizer.json``, loaded on first use."""

    dimension = 384

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._queries = QueryCache(lambda text: self._embed(["query: " + text])[0])

    @cached_property
    def name(self) -> str:
        """Model name and the first digits of the SHA-256 of its weights."""
        try:
            with (self._folder / "model.onnx").open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise self._missing(error) from error
        return f"multilingual-e5-small@{digest[:12]}"

    def query(self, text: str) -> np.ndarray:
        """Return the unit vector of a question, shape (384,); the last few hundred are remembered."""
        return self._queries(text)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of passages, shape (len(texts), 384)."""
        return self._embed(["passage: " + text for text in texts])

    def _embed(self, texts: Sequence[str]) -> np.ndarray:
        tokenizer, session = self._load()
        vectors = np.empty((len(texts), self.dimension), np.float32)
        ids = [tokenizer.encode(_SPECIAL.sub(r"< \1 >", text)).ids for text in texts]
        for rows in _batches([len(row) for row in ids]):
            width = max(len(ids[row]) for row in rows)
            tokens = np.full((len(rows), width), PAD, np.int64)
            mask = np.zeros((len(rows), width), np.int64)
            for i, row in enumerate(rows):
                tokens[i, : len(ids[row])] = ids[row]
                mask[i, : len(ids[row])] = 1
            vectors[rows] = session.run(["embeddings"], {"input_ids": tokens, "attention_mask": mask})[0]
        return vectors

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()
            return self._loaded

    def _open(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        onnxruntime.disable_telemetry_events()  # else it keeps a database of what it does
        paths = (self._folder / "tokenizer.json", self._folder / "model.onnx")
        for path in paths:
            if not path.exists():
                raise self._missing(FileNotFoundError(path))
        tokenizer = Tokenizer.from_file(str(paths[0]))
        tokenizer.enable_truncation(MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        # One thread a call: a second one gains nothing on short texts and takes the app's core.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(str(paths[1]), options, providers=["CPUExecutionProvider"])
        return tokenizer, session

    def _missing(self, error: OSError) -> ProviderUnavailableError:
        return ProviderUnavailableError(
            f"The weights of the embedding model cannot be read from {self._folder} ({error}). Install DropQA again."
        )


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of row numbers, alike in length, whose padded size is about BATCH_TOKENS."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batch: list[int] = []
    for row in order:
        if batch and (len(batch) + 1) * lengths[row] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
