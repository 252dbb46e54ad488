"""What endpoints say when a prompt does not fit into the context of their model.

The wordings are those of OpenAI and vLLM ("maximum context length is 8192 tokens"), llama.cpp ("exceeds the available
context size (8192 tokens)"), llama-cpp-python ("exceed context window of 8192") and LM Studio ("context length of only
4096 tokens").
"""

from __future__ import annotations

import re

_EXCEEDS = re.compile(r"context[ _](?:length|size|window)|prompt is too long", re.IGNORECASE)
_LIMIT = re.compile(r"context[ _](?:length|size|window)\D{0,20}(\d[\d,]+)|> ?(\d[\d,]+)", re.IGNORECASE)


def exceeds_context(message: str) -> bool:
    """Tell whether an endpoint's error says that the prompt is too long for the model."""
    return bool(_EXCEEDS.search(message))


def told_limit(message: str) -> int | None:
    """Return the context in tokens that such an error names; None where it names none."""
    found = _LIMIT.search(message)
    return int((found[1] or found[2]).replace(",", "")) if found else None
