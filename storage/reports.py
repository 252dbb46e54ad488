"""Reports with what has been written of them: rows in the catalog."""

from dataclasses import replace

import orjson

from engine.errors import NotFoundError
from engine.model import Report
from storage.catalog.database import Kept, change, insert

COLUMNS = "report_id, owner, created_at, content"
_LONG = ("sections", "summary")
_MISSING = "There is no report {}."


class Reports(Kept):
    """The reports of one library; every call names the owner and sees only that owner's."""

    def add(self, owner: str, report: Report) -> None:
        """Keep a new report."""
        with self._catalog.transaction() as write:
            row = report.report_id, owner, report.created_at, self._content(report)
            write.execute(insert("report", COLUMNS), row)

    def save(self, owner: str, report: Report, of_job: str = "") -> None:
        """Keep a report in place of what was kept of it, with ``of_job`` only while it is that job's to write.

        Raises NotFoundError when it was deleted, or when another job writes it.
        """
        mine = " AND content LIKE ?" if of_job else ""
        change(
            self._catalog,
            f"UPDATE report SET content = ? WHERE report_id = ? AND owner = ?{mine}",
            (self._content(report), report.report_id, owner, *([f'%"job_id":"{of_job}"%'] if of_job else [])),
            _MISSING.format(report.report_id),
        )

    def get(self, owner: str, report_id: str) -> Report:
        """Return a report. Raises NotFoundError."""
        rows = self._catalog.read("SELECT content FROM report WHERE report_id = ? AND owner = ?", (report_id, owner))
        if not rows:
            raise NotFoundError(_MISSING.format(report_id))
        return Report.from_dict(orjson.loads(rows[0][0]))

    def list(self, owner: str) -> list[Report]:
        """Return the owner's reports, the newest first, without their sections and summaries."""
        rows = self._catalog.read(
            "SELECT content FROM report WHERE owner = ? ORDER BY created_at DESC, report_id", (owner,)
        )
        told = [orjson.loads(content) for (content,) in rows]
        return [Report.from_dict({k: v for k, v in one.items() if k not in _LONG}) for one in told]

    def delete(self, owner: str, report_id: str) -> None:
        """Delete a report. Raises NotFoundError."""
        statement = "DELETE FROM report WHERE report_id = ? AND owner = ?"
        change(self._catalog, statement, (report_id, owner), _MISSING.format(report_id))

    def _content(self, report: Report) -> str:
        return orjson.dumps(replace(report, updated_at=self._clock()).to_dict()).decode()
