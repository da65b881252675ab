"""Releases cultures, as preliminary or as final results (DECISIONS, Results)."""

from datetime import datetime

from app.basics.clock import get_lab_now
from app.basics.errors import FieldError, require_no_errors
from app.contract import messages
from app.contract.enumerations import CultureStage, Reopening
from app.server.access.work import Work
from app.server.database.records import build_record as copy_record
from app.server.results.entry.family import TestVersions, end_reviews
from app.server.results.entry.loading import load_for_release
from app.server.results.entry.progress import ShownChange
from app.server.results.entry.service import require_releasable
from app.server.results.microbiology.errors import NothingToRelease
from app.server.results.microbiology.loading import QUERY, CultureRecord, build_record
from app.server.results.microbiology.models import CultureVersion
from app.server.results.microbiology.repository import CultureChanges, CultureTest, Version
from app.server.results.microbiology.schemas import MicrobiologyEntry, MicrobiologyRelease
from app.server.results.microbiology.service.enter import add_version
from app.server.results.microbiology.service.entry import (
    build_entry,
    find_entry_obstacle,
    has_version_to_release,
    list_gaps,
    store_changes,
)

_COLUMNS = tuple(c.name for c in CultureVersion.__table__.columns if c.name != "id")
_REASON_COLUMNS = ("reason_code", "reason", "explanation")


async def release_cultures(
    work: Work, order_id: int, body: MicrobiologyRelease
) -> MicrobiologyEntry:
    """Release cultures at a stage; clients see them after the commit.

    A preliminary result becomes final as a new version, even if nothing was added to it.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToRelease: the chosen cultures have nothing new at this stage.
        NotReleasable: a chosen culture is on hold, or must be released by a person who did not
            enter it.
        BadInput: a culture is not complete for this stage; each error names its test and what is
            missing, and none is released.
    """
    record = build_record(await load_for_release(work, order_id, QUERY))
    chosen_tests = _choose_tests(record, body)
    if not chosen_tests:
        raise NothingToRelease(messages.RESULT_NOTHING_TO_RELEASE)
    obstacles = {item.row.id: find_entry_obstacle(work, record, item) for item in chosen_tests}
    ready_tests = [item for item in chosen_tests if obstacles[item.row.id] is None]
    require_releasable(
        [obstacle for obstacle in obstacles.values() if obstacle],
        is_chosen=body.order_test_ids is not None,
        has_ready=bool(ready_tests),
    )
    chosen_tests = ready_tests
    require_no_errors([error for item in chosen_tests for error in _find_errors(item, body.kind)])
    now, changes = get_lab_now(work.portal.settings.time_zone), CultureChanges()
    for item in chosen_tests:
        _release_culture(work, record, item, body.kind, now, changes)
    change = ShownChange(Reopening.RELEASE, now)
    released_tests = [
        TestVersions(item.row, [version.row for version in item.versions]) for item in chosen_tests
    ]
    end_reviews(work, CultureVersion.__tablename__, released_tests, change)
    store_changes(work, record, changes, change=change)
    detail = {"tests": len(chosen_tests), "stage": body.kind}
    await work.audit("release", "order-results", [order_id], detail)
    return build_entry(work, record)


def _choose_tests(record: CultureRecord, body: MicrobiologyRelease) -> list[CultureTest]:
    ids = body.order_test_ids
    tests = record.tests if ids is None else [record.get_test(i) for i in dict.fromkeys(ids)]
    return [item for item in tests if has_version_to_release(item, body.kind)]


def _find_errors(item: CultureTest, kind: CultureStage) -> list[FieldError]:
    """Return the gaps of a culture; each names the test by its id."""
    current = item.current
    assert current is not None
    return [
        FieldError(f"tests.{item.row.id}.{error.field}", error.message)
        for error in list_gaps(item, current.content, kind)
    ]


def _release_culture(
    work: Work,
    record: CultureRecord,
    item: CultureTest,
    kind: CultureStage,
    now: datetime,
    changes: CultureChanges,
) -> None:
    version = item.unreleased_version
    if version:
        changes.changed.append(version)
    else:
        version = _copy_current(item)
        version.row.entered_by, version.row.entered_at = work.actor.user_id, now
        add_version(item, version, changes)
    user_id = work.actor.user_id
    version.row.stage = kind
    version.row.released_at = now
    version.row.released_by = user_id
    version.row.released_by_name = record.entry.user_names.get(user_id) if user_id else None


def _copy_current(item: CultureTest) -> Version:
    """Copy the preliminary version, so that its release stays as it was."""
    current = item.current
    assert current is not None
    values = {name: getattr(current.row, name) for name in _COLUMNS}
    values |= dict.fromkeys(_REASON_COLUMNS)
    values["revision"] = max(version.row.revision for version in item.versions) + 1
    return Version(copy_record(CultureVersion, values), current.content)
