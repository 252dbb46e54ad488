"""The job queue: rows in the catalog, so that work survives a restart."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import orjson

from engine.errors import NotFoundError
from engine.model import Job
from storage.catalog import garbage
from storage.catalog.database import Kept, insert, marks

_COLUMNS = "job_id, kind, name, owner, state, stage, progress, error, payload, created_at, updated_at, started_at"


def new_job_id() -> str:
    """Return an id for a job, not given before."""
    return f"j{uuid4().hex[:12]}"


class Jobs(Kept):
    """The queue of one library, whose jobs one process works off; for several, see the backend that has them."""

    _leased = "state = 'running', stage = '', progress = 0, error = NULL, started_at = ?, updated_at = ?"
    _free, _locked, _own = "state = 'queued'", "", ""
    """Which jobs can be leased, what keeps others from leasing the same, and which may be ended here."""

    def enqueue(
        self, kind: str, name: str, payload: Mapping[str, Any], owner: str = "", priority: int = 0,
        job_id: str = "",
    ) -> str:  # fmt: skip
        """Add a job and return its id, the one given or a new one; higher priority is leased first, then the oldest.

        Who keeps the id gives it (:func:`new_job_id`): a job may be leased before this returns.
        """
        job_id, now = job_id or new_job_id(), self._clock()
        columns = "job_id, kind, name, owner, priority, state, payload, created_at, updated_at"
        row = job_id, kind, name, owner, priority, "queued", orjson.dumps(dict(payload)).decode(), now, now
        self._change(insert("job", columns), row)
        return job_id

    def lease(self, kinds: Sequence[str] = ()) -> Job | None:
        """Take the next queued job (of these kinds; none given: of any) and mark it running, or return None."""
        waiting = self._free
        if kinds:
            waiting += f" AND kind IN ({marks(kinds)})"
        if not self._catalog.read(f"SELECT 1 FROM job WHERE {waiting} LIMIT 1", list(kinds)):
            return None
        now = self._clock()
        with self._catalog.transaction(durable=False) as write:
            row = write.execute(
                f"UPDATE job SET {self._leased} WHERE sequence = (SELECT sequence FROM job"
                f" WHERE {waiting} ORDER BY priority DESC, sequence LIMIT 1{self._locked})"
                f" RETURNING {_COLUMNS}",
                (now, now, *kinds),
            ).fetchone()
        return self._job(row) if row else None

    def report(self, job_id: str, stage: str, progress: float) -> bool:
        """Note where a running job stands; False when it was cancelled, or is another process's, and must stop."""
        return self._change(
            f"UPDATE job SET stage = ?, progress = ?, updated_at = ? WHERE job_id = ? AND state = 'running'{self._own}",
            (stage, min(1.0, max(0.0, progress)), self._clock(), job_id),
            durable=False,
        )

    def finish(self, job_id: str, result: Mapping[str, Any] | None = None) -> None:
        """Mark a job done, even when it was cancelled too late to matter; its payload gets "result"."""
        with self._catalog.transaction() as write:
            rows = write.execute("SELECT payload FROM job WHERE job_id = ?", (job_id,)).fetchall()
            payload = orjson.loads(rows[0][0]) if rows else {}
            if result is not None:
                payload["result"] = dict(result)
            write.execute(
                "UPDATE job SET state = 'done', stage = '', progress = 1, error = NULL, payload = ?,"
                f" updated_at = ? WHERE job_id = ? AND state IN ('running', 'cancelled'){self._own}",
                (orjson.dumps(payload).decode(), self._clock(), job_id),
            )

    def fail(self, job_id: str, error: str) -> None:
        """Mark a running job failed with the reason; a cancelled one stays cancelled."""
        self._change(
            "UPDATE job SET state = 'failed', error = ?, updated_at = ?"
            f" WHERE job_id = ? AND state IN ('queued', 'running'){self._own}",
            (error, self._clock(), job_id),
        )

    def cancel(self, job_id: str) -> bool:
        """Cancel a queued or running job; False when it is over already."""
        return self._change(
            "UPDATE job SET state = 'cancelled', updated_at = ? WHERE job_id = ? AND state IN ('queued', 'running')",
            (self._clock(), job_id),
        )

    def retry(self, job_id: str) -> bool:
        """Queue a failed or cancelled job again; False when it is neither."""
        return self._change(
            "UPDATE job SET state = 'queued', stage = '', progress = 0, error = NULL, updated_at = ?"
            " WHERE job_id = ? AND state IN ('failed', 'cancelled')",
            (self._clock(), job_id),
        )

    def dismiss(self, job_id: str) -> bool:
        """Forget a job that is over; False when it is waiting or running, or unknown."""
        return self._forgotten("job_id = ? AND state NOT IN ('queued', 'running')", job_id) > 0

    def prune(self, before: float) -> int:
        """Forget the jobs that were done or cancelled before a time (seconds since 1970); return how many.

        Failed ones stay until somebody has seen and dismissed them.
        """
        over = "state IN ('done', 'cancelled') AND updated_at < ?"
        if not self._catalog.read(f"SELECT 1 FROM job WHERE {over} LIMIT 1", (before,)):
            return 0
        return self._forgotten(over, before)

    def _forgotten(self, which: str, value: str | float) -> int:
        """Delete jobs and return how many; their originals are garbage now, unless something else refers to them."""
        with self._catalog.transaction() as write:
            rows = write.execute(f"DELETE FROM job WHERE {which} RETURNING payload", (value,)).fetchall()
            originals = {orjson.loads(payload).get("sha256") for (payload,) in rows} - {None}
            garbage.note(write, map(garbage.original, originals), self._clock())
        return len(rows)

    def get(self, job_id: str) -> Job:
        """Return a job. Raises NotFoundError."""
        rows = self._catalog.read(f"SELECT {_COLUMNS} FROM job WHERE job_id = ?", (job_id,))
        if not rows:
            raise NotFoundError(f"There is no job {job_id}.")
        return self._job(rows[0])

    def list(self, states: Sequence[str] = (), owner: str | None = None, limit: int = 100) -> list[Job]:
        """Return jobs, newest first."""
        conditions: list[str] = ["1 = 1"]
        values: list[Any] = []
        if states:
            conditions.append(f"state IN ({marks(states)})")
            values += list(states)
        if owner is not None:
            conditions.append("owner = ?")
            values.append(owner)
        rows = self._catalog.read(
            f"SELECT {_COLUMNS} FROM job WHERE {' AND '.join(conditions)} ORDER BY sequence DESC LIMIT ?",
            [*values, limit],
        )
        return [self._job(row) for row in rows]

    def _change(self, statement: str, values: Sequence[Any], durable: bool = True) -> bool:
        with self._catalog.transaction(durable) as write:
            return write.execute(statement, values).rowcount > 0

    def _job(self, row: tuple[Any, ...]) -> Job:
        """Return a row's job, with how long it will take where it is running."""
        *known, started = row
        known[8] = orjson.loads(known[8])
        job = Job(*known)
        if job.state == "running" and started is not None and job.progress:
            return replace(job, eta=(self._clock() - started) * (1 - job.progress) / job.progress)
        return job
