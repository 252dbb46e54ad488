"""What models have replied, so that the same question is not paid for twice: rows in the catalog."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from engine.errors import StorageError
from storage.catalog.database import Kept, put

COLUMNS = "key, text"


class Replies(Kept):
    """The replies kept in one library; a key stands for model and question."""

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the replies that are kept for these keys."""
        rows = self._catalog.read_in(f"SELECT {COLUMNS} FROM reply WHERE key IN ({{}})", list(keys))
        return {str(key): str(text) for key, text in rows}

    def put(self, replies: Mapping[str, str]) -> None:
        """Keep replies, in place of earlier ones of the same keys; where they cannot be, they are paid for again."""
        with suppress(StorageError), self._catalog.transaction(durable=False) as write:
            write.executemany(put("reply", COLUMNS), list(replies.items()))
