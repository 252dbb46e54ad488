"""Corrections of a document by hand: its title, what is a heading, how many rows of a table are its header.

They are kept beside the document, and hold for every version of it. The document is read again in the background with
them; until that is done questions are answered from what was read before.
"""

import unicodedata
from collections.abc import Callable, Sequence

from engine.errors import NotFoundError, UsageError
from engine.ingest import Ingest
from engine.model import Correction, CorrectionKind, Node, Tree
from engine.structure.corrections import places_in
from engine.structure.titles import LONGEST
from storage.base import Storage

HIGHEST, LOWEST = 1, 6
MOST_ROWS = 5


class DocumentCorrections:
    """Makes corrections, takes them back and tells them. All methods may be called from any thread."""

    def __init__(self, storage: Storage, ingest: Ingest, wake: Callable[[], None]) -> None:
        """``wake`` is called when a document is to be read again."""
        self._storage, self._ingest, self._wake = storage, ingest, wake

    def of(self, reference: str) -> list[Correction]:
        """Return the corrections of a document, the title first, then in no order. Raises NotFoundError."""
        document_id = self._storage.document(reference).document_id
        return sorted(self._storage.corrections.of(document_id), key=lambda one: one.kind != "title")

    def waiting(self, tree: Tree) -> list[Correction]:
        """Return the corrections that a version's tree does not have: not read again yet, or not found in it."""
        found = {node.metadata.get("correction") for node in tree.nodes}
        title = tree.nodes[0].title
        return [
            one
            for one in self.of(tree.document_id)
            if one.place not in found and not (one.kind == "title" and one.text == title)
        ]

    def make(
        self, reference: str, kind: CorrectionKind, node_id: str = "", *, line: int = 0, text: str = "",
        level: int = HIGHEST, rows: int = 0, owner: str = "",
    ) -> None:  # fmt: skip
        """Correct what a node of the current version is and have the document read again.

        ``line`` is which item of a list it is, 0-based; ``text`` what the heading or the document is called, empty: as
        it stands there. Raises UsageError, NotFoundError when the node or the document is gone, AccessError,
        StorageError.
        """
        text = unicodedata.normalize("NFC", " ".join(text.split()))
        if len(text) > LONGEST or not text.isprintable() or (kind == "title" and not text):
            raise UsageError(f"A title has 1 to {LONGEST} characters, all of which can be seen.")
        if not HIGHEST <= level <= LOWEST:
            raise UsageError(f"The level of a heading is {HIGHEST} to {LOWEST}.")
        document = self._storage.document(reference)
        correction = Correction("title", text=text)
        if kind != "title":
            tree = self._storage.tree(document.document_id)
            place, said = _place(tree.nodes, node_id, line, table=kind == "header_rows")
            before = [
                one.said for one in self._storage.corrections.of(document.document_id) if one.place == place
            ]
            said = (before or [said])[0][:LONGEST]
            text = "" if text == said else text
            if kind == "heading" and not text and len(said) == LONGEST:
                raise UsageError("This is too long for a heading. Give the words with which it begins.")
            if kind == "header_rows" and not 0 <= rows <= MOST_ROWS:
                raise UsageError(f"A header has 0 to {MOST_ROWS} rows.")
            correction = Correction(kind, place, text, level, rows, said)
        self._storage.corrections.put(document.document_id, correction)
        self._ingest.queue_again(document, owner)
        self._wake()

    def take_back(self, reference: str, place: str, owner: str = "") -> None:
        """Forget a correction and have the document read again. Raises NotFoundError, AccessError, StorageError."""
        document = self._storage.document(reference)
        self._storage.corrections.remove(document.document_id, place)
        self._ingest.queue_again(document, owner)
        self._wake()


def _place(nodes: Sequence[Node], node_id: str, line: int, *, table: bool) -> tuple[str, str]:
    """Return the place of a node, or of a line of a list, and what stands there. Raises NotFoundError, UsageError."""
    node = next((one for one in nodes if one.node_id == node_id), None)
    if node is None:
        raise NotFoundError("The document was read again meanwhile. Choose the place once more.")
    places = places_in(nodes).get(node_id, ())
    if not 0 <= line < len(places) or not places[line] or table != (node.role == "table"):
        raise UsageError("This cannot be corrected: it does not stand in the document by itself.")
    said = node.text.split("\n")[line] if node.role == "list" else node.text or node.title
    return places[line], " ".join(said.split())
