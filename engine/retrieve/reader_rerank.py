"""What the reader that ships makes of the first texts: those that answer gain on those that only speak of it.

A cross-encoder sees question and text together (Nogueira and Cho 2019). It is too slow for all that was recalled, so
only the first few are read, a window of each, and of these only what may come among the first ten by it; what lies
below keeps its place under all of them. A text gains by the probability that it answers, not by log odds: of two that
do not it matters little which is the less unlikely. Where what is looked for is a statement and no question, nothing
answers it, and what is read counts little. Tables, sections and pictures are not read: they gain what the
texts that were read gain on average. Where a question names a label or a phrase, or asks for what a
financial statement tells, that decides, and nothing is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from engine.errors import ProviderError
from engine.language import compiled, patterns
from engine.model import Filters
from engine.providers.logistic import logistic
from engine.providers.reading import Passage
from engine.retrieve import financial_statements
from engine.retrieve.named import LABELS
from engine.retrieve.query import is_unspaced
from engine.retrieve.rerank import Candidate

if TYPE_CHECKING:
    from engine.providers.reading import Reader
    from engine.retrieve.run import Run

READ_ROLES = ("paragraph", "list", "caption")
# What is read of a text, some 60 tokens: twice as much takes twice as long and was no better.
LETTERS, LETTERS_UNSPACED = 240, 110
# A library of more nodes than this takes so long to search that less time is left to read, whatever the filters.
LARGE = 50_000
SHOWN = 10
# What is read to answer with this probability or more is told to read as an answer.
ANSWERS = 0.5
# How much of its weight reading has for a statement.
OF_STATEMENT = 0.5
_STATEMENT = re.compile(r"[^?？]*[.。]\s*")
_ASKS = compiled(patterns("intent")["asks"])


def by_reader(run: Run, reader: Reader) -> None:
    """Let the reader read the first nodes of a run and order them; where it cannot be loaded, only a note says so."""
    retrieval = run.settings.retrieval
    weight = retrieval.fusion.reading * (OF_STATEMENT if is_statement(run.query.text) else 1)
    first = _within_reach(run.ranked[: _most_read(run)], weight)
    texts = [one for one in first if one.stored.node.role in READ_ROLES and one.stored.node.text.strip()]
    if len(texts) < 2 or _decided(run) or not weight:
        return
    try:
        readings = reader.read(run.query.text, [*map(_window, texts)])
    except ProviderError as error:
        run.note("reader_failed", error=error)
        return
    shares = [logistic(one.certainty) for one in readings]
    _add(first, texts, shares, weight)
    run.ranked[: len(first)] = sorted(first, key=lambda one: (-one.score, one.fused.key))
    run.lap("reading")


def _most_read(run: Run) -> int:
    """So many nodes may be read, fewer in a large library."""
    retrieval = run.settings.retrieval
    large = run.snapshot.scope(Filters()).size > LARGE
    return min(retrieval.k_read, retrieval.k_read_large) if large else retrieval.k_read


def is_statement(text: str) -> bool:
    """Tell whether a text ends like a sentence and asks for nothing."""
    return bool(_STATEMENT.fullmatch(text)) and not _ASKS.search(text)


def _within_reach(first: Sequence[Candidate], weight: float) -> list[Candidate]:
    """Return those that may come among the first ten, were they to gain all the weight and the others nothing."""
    least = first[min(len(first), SHOWN) - 1].score - weight if first else 0.0
    return list(takewhile(lambda one: one.score >= least, first))


def _add(first: Sequence[Candidate], texts: Sequence[Candidate], shares: Sequence[float], weight: float) -> None:
    """Add what reading gives to each text that was read, and their mean to the rest; ``shares`` are 0..1."""
    mean = sum(shares) / len(shares)
    read = {one.fused.key: share for one, share in zip(texts, shares, strict=True)}
    for one in first:
        one.add("reading", weight * read.get(one.fused.key, mean))
        if read.get(one.fused.key, 0.0) == max(shares) > ANSWERS:
            one.why.append("reads_as_answer")


def _decided(run: Run) -> bool:
    """Tell whether the question names what comes first."""
    named = (one.kind in (LABELS, financial_statements.KIND) for one in run.named)
    return bool(run.query.phrases) or any(named)


def _window(one: Candidate) -> Passage:
    stored, text = one.stored, one.passage.text
    letters = LETTERS_UNSPACED if is_unspaced(text) else LETTERS
    return Passage(stored.path[-1] if stored.path else stored.node.title, one.passage.snippet(letters))
