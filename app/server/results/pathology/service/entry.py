"""The pathology entry screen, and the common steps of entering and releasing reports."""

from collections.abc import Sequence

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    ReportKind,
    ResultKind,
    ResultStatus,
)
from app.server.access.work import Work
from app.server.critical_results.repository import CriticalResult
from app.server.results.entry.loading import OrderEntry, load_for_reading
from app.server.results.entry.progress import FamilyProgress
from app.server.results.entry.service import (
    build_header,
    build_holds,
    build_withholding,
    find_obstacle,
    predates_specimen,
)
from app.server.results.pathology import rules
from app.server.results.pathology.loading import QUERY, collect_tests
from app.server.results.pathology.models import PathologyReport
from app.server.results.pathology.repository import ReportedTest, list_kinds
from app.server.results.pathology.schemas import (
    PathologyDraft,
    PathologyEntry,
    PathologyEntryTest,
    PathologyReportRead,
)
from app.server.results.performing import list_performers

KIND = ResultKind.PATHOLOGY


async def read_entry(work: Work, order_id: int) -> PathologyEntry:
    """Return the pathology entry screen of an order.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    entry = await load_for_reading(work, order_id, QUERY)
    await work.audit("read", "order-results", [entry.order.id])
    return build_entry(work, entry, collect_tests(entry))


def build_entry(work: Work, entry: OrderEntry, tests: list[ReportedTest]) -> PathologyEntry:
    """Build the entry screen from an order as loaded, or as the commit will store it."""
    return PathologyEntry(
        **build_header(work, entry),
        tests=[_build_test(work, entry, item) for item in tests],
    )


def build_reports(
    reports: Sequence[PathologyReport], lab_name: str | None
) -> list[PathologyReportRead]:
    """Build the response for the released reports of a test, oldest first, with their titles."""
    kinds = list_kinds(reports)
    titles = _list_titles(reports)
    replacements = rules.find_replacements(kinds)
    return [
        PathologyReportRead(
            id=report.id,
            title=title,
            status=rules.compute_report_kind(kind, is_released=True),
            comment=report.content,
            flag=report.flag,
            signed_out_by=report.signed_out_by,
            released_by=report.released_by_name,
            released_at=report.released_at,
            reason=report.reason,
            explanation=report.explanation,
            replaced_by=None if replacement is None else titles[replacement],
            withheld=report.withheld,
            result_report_comments=list(list_performers(report.performing_lab, lab_name)),
        )
        for report, kind, title, replacement in zip(
            reports, kinds, titles, replacements, strict=True
        )
    ]


def _list_titles(reports: Sequence[PathologyReport]) -> list[str]:
    return [rules.format_title(ReportKind(report.kind), report.number) for report in reports]


def _hide_content(report: PathologyReportRead) -> PathologyReportRead:
    """Return a withheld report as people outside the lab see it: its title and times."""
    blank = dict.fromkeys(("flag", "signed_out_by", "reason", "explanation"))
    return report.model_copy(update={**blank, "comment": "", "result_report_comments": []})


def format_draft_title(item: ReportedTest, kind: ReportKind) -> str:
    """Return the title that a test's entered report will have."""
    return rules.format_title(kind, item.compute_next_number(kind))


def build_progress(tests: list[ReportedTest]) -> FamilyProgress:
    """Build the progress of an order from its reports; canceled tests stay canceled."""
    flags = [
        report.flag for item in tests for report, _ in _list_valid_reports(item) if report.flag
    ]
    return FamilyProgress(
        statuses={
            item.row.id: rules.compute_test_status(
                has_entered=item.draft is not None or bool(item.released_reports),
                has_released=bool(item.visible_reports) and not item.is_withheld,
            )
            for item in tests
            if item.row.status != ResultStatus.CANCELED
        },
        has_critical=any(flag in CRITICAL_FLAGS for flag in flags),
        has_abnormal=any(flag not in NOT_ABNORMAL_FLAGS for flag in flags),
        criticals=_list_criticals(tests),
        shown_values={
            item.row.id: ", ".join(title for _, title in _list_valid_reports(item)) or None
            for item in tests
        },
    )


def _list_criticals(tests: list[ReportedTest]) -> list[CriticalResult]:
    """List the critical reports that clients see, without those of canceled tests."""
    criticals = []
    for item in tests:
        if item.row.status == ResultStatus.CANCELED:
            continue
        for report, title in _list_valid_reports(item):
            if report.flag in CRITICAL_FLAGS and report.released_at:
                criticals.append(
                    CriticalResult(
                        item.row.id, item.row.name, title, report.flag, report.released_at
                    )
                )
    return criticals


def _list_valid_reports(item: ReportedTest) -> list[tuple[PathologyReport, str]]:
    """List the reports that clients see and no other replaces, with their titles."""
    reports = item.visible_reports
    replacements = rules.find_replacements(list_kinds(reports))
    return [
        (report, title)
        for report, title, replacement in zip(
            reports, _list_titles(reports), replacements, strict=True
        )
        if replacement is None
    ]


def find_entry_obstacle(work: Work, entry: OrderEntry, item: ReportedTest) -> str | None:
    """Return why the actor may not release the entered report of a test now, or None."""
    draft = item.draft
    return find_obstacle(work, entry, item.row, draft.entered_by) if draft else None


def _build_test(work: Work, entry: OrderEntry, item: ReportedTest) -> PathologyEntryTest:
    draft, user_names = item.draft, entry.user_names
    return PathologyEntryTest(
        order_test_id=item.row.id,
        code=item.test.code,
        name=item.row.name,
        specimen=item.test.specimen,
        status=item.row.status,
        awaits_collection=item.row.needs_specimen,
        predates_specimen=predates_specimen(
            entry, item.row, item.test, draft.entered_at if draft else None
        ),
        draft=(
            PathologyDraft(
                kind=ReportKind(draft.kind),
                title=format_draft_title(item, ReportKind(draft.kind)),
                comment=draft.content,
                flag=draft.flag,
                signed_out_by=draft.signed_out_by,
                reason_code=draft.reason_code,
                reason=draft.reason,
                explanation=draft.explanation,
                entered_by=user_names.get(draft.entered_by) if draft.entered_by else None,
                entered_at=draft.entered_at,
            )
            if draft
            else None
        ),
        next_kinds=list(
            rules.list_next_kinds(
                has_released=bool(item.released_reports), is_withheld=item.is_withheld
            )
        ),
        released=[
            _hide_content(report) if report.withheld and not entry.is_lab else report
            for report in build_reports(item.released_reports, entry.lab_name)
        ],
        withheld=build_withholding(entry, item.reports, entry.parts["reasons"]),
        holds=build_holds(entry, item.test.id),
        left_because=find_entry_obstacle(work, entry, item),
    )
