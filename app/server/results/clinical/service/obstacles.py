"""Why entered clinical results cannot be released now."""

from collections.abc import Collection, Mapping

from app.contract import messages
from app.server.access.work import Work
from app.server.lab_settings.rules import is_verification_required
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import TestWithResult
from app.server.results.clinical.rules import VersionState, find_release_obstacle
from app.server.results.clinical.service.calculate import find_unreleased_input, is_calculated
from app.server.results.entry.service import find_hold_reason, predates_specimen


def find_obstacle(
    work: Work,
    record: EntryRecord,
    item: TestWithResult,
    result: Result,
    released_together: Collection[int] = (),
) -> str | None:
    """Return why the actor may not release a result now, or None.

    ``released_together`` are the ids of the tests that are released with it.
    """
    name = find_unreleased_input(record, item, released_together)
    if name is not None:
        return messages.RESULT_INPUT_NOT_RELEASED.format(test=item.test.name, input=name)
    return find_release_obstacle(
        VersionState(
            item.test.name, find_hold_reason(record.entry, item.test.id), result.verified_by
        ),
        work.actor.user_id,
        needs_verification=is_verification_required(record.entry.flags),
    )


def explain_unreleased(work: Work, record: EntryRecord) -> Mapping[int, str]:
    """Return why entered results would stay unreleased, by the id of the order's test."""
    released_together: set[int] = set()
    obstacles = {}
    # Calculated results come last, since they need released inputs.
    for item in sorted(record.tests, key=is_calculated):
        result = item.current
        if (
            not item.owns_result
            or item.is_canceled
            or result is None
            or result.released_at is not None
        ):
            continue
        obstacle = find_obstacle(work, record, item, result, released_together)
        if obstacle is None:
            released_together.add(item.row.id)
        else:
            obstacles[item.row.id] = obstacle
    return obstacles


def is_before_specimen(record: EntryRecord, item: TestWithResult) -> bool:
    """Whether an unreleased result was entered before the specimen of its test was received."""
    result = item.current
    if result is None or result.released_at is not None or item.is_canceled:
        return False
    return predates_specimen(record.entry, item.row, item.test, result.entered_at)
