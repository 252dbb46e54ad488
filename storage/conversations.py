"""Stored conversations: rows in the catalog."""

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any
from uuid import uuid4

import orjson

from engine.errors import NotFoundError
from engine.model import Conversation, Filters, Message
from storage.catalog.database import Kept, change, insert, put

_MISSING, _NO_MESSAGE = "There is no conversation {}.", "There is no message {}."
CONVERSATION = "conversation_id, owner, title, created_at, updated_at"
_OWNED = "conversation_id IN (SELECT conversation_id FROM conversation WHERE owner = ?)"
CHOICES = "conversation_id, content"
MESSAGE = "message_id, conversation_id, role, text, created_at, answer, state, filters, rating"


class Conversations(Kept):
    """The conversations of one library; every call names the owner and sees only that owner's."""

    def create(self, owner: str, title: str = "") -> Conversation:
        """Start a conversation."""
        now = self._clock()
        conversation = Conversation(f"c{uuid4().hex[:12]}", owner, title, now, now)
        with self._catalog.transaction() as write:
            write.execute(insert("conversation", CONVERSATION), astuple(conversation))
        return conversation

    def get(self, owner: str, conversation_id: str) -> tuple[Conversation, list[Message]]:
        """Return a conversation with its messages in order. Raises NotFoundError."""
        rows = self._catalog.read(
            f"SELECT {CONVERSATION} FROM conversation WHERE conversation_id = ? AND owner = ?", (conversation_id, owner)
        )
        if not rows:
            raise NotFoundError(_MISSING.format(conversation_id))
        messages = self._catalog.read(
            f"SELECT {MESSAGE} FROM message WHERE conversation_id = ? ORDER BY sequence", (conversation_id,)
        )
        return Conversation(*rows[0]), [_message(row) for row in messages]

    def list(self, owner: str, limit: int = 100) -> list[Conversation]:
        """Return the owner's conversations, the last used first."""
        rows = self._catalog.read(
            f"SELECT {CONVERSATION} FROM conversation WHERE owner = ?"
            " ORDER BY updated_at DESC, conversation_id LIMIT ?",
            (owner, limit),
        )
        return [Conversation(*row) for row in rows]

    def rename(self, owner: str, conversation_id: str, title: str) -> None:
        """Set the title. Raises NotFoundError."""
        self._change(owner, conversation_id, "UPDATE conversation SET title = ?", title)

    def delete(self, owner: str, conversation_id: str) -> None:
        """Delete a conversation and its messages. Raises NotFoundError."""
        with self._catalog.transaction() as write:
            self._change(owner, conversation_id, "DELETE FROM conversation")
            for table in ("message", "choice"):
                write.execute(f"DELETE FROM {table} WHERE conversation_id = ?", (conversation_id,))

    def chosen(self, owner: str, conversation_id: str) -> dict[str, Any]:
        """Return what was chosen for a conversation, by name; nothing for one that is not there."""
        rows = self._catalog.read(
            f"SELECT content FROM choice WHERE conversation_id = ? AND {_OWNED}", (conversation_id, owner)
        )
        return dict(orjson.loads(rows[0][0])) if rows else {}

    def choose(self, owner: str, conversation_id: str, **choices: Any) -> None:
        """Keep what was chosen for a conversation beside what was before. Raises NotFoundError."""
        with self._catalog.transaction() as write:
            self._change(owner, conversation_id, "UPDATE conversation SET owner = owner")  # there, and theirs
            content = _json(self.chosen(owner, conversation_id) | choices)
            write.execute(put("choice", CHOICES), (conversation_id, content))

    def append(
        self, owner: str, conversation_id: str, role: str, text: str, answer: Mapping[str, Any] | None = None,
        state: str = "done", filters: Filters | None = None,
    ) -> Message:  # fmt: skip
        """Add a message. Raises NotFoundError."""
        now = self._clock()
        row = (
            f"m{uuid4().hex[:12]}", conversation_id, role, text, now, _json(answer), state,
            _json(filters.to_dict() if filters else None), 0,
        )  # fmt: skip
        with self._catalog.transaction() as write:
            self._change(owner, conversation_id, "UPDATE conversation SET updated_at = ?", now)
            write.execute(insert("message", MESSAGE), row)
        return _message(row)

    def update(
        self, owner: str, message_id: str, *, text: str | None = None, answer: Mapping[str, Any] | None = None,
        state: str | None = None, rating: int | None = None,
    ) -> None:  # fmt: skip
        """Change a message, such as one that is being streamed. Raises NotFoundError."""
        # While a message streams, the next update replaces this one: no wait for the disk.
        with self._catalog.transaction(durable=rating is not None or state not in (None, "running")):
            change(
                self._catalog,
                "UPDATE message SET text = coalesce(?, text), answer = coalesce(?, answer),"
                f" state = coalesce(?, state), rating = coalesce(?, rating) WHERE message_id = ? AND {_OWNED}",
                (text, _json(answer), state, rating, message_id, owner), _NO_MESSAGE.format(message_id),
            )  # fmt: skip

    def cut(self, owner: str, message_id: str) -> None:
        """Delete a message and those after it in its conversation. Raises NotFoundError."""
        with self._catalog.transaction() as write:
            found = write.execute(
                f"SELECT conversation_id, sequence FROM message WHERE message_id = ? AND {_OWNED}", (message_id, owner)
            ).fetchone()
            if found is None:
                raise NotFoundError(_NO_MESSAGE.format(message_id))
            write.execute("DELETE FROM message WHERE conversation_id = ? AND sequence >= ?", found)

    def _change(self, owner: str, conversation_id: str, statement: str, *values: Any) -> None:
        statement = f"{statement} WHERE conversation_id = ? AND owner = ?"
        change(self._catalog, statement, (*values, conversation_id, owner), _MISSING.format(conversation_id))


def _json(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else orjson.dumps(dict(value)).decode()


def _message(row: tuple[Any, ...]) -> Message:
    *beginning, answer, state, filters, rating = row
    told, limits = (orjson.loads(one) if one else None for one in (answer, filters))
    return Message(*[*beginning, told, state, limits and Filters.from_dict(limits), rating])
