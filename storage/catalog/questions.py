"""Saved questions: every query names the owner, so that nobody sees another's."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from uuid import uuid4

import orjson

from engine.model import ExpectedNode, Filters, SavedQuestion
from storage.catalog.database import Catalog, change, insert

_COLUMNS = "question_id, owner, text, expected, filters, kind, created_at"


class CatalogQuestions:
    """The saved questions of one library."""

    def __init__(self, catalog: Catalog, clock: Callable[[], float] = time.time) -> None:
        self._catalog = catalog
        self._clock = clock

    def add(
        self, owner: str, text: str, expected: Sequence[ExpectedNode], filters: Filters, kind: str = ""
    ) -> SavedQuestion:
        """Save a question."""
        saved = SavedQuestion(
            f"q{uuid4().hex[:12]}", owner, text, list(expected), filters, kind, self._clock()
        )
        row = (
            saved.question_id, owner, text, orjson.dumps([one.to_dict() for one in expected]).decode(),
            orjson.dumps(filters.to_dict()).decode(), kind, saved.created_at,
        )  # fmt: skip
        with self._catalog.transaction() as write:
            write.execute(insert("question", _COLUMNS), row)
        return saved

    def list(self, owner: str) -> list[SavedQuestion]:
        """Return the owner's questions, the newest first."""
        rows = self._catalog.read(
            f"SELECT {_COLUMNS} FROM question WHERE owner = ? ORDER BY created_at DESC, question_id", (owner,)
        )
        return [
            SavedQuestion(
                question_id, owner, text, [ExpectedNode.from_dict(one) for one in orjson.loads(expected)],
                Filters.from_dict(orjson.loads(filters)), kind, created_at,
            )
            for question_id, owner, text, expected, filters, kind, created_at in rows
        ]  # fmt: skip

    def delete(self, owner: str, question_id: str) -> None:
        """Delete a question. Raises NotFoundError."""
        statement = "DELETE FROM question WHERE question_id = ? AND owner = ?"
        change(self._catalog, statement, (question_id, owner), f"There is no saved question {question_id}.")
