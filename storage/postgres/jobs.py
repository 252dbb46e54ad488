"""The job queue that several processes work off: none does a job that another one has, and none is lost with one."""

from __future__ import annotations

import time
from collections.abc import Callable

from storage.jobs import Jobs
from storage.postgres.catalog import PostgresCatalog

TOLD_SECONDS = 1.0  # so often others are told how far a job is


class PostgresJobs(Jobs):
    """The queue of one library."""

    _locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, catalog: PostgresCatalog, alive: str, clock: Callable[[], float] = time.time) -> None:
        """``alive`` is the SQL that selects the holders that are alive."""
        super().__init__(catalog, clock)
        self._free = f"(state = 'queued' OR (state = 'running' AND holder NOT IN ({alive})))"
        self._own = f" AND (holder IS NULL OR holder = '{catalog.holder}')"
        self._leased = f"{Jobs._leased}, holder = '{catalog.holder}'"
        self._told: dict[str, float] = {}

    def report(self, job_id: str, stage: str, progress: float) -> bool:
        """Note where a running job stands; False when it was cancelled, or is another process's, and must stop."""
        rows = self._catalog.read(
            f"SELECT 1 FROM job WHERE job_id = ? AND state = 'running'{self._own}", (job_id,)
        )
        if not rows or not super().report(job_id, stage, progress):
            return False
        now = time.monotonic()
        if now - self._told.get(job_id, -TOLD_SECONDS) >= TOLD_SECONDS:
            self._told[job_id] = now
            with self._catalog.transaction(durable=False) as write:
                write.execute(
                    f"UPDATE job SET stage = ?, progress = ?, updated_at = ? WHERE job_id = ?{self._own}",
                    (stage, min(1.0, max(0.0, progress)), self._clock(), job_id),
                )
        return True

    def _forget(self, job_id: str) -> None:
        self._told.pop(job_id, None)
        super()._forget(job_id)
