"""The microbiology entry screen, and the common steps of entering and releasing cultures."""

from collections.abc import Sequence
from datetime import datetime

from app.basics.errors import FieldError
from app.contract.enumerations import CultureStage, ResultKind, ResultStatus, Withholding
from app.server.access.work import Work
from app.server.critical_results.repository import CriticalResult
from app.server.results.entry.loading import load_for_reading
from app.server.results.entry.progress import FamilyProgress, ShownChange, update_progress
from app.server.results.entry.service import (
    build_header,
    build_holds,
    build_withholding,
    find_obstacle,
    predates_specimen,
)
from app.server.results.microbiology import rules
from app.server.results.microbiology.loading import QUERY, CultureRecord, build_record
from app.server.results.microbiology.repository import (
    CultureChanges,
    CultureRepository,
    CultureTest,
    Version,
)
from app.server.results.microbiology.schemas import (
    CultureEntry,
    CultureEntryTest,
    FieldMessage,
    FindingEntry,
    MicrobiologyEntry,
    OrganismEntry,
    SensitivityEntry,
)


async def read_entry(work: Work, order_id: int) -> MicrobiologyEntry:
    """Return the microbiology entry screen of an order.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    record = build_record(await load_for_reading(work, order_id, QUERY))
    await work.audit("read", "order-results", [order_id])
    return build_entry(work, record)


def build_entry(work: Work, record: CultureRecord) -> MicrobiologyEntry:
    """Build the entry screen from a record as loaded, or as the commit will store it."""
    return MicrobiologyEntry(
        **build_header(work, record.entry),
        tests=[_build_test(work, record, item) for item in record.tests],
    )


def build_culture_entry(
    item: CultureTest, content: rules.Culture, *, is_critical: bool, version: Version | None = None
) -> CultureEntry:
    """Build a culture for the entry screen, with the gaps of each release."""
    released_version = item.latest_release
    is_correction = bool(
        released_version
        and released_version.stage
        and not content.is_blank
        and version is not released_version
        and rules.is_correction(released_version.content, content, released_version.stage)
    ) or bool(released_version and released_version.row.withheld == Withholding.WITHDRAWN)
    return CultureEntry(
        source=content.source,
        site=content.site,
        collected=content.collected_at,
        result=content.result,
        findings=[FindingEntry.model_validate(finding) for finding in content.findings],
        organisms=[_build_organism(organism) for organism in content.organisms],
        comment=content.comment,
        preliminary_comment=content.preliminary_comment,
        reason_code=version.row.reason_code if version else None,
        reason=version.row.reason if version else None,
        explanation=version.row.explanation if version else None,
        is_correction=is_correction,
        is_critical=is_critical,
        preliminary_gaps=to_messages(list_gaps(item, content, CultureStage.PRELIMINARY)),
        final_gaps=to_messages(list_gaps(item, content, CultureStage.FINAL)),
    )


def list_gaps(item: CultureTest, content: rules.Culture, stage: CultureStage) -> list[FieldError]:
    """List the reasons why the culture cannot be released at this stage."""
    has_choices = bool(item.test.choices)
    return rules.find_gaps(
        item.row.name, content, stage, has_choices=has_choices, released_stage=item.latest_stage
    )


def to_messages(errors: Sequence[FieldError]) -> list[FieldMessage]:
    """Convert errors to their shape on the wire."""
    return [FieldMessage(field=error.field, message=error.message) for error in errors]


def store_changes(
    work: Work,
    record: CultureRecord,
    changes: CultureChanges,
    *,
    change: ShownChange | None = None,
) -> None:
    """Store changed cultures, the order's status and alert, and the statuses of its tests."""
    work.build_repository(CultureRepository).store_changes(changes)
    visible_rows = [item.shown_version.row for item in record.tests if item.shown_version]
    progress = FamilyProgress(
        statuses={
            item.row.id: rules.compute_status(
                has_entered=item.current is not None, released_stage=item.stage
            )
            for item in record.tests
            if item.row.status != ResultStatus.CANCELED
        },
        has_critical=any(row.is_critical for row in visible_rows),
        has_abnormal=any(row.is_abnormal for row in visible_rows),
        criticals=_list_criticals(record.tests),
        shown_values={item.row.id: _describe_shown(item) for item in record.tests},
    )
    update_progress(
        work,
        record.entry,
        ResultKind.MICROBIOLOGY,
        progress,
        change=change,
    )


def has_version_to_release(item: CultureTest, kind: CultureStage) -> bool:
    """Whether the culture has a version to release at this stage."""
    if item.row.status == ResultStatus.CANCELED:
        return False
    can_become_final = kind is CultureStage.FINAL and item.stage is CultureStage.PRELIMINARY
    return item.unreleased_version is not None or can_become_final


def find_entry_obstacle(work: Work, record: CultureRecord, item: CultureTest) -> str | None:
    """Return why the actor may not release the current version of a culture now, or None."""
    current = item.current
    entered_by = current.row.entered_by if current else None
    return find_obstacle(work, record.entry, item.row, entered_by)


def _list_criticals(tests: Sequence[CultureTest]) -> list[CriticalResult]:
    """List the critical cultures that clients see, each with the time of its first release."""
    criticals = []
    for item in tests:
        release = item.shown_version
        if item.row.status == ResultStatus.CANCELED or release is None:
            continue
        if release.row.is_critical:
            text = rules.describe_culture(release.content)
            first = _find_first_release(item, text)
            criticals.append(CriticalResult(item.row.id, item.row.name, text, None, first))
    return criticals


def _describe_shown(item: CultureTest) -> str | None:
    release = item.shown_version
    return rules.describe_culture(release.content) if release else None


def _find_first_release(item: CultureTest, text: str) -> datetime:
    """Return when the culture first said this; a final release may only repeat it.

    If it was withdrawn and reported again, this is the time of the later release.
    """
    times = []
    for version in reversed(item.released_versions):
        if version.row.withheld == Withholding.WITHDRAWN:
            break
        if not version.row.is_critical or rules.describe_culture(version.content) != text:
            break
        assert version.row.released_at is not None
        times.append(version.row.released_at)
    return times[-1]


def _build_test(work: Work, record: CultureRecord, item: CultureTest) -> CultureEntryTest:
    current = item.current
    shown = current if current and record.entry.hide_withheld(current.row) else None
    content = shown.content if shown else rules.Culture()
    row = shown.row if shown else None
    return CultureEntryTest(
        order_test_id=item.row.id,
        code=item.test.code,
        name=item.row.name,
        specimen=item.test.specimen,
        choices=item.test.choices,
        status=item.row.status,
        awaits_collection=item.row.needs_specimen,
        predates_specimen=predates_specimen(
            record.entry,
            item.row,
            item.test,
            item.unreleased_version.row.entered_at if item.unreleased_version else None,
        ),
        stage=item.stage,
        withheld=build_withholding(
            record.entry, [version.row for version in item.versions], record.tables.reasons
        ),
        holds=build_holds(record.entry, item.test.id),
        is_entered=current is not None,
        is_released=bool(current and current.row.released_at),
        has_release=bool(item.released_versions),
        left_because=find_entry_obstacle(work, record, item)
        if has_version_to_release(item, CultureStage.FINAL)
        else None,
        entered_by=record.entry.user_names.get(row.entered_by) if row and row.entered_by else None,
        entered_at=row.entered_at if row else None,
        culture=build_culture_entry(
            item, content, is_critical=bool(row and row.is_critical), version=shown
        ),
    )


def _build_organism(organism: rules.Organism) -> OrganismEntry:
    return OrganismEntry(
        code=organism.code,
        name=organism.name,
        quantity=organism.quantity,
        mark=organism.mark,
        comment=organism.comment,
        sensitivity=[
            SensitivityEntry(
                antibiotic=susceptibility.antibiotic,
                antibiotic_name=susceptibility.antibiotic_name,
                method=susceptibility.method,
                mic=susceptibility.value,
                interpretation=susceptibility.interpretation,
                is_manual=susceptibility.is_manual,
                reporting=susceptibility.reporting,
                is_suppressed=susceptibility.is_suppressed,
                limits=susceptibility.limits,
                comment=susceptibility.comment,
            )
            for susceptibility in organism.sensitivity
        ],
    )
