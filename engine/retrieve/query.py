"""Understand a question: its terms, its quoted phrases."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from engine.errors import UsageError
from engine.index.tokenize import query_terms

MAX_LETTERS = 10_000
_PHRASE = re.compile(r'"([^"]{2,200})"|“([^”]{2,200})”|「([^」]{2,200})」|『([^』]{2,200})』')


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the views need it.

    ``text`` is what is embedded, without surplus space; ``terms`` are its weighted terms for the sparse
    view; ``phrases`` are what stood in quotation marks, folded for comparison.
    """

    text: str
    terms: list[tuple[str, float]]
    phrases: list[str]


def understand(text: str) -> Query:
    """Return the question taken apart. Raises UsageError when it is empty or far too long."""
    text = " ".join(text.split())
    if not text:
        raise UsageError("The question is empty. Type a few words.")
    if len(text) > MAX_LETTERS:
        raise UsageError(f"The question has {len(text):,} characters; at most {MAX_LETTERS:,} are read.")
    phrases = [fold(next(filter(None, groups))) for groups in _PHRASE.findall(text)]
    return Query(text, query_terms(text), phrases)


def fold(text: str) -> str:
    """Return a text as it is compared: NFKC, without case, runs of space as one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
