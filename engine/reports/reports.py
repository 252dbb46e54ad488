"""The reports of a library: begun, looked at, stopped, gone on with, deleted. They are written in the background."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from uuid import uuid4

from engine.answer.refusal import searched_in
from engine.background import REPORT_JOB
from engine.errors import NotFoundError, UsageError
from engine.ingest import OnProgress
from engine.model import Filters, Job, Report
from storage.base import Storage
from storage.jobs import new_job_id

LONGEST_SUBJECT = 2000


@dataclass(eq=False)
class Reports:
    """Every method names the owner and sees only that owner's. All may be called from any thread.

    ``_wake`` tells the background that a report waits; ``_write_next`` writes the next one at once.
    """

    _storage: Storage
    _wake: Callable[[], None]
    _write_next: Callable[[OnProgress | None], object]

    def start(self, owner: str, subject: str, *, filters: Filters = Filters(), model: str = "") -> Report:
        """Begin a report on a subject, from the documents within the filters; ``model`` "" is the one that is set up.

        Without a model it quotes passages by topic, and says so. Raises UsageError for a subject without words and
        where there is no document, NotFoundError for a document or topic that is not there.
        """
        subject = " ".join(subject.split())
        if not any(map(str.isalnum, subject)):
            raise UsageError("A report needs a subject. Write what it is to be about.")
        if len(subject) > LONGEST_SUBJECT:
            raise UsageError(f"The subject is longer than {LONGEST_SUBJECT} characters. Shorten it.")
        if not searched_in(self._storage, filters).documents:
            raise UsageError("There are no documents to report on. Add some, or choose others.")
        report = Report(f"r{uuid4().hex[:12]}", subject, time.time(), filters, model)
        self._storage.reports.add(owner, report)
        self._queue(owner, report)
        return self.get(owner, report.report_id)

    def get(self, owner: str, report_id: str) -> Report:
        """Return a report as it stands. Raises NotFoundError."""
        return self._now(self._storage.reports.get(owner, report_id))

    def list(self, owner: str) -> list[Report]:
        """Return the owner's reports, the newest first, without their texts."""
        return [self._now(report) for report in self._storage.reports.list(owner)]

    def cancel(self, owner: str, report_id: str) -> Report:
        """Stop the writing of a report; what is written stays. Raises NotFoundError."""
        self._storage.jobs.cancel(self._storage.reports.get(owner, report_id).job_id)
        return self.get(owner, report_id)

    def resume(self, owner: str, report_id: str, section: int | None = None) -> Report:
        """Go on with a report that was stopped or has failed, or write its n-th section (1-based) anew.

        One that is being written goes on as it is. Raises NotFoundError, also for a section that is not there.
        """
        report = self.get(owner, report_id)
        if report.under_way:
            return report
        if section is not None:
            if not 1 <= section <= len(report.sections):
                raise NotFoundError(f"The report has no section {section}, but {len(report.sections)}.")
            anew = replace(report.sections[section - 1], answer=None, error="")
            report = replace(report, sections=[*report.sections[: section - 1], anew, *report.sections[section:]])
        elif report.complete:
            return report
        # A summary speaks of all sections: it is written again once one is new.
        unwritten = any(one.answer is None for one in report.sections)
        self._queue(owner, replace(report, summary=None if unwritten else report.summary))
        return self.get(owner, report_id)

    def write_waiting(self, on_progress: OnProgress | None = None) -> None:
        """Write the reports that wait, where no background does. ``on_progress`` gets (name, stage, share done)."""
        while self._write_next(on_progress):
            pass

    def delete(self, owner: str, report_id: str) -> Report:
        """Delete a report, whatever it is at, and return what it was. Raises NotFoundError."""
        report = self.get(owner, report_id)
        self._storage.jobs.cancel(report.job_id)
        self._storage.reports.delete(owner, report_id)
        self._storage.jobs.dismiss(report.job_id)
        return report

    def _queue(self, owner: str, report: Report) -> None:
        """Queue the writing of a report. The job tells others nothing of its subject."""
        self._storage.jobs.dismiss(report.job_id)
        job_id = new_job_id()
        # Kept before it is queued: the writer, who may begin at once, reads the report with its job and saves it whole.
        self._storage.reports.save(owner, replace(report, job_id=job_id, state="waiting", error=""))
        payload = {"report_id": report.report_id}
        self._storage.jobs.enqueue(REPORT_JOB, "report", payload, owner=owner, job_id=job_id)
        self._wake()

    def _now(self, report: Report) -> Report:
        """Return a report as its job stands: one that nobody writes any more was stopped, or has failed."""
        if not report.under_way:
            return report
        job: Job | None = None
        with suppress(NotFoundError):  # jobs that are over are forgotten after a while
            job = self._storage.jobs.get(report.job_id)
        if job is None or job.state in ("cancelled", "done"):
            return replace(report, state="stopped")
        if job.state == "failed":
            return replace(report, state="failed", error=job.error or "")
        if job.state == "queued":
            return replace(report, state="waiting")
        return replace(report, state="writing", stage=job.stage, progress=job.progress, eta=job.eta)
