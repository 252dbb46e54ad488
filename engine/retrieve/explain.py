"""Say in short why a node was found."""

from __future__ import annotations

from engine.retrieve.query import Query, fold
from engine.retrieve.rerank import Candidate

MAX_TERMS = 6


def reasons(query: Query, one: Candidate) -> list[str]:
    """Return reasons such as ``terms:cloud,revenue``, ``title:cloud``, ``phrase:"net sales"``, ``meaning:#3``."""
    why = []
    if one.fused.sparse_rank is not None:
        why += _named("terms", one.passage.terms) + _named("title", one.passage.above)
        why += _named("translated", one.passage.translated)
    if query.phrases:
        folded = fold(one.stored.node.text)
        why += [f'phrase:"{phrase}"' for phrase in query.phrases if phrase in folded]
    if one.fused.dense_rank is not None:
        why.append(f"meaning:#{one.fused.dense_rank}")
    return why + one.why


def _named(kind: str, terms: set[str]) -> list[str]:
    """The longest terms, without those that are parts of another."""
    longest = sorted(terms, key=lambda term: (-len(term), term))
    named = [term for i, term in enumerate(longest) if not any(term in other for other in longest[:i])]
    return [f"{kind}:" + ",".join(named[:MAX_TERMS])] if named else []
