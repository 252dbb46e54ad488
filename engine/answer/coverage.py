"""An answer over many documents says what it covers: how many documents it rests on, and how many were searched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from engine.answer.phrases import Phrases
from engine.answer.refusal import Searched
from engine.model import Answer

# From so many documents on an answer is one over many, whatever was asked.
_MANY = 3
_KINDS = r"(?:documents?|files?|reports?|papers?|articles?|contracts?|books?|sources?|pdfs?)"
_ASKED = re.compile(
    rf"\b(?:which|what|how many|all|every|each|across|among|any)(?: of)?(?: the| my| these| our)? (?:\w+ )?{_KINDS}\b"
    r"|(?:哪些|哪几|多少|几|所有|全部|各|每)[份个篇本类种]?(?:文档|文件|报告|论文|文章|合同|资料|书)|(?:文档|文件|报告|资料)(?:中|里)?都?有哪些",
    re.I,
)


def asks_over_documents(question: str) -> bool:
    """True for a question about the documents as a set: "which reports …", 哪些合同……"""
    return bool(_ASKED.search(question))


def state_coverage(
    answer: Answer, question: str, searched: Callable[[], Searched] | None, phrases: Phrases
) -> Answer:
    """Return the answer with a line on its coverage where it is one over many documents, else as it is.

    ``searched`` tells how many documents were searched, where that is known.
    """
    used = len({source.document_id for source in answer.sources})
    if not answer.answered or searched is None or not (used >= _MANY or asks_over_documents(question)):
        return answer
    documents = searched().documents
    if documents < 2:
        return answer
    line = phrases.coverage.format(used=used, documents=max(documents, used))
    return replace(answer, answer=f"{answer.answer}\n\n{line}")
