"""What a question names is looked up on its own, so that it is never lost on the way.

A label ("Figure 3b", 表2), a number with its unit and a phrase in quotation marks each say exactly what must
stand in a node. Beside hundreds of nodes that match other words such a node may fall out of every ranking;
so each is asked for alone, checked in the text, and the best of its bearers keeps a place among the hits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.enrich.labels import RELATED, Label
from engine.index.tokenize import query_terms, tokens
from engine.index.views import label_term
from engine.retrieve.quantities import Quantity, quantities_in
from engine.retrieve.query import Query, fold
from storage.base import Scope, Snapshot, StoredNode

MOST_BEARERS = 50
_PART = re.compile(r"(.*\d)\(?[a-z]\)?")


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a question names, as printed, and the keys of nodes that bear it, the best by words first."""

    kind: str
    printed: str
    keys: tuple[int, ...]


def look_up(query: Query, snapshot: Snapshot, scope: Scope) -> list[Named]:
    """Return what the question names, each with the nodes in scope that bear it (none: nothing is returned)."""
    found = [
        *(Named("labels", one.printed, _bearers(one, snapshot, scope)) for one in query.intent.labels),
        *(Named("quantity", _shown(one), _holding(one, snapshot, scope)) for one in query.intent.quantities),
        *(Named("phrase", one, _quoting(one, snapshot, scope)) for one in query.phrases),
    ]
    return [one for one in found if one.keys]


def holds_phrase(stored: StoredNode, phrase: str) -> bool:
    """Tell whether a node's text, title or path holds a folded phrase."""
    return phrase in fold("\n".join([*stored.path, stored.node.title, stored.node.text]))


def _bearers(label: Label, snapshot: Snapshot, scope: Scope) -> tuple[int, ...]:
    """The nodes with a label; of "Figure 3b" those of Figure 3 where no node has the longer one."""
    for kind in (label.kind, *RELATED.get(label.kind, ())):
        term = label_term(Label(label.printed, kind, label.number))
        if hits := snapshot.sparse_search([(term, 1.0)], MOST_BEARERS, scope):
            return tuple(hit.key for hit in hits)
    whole = _PART.fullmatch(label.number)
    return _bearers(Label(label.printed, label.kind, whole[1]), snapshot, scope) if whole else ()


def _holding(quantity: Quantity, snapshot: Snapshot, scope: Scope) -> tuple[int, ...]:
    terms = [(term, 1.0) for term in dict.fromkeys([*tokens(quantity.number), *tokens(_shown(quantity))])]
    return _checked(
        terms,
        lambda stored: any(quantity.equals(one) for one in quantities_in(_whole(stored))),
        snapshot,
        scope,
    )


def _quoting(phrase: str, snapshot: Snapshot, scope: Scope) -> tuple[int, ...]:
    keys = _checked(query_terms(phrase), lambda stored: holds_phrase(stored, phrase), snapshot, scope)
    if keys:
        return keys
    # A phrase of common words may stand below the best nodes by words: then every text is looked at.
    return tuple(snapshot.keyword_search(lambda text: phrase in fold(text), MOST_BEARERS, scope))


def _checked(
    terms: Sequence[tuple[str, float]],
    holds: Callable[[StoredNode], bool],
    snapshot: Snapshot,
    scope: Scope,
) -> tuple[int, ...]:
    keys = [hit.key for hit in snapshot.sparse_search(terms, MOST_BEARERS, scope)]
    return tuple(stored.key for stored in snapshot.nodes(keys) if holds(stored))


def _whole(stored: StoredNode) -> str:
    return f"{stored.node.title}\n{stored.node.text}"


def _shown(quantity: Quantity) -> str:
    return f"{quantity.number} {quantity.unit}" if quantity.unit != "%" else f"{quantity.number}%"
