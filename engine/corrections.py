"""Corrections of a document by hand: its title, what is a heading, how many rows of a table are its header.

They are kept beside the document, and hold for every version of it. The document is read again in the background with
them; until that is done questions are answered from what was read before.
"""

import unicodedata
from collections.abc import Callable

from engine.errors import NotFoundError, UsageError
from engine.ingest import Ingest
from engine.model import Correction, Document, Tree
from engine.model.documents import CorrectionKind
from engine.structure.corrections import lines_of, places_in
from engine.structure.section_kinds import LONGEST
from storage.base import Storage

HIGHEST, LOWEST = 1, 6
MOST_ROWS = 5


class DocumentCorrections:
    """Makes corrections, takes them back and tells them. All methods may be called from any thread."""

    def __init__(self, storage: Storage, ingest: Ingest, wake: Callable[[], None]) -> None:
        """``wake`` is called when a document is to be read again."""
        self._storage, self._ingest, self._wake = storage, ingest, wake

    def of(self, document_id: str) -> list[Correction]:
        """Return the corrections of a document. Raises NotFoundError."""
        return self._storage.corrections.of(self._storage.document(document_id).document_id)

    def waiting(self, tree: Tree) -> list[Correction]:
        """Return the corrections that a version's tree does not have: not read again yet, or not found in it."""
        found = {node.metadata.get("correction") for node in tree.nodes}
        return [one for one in self.of(tree.document_id) if one.place not in found]

    def make(
        self, document_id: str, kind: CorrectionKind, node_id: str, *, line: int = 0, text: str = "",
        level: int = HIGHEST, rows: int = 0, owner: str = "",
    ) -> None:  # fmt: skip
        """Correct what a node of the current version is and have the document read again.

        ``line`` is which item of a list it is, 0-based; ``text`` what the heading or the document is called, empty: as
        it stands there. Raises UsageError, NotFoundError when the node or the document is gone, AccessError,
        StorageError.
        """
        text = unicodedata.normalize("NFC", " ".join(text.split()))
        least = kind == "title"
        if not least <= len(text) <= LONGEST or not text.isprintable():
            raise UsageError(f"A title has 1 to {LONGEST} characters, all of which can be seen.")
        if not (HIGHEST <= level <= LOWEST and 0 <= rows <= MOST_ROWS):
            raise UsageError(f"A heading has a level of {HIGHEST} to {LOWEST}, a header 0 to {MOST_ROWS} rows.")
        document = self._editable(document_id)
        place, said = ("title", "") if kind == "title" else self._place(document, kind, node_id, line)
        text = "" if text == said else text
        if kind == "heading" and not text and len(said) == LONGEST:
            raise UsageError("This is too long for a heading. Give the words with which it begins.")
        self._storage.corrections.put(document_id, Correction(kind, place, text, level, rows, said))
        self._read_again(document, owner)

    def _place(self, document: Document, kind: CorrectionKind, node_id: str, line: int) -> tuple[str, str]:
        """Return the place of a node, or of an item of a list, and what stood there before it was corrected."""
        nodes = self._storage.tree(document.document_id).nodes
        node = next((one for one in nodes if one.node_id == node_id), None)
        if node is None:
            raise NotFoundError("The document was read again meanwhile. Choose the place once more.")
        places = places_in(nodes)[node_id]
        if not 0 <= line < len(places) or not places[line] or (kind == "header_rows") != (node.role == "table"):
            raise UsageError("This cannot be corrected: it does not stand in the document by itself.")
        before = (one.said for one in self.of(document.document_id) if one.place == places[line])
        return places[line], next(before, lines_of(node)[line])[:LONGEST]

    def take_back(self, document_id: str, place: str, owner: str = "") -> None:
        """Forget a correction and have the document read again. Raises NotFoundError, AccessError, StorageError."""
        document = self._editable(document_id)
        self._storage.corrections.remove(document_id, place)
        self._read_again(document, owner)

    def _editable(self, document_id: str) -> Document:
        self._storage.collections.must_be_editable(document_id)
        return self._storage.document(document_id)

    def _read_again(self, document: Document, owner: str) -> None:
        self._ingest.queue_again(document, owner)
        self._wake()
