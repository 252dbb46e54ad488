"""What storage keeps of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.model import Report


class Reports(Protocol):
    """Reports with what has been written of them; every call names the owner and sees only that owner's."""

    def add(self, owner: str, report: Report) -> None:
        """Keep a new report."""
        ...

    def save(self, owner: str, report: Report, of_job: str = "") -> None:
        """Keep a report in place of what was kept of it, with ``of_job`` only while it is that job's to write.

        Raises NotFoundError when it was deleted, or when another job writes it.
        """
        ...

    def get(self, owner: str, report_id: str) -> Report:
        """Return a report. Raises NotFoundError."""
        ...

    def list(self, owner: str) -> Sequence[Report]:
        """Return the owner's reports, the newest first, without their sections and summaries."""
        ...

    def delete(self, owner: str, report_id: str) -> None:
        """Delete a report. Raises NotFoundError."""
        ...
