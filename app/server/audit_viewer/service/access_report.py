"""Renders 'who looked at my record': all accesses to a patient's records in a period."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.basics.clock import get_lab_now, to_lab_time
from app.basics.errors import require_allowed
from app.contract.enumerations import Role
from app.drawing.pages import AccessLine, AccessReport, draw_access_report
from app.server.access.work import Work
from app.server.audit_viewer import rules, words
from app.server.audit_viewer.repository import Access, AuditRepository
from app.server.paperwork.service.facts import load_lab
from app.server.paperwork.service.report import ReportContext
from app.server.patients.service.read import get_patient

_DAYS_DEFAULT = 365
_CODES_MAX = 3
_OTHERS = {"worker": "The portal", "admin": "Command line"}


async def render_access_report(
    context: ReportContext, patient_id: int, first: date | None, last: date | None
) -> bytes:
    """Render the report of a period, by default the last 365 days.

    Raises:
        Forbidden: the actor may not read the audit log.
        NotFound: the patient does not exist.
    """
    async with context.open_function(draw_access_report) as draw:
        async with context.open_work() as work:
            report = await _load_report(work, patient_id, first, last)
        return await draw(report)


async def _load_report(
    work: Work, patient_id: int, first: date | None, last: date | None
) -> AccessReport:
    require_allowed(rules.judge_reading_audit(work.actor))
    patient = await get_patient(work, patient_id)
    zone = work.portal.settings.time_zone
    now = get_lab_now(zone)
    last = last or now.date()
    first = first or last - timedelta(days=_DAYS_DEFAULT - 1)
    repository = work.build_repository(AuditRepository)
    accesses = await repository.list_accesses(
        patient.id,
        _compute_day_start(first, zone),
        _compute_day_start(last + timedelta(days=1), zone),
        rules.ACCESS_ROWS_MAX,
    )
    codes = await repository.load_codes(patient.id)
    detail = {"from": first.isoformat(), "to": last.isoformat(), "rows": len(accesses)}
    await work.audit("report-access", "patient", [patient.id], detail)
    return AccessReport(
        lab=await load_lab(work),
        printed=now,
        patient=f"{patient.last_name}, {patient.first_name}",
        code=patient.code,
        birth_date=patient.birth_date,
        first=first,
        last=last,
        total=accesses[0].total if accesses else 0,
        lines=tuple(_build_line(access, codes, zone) for access in accesses),
    )


def _compute_day_start(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone))


def _build_line(access: Access, codes: dict[tuple[str, int], str], zone: str) -> AccessLine:
    kind = "order" if access.kind in words.ORDER_KINDS else "requisition"
    record_codes = [codes[kind, i] for i in access.record_ids if (kind, i) in codes]
    if access.kind in words.PATIENT_KINDS:
        record_codes = []
    more = f" and {len(record_codes) - _CODES_MAX} more" if len(record_codes) > _CODES_MAX else ""
    return AccessLine(
        at=to_lab_time(access.at, zone),
        person=access.name or _OTHERS.get(access.role, "Not signed in"),
        role=access.role if access.role in list(Role) else "",
        what=words.describe_act(access.action, access.kind),
        records=", ".join(record_codes[:_CODES_MAX]) + more,
        is_denied=access.action in words.DENIED,
    )
