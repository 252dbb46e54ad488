"""The embedded model: multilingual-e5-small (Wang et al. 2024) on onnxruntime.

The shipped weights are pruned to Latin, Greek, CJK and kana scripts, int8 layers with static
activations, so that a text's vector does not depend on its batch. Texts are cut at 512 tokens. Cosines
of this model lie between about 0.7 and 0.95: they rank, they are no measure of relevance by themselves.

The model tells languages apart by one direction of its space so strongly that a Chinese question finds any
Chinese passage before the English one that answers it. So along that direction (measured on parallel
texts by ``benchmarks/language_direction.py``) passages keep 0.3 of their component, and all questions get
the same one. Within one language this changes nothing to speak of; with both in a library, the passage in
the other language is found.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
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
MODEL_FILE, TOKENIZER_FILE = "model.onnx", "tokenizer.json"
LANGUAGE_FILE = "language_direction.npy"
# Chosen on question sets in one language, in the other, and in both mixed. The questions' constant makes
# up for passages in Chinese being a little nearer to everything.
PASSAGES_KEEP = 0.3
QUESTIONS_GET = -0.1
# Text such as "<s>" would become a control token of the model, also in its full-width form.
SPECIAL = re.compile("[<\uff1c]\\s*(/?s|pad|unk|mask)\\s*[>\uff1e]")


class E5:
    """multilingual-e5-small from a folder with ``model.onnx`` and ``tokenizer.json``, loaded on first use."""

    dimension = 384
    # Unrelated passages lie about this far below the best match.
    spread = 0.06

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._queries = QueryCache(self._query)

    @cached_property
    def name(self) -> str:
        """Model name and the first digits of the SHA-256 of its weights and language direction."""
        digest = hashlib.sha256(f"{PASSAGES_KEEP} {QUESTIONS_GET}".encode())
        try:
            for file in (MODEL_FILE, LANGUAGE_FILE):
                digest.update((self._folder / file).read_bytes())
        except OSError as error:
            raise self._missing(error) from error
        return f"multilingual-e5-small@{digest.hexdigest()[:12]}"

    def query(self, text: str) -> np.ndarray:
        """Return the unit vector of a question, shape (384,); the last few hundred are remembered."""
        return self._queries(text)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of passages, shape (len(texts), 384)."""
        vectors = self.raw(["passage: " + text for text in texts])
        u = self._language
        return _unit(vectors - (1 - PASSAGES_KEEP) * np.outer(vectors @ u, u))

    def _query(self, text: str) -> np.ndarray:
        vectors = self.raw(["query: " + text])
        u = self._language
        vector: np.ndarray = _unit(vectors + np.outer(QUESTIONS_GET - vectors @ u, u))[0]
        return vector

    @cached_property
    def _language(self) -> np.ndarray:
        try:
            direction: np.ndarray = np.load(self._folder / LANGUAGE_FILE)
        except OSError as error:
            raise self._missing(error) from error
        return direction

    def raw(self, texts: Sequence[str]) -> np.ndarray:
        """Return the model's own unit vectors of texts that bear their prefix, shape (len(texts), 384)."""
        tokenizer, session = self._load()
        vectors = np.empty((len(texts), self.dimension), np.float32)
        ids = [tokenizer.encode(SPECIAL.sub(r"< \1 >", text)).ids for text in texts]
        for rows in batches([len(row) for row in ids]):
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

        onnxruntime.disable_telemetry_events()  # else it keeps a database of what it does
        for path in (self._folder / TOKENIZER_FILE, self._folder / MODEL_FILE):
            if not path.exists():
                raise self._missing(FileNotFoundError(path))
        tokenizer = open_tokenizer(self._folder)
        options = onnxruntime.SessionOptions()
        # One thread a call: a second one gains nothing on short texts and takes the app's core.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(
            str(self._folder / MODEL_FILE), options, providers=["CPUExecutionProvider"]
        )
        return tokenizer, session

    def _missing(self, error: OSError) -> ProviderUnavailableError:
        return ProviderUnavailableError(
            f"The weights of the embedding model cannot be read from {self._folder} ({error}). Install DropQA again."
        )


@lru_cache(maxsize=2)
def open_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of a folder, cutting at 512 tokens: one for all models there, a tenth of a gigabyte."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _unit(vectors: np.ndarray) -> np.ndarray:
    unit: np.ndarray = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
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
