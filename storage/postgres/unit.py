"""The unit of work: one transaction over documents, nodes, graph and full-text index."""

from dataclasses import dataclass

import orjson

from engine.errors import StorageError
from storage.catalog import unit
from storage.catalog.database import insert
from storage.catalog.listing import dump
from storage.catalog.unit import Plan, StagedUnitOfWork
from storage.postgres.catalog import PostgresCatalog, PostgresWrite
from storage.postgres.sparse import indexed

_COUNTERS = ("commits", "generation", "next_key", "next_part", "next_version")
_OVERTAKEN = "Another process changed the library meanwhile, so nothing was stored. Try again."


@dataclass(eq=False)
class PostgresUnitOfWork(StagedUnitOfWork):
    """Collects versions and deletions and commits them together; the caller keeps other writers out meanwhile."""

    _catalog: PostgresCatalog
    _commits: int
    """How many units were committed when this one was opened."""

    def _commit(self) -> None:
        now = self._clock()
        try:
            with self._catalog.transaction() as write:
                found = write.execute(
                    "SELECT name, value FROM meta WHERE name = ANY(?) ORDER BY name FOR UPDATE", (list(_COUNTERS),)
                ).fetchall()
                counters = {name: int(value) for name, value in found}
                if counters["commits"] != self._commits:  # the connection that kept others out was lost
                    raise StorageError(_OVERTAKEN)
                plan = Plan(counters["next_version"], counters["next_key"], counters["next_part"])
                self._fill(plan)
                self._record(write, plan, now)
                write.execute("UPDATE meta SET value = ? WHERE name = 'next_version'", (plan.next_id,))
                write.execute("UPDATE version SET died = ? WHERE id = ANY(?)", (now, plan.deleted))
                touched = "UPDATE version SET changed = ? WHERE document_id = ANY(?)"
                write.execute(touched, (counters["generation"] + 1, list(self._staged)))
        except (UnicodeError, orjson.JSONEncodeError) as error:
            raise StorageError(f"The documents could not be stored ({error}). Nothing was changed.") from error

    def _record(self, write: PostgresWrite, plan: Plan, now: float) -> None:
        indexes = [indexed(*pair) for pair in plan.pairs]
        unit.record(write, self._catalog, plan, now, "lengths", [(lengths,) for lengths, _ in indexes])
        write.executemany(
            insert("graph", "version_id, content"),
            [(entry.id, dump(version, entry.number, entry.first_key).decode()) for version, entry in plan.pairs],
        )
        postings = [row for _, rows in indexes for row in rows]
        write.executemany(insert("posting", "term, first_key, nodes, frequencies"), postings)
