"""An answer over many documents says what it covers: how many documents it rests on, and how many were searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.answer.phrases import Phrases
from engine.answer.refusal import Searched
from engine.model import Answer

# From so many documents on an answer is one over many.
_MANY = 3


def state_coverage(answer: Answer, searched: Callable[[], Searched] | None, phrases: Phrases) -> Answer:
    """Return the answer with a line on its coverage where it is one over many documents, else as it is.

    ``searched`` tells how many documents were searched, where that is known.
    """
    used = len({source.document_id for source in answer.sources})
    if not answer.answered or searched is None or used < _MANY:
        return answer
    documents = searched().documents
    if documents < 2:
        return answer
    line = phrases.coverage.format(used=used, documents=max(documents, used))
    return replace(answer, answer=f"{answer.answer}\n\n{line}")
