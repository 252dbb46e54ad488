"""What a model said of texts for a question, kept by content, so that the same is never paid for twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from engine.metrics import looked_up
from engine.providers.reranking import Judgement

if TYPE_CHECKING:
    from engine.providers.reranking import Reranker
    from storage.replies import Replies

Said = TypeVar("Said")


@dataclass(frozen=True)
class Remembered(Generic[Said]):
    """Replies to one task, one a text, by all that they depend on.

    ``task`` names the task and what it depends on beside the question and the text, the model first of all;
    ``written`` and ``read`` turn what was said into JSON values and back. With ``together`` all texts are asked about
    anew where one is new, because what is said of them belongs to one call.
    """

    replies: Replies
    task: Sequence[str]
    written: Callable[[Said], Any]
    read: Callable[[Any], Said]
    together: bool = False

    def ask(
        self, question: str, texts: Sequence[str], fresh: Callable[[Sequence[str]], Sequence[Said]]
    ) -> list[Said]:
        """Return what is said of each text, in their order; ``fresh`` is asked about new ones. Raises as it does."""
        wholes = ("\0".join([*self.task, question, text]) for text in texts)
        keys = [hashlib.sha256(whole.encode()).hexdigest() for whole in wholes]
        known = self.replies.get(keys)
        missing = [i for i, key in enumerate(keys) if key not in known]
        looked_up("replies", len(keys), len(missing))
        if missing:
            missing = list(range(len(keys))) if self.together else missing
            said = fresh([texts[i] for i in missing])
            new = {keys[i]: json.dumps(self.written(one)) for i, one in zip(missing, said, strict=True)}
            self.replies.put(new)
            known |= new
        return [self.read(json.loads(known[key])) for key in keys]


class RememberedJudge:
    """A :class:`engine.providers.reranking.Reranker` whose judgements are kept."""

    def __init__(self, reranker: Reranker, replies: Replies, together: bool = False) -> None:
        """``together`` for an endpoint, whose scores are of one call."""
        self._reranker = reranker
        self._replies = replies
        self._together = together

    @property
    def name(self) -> str:
        """The judge's name."""
        return self._reranker.name

    def judge(self, question: str, texts: Sequence[str]) -> list[Judgement]:
        """Return one judgement a text, in their order. Raises ProviderError, CancelledError."""
        kept = Remembered[Judgement](
            self._replies,
            ("judge", self.name),
            lambda one: [one.score, one.reason],
            lambda value: Judgement(*value),
            self._together,
        )
        return kept.ask(question, texts, partial(self._reranker.judge, question))
