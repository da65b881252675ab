"""Enters, edits, and withdraws pathology reports (DECISIONS, Results)."""

from collections.abc import Collection, Mapping

from app.basics.clock import get_lab_now
from app.basics.errors import BadInput, FieldError, require_no_errors
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultStatus
from app.contract.limits import PATHOLOGY_REPORT_MAX_LENGTH
from app.server.access.work import Work
from app.server.drawing_pool import DrawingPool
from app.server.results.entry.loading import OrderEntry, load_for_entering
from app.server.results.entry.progress import update_progress
from app.server.results.pathology import rules
from app.server.results.pathology.loading import QUERY, collect_tests, get_test
from app.server.results.pathology.models import PathologyReport
from app.server.results.pathology.repository import PathologyRepository, ReportedTest
from app.server.results.pathology.schemas import PathologyEntry, PathologyReportWrite
from app.server.results.pathology.service.entry import (
    KIND,
    build_entry,
    build_progress,
)
from app.server.rich_text import sanitize_in_turn


async def save_report(
    work: Work, order_id: int, order_test_id: int, body: PathologyReportWrite
) -> PathologyEntry:
    """Save a report, which then waits for its release; without text, the report is withdrawn.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: the text is too long, the test is canceled, the flag is not one of a report, or
            the kind of report cannot follow the released ones.
    """
    content = await _sanitize_comment(work, body.comment)
    entry = await load_for_entering(work, order_id, QUERY)
    tests = collect_tests(entry)
    item = get_test(tests, order_test_id)
    has_changed = (
        _withdraw_draft(work, item)
        if content is None
        else _enter_report(work, entry, item, body, content)
    )
    if has_changed:
        update_progress(work, entry, KIND, build_progress(tests))
        action = "withdraw" if content is None else "enter"
        await work.audit(action, "order-results", [order_id], {"tests": 1})
    return build_entry(work, entry, tests)


async def _sanitize_comment(work: Work, comment: str | None) -> str | None:
    content = await sanitize_in_turn(
        work.portal.get_part(DrawingPool), work.actor.user_text, comment
    )
    if (count := len(content or "")) > PATHOLOGY_REPORT_MAX_LENGTH:
        text = messages.PATHOLOGY_TOO_LONG.format(max=PATHOLOGY_REPORT_MAX_LENGTH, count=count)
        raise BadInput.of(FieldError("comment", text))
    return content


def _withdraw_draft(work: Work, item: ReportedTest) -> bool:
    draft = item.draft
    if draft is None:
        return False
    draft.is_current = False
    work.build_repository(PathologyRepository).withdraw_draft(draft)
    return True


def _enter_report(
    work: Work, entry: OrderEntry, item: ReportedTest, body: PathologyReportWrite, content: str
) -> bool:
    """Queue the entered report; return whether it changes anything."""
    reasons: Mapping[str, str] = entry.parts["reasons"]
    ended_codes = entry.get_ended_reasons(ReasonKind.CORRECTION)
    require_no_errors(_validate_report(item, body, reasons, ended_codes))
    reason_code = body.reason_code or None
    values = {
        "kind": int(body.kind),
        "content": content,
        "flag": body.flag,
        "signed_out_by": to_upper_case(body.signed_out_by),
        "reason_code": reason_code,
        "reason": reasons[reason_code] if reason_code else None,
        "explanation": clean_text(body.explanation),
    }
    draft = item.draft
    if draft and all(getattr(draft, name) == value for name, value in values.items()):
        return False
    report = draft or PathologyReport(
        order_id=entry.order.id,
        order_test_id=item.row.id,
        revision=max((report.revision for report in item.reports), default=0) + 1,
        is_current=True,
    )
    for name, value in values.items():
        setattr(report, name, value)
    report.performing_lab = entry.lab_name
    report.entered_by = work.actor.user_id
    report.entered_at = get_lab_now(work.portal.settings.time_zone)
    repository = work.build_repository(PathologyRepository)
    if draft:
        repository.update_draft(report)
    else:
        repository.add_report(report)
        item.reports.append(report)
    return True


def _validate_report(
    item: ReportedTest,
    body: PathologyReportWrite,
    reasons: Mapping[str, str],
    ended_codes: Collection[str],
) -> list[FieldError]:
    if item.row.status == ResultStatus.CANCELED:
        return [FieldError("kind", messages.RESULT_TEST_CANCELED.format(test=item.row.name))]
    errors = []
    has_released = bool(item.released_reports)
    next_kinds = rules.list_next_kinds(has_released=has_released, is_withheld=item.is_withheld)
    if body.kind not in next_kinds:
        message = messages.PATHOLOGY_KIND if has_released else messages.PATHOLOGY_KIND_FIRST
        if item.is_withheld:
            message = messages.PATHOLOGY_WITHHELD
        errors.append(FieldError("kind", message.format(test=item.row.name)))
    if body.flag is not None and body.flag not in rules.FINDINGS:
        errors.append(FieldError("flag", messages.VALUE_INVALID))
    if body.reason_code and body.reason_code not in reasons:
        errors.append(FieldError("reasonCode", messages.VALUE_INVALID))
    stored_code = item.draft.reason_code if item.draft else None
    if body.reason_code in ended_codes and body.reason_code != stored_code:
        errors.append(FieldError("reasonCode", messages.REASON_ENDED))
    return errors
