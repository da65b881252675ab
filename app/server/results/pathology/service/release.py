"""Releases pathology reports (DECISIONS, Results)."""

from app.basics.clock import get_lab_now
from app.basics.errors import FieldError, require_no_errors
from app.contract import messages
from app.contract.enumerations import Reopening, ReportKind, ResultStatus
from app.server.access.work import Work
from app.server.lab_settings.rules import explains_why
from app.server.results.entry.family import TestVersions, end_reviews
from app.server.results.entry.loading import load_for_release
from app.server.results.entry.progress import ShownChange, update_progress
from app.server.results.entry.service import require_releasable
from app.server.results.pathology import rules
from app.server.results.pathology.errors import NothingToRelease
from app.server.results.pathology.loading import QUERY, collect_tests, get_test
from app.server.results.pathology.models import PathologyReport
from app.server.results.pathology.repository import PathologyRepository, ReportedTest
from app.server.results.pathology.schemas import PathologyEntry, PathologyRelease
from app.server.results.pathology.service.entry import (
    KIND,
    build_entry,
    build_progress,
    find_entry_obstacle,
)


async def release_reports(work: Work, order_id: int, body: PathologyRelease) -> PathologyEntry:
    """Release entered reports; clients see them after the commit.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToRelease: the chosen tests have no entered report.
        NotReleasable: a chosen test is on hold, or must be released by a person who did not
            enter it.
        BadInput: a report has an empty section, nobody who signs it out, or no reason for a
            revision; no report is released.
    """
    entry = await load_for_release(work, order_id, QUERY)
    tests = collect_tests(entry)
    chosen_tests = (
        tests
        if body.order_test_ids is None
        else [get_test(tests, test_id) for test_id in dict.fromkeys(body.order_test_ids)]
    )
    drafts = [
        (item, item.draft)
        for item in chosen_tests
        if item.draft and item.row.status != ResultStatus.CANCELED
    ]
    if not drafts:
        raise NothingToRelease(messages.RESULT_NOTHING_TO_RELEASE)
    obstacles = [find_entry_obstacle(work, entry, item) for item, _ in drafts]
    ready_drafts = [
        pair for pair, obstacle in zip(drafts, obstacles, strict=True) if obstacle is None
    ]
    require_releasable(
        [reason for reason in obstacles if reason],
        is_chosen=body.order_test_ids is not None,
        has_ready=bool(ready_drafts),
    )
    drafts = ready_drafts
    require_no_errors([error for item, draft in drafts for error in _validate_report(item, draft)])
    now = get_lab_now(work.portal.settings.time_zone)
    user_id = work.actor.user_id
    for item, draft in drafts:
        draft.number = item.compute_next_number(ReportKind(draft.kind))
        draft.released_at = now
        draft.released_by = user_id
        draft.released_by_name = entry.user_names.get(user_id) if user_id else None
    work.build_repository(PathologyRepository).release_reports([draft for _, draft in drafts])
    change = ShownChange(Reopening.RELEASE, now)
    released_tests = [TestVersions(item.row, item.reports) for item, _ in drafts]
    end_reviews(work, PathologyReport.__tablename__, released_tests, change)
    update_progress(
        work,
        entry,
        KIND,
        build_progress(tests),
        change=change,
        is_addition=all(draft.kind == ReportKind.ADDENDUM for _, draft in drafts),
    )
    await work.audit("release", "order-results", [order_id], {"tests": len(drafts)})
    return build_entry(work, entry, tests)


def _validate_report(item: ReportedTest, draft: PathologyReport) -> list[FieldError]:
    """Return what is missing in a report; each error names the test by its id.

    A revision needs a reason of the lab's list, and OTHER also needs words.
    """
    name, field, texts = item.row.name, f"tests.{item.row.id}", []
    if _adds_to_withheld_report(item, draft):
        texts.append(messages.PATHOLOGY_WITHHELD.format(test=name))
    if draft.signed_out_by is None:
        texts.append(messages.PATHOLOGY_SIGNER_REQUIRED.format(test=name))
    texts += [
        messages.PATHOLOGY_SECTION_EMPTY.format(test=name, section=section)
        for section in rules.find_empty_sections(draft.content)
    ]
    errors = [FieldError(field, text) for text in texts]
    if draft.kind != ReportKind.REVISED:
        return errors
    if draft.reason_code is None:
        text = messages.PATHOLOGY_REASON_REQUIRED.format(test=name)
        errors.append(FieldError(f"{field}.reasonCode", text))
    elif not explains_why(draft.reason_code, draft.explanation):
        text = messages.PATHOLOGY_REASON_WORDS.format(test=name)
        errors.append(FieldError(f"{field}.explanation", text))
    return errors


def _adds_to_withheld_report(item: ReportedTest, draft: PathologyReport) -> bool:
    """Whether this would add to a report that nobody outside the lab sees."""
    return item.is_withheld and draft.kind == ReportKind.ADDENDUM
