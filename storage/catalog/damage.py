"""Which versions are to be written again, because something derived from them is not what was written."""

import logging
import threading

from storage.catalog.liveness import Liveness

log = logging.getLogger(__name__)


class Damage:
    """The versions that are to be written again."""

    def __init__(self) -> None:
        self._versions: set[int] = set()
        self._lock = threading.Lock()

    def note(self, version_id: int, what: str) -> None:
        """Note that something derived from a version is damaged."""
        with self._lock:
            if version_id not in self._versions:
                log.warning("%s of version %d is damaged and will be written again", what, version_id)
            self._versions.add(version_id)

    def versions(self, live: Liveness) -> list[tuple[str, int]]:
        """Return (document id, number) of the damaged versions that there still are."""
        with self._lock:
            known = [live.versions[id_] for id_ in sorted(self._versions) if id_ in live.versions]
            self._versions = {entry.id for entry in known if live.exists_version[entry.id]}
            return [(entry.document_id, entry.number) for entry in known if entry.id in self._versions]
