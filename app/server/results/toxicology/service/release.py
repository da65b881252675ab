"""Releases toxicology results and stores the verdicts on them (DECISIONS, Results)."""

from collections.abc import Sequence
from dataclasses import asdict

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import Reopening, ResultStatus, ToxicologyVerdict
from app.server.access.work import Work
from app.server.results.entry.family import TestVersions, end_reviews
from app.server.results.entry.loading import OrderEntry, load_for_release
from app.server.results.entry.progress import ShownChange, update_progress
from app.server.results.entry.service import require_releasable
from app.server.results.toxicology.errors import NothingToRelease
from app.server.results.toxicology.loading import QUERY, collect_tests
from app.server.results.toxicology.models import ToxicologyAssessment, ToxicologyResult
from app.server.results.toxicology.repository import (
    MeasuredTest,
    ResultChanges,
    ToxicologyRepository,
)
from app.server.results.toxicology.schemas import ToxicologyEntry, ToxicologyRelease
from app.server.results.toxicology.service.assess import (
    KIND,
    Assessment,
    assess_results,
    build_progress,
)
from app.server.results.toxicology.service.entry import build_entry, find_entry_obstacle


async def release_results(work: Work, order_id: int, body: ToxicologyRelease) -> ToxicologyEntry:
    """Release entered results with the verdicts on all released results.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToRelease: the chosen tests have no entered, unreleased result.
    """
    entry = await load_for_release(work, order_id, QUERY)
    tests = collect_tests(entry)
    changes = mark_released(work, entry, tests, body.order_test_ids)
    await store_release(work, entry, tests, changes, assess_results(entry, tests, get_released))
    return build_entry(work, entry, tests)


def get_released(item: MeasuredTest) -> ToxicologyResult | None:
    """Return the released version of a test's result, which the verdicts are about."""
    return item.released


def mark_released(
    work: Work,
    entry: OrderEntry,
    tests: Sequence[MeasuredTest],
    order_test_ids: Sequence[int] | None,
) -> ResultChanges:
    """Mark the chosen entered results of a loaded order, or all, as released now.

    Raises:
        NotFound: a chosen test is not the order's.
        NothingToRelease: the chosen tests have no entered, unreleased result.
        NotReleasable: a chosen test is on hold, or must be released by a person who did not
            enter it.
    """
    chosen_ids = set(order_test_ids or ())
    if not chosen_ids <= {item.row.id for item in tests}:
        raise NotFound(messages.NOT_FOUND)
    now, user_id = get_lab_now(work.portal.settings.time_zone), work.actor.user_id
    changes, obstacles = ResultChanges(), []
    for item in tests:
        is_open = item.row.status != ResultStatus.CANCELED
        is_chosen = is_open and (order_test_ids is None or item.row.id in chosen_ids)
        result = item.current
        if is_chosen and result and result.released_at is None:
            obstacle = find_entry_obstacle(work, entry, item)
            if obstacle is not None:
                obstacles.append(obstacle)
                continue
            result.released_at = now
            result.released_by = user_id
            result.released_by_name = entry.user_names.get(user_id) if user_id else None
            changes.released.append(result)
    require_releasable(
        obstacles, is_chosen=order_test_ids is not None, has_ready=bool(changes.released)
    )
    if not changes.released:
        raise NothingToRelease(messages.RESULT_NOTHING_TO_RELEASE)
    return changes


async def store_release(
    work: Work,
    entry: OrderEntry,
    tests: Sequence[MeasuredTest],
    changes: ResultChanges,
    assessment: Assessment,
) -> None:
    """Store marked results with the verdicts on the order, and update the order."""
    released_at = changes.released[0].released_at
    assert released_at is not None
    work.build_repository(ToxicologyRepository).store_changes(changes)
    change = ShownChange(Reopening.RELEASE, released_at)
    released_tests = [
        TestVersions(item.row, item.versions)
        for item in tests
        if any(item.current is result for result in changes.released)
    ]
    end_reviews(work, ToxicologyResult.__tablename__, released_tests, change)
    store_assessment(work, entry, tests, assessment, change)
    detail = {"tests": len(changes.released)}
    await work.audit("release", "order-results", [entry.order.id], detail)


def store_assessment(
    work: Work,
    entry: OrderEntry,
    tests: Sequence[MeasuredTest],
    assessment: Assessment,
    change: ShownChange,
) -> None:
    """Store the verdicts on the results that the client sees now, and update the order."""
    verdicts = [asdict(verdict) for verdict in assessment.verdicts]
    work.build_repository(ToxicologyRepository).add_assessment(
        ToxicologyAssessment(
            order_id=entry.order.id,
            revision=entry.parts["assessments"] + 1,
            medications=assessment.medications,
            edition=assessment.edition,
            specimen_fault=assessment.specimen_fault,
            verdicts=verdicts,
            released_by=work.actor.user_id,
            released_at=change.at,
        )
    )
    # The answer says what readers see from now on.
    entry.parts = {**entry.parts, "shown": verdicts}
    has_unexpected_positive = assessment.has_verdict(ToxicologyVerdict.UNEXPECTED_POSITIVE)
    entry.order.has_unexpected_positive = has_unexpected_positive
    progress = build_progress(tests, assessment)
    update_progress(work, entry, KIND, progress, change=change)
