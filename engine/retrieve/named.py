"""What a question names is looked up on its own, so that it is never lost on the way.

A label ("Figure 3b", 表2) and a phrase in quotation marks each say exactly what must stand in a node. Beside hundreds
of nodes that match other words such a node may fall out of every ranking; so each is asked for alone, checked in the
text, and the best of its bearers keeps a place among the hits.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from engine.enrich.labels import RELATED, Label
from engine.index.tokenize import query_terms, tokens
from engine.index.views import label_term
from engine.retrieve.document_names import named_documents
from engine.retrieve.query import Query
from engine.structure.terms import fold
from storage.base import Scope, Snapshot, StoredNode

LABELS = "labels"
MOST_BEARERS = 50
# So many of the best nodes by words are looked at for a phrase, and in a library of so many texts all of them.
MOST_FOUND, MOST_READ = 500, 50_000
_HAN_PAIR = re.compile(r"[\u3400-\u9fff]{2}")
_PART = re.compile(r"(.*\d)\(?[a-z]\)?")


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a question names, as printed, and the keys of nodes that bear it, the best by words first.

    ``meant`` are those that no other document's can be taken for: its document is named as well, or is the only one.
    """

    kind: str
    printed: str
    keys: tuple[int, ...]
    meant: frozenset[int] = frozenset()


def look_up(query: Query, snapshot: Snapshot, scope: Scope, in_named: Sequence[Scope], asked: str) -> list[Named]:
    """Return what the question names, each with the nodes in scope that bear it (none: nothing is returned).

    ``in_named`` are the documents that the question names: their bearers of a label come first, because every law of a
    hundred has its Article 2. ``asked`` is the question with the names of documents.
    """
    scopes, of_a_work = [*in_named, scope], query.intent.of_a_work
    found = [_labelled(one, asked, snapshot, scopes, one.key in of_a_work) for one in query.intent.labels]
    found += [Named("phrase", one, quoting(one, snapshot, scope)) for one in query.phrases]
    return [one for one in found if one.keys]


def holds_phrase(stored: StoredNode, phrase: str) -> bool:
    """Tell whether a node's text, title or path holds a folded phrase."""
    return phrase in fold("\n".join([*stored.path, stored.node.title, stored.node.text]))


def quoting(phrase: str, snapshot: Snapshot, scope: Scope) -> tuple[int, ...]:
    """Return the keys of nodes in scope that hold a folded phrase, at most :data:`MOST_BEARERS`."""
    best = [hit.key for hit in snapshot.sparse_search(query_terms(phrase), MOST_FOUND, scope)]
    if keys := tuple(one.key for one in snapshot.nodes(best) if holds_phrase(one, phrase)):
        return keys[:MOST_BEARERS]
    # A phrase of parts of words stands below the best nodes by words, or among none of them.
    if scope.size > MOST_READ or not all(map(snapshot.document_frequency, _surely_held(phrase))):
        return ()
    return tuple(snapshot.keyword_search(lambda text: phrase in fold(text), MOST_BEARERS, scope))


def _labelled(label: Label, asked: str, snapshot: Snapshot, scopes: Sequence[Scope], of_a_work: bool) -> Named:
    """The bearers of a label, in the first scopes first; of a work's label those of that work alone."""
    keys = tuple(dict.fromkeys(key for scope in scopes for key in _bearers(label, snapshot, scope)))
    bearers = snapshot.nodes(list(keys))
    documents = {one.document_id: one.document for one in bearers}
    several = of_a_work or len(documents) > 1
    clear = _wholly_named(asked, documents) if several else documents.keys()
    meant = frozenset(one.key for one in bearers if one.document_id in clear)
    return Named(LABELS, label.printed, tuple(filter(meant.__contains__, keys)) if of_a_work else keys, meant)


def _wholly_named(asked: str, documents: Mapping[str, str]) -> Set[str]:
    """The documents that a question names best, by a whole part of their names."""
    naming = named_documents(asked, documents)
    return {key for key in naming.whole if naming.documents[key] == 1.0} if naming else set()


def _bearers(label: Label, snapshot: Snapshot, scope: Scope) -> tuple[int, ...]:
    """The nodes with a label; of "Figure 3b" those of Figure 3 where no node has the longer one."""
    for kind in (label.kind, *RELATED.get(label.kind, ())):
        term = label_term(Label(label.printed, kind, label.number))
        if hits := snapshot.sparse_search([(term, 1.0)], MOST_BEARERS, scope):
            return tuple(hit.key for hit in hits)
    whole = _PART.fullmatch(label.number)
    return _bearers(Label(label.printed, label.kind, whole[1]), snapshot, scope) if whole else ()


def _surely_held(phrase: str) -> set[str]:
    """The terms of every text with a phrase in it: a word at an end may go on there, and "ß" is folded to "ss"."""
    inner = " ".join(phrase.split()[1:-1])
    words = {term for term in tokens(inner) if term.isascii() and "ss" not in term}
    return words | {pair for pair in tokens(phrase) if _HAN_PAIR.fullmatch(pair)}
