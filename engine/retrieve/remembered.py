"""What a model said of texts for a question, kept by content, so that the same is never paid for twice."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.metrics import looked_up
from storage.replies import Replies

Said = TypeVar("Said")


@dataclass(frozen=True)
class Remembered(Generic[Said]):
    """Replies to one task, one a text, by all that they depend on.

    ``task`` names the task and what it depends on beside the question and the text, the model first of all;
    ``written`` and ``read`` turn what was said into JSON values and back.
    """

    replies: Replies
    task: Sequence[str]
    written: Callable[[Said], Any]
    read: Callable[[Any], Said]

    def ask(self, question: str, texts: Sequence[str], fresh: Callable[[Sequence[str]], Sequence[Said]]) -> list[Said]:
        """Return what is said of each text, in their order; ``fresh`` is asked about new ones. Raises as it does."""
        wholes = ("\0".join([*self.task, question, text]) for text in texts)
        keys = [hashlib.sha256(whole.encode()).hexdigest() for whole in wholes]
        known = self.replies.get(keys)
        missing = [i for i, key in enumerate(keys) if key not in known]
        looked_up("replies", len(keys), len(missing))
        if missing:
            said = fresh([texts[i] for i in missing])
            new = {keys[i]: json.dumps(self.written(one)) for i, one in zip(missing, said, strict=True)}
            self.replies.put(new)
            known |= new
        return [self.read(json.loads(known[key])) for key in keys]
