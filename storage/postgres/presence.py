"""Which processes use the library: each is seen every few seconds, and what a lost one held is free again."""

import contextlib
import logging
import os
import socket
import threading

from engine.errors import StorageError
from storage.postgres.catalog import PostgresCatalog

LOST_SECONDS = 45.0

log = logging.getLogger(__name__)


class Presence:
    """Notes this process as seen until it is closed."""

    def __init__(self, catalog: PostgresCatalog, lost_seconds: float = LOST_SECONDS) -> None:
        self._catalog, self._lost_seconds = catalog, lost_seconds
        self.alive = f"SELECT holder FROM process WHERE seen_at > now() - interval '{float(lost_seconds)} seconds'"
        """The SQL that selects the holders that are alive."""
        self._end = threading.Event()
        self._be_seen()
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)
        self._thread.start()

    def _be_seen(self) -> None:
        with self._catalog.transaction(durable=False) as write:
            write.execute(
                "INSERT INTO process (holder, told) VALUES (?, ?) ON CONFLICT (holder) DO UPDATE SET seen_at = now()",
                (self._catalog.holder, f"{socket.gethostname()} {os.getpid()}"),
            )

    def _run(self) -> None:
        while not self._end.wait(self._lost_seconds / 4):
            try:
                self._be_seen()
            except StorageError as error:
                log.warning("%s", error)

    def take_up(self) -> None:
        """Queue the jobs of lost processes again, and call the answers that they were writing stopped."""
        self._free(f"holder NOT IN ({self.alive})", ())

    def _free(self, held: str, values: tuple[str, ...]) -> None:
        with self._catalog.transaction(durable=False) as write:
            write.execute(
                "UPDATE job SET state = 'queued', stage = '', progress = 0, holder = NULL"
                f" WHERE state = 'running' AND {held}",
                values,
            )
            write.execute(f"UPDATE message SET state = 'stopped' WHERE state = 'running' AND {held}", values)
            write.execute(f"DELETE FROM claim WHERE {held}", values)
            write.execute(f"DELETE FROM process WHERE {held}", values)

    def close(self) -> None:
        """Free what this process held."""
        self._end.set()
        self._thread.join(1.0)
        with contextlib.suppress(StorageError):  # else it is free in a while
            self._free("holder = ?", (self._catalog.holder,))
