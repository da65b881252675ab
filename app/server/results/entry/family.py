"""Withholding and holding results, the same in every family with one result for each test.

Clinical results have separate operations, because several tests of an order may share one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound, require_no_errors
from app.contract import messages
from app.contract.enumerations import ReasonKind, Reopening, ResultStatus
from app.server.access.work import Work
from app.server.lab_settings.rules import validate_reason
from app.server.orders.models import OrderTest
from app.server.results.entry.errors import NothingToChange
from app.server.results.entry.holding import ChosenTest, hold_tests, lift_hold
from app.server.results.entry.loading import (
    EntryQuery,
    OrderEntry,
    load_for_holding,
    load_for_reading,
    load_for_release,
)
from app.server.results.entry.models import Releasable
from app.server.results.entry.progress import ShownChange
from app.server.results.entry.repository import store_marks, store_withheld
from app.server.results.entry.schemas import (
    EntryHeader,
    HoldRequest,
    LiftRequest,
    RestoreRequest,
    WithholdRequest,
)
from app.server.results.entry.withholding import end_review, mark_row, withhold_versions

Record = TypeVar("Record")
Answer = TypeVar("Answer", bound=EntryHeader)


@dataclass(frozen=True)
class TestVersions:
    """A test of an order with the versions of its result, oldest first."""

    __test__ = False

    row: OrderTest
    versions: Sequence[Releasable]

    @property
    def is_released(self) -> bool:
        """Whether a version was released, even if it is withheld now."""
        return any(version.released_at is not None for version in self.versions)


@dataclass(frozen=True)
class Family(Generic[Record, Answer]):
    """A family of results whose tests have one result each.

    Attributes:
        table: the table with the versions.
        query, build_record: load an order with its versions.
        list_tests: lists the tests of a record with their versions.
        update: updates the order after a change of results. The change is None if people outside
            the lab do not see it.
        build_entry: builds the entry screen.
    """

    table: str
    query: EntryQuery
    build_record: Callable[[OrderEntry], Record]
    list_tests: Callable[[Record], Sequence[TestVersions]]
    update: Callable[[Work, OrderEntry, Record, ShownChange | None], None]
    build_entry: Callable[[Work, OrderEntry, Record], Answer]


async def withhold_results(
    work: Work, order_id: int, body: WithholdRequest, family: Family[Record, Answer]
) -> Answer:
    """Put released results under review, or withdraw them; only the lab sees them from now on.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: the reason is not in the lab's list.
        NothingToChange: a chosen test has no released result.
    """
    entry = await load_for_release(work, order_id, family.query)
    ended_codes = entry.get_ended_reasons(ReasonKind.CORRECTION)
    require_no_errors(
        validate_reason(body.reason, body.words, entry.parts["reasons"], ended_codes=ended_codes)
    )
    record = family.build_record(entry)
    chosen_tests = _choose_tests(family.list_tests(record), body.order_test_ids)
    if not chosen_tests or any(not item.is_released for item in chosen_tests):
        raise NothingToChange(messages.RESULT_NOTHING_TO_WITHHOLD)
    now = get_lab_now(work.portal.settings.time_zone)
    by = work.actor.user_id
    changed_versions = [
        version
        for item in chosen_tests
        for version in withhold_versions(item.versions, body, by=by, at=now)
    ]
    change = ShownChange(Reopening(body.kind), now)
    _store_order(work, entry, record, changed_versions, change, family)
    detail = {"tests": len(chosen_tests), "kind": body.kind, "reason": body.reason}
    await work.audit("withhold", "order-results", [order_id], detail)
    return family.build_entry(work, entry, record)


async def restore_results(
    work: Work, order_id: int, body: RestoreRequest, family: Family[Record, Answer]
) -> Answer:
    """End the review of results, so that everybody sees them again unchanged.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToChange: a chosen test has no result under review.
    """
    entry = await load_for_release(work, order_id, family.query)
    record = family.build_record(entry)
    chosen_tests = _choose_tests(family.list_tests(record), body.order_test_ids)
    changed_versions: list[Releasable] = []
    if not chosen_tests:
        raise NothingToChange(messages.RESULT_NOTHING_UNDER_REVIEW)
    for item in chosen_tests:
        reviewed_versions = end_review(item.versions)
        if not reviewed_versions:
            raise NothingToChange(messages.RESULT_NOTHING_UNDER_REVIEW)
        changed_versions += reviewed_versions
    change = ShownChange(Reopening.RESTORED, get_lab_now(work.portal.settings.time_zone))
    _store_order(work, entry, record, changed_versions, change, family)
    await work.audit("restore", "order-results", [order_id], {"tests": len(chosen_tests)})
    return family.build_entry(work, entry, record)


async def place_holds(
    work: Work, order_id: int, body: HoldRequest, family: Family[Record, Answer]
) -> Answer:
    """Hold tests in this order, or in every order; their results cannot be released.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: the reason is not in the lab's list.
        NothingToChange: a chosen test is canceled, or already has such a hold.
    """
    entry = await load_for_holding(work, order_id, family.query)
    record = family.build_record(entry)
    chosen_tests = [
        ChosenTest(item.row.test_id, item.row.name, item.row.status == ResultStatus.CANCELED)
        for item in _find_tests(family.list_tests(record), body.order_test_ids)
    ]
    count = hold_tests(work, entry, chosen_tests, body)
    family.update(work, entry, record, None)
    detail = {"tests": count, "reason": body.reason, "everyOrder": bool(body.every_order)}
    await work.audit("hold", "order-results", [order_id], detail)
    # Read again, because the answer has the ids of the new holds.
    entry = await load_for_reading(work, order_id, family.query)
    return family.build_entry(work, entry, family.build_record(entry))


async def lift_hold_of_order(
    work: Work, order_id: int, hold_id: int, body: LiftRequest, family: Family[Record, Answer]
) -> Answer:
    """Lift a hold of this order or of every order.

    Raises:
        Forbidden, StaleVersion, OrderReadOnly.
        NotFound: there is no such hold, or somebody has lifted it already.
    """
    entry = await load_for_holding(work, order_id, family.query)
    record = family.build_record(entry)
    hold = lift_hold(work, entry, hold_id, body)
    family.update(work, entry, record, None)
    detail = {"hold": hold_id, "everyOrder": hold.order_id is None}
    await work.audit("lift-hold", "order-results", [order_id], detail)
    return family.build_entry(work, entry, record)


def end_reviews(
    work: Work, table: str, released_tests: Sequence[TestVersions], release: ShownChange
) -> None:
    """End the reviews of released tests; their earlier versions become visible again, too."""
    store_withheld(work, table, [v for item in released_tests for v in end_review(item.versions)])
    marked_tests = [
        item for item in released_tests if mark_row(item.row, item.versions, release.at)
    ]
    store_marks(work, [item.row for item in marked_tests])


def _find_tests(tests: Sequence[TestVersions], ids: Sequence[int]) -> list[TestVersions]:
    """Return the chosen tests, or raise NotFound."""
    by_id = {item.row.id: item for item in tests}
    if not set(ids) <= by_id.keys():
        raise NotFound(messages.NOT_FOUND)
    return [by_id[row_id] for row_id in dict.fromkeys(ids)]


def _choose_tests(tests: Sequence[TestVersions], ids: Sequence[int]) -> list[TestVersions]:
    """Return the chosen tests without canceled ones, or raise NotFound."""
    chosen_tests = _find_tests(tests, ids)
    open_tests = [item for item in chosen_tests if item.row.status != ResultStatus.CANCELED]
    # Rows of the same test may share one result, which must change only once.
    return list({id(item.versions): item for item in open_tests}.values())


def _store_order(
    work: Work,
    entry: OrderEntry,
    record: Record,
    changed_versions: Sequence[Releasable],
    change: ShownChange,
    family: Family[Record, Answer],
) -> None:
    store_withheld(work, family.table, changed_versions)
    rows = [
        item.row
        for item in family.list_tests(record)
        if mark_row(item.row, item.versions, change.at)
    ]
    store_marks(work, rows)
    family.update(work, entry, record, change)
