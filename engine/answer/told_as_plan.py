"""What a text only plans is not what came of it: "actual revenue" is not the revenue that was expected."""

from __future__ import annotations

import re

_ACTUAL = re.compile(r"\bactual(?:ly)?\b|实际|真正", re.IGNORECASE)
_PLANNED = re.compile(
    r"\b(?:plan(?:s|ned|ning)?|expect(?:s|ed)?|forecasts?|target(?:s|ed)?|budget(?:s|ed)?|intend(?:s|ed)?|estimated?)\b"
    r"|计划|预计|预期|预算|目标|拟于|拟在",
    re.IGNORECASE,
)


def only_planned(question: str, sentence: str) -> bool:
    """Tell whether a question asks what really was, and a sentence says what is planned and no more."""
    return bool(_ACTUAL.search(question) and _PLANNED.search(sentence)) and not (
        _ACTUAL.search(sentence) or _PLANNED.search(question)
    )
