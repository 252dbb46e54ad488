"""Figures, tables and equations that are asked for by their label alone: "Table 1", "What is Eq. (1)?", 图1是什么.

What bears the label is quoted: a caption with the rows of its table, a picture's caption, an equation. A question for
something in a table or figure ("the cost in Table 2") is another, which is searched and computed. A label that nothing
bears and no text found for it refers to is in none of the documents, however like the others found are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.answer.understand.terms import content_terms
from engine.enrich.labels import RELATED, Label
from engine.enrich.references import Labels, references_in
from engine.index.views import LEAVES, label_term
from engine.model import Evidence, Filters, Node, Tree, children_of
from engine.overview.named_place import ASKS, NamedPlace
from engine.structure.sentences import is_cjk
from storage.base import Scope, Snapshot

KINDS = frozenset(
    "figure table chart scheme exhibit box algorithm listing plate map equation".split()
) | {"attached table", "attached figure"}  # fmt: skip
# So many bearers of a label are looked at; in a large library many documents have a Table 1.
MOST_BEARERS = 200


@dataclass(frozen=True, slots=True)
class NamedLabel(NamedPlace):
    """What bears a label. Where no document is named, those count first that write it as the question does."""

    bears: Label
    several = True

    def nodes(self, tree: Tree) -> list[Node]:
        """Return the bearer of the label with its caption before it; of a table with what it consists of."""
        node = self._bearer(tree)
        if node is None:
            return []
        captions = [one for one in children_of(tree.nodes).get(node.node_id, []) if one.role == "caption"]
        own = node.text and not any(_says(one.text, node.text) for one in captions)
        return [*captions, *([node] if own and node.role in LEAVES else [])]

    def usual_in(self, tree: Tree) -> bool:
        """Tell whether the document writes the label in the question's language: 图1, not "Figure 1"."""
        node = self._bearer(tree)
        written = str((node.metadata.get("label") or node.metadata.get("caption") or "") if node else "")
        return is_cjk(written) == is_cjk(self.label)

    def _bearer(self, tree: Tree) -> Node | None:
        labels = Labels(tree)
        found = labels.find(self.bears, tree.nodes[0])
        return labels.nodes[found] if found else None


def asked_label(question: str) -> NamedLabel | None:
    """Return the one figure, table or equation that a question names; None where it names none or several."""
    text = " ".join(question.split())
    found = references_in(text, elsewhere=True)
    if len(found) != 1 or found[0].label.kind not in KINDS:
        return None
    one = found[0]
    return NamedLabel(one.label.printed, f"{text[: one.start]} {text[one.end :]}", one.label)


def documents_with(label: Label, snapshot: Snapshot, filters: Filters) -> list[str]:
    """Return the ids of the documents that have a label, or the one that it is a part of (3b of Figure 3)."""
    scope = snapshot.scope(filters)
    forms = [label]
    if label.number[-1:].isalpha() and label.number[:-1].isdigit():
        forms.append(Label(label.printed, label.kind, label.number[:-1]))
    for one in forms:
        if found := _bearing(one, snapshot, scope):
            return found
    return []


def asked_alone(named: NamedLabel) -> bool:
    """Tell whether a question asks for what bears the label, and for nothing there."""
    return not content_terms(ASKS.sub(" ", named.rest))


def spoken_of(label: Label, evidence: Sequence[Evidence]) -> bool:
    """Tell whether a text, or a title above it, refers to a label."""
    texts = ["\n".join([item.text, item.title, *item.hit.path]) for item in evidence]
    kinds = {label.kind, *RELATED.get(label.kind, ())}
    found = (one.label for text in texts for one in references_in(text, elsewhere=True))
    return any(one.number == label.number and one.kind in kinds for one in found)


def _bearing(label: Label, snapshot: Snapshot, scope: Scope) -> list[str]:
    for kind in (label.kind, *RELATED.get(label.kind, ())):
        terms = [(label_term(Label(label.printed, kind, label.number)), 1.0)]
        if hits := snapshot.sparse_search(terms, MOST_BEARERS, scope):
            return _documents([hit.key for hit in hits], snapshot)
    return []


def _documents(keys: Sequence[int], snapshot: Snapshot) -> list[str]:
    return list(dict.fromkeys(one.document_id for one in snapshot.nodes(keys)))


def _says(caption: str, text: str) -> bool:
    """Tell whether a caption says what a picture's alternative text does."""
    return " ".join(text.split()) in " ".join(caption.split())
