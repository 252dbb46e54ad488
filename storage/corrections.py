"""What a library keeps of corrections by hand: a row each, for a document and not for one of its versions."""

import orjson

from engine.model import Correction
from storage.catalog.database import Kept, change, put

COLUMNS = "correction_id, document_id, content"


class Corrections(Kept):
    """The corrections of a library's documents; each document has one for a place."""

    def of(self, document_id: str) -> list[Correction]:
        """Return the corrections of a document, by their places."""
        rows = self._catalog.read(
            "SELECT content FROM correction WHERE document_id = ? ORDER BY correction_id", (document_id,)
        )
        return [Correction.from_dict(orjson.loads(content)) for (content,) in rows]

    def put(self, document_id: str, correction: Correction) -> None:
        """Keep a correction, in place of the one of the same place. Raises StorageError."""
        row = _id(document_id, correction.place), document_id, orjson.dumps(correction.to_dict()).decode()
        with self._catalog.transaction() as write:
            write.execute(put("correction", COLUMNS), row)

    def remove(self, document_id: str, place: str) -> None:
        """Take a correction back. Raises NotFoundError, StorageError."""
        statement = "DELETE FROM correction WHERE correction_id = ?"
        change(self._catalog, statement, (_id(document_id, place),), "This correction was taken back already.")


def _id(document_id: str, place: str) -> str:
    return f"{document_id} {place}"
