"""What storage keeps of background work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import uuid4

from engine.model import Job


def new_job_id() -> str:
    """Return an id for a job, not given before."""
    return f"j{uuid4().hex[:12]}"


class Jobs(Protocol):
    """The queue of background work; rows survive a restart."""

    def enqueue(
        self, kind: str, name: str, payload: Mapping[str, Any], owner: str = "", priority: int = 0,
        job_id: str = "",
    ) -> str:  # fmt: skip
        """Add a job and return its id, the one given or a new one; higher priority is leased first, then the oldest.

        Who keeps the id gives it (:func:`new_job_id`): a job may be leased before this returns.
        """
        ...

    def lease(self, kinds: Sequence[str] = ()) -> Job | None:
        """Take the next queued job (of these kinds; none given: of any) and mark it running, or return None."""
        ...

    def report(self, job_id: str, stage: str, progress: float) -> bool:
        """Note where a running job stands; False when it was cancelled and must stop."""
        ...

    def finish(self, job_id: str, result: Mapping[str, Any] | None = None) -> None:
        """Mark a job done; the result is merged into its payload under "result"."""
        ...

    def fail(self, job_id: str, error: str) -> None:
        """Mark a job failed with the reason."""
        ...

    def cancel(self, job_id: str) -> bool:
        """Cancel a queued or running job; False when it is over already."""
        ...

    def retry(self, job_id: str) -> bool:
        """Queue a failed or cancelled job again."""
        ...

    def dismiss(self, job_id: str) -> bool:
        """Forget a job that is over; False when it is waiting or running, or unknown."""
        ...

    def prune(self, before: float) -> int:
        """Forget the jobs that were done or cancelled before a time (seconds since 1970); return how many.

        Failed ones stay until somebody has seen and dismissed them.
        """
        ...

    def get(self, job_id: str) -> Job:
        """Return a job. Raises NotFoundError."""
        ...

    def list(self, states: Sequence[str] = (), owner: str | None = None, limit: int = 100) -> Sequence[Job]:
        """Return jobs, newest first."""
        ...
