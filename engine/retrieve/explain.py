"""Say in short why a node was found."""

from __future__ import annotations

from engine.index.tokenize import tokens
from engine.retrieve.fusion import Fused
from engine.retrieve.query import Query, fold
from storage.base import StoredNode

MAX_TERMS = 6


def reasons(query: Query, fused: Fused, stored: StoredNode, exact: bool) -> list[str]:
    """Return reasons such as ``terms:cloud,revenue``, ``title:cloud``, ``phrase:"net sales"``, ``meaning:#3``."""
    node = stored.node
    if exact:
        return ["exact"]
    wanted = {term for term, _ in query.terms}
    why = []
    if fused.sparse_rank is not None:
        found = wanted.intersection(tokens(node.text))
        titles = wanted.intersection(tokens(" ".join(stored.path)))
        if found:
            why.append("terms:" + ",".join(sorted(found, key=lambda term: (-len(term), term))[:MAX_TERMS]))
        if titles:
            why.append("title:" + ",".join(sorted(titles, key=lambda term: (-len(term), term))[:MAX_TERMS]))
    folded = fold(node.text)
    why += [f'phrase:"{phrase}"' for phrase in query.phrases if phrase in folded]
    if fused.dense_rank is not None:
        why.append(f"meaning:#{fused.dense_rank}")
    return why
