"""Asking a model many small things about a document: each reply is kept, and none that fails matters much."""

import hashlib
import math
import re
from collections.abc import Callable
from pathlib import Path

from engine.errors import ProviderError, ProviderUnavailableError
from engine.metrics import looked_up
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm, estimate_tokens
from engine.providers.thinking import without_thinking
from storage.replies import Replies

# Gets the share of the work done.
OnShare = Callable[[float], None]
_PROMPTS = Path(__file__).parents[1] / "providers" / "prompts"

# After so many failures in a row the endpoint is taken to be down.
FAILURES_IN_A_ROW = 3
LONGEST_REPLY = 1500
_HAN = re.compile(r"[\u3400-\u9fff]")
_MARKUP = re.compile(
    r"!\[[^\]]*\]\([^)]*\)|https?://\S+|^\s*(?:#{1,6}|[-*])\s+|[*_`]{2,}|<[^>\n]{1,200}>", re.MULTILINE
)


class Asking:
    """Questions to one model. What was replied to the same question before is not asked again."""

    def __init__(self, model: str, replies: Replies, calls: int, tokens: float = math.inf) -> None:
        """``calls`` and ``tokens`` are the most that are made and spent; kept replies do not count."""
        self._model, self._replies, self._calls, self._tokens = model, replies, calls, tokens
        self._in_a_row = self.failed = self.left_out = 0
        self.error = ""
        self.unavailable: ProviderError | None = None

    @property
    def how(self) -> str:
        """How what was replied is marked in a node's metadata."""
        return f"model:{self._model}"

    def ask(self, question: str, call: Callable[[], str], tokens: int = 0) -> str | None:
        """Return the reply to a question, cleaned of markup and addresses; None where there is none.

        ``question`` is everything that the reply depends on beside the model; ``call`` asks it, and costs
        about so many ``tokens``.
        Raises CancelledError.
        """
        key = hashlib.sha256(f"{self._model}\0{question}".encode()).hexdigest()
        kept = self._replies.get([key])
        looked_up("replies", 1, 1 - len(kept))
        if kept:
            return kept[key]
        if self.unavailable is not None or self._calls <= 0 or self._tokens < tokens:
            self.left_out += 1
            return None
        self._calls -= 1
        self._tokens -= tokens
        try:
            reply = _plain(call())
            self._in_a_row = 0
            self.error = self.error if reply else "The model replied nothing."
        except ProviderError as error:
            reply, self.error = "", str(error)
            self._in_a_row += 1
            if isinstance(error, ProviderUnavailableError) or self._in_a_row >= FAILURES_IN_A_ROW:
                self.unavailable = error
        if not reply:
            self.failed += 1
            return None
        self._replies.put({key: reply})
        return reply

    def complete(
        self, llm: Llm, kind: str, system: str, user: str, most: int, cancelled: Cancelled, *, about: str = ""
    ) -> str | None:
        """Return a reply of up to ``most`` tokens, kept by ``kind``, ``system`` and ``about`` (or ``user``)."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        question = f"{kind}\0{system}\0{about or user}"
        tokens = estimate_tokens(system) + estimate_tokens(user) + most
        return self.ask(question, lambda: llm.complete(messages, max_tokens=most, cancelled=cancelled).text, tokens)


def instruction(name: str, about: str) -> str:
    """Return a prompt by its file's name, for a reply in the language of a text."""
    sample = about[:2000]
    language = "Chinese" if len(_HAN.findall(sample)) * 4 > len(sample) else "the language of the text"
    return (_PROMPTS / f"{name}.txt").read_text("utf-8").replace("{language}", language)


def _plain(reply: str) -> str:
    text = _MARKUP.sub("", without_thinking(reply))
    text = " ".join(text.split()).strip('"“”「」 ')
    if len(text) <= LONGEST_REPLY:
        return text
    cut = text[:LONGEST_REPLY]
    end = max(cut.rfind(mark) for mark in ".。!！?？")
    return cut[: end + 1] if end > 0 else cut
