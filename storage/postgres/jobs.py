"""The job queue that several processes work off: none does a job that another one has, and none is lost with one."""

import time
from collections.abc import Callable

from storage.jobs import Jobs
from storage.postgres.catalog import PostgresCatalog


class PostgresJobs(Jobs):
    """The queue of one library."""

    _locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, catalog: PostgresCatalog, alive: str, clock: Callable[[], float] = time.time) -> None:
        """``alive`` is the SQL that selects the holders that are alive."""
        super().__init__(catalog, clock)
        self._free = f"(state = 'queued' OR (state = 'running' AND holder NOT IN ({alive})))"
        self._own = f" AND (holder IS NULL OR holder = '{catalog.holder}')"
        self._leased = f"{Jobs._leased}, holder = '{catalog.holder}'"
