"""What the embedding model and the reader that ship have in common: tokens, batches, and a session of onnxruntime."""

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from engine.errors import ProviderUnavailableError
from engine.recent import Recent

MAX_TOKENS = 512
# Small batches keep the activations in the processor's cache: 512 tokens a batch is 1.5 times as fast
# as 3000, and a little slower than 256. A batch more costs as much as so many tokens of padding.
BATCH_TOKENS, BATCH_COSTS = 512, 10
PAD = 1
# So many batches of pairs are read at the same time, those of all questions together; so many are remembered.
AT_ONCE, REMEMBERED = 2, 2048
_QUERY, _PASSAGE = "query: ", "passage: "
MODEL_FILE, TOKENIZER_FILE = "model.onnx", "tokenizer.json"
# Text such as "<s>" would become a control token of the model, also in its full-width form.
SPECIAL = re.compile("[<\uff1c]\\s*(/?s|pad|unk|mask)\\s*[>\uff1e]")
Told = TypeVar("Told")


class E5Model:
    """A network of a folder with its tokenizer, loaded on first use. Thread-safe."""

    def __init__(self, folder: Path, file: str, what: str) -> None:
        """``what`` is it called in errors."""
        self._folder, self._file, self._what = folder, file, what
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def read(self, file: str) -> bytes:
        """Return the content of a file in the folder. Raises ProviderUnavailableError."""
        try:
            return (self._folder / file).read_bytes()
        except OSError as error:
            raise self._missing(error) from error

    def loaded(self) -> tuple[Any, Any]:
        """Return tokenizer and session. Raises ProviderUnavailableError."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._open()
            return self._loaded

    def _open(self) -> tuple[Any, Any]:
        import onnxruntime

        onnxruntime.disable_telemetry_events()  # else it keeps a database of what it does
        options = onnxruntime.SessionOptions()
        # One thread a call: the layers are small, and a second thread spends an eighth more to be waited for.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        path = str(self._folder / self._file)
        try:
            tokenizer = open_tokenizer(self._folder)
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the libraries have no classes of their own for what is missing or no model
            raise self._missing(error) from error
        return tokenizer, session

    def _missing(self, error: Exception) -> ProviderUnavailableError:
        return ProviderUnavailableError(
            f"The weights of {self._what} cannot be read from {self._folder} ({error}). Install DropQA again."
        )


@lru_cache(maxsize=2)
def open_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of a folder, cutting at 512 tokens: one for all models there, a tenth of a gigabyte."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of row numbers, alike in length so that little is padded, of about BATCH_TOKENS at most."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batch = order[:1]
    for row in order[1:]:
        padding = len(batch) * (lengths[row] - lengths[batch[-1]])
        if padding > BATCH_COSTS or (len(batch) + 1) * lengths[row] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def padded(ids: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return a batch's tokens and their mask, as wide as its longest text."""
    tokens = np.full((len(ids), max(map(len, ids))), PAD, np.int64)
    mask = np.zeros_like(tokens)
    for i, row in enumerate(ids):
        tokens[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return tokens, mask


def harmless(text: str) -> str:
    """Return a text of the same length in which nothing is a control token of the model."""
    return SPECIAL.sub(lambda match: "(" + match[0][1:], text)


class Pairs:
    """A question or statement beside each of some passages, in tokens; control tokens in them are only text."""

    def __init__(self, tokenizer: Any, asked: str, passages: Sequence[tuple[str, str]]) -> None:
        """``passages`` are titles ("" for none) with texts."""
        above = [_PASSAGE + (harmless(title) + "\n" if title else "") for title, _ in passages]
        self.begins = [len(one) for one in above]  # the letter at which each text begins, behind its title
        self.encoded = [
            tokenizer.encode(_QUERY + harmless(asked), title + harmless(text))
            for title, (_, text) in zip(above, passages, strict=True)
        ]

    def batches(self) -> Iterator[tuple[list[int], dict[str, np.ndarray]]]:
        """Yield numbers of passages and the network's inputs for them; ``body_mask`` marks the tokens of texts."""
        for rows in batches([len(one.ids) for one in self.encoded]):
            ids, mask = padded([self.encoded[row].ids for row in rows])
            body = np.zeros_like(ids)
            for i, row in enumerate(rows):
                one = self.encoded[row]
                body[i, : len(one.ids)] = [
                    part == 1 and start >= self.begins[row] and end > start
                    for part, (start, end) in zip(one.sequence_ids, one.offsets, strict=True)
                ]
            yield rows, {"input_ids": ids, "attention_mask": mask, "body_mask": body}


class PairModel(Generic[Told]):
    """A network that tells something of passages, each beside a question or a statement. Thread-safe."""

    def __init__(self, folder: Path, file: str, what: str, kept_as: str) -> None:
        """``what`` is it called in errors, ``kept_as`` what it told lately in the metrics."""
        self._model = E5Model(folder, file, what)
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix=kept_as)
        self._kept: Recent[tuple[str, tuple[str, str]], Told] = Recent(kept_as, REMEMBERED)

    def _of(self, asked: str, passages: Sequence[tuple[str, str]]) -> list[Told]:
        """Return what it tells of each passage, in their order; the last ones are remembered."""

        def fresh(new: Sequence[tuple[str, tuple[str, str]]]) -> list[Told]:
            tokenizer, session = self._model.loaded()
            pairs = Pairs(tokenizer, asked, [passage for _, passage in new])
            groups = list(pairs.batches())
            made = self._pool.map(lambda group: self._batch(session, pairs, *group), groups)
            told: dict[int, Told] = {}
            for (rows, _), batch in zip(groups, made, strict=True):
                told.update(zip(rows, batch, strict=True))
            return [told[row] for row in range(len(new))]

        return self._kept.of([(asked, passage) for passage in passages], fresh)

    def _batch(self, session: Any, pairs: Pairs, rows: Sequence[int], inputs: Mapping[str, np.ndarray]) -> list[Told]:
        """Return what the session tells of some of the pairs, given its inputs for them."""
        raise NotImplementedError
