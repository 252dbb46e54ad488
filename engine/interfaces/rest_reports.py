"""REST of reports: begun, looked at, stopped, gone on with, exported, deleted; each caller's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from engine.export.report_file import KINDS, report_file, report_name
from engine.interfaces import rest_shapes as shapes
from engine.interfaces.rest_questions import OwnerOf
from engine.interfaces.rest_shapes import FilterBody, Number, Paging, Text, example, gives
from engine.library import Library
from engine.model import Report


class ReportBody(FilterBody):
    """What a report is to be about, and what it may draw on; ``model`` is one of the endpoint's."""

    model_config = example(subject="Compare what the documents say of foundries")

    subject: Text
    model: str = Field("", max_length=200)


class ResumeBody(BaseModel):
    """What is to be written: all that is missing, or the n-th section anew."""

    model_config = example(section=None)

    section: Number | None = None


_FILES = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in KINDS.values()}


def report_routes(get_library: Callable[[], Library], owner_of: OwnerOf) -> APIRouter:
    """Return the routes below ``/reports``; ``owner_of`` tells whose reports a request may see."""
    router = APIRouter(prefix="/reports", tags=["reports"])

    @router.post("", **gives(Report))
    def begin_report(body: ReportBody, request: Request) -> dict[str, Any]:
        """Begin a report; it is written in the background, and ``GET /reports/{id}`` tells how far it is."""
        begun = get_library().reports.start(
            owner_of(request), body.subject, filters=body.filters(), model=body.model
        )
        return begun.to_dict()

    @router.get("", **gives(shapes.Reports))
    def reports(request: Request, page: Annotated[Paging, Query()]) -> dict[str, Any]:
        """List the caller's reports, the newest first, without their texts."""
        return page.of("reports", [one.to_dict() for one in get_library().reports.list(owner_of(request))])

    @router.get("/{report_id}", **gives(Report))
    def report(report_id: str, request: Request) -> dict[str, Any]:
        """Return a report as it stands; finished sections are there while others are being written."""
        return get_library().reports.get(owner_of(request), report_id).to_dict()

    @router.post("/{report_id}/cancel", **gives(Report))
    def cancel_report(report_id: str, request: Request) -> dict[str, Any]:
        """Stop its writing; what is written stays."""
        return get_library().reports.cancel(owner_of(request), report_id).to_dict()

    @router.post("/{report_id}/resume", **gives(Report))
    def resume_report(report_id: str, body: ResumeBody, request: Request) -> dict[str, Any]:
        """Write what is missing, or one section anew."""
        return get_library().reports.resume(owner_of(request), report_id, body.section).to_dict()

    @router.get(
        "/{report_id}/export",
        response_model=None,
        responses={200: {"description": "Done", "content": _FILES}},
    )
    def export_report(
        report_id: str, request: Request, kind: Literal["docx", "pdf", "md"] = "docx"
    ) -> Response:
        """Return it as a file with footnotes, as far as it is written."""
        found = get_library().reports.get(owner_of(request), report_id)
        named = f"attachment; filename*=UTF-8''{quote(report_name(found, kind))}"
        return Response(
            report_file(found, kind), headers={"content-type": KINDS[kind], "content-disposition": named}
        )

    @router.delete("/{report_id}", **gives(shapes.RemovedReport))
    def remove_report(report_id: str, request: Request) -> dict[str, Any]:
        """Delete a report, whatever it is at."""
        return {"removed": get_library().reports.delete(owner_of(request), report_id).report_id}

    return router
