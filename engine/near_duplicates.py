"""Is a document nearly the same as another one? Told by how many of its passages stand there word for word, too.

A few of its passages are searched, spread over it; only the documents that have most of these are compared as a
whole. So it costs about as much as a few searches, however large the library is.
"""

from collections import Counter
from collections.abc import Callable

from engine.model import Document, Filters, SearchResult
from storage.base import Storage

LEAST_CHARACTERS, LEAST_PASSAGES = 24, 3
PROBES, HITS = 6, 5
LONGEST_PROBE = 200
NEARLY = 0.8
Search = Callable[..., SearchResult]


def near_duplicate(storage: Storage, search: Search, document_id: str) -> tuple[Document, float] | None:
    """Return the document that has nearly the passages of this one, with the share of those that both have.

    None where no other shares at least ``NEARLY``.
    ``search`` is that of the library. Raises NotFoundError.
    """
    mine = _passages(storage, document_id)
    if len(mine) < LEAST_PASSAGES:
        return None
    probes = mine[:: max(1, len(mine) // PROBES)][:PROBES]
    others: Counter[str] = Counter()
    for probe in probes:
        hits = search(probe[:LONGEST_PROBE], mode="fulltext", top_k=HITS, filters=Filters(), read=False).hits
        others.update({hit.document_id for hit in hits} - {document_id})
    best: tuple[Document, float] | None = None
    for other, seen in others.most_common(HITS):
        if seen < len(probes) / 2:
            break
        theirs = set(_passages(storage, other))
        share = len(theirs.intersection(mine)) / max(len(mine), len(theirs))  # an excerpt is no duplicate
        if share >= max(NEARLY, best[1] if best else 0.0):
            best = storage.document(other), share
    return best


def _passages(storage: Storage, document_id: str) -> list[str]:
    """Return a document's passages of some length, each once, in reading order."""
    bare = (" ".join(node.text.casefold().split()) for node in storage.tree(document_id).nodes)
    return list(dict.fromkeys(text for text in bare if len(text) >= LEAST_CHARACTERS))
