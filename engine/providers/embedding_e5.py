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

import hashlib
import io
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from engine.providers.e5_model import MODEL_FILE, SPECIAL, E5Model, batches, padded
from engine.recent import QUERIES_REMEMBERED

LANGUAGE_FILE = "language_direction.npy"
# Chosen on question sets in one language, in the other, and in both mixed. The questions' constant makes
# up for passages in Chinese being a little nearer to everything.
PASSAGES_KEEP = 0.3
QUESTIONS_GET = -0.1


class E5:
    """multilingual-e5-small from a folder with ``model.onnx`` and ``tokenizer.json``, loaded on first use."""

    dimension = 384
    spread: float | None = 0.06

    def __init__(self, folder: Path) -> None:
        self._model = E5Model(folder, MODEL_FILE, "the embedding model")
        self.query = lru_cache(QUERIES_REMEMBERED)(self._query)

    @cached_property
    def name(self) -> str:
        """Model name and the first digits of the SHA-256 of its weights and language direction."""
        digest = hashlib.sha256(f"{PASSAGES_KEEP} {QUESTIONS_GET}".encode())
        for file in (MODEL_FILE, LANGUAGE_FILE):
            digest.update(self._model.read(file))
        return f"multilingual-e5-small@{digest.hexdigest()[:12]}"

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of passages, shape (len(texts), 384)."""
        vectors = self.raw(["passage: " + text for text in texts])
        u = self._language
        return _unit(vectors - (1 - PASSAGES_KEEP) * np.outer(vectors @ u, u))

    def phrases(self, texts: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of names and phrases that are held against each other, shape (len(texts), 384).

        Both sides are questions to this model, as its authors advise for texts of one kind; no language is told apart.
        """
        vectors = self.raw(["query: " + text for text in texts])
        u = self._language
        return _unit(vectors - np.outer(vectors @ u, u))

    def _query(self, text: str) -> np.ndarray:
        """Return the unit vector of a question, shape (384,)."""
        vectors = self.raw(["query: " + text])
        u = self._language
        vector: np.ndarray = _unit(vectors + np.outer(QUESTIONS_GET - vectors @ u, u))[0]
        vector.setflags(write=False)
        return vector

    @cached_property
    def _language(self) -> np.ndarray:
        direction: np.ndarray = np.load(io.BytesIO(self._model.read(LANGUAGE_FILE)))
        return direction

    def raw(self, texts: Sequence[str]) -> np.ndarray:
        """Return the model's own unit vectors of texts that bear their prefix, shape (len(texts), 384)."""
        tokenizer, session = self._model.loaded()
        vectors = np.empty((len(texts), self.dimension), np.float32)
        ids = [tokenizer.encode(SPECIAL.sub(r"< \1 >", text)).ids for text in texts]
        for rows in batches([len(row) for row in ids]):
            tokens, mask = padded([ids[row] for row in rows])
            vectors[rows] = session.run(["embeddings"], {"input_ids": tokens, "attention_mask": mask})[0]
        return vectors


def _unit(vectors: np.ndarray) -> np.ndarray:
    unit: np.ndarray = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
