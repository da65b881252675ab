"""Enters, corrects, checks, and withdraws cultures (DECISIONS, Results)."""

from app.basics.clock import get_lab_now
from app.basics.errors import FieldError, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import ResultStatus, Withholding
from app.server.access.work import Work
from app.server.lab_settings.rules import explains_why
from app.server.results.entry.loading import load_for_entering, load_for_reading
from app.server.results.microbiology import rules
from app.server.results.microbiology.loading import (
    QUERY,
    CultureRecord,
    LabTables,
    build_record,
)
from app.server.results.microbiology.models import CultureVersion
from app.server.results.microbiology.repository import CultureChanges, CultureTest, Version
from app.server.results.microbiology.schemas import (
    CultureCheck,
    CultureWrite,
    MicrobiologyEntry,
)
from app.server.results.microbiology.service.build import build_culture
from app.server.results.microbiology.service.entry import (
    build_culture_entry,
    build_entry,
    store_changes,
    to_messages,
)


async def save_culture(
    work: Work, order_id: int, order_test_id: int, body: CultureWrite
) -> MicrobiologyEntry:
    """Save a culture as a new version, which waits for its release.

    Without content, the entered version is withdrawn, and the released one is current again.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value is invalid, values have no organism, an intrinsically resistant
            antibiotic is reported S, or a correction has no reason.
    """
    record = build_record(await load_for_entering(work, order_id, QUERY))
    item = record.get_test(order_test_id)
    require_no_errors(_find_cancellation_error(item))
    content, errors = _build_content(work, record, item, body)
    if not errors:
        errors = _find_missing_reason(item, content, body, record.tables)
    require_no_errors(errors)
    changes = CultureChanges()
    if content.is_blank:
        action = "withdraw"
        has_changed = _withdraw_version(item, changes)
    else:
        action = "enter"
        has_changed = _enter_culture(work, record, item, body, content, changes)
    if has_changed:
        store_changes(work, record, changes)
        await work.audit(action, "order-results", [order_id], {"tests": 1})
    return build_entry(work, record)


async def check_culture(
    work: Work, order_id: int, order_test_id: int, body: CultureWrite
) -> CultureCheck:
    """Return the culture as it would be saved, and the rejected entries; stores nothing.

    Raises:
        Forbidden, NotFound.
    """
    record = build_record(await load_for_reading(work, order_id, QUERY))
    item = record.get_test(order_test_id)
    content, errors = _build_content(work, record, item, body)
    is_critical = rules.is_critical(
        record.tables.critical_rows, content, item.test.critical_choices
    )
    entry = build_culture_entry(item, content, is_critical=is_critical)
    await work.audit("read", "order-results", [order_id])
    return CultureCheck(**entry.model_dump(), errors=to_messages(errors))


def _build_content(
    work: Work, record: CultureRecord, item: CultureTest, body: CultureWrite
) -> tuple[rules.Culture, list[FieldError]]:
    return build_culture(
        body,
        record.tables,
        item.test.choices,
        work.portal.settings.time_zone,
        record.entry.order.patient_birth_date,
    )


def _find_cancellation_error(item: CultureTest) -> list[FieldError]:
    if item.row.status != ResultStatus.CANCELED:
        return []
    return [FieldError("", messages.CULTURE_TEST_CANCELED.format(test=item.row.name))]


def _find_missing_reason(
    item: CultureTest, content: rules.Culture, body: CultureWrite, tables: LabTables
) -> list[FieldError]:
    if message := _find_list_fault(item, content, body, tables):
        return [FieldError("reasonCode", message)]
    if content.is_blank or not _is_correction(item, content):
        return []
    if not body.reason_code:
        return [FieldError("reasonCode", messages.CULTURE_REASON_REQUIRED)]
    if not explains_why(body.reason_code, body.explanation):
        return [FieldError("explanation", messages.REASON_NEEDS_WORDS)]
    return []


def _is_correction(item: CultureTest, content: rules.Culture) -> bool:
    """Whether the content corrects the newest release, even if that is withheld now."""
    released_version = item.latest_release
    if released_version is None or released_version.stage is None:
        return False
    return rules.is_correction(released_version.content, content, released_version.stage)


def _find_list_fault(
    item: CultureTest, content: rules.Culture, body: CultureWrite, tables: LabTables
) -> str | None:
    """Return why the sent reason cannot be chosen from the list, or None."""
    if body.reason_code and body.reason_code not in tables.reasons:
        return messages.VALUE_INVALID
    if body.reason_code in tables.ended_reasons and not _has_reason(item, content, body):
        return messages.REASON_ENDED
    return None


def _has_reason(item: CultureTest, content: rules.Culture, body: CultureWrite) -> bool:
    """Whether the current version, which the write repeats or changes, has the sent reason."""
    current = item.current
    if current is None or current.row.reason_code != body.reason_code:
        return False
    return current.row.released_at is None or current.content == content


def _enter_culture(
    work: Work,
    record: CultureRecord,
    item: CultureTest,
    body: CultureWrite,
    content: rules.Culture,
    changes: CultureChanges,
) -> bool:
    """Add the entered culture to the changes; return whether it changes anything."""
    current, tables = item.current, record.tables
    # A sent reason reports a withdrawn culture again, even if it is unchanged.
    is_repeat = bool(current and current.row.withheld == Withholding.WITHDRAWN and body.reason_code)
    # Only a correction has a reason: readers take every version with a reason for one.
    has_reason = is_repeat or _is_correction(item, content)
    reason_code = (body.reason_code or None) if has_reason else None
    explanation = clean_text(body.explanation) if has_reason else None
    if current and current.content == content and not is_repeat:
        is_reason_same = (current.row.reason_code, current.row.explanation) == (
            reason_code,
            explanation,
        )
        if current.row.released_at is not None or is_reason_same:
            return False
    row = CultureVersion(
        order_id=record.entry.order.id,
        order_test_id=item.row.id,
        revision=max((version.row.revision for version in item.versions), default=0) + 1,
        is_current=True,
        is_critical=rules.is_critical(tables.critical_rows, content, item.test.critical_choices),
        is_abnormal=rules.is_abnormal(content, item.test.normal_choices),
        source=content.source,
        source_name=content.source_name,
        site=content.site,
        site_name=content.site_name,
        collected_at=content.collected_at,
        result=content.result,
        comment=content.comment,
        preliminary_comment=content.preliminary_comment,
        breakpoint_edition=tables.edition,
        performing_lab=record.entry.lab_name,
        reason_code=reason_code,
        reason=tables.reasons[reason_code] if reason_code else None,
        explanation=explanation,
        entered_by=work.actor.user_id,
        entered_at=get_lab_now(work.portal.settings.time_zone),
    )
    add_version(item, Version(row, content), changes)
    return True


def add_version(item: CultureTest, version: Version, changes: CultureChanges) -> None:
    """Make a new version current, in place of the one before it."""
    current = item.current
    if current:
        current.row.is_current = False
        changes.changed.append(current)
    item.versions.append(version)
    changes.added.append(version)


def _withdraw_version(item: CultureTest, changes: CultureChanges) -> bool:
    """Withdraw an unreleased version, and restore the released one before it."""
    version = item.unreleased_version
    if version is None:
        return False
    version.row.is_current = False
    changes.changed.append(version)
    if item.latest_release:
        item.latest_release.row.is_current = True
        changes.changed.append(item.latest_release)
    return True
