"""Parts of documents that a question names: the sections that bear "chapter 3" or 第二章第一节, or are titled so."""

from __future__ import annotations

from engine.enrich.labels import RELATED, Label
from engine.enrich.references import references_in
from engine.index.tokenize import query_terms
from engine.index.views import label_term
from engine.model import Filters
from engine.overview.asking import parts_of, spaced
from engine.retrieve.query import fold
from engine.structure.numbering import without_number
from storage.base import Snapshot, StoredNode

# So many bearers of a number are looked at: every book has a first chapter.
MOST_BEARERS = 1000
# So many sections with the words of a title are looked at.
MOST_TITLED = 200


def sections_named(text: str, snapshot: Snapshot, filters: Filters) -> dict[str, list[StoredNode]]:
    """Return what bears the numbers in a text, by document, best first; a lone leaf stands for its section.

    Of "chapter 2, section 1" the innermost bearers count, those below most of what else is named.
    """
    labels = [one.label for one in references_in(text, elsewhere=True)]
    if not labels:
        return {}
    scope, wanted = snapshot.scope(filters), [fold(part) for part in parts_of(text)]
    by_document: dict[str, list[StoredNode]] = {}
    # "Chapter 3" may be a section "3 Methods", but only where nothing is called so.
    for kind in (labels[-1].kind, *RELATED.get(labels[-1].kind, ())):
        terms = [(label_term(Label(labels[-1].printed, kind, labels[-1].number)), 1.0)]
        hits = snapshot.sparse_search(terms, MOST_BEARERS, scope)
        for one in snapshot.nodes([hit.key for hit in hits]):
            by_document.setdefault(one.document_id, []).append(one)
        if by_document:
            break
    return {document: _deepest(found, wanted) for document, found in by_document.items()}


def sections_titled(title: str, snapshot: Snapshot, filters: Filters) -> dict[str, list[StoredNode]]:
    """Return the sections with this very title, with or without its number, by document, best first.

    A leaf stands for its section, as one that is alone there does.
    """
    wanted = {spaced(title), spaced(without_number(title))} - {""}
    hits = snapshot.sparse_search(query_terms(title), MOST_TITLED, snapshot.scope(filters)) if wanted else []
    found: dict[str, list[StoredNode]] = {}
    for one in snapshot.nodes([hit.key for hit in hits]):
        own = one.node.title if one.node.role == "section" else one.path[-1] if one.path else ""
        if not wanted.isdisjoint((spaced(own), spaced(without_number(own)))):
            found.setdefault(one.document_id, []).append(one)
    return found


def _deepest(found: list[StoredNode], wanted: list[str]) -> list[StoredNode]:
    held = [sum(part in fold(" ".join(one.path)) for part in wanted) for one in found]
    return [one for one, count in zip(found, held, strict=True) if count == max(held)]


def section_id(stored: StoredNode) -> str:
    """Return the id of the section that a bearer of its number is, or is the one leaf of."""
    return (
        stored.node.node_id if stored.node.role == "section" else stored.node.parent_id or stored.node.node_id
    )
