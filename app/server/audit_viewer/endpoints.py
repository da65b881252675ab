"""/api/v2/audit-events: who saw or changed which records."""

from datetime import date
from typing import Annotated

from fastapi import Query, Request, Response

from app.server.access.media import Pdf, build_pdf
from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.audit_viewer.lists import audit_events
from app.server.audit_viewer.rules import AUDIT_READERS
from app.server.audit_viewer.schemas import AuditEventRead, AuditExportRequest
from app.server.audit_viewer.service.access_report import render_access_report
from app.server.audit_viewer.service.export import request_audit_export
from app.server.audit_viewer.service.read import read_event
from app.server.exports.schemas import ExportRead
from app.server.lists.document import document_page
from app.server.lists.service import answer_page
from app.server.paperwork.service.report import build_report_context

router = build_router("/api/v2/audit-events", "audit_viewer")

FirstDay = Annotated[date | None, Query(alias="startDate")]
LastDay = Annotated[date | None, Query(alias="endDate")]


@router.get("", **document_page(audit_events))
@allow(AUDIT_READERS, transaction=False)
async def list_events(request: Request) -> Response:
    """The audit log, newest first; reading it is audited, too."""
    zone = request.app.state.portal.settings.time_zone
    return await answer_page(request, audit_events, {"zone": zone})


@router.get("/access-report/{patient_id}", response_class=Pdf)
@allow(AUDIT_READERS, transaction=False)
async def read_access_report(
    patient_id: int, request: Request, first: FirstDay = None, last: LastDay = None
) -> Response:
    """Who saw or changed a patient's records in a period, as PDF."""
    document = await render_access_report(build_report_context(request), patient_id, first, last)
    return build_pdf("access-report", document)


@router.post("/export")
@allow(AUDIT_READERS)
async def export_events(body: AuditExportRequest, work: InWork) -> ExportRead:
    """Request an export of the audit rows that a search finds."""
    return await request_audit_export(work, body)


@router.get("/{event_id}")
@allow(AUDIT_READERS)
async def read_audit_event(event_id: int, work: InWork) -> AuditEventRead:
    """The detail of an audit row."""
    return await read_event(work, event_id)
