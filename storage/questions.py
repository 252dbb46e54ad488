"""Saved questions: rows in the catalog."""

from collections.abc import Sequence
from uuid import uuid4

import orjson

from engine.model import ExpectedNode, Filters, SavedQuestion
from storage.catalog.database import Kept, change, insert

COLUMNS = "question_id, owner, text, expected, filters, kind, created_at"


class Questions(Kept):
    """Saved questions with the nodes they are to find; every call names the owner and sees only that owner's."""

    def add(
        self, owner: str, text: str, expected: Sequence[ExpectedNode], filters: Filters, kind: str = "",
        answer: str = "",
    ) -> SavedQuestion:  # fmt: skip
        """Save a question."""
        saved = SavedQuestion(f"q{uuid4().hex[:12]}", owner, text, list(expected), filters, kind, self._clock(), answer)
        wanted = {"nodes": [one.to_dict() for one in expected], "answer": answer}
        row = (
            saved.question_id, owner, text, orjson.dumps(wanted).decode(),
            orjson.dumps(filters.to_dict()).decode(), kind, saved.created_at,
        )  # fmt: skip
        with self._catalog.transaction() as write:
            write.execute(insert("question", COLUMNS), row)
        return saved

    def list(self, owner: str) -> list[SavedQuestion]:
        """Return the owner's questions, the newest first."""
        rows = self._catalog.read(
            f"SELECT {COLUMNS} FROM question WHERE owner = ? ORDER BY created_at DESC, question_id", (owner,)
        )
        return [_saved(*row) for row in rows]

    def delete(self, owner: str, question_id: str) -> None:
        """Delete a question. Raises NotFoundError."""
        statement = "DELETE FROM question WHERE question_id = ? AND owner = ?"
        change(self._catalog, statement, (question_id, owner), f"There is no saved question {question_id}.")


def _saved(
    question_id: str, owner: str, text: str, expected: str, filters: str, kind: str, created_at: float
) -> SavedQuestion:
    wanted = orjson.loads(expected)
    if isinstance(wanted, list):  # of a version that kept no answers
        wanted = {"nodes": wanted}
    nodes = [ExpectedNode.from_dict(one) for one in wanted["nodes"]]
    read = Filters.from_dict(orjson.loads(filters))
    return SavedQuestion(question_id, owner, text, nodes, read, kind, created_at, wanted.get("answer", ""))
