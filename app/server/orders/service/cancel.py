"""Cancels and reinstates tests of orders (R 2.2 'Cancellation Reasons'; DECISIONS)."""

from collections.abc import Sequence

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound, require_allowed, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import OrderStatus, ReasonKind, ResultStatus, Withholding
from app.server.access.work import Work
from app.server.lab_settings.repository import ReasonRepository
from app.server.lab_settings.rules import validate_reason
from app.server.orders import rules
from app.server.orders.errors import NothingToCancel, TestReleased
from app.server.orders.models import Order, OrderTest
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import CancelTestsRequest, ReinstateTestsRequest
from app.server.orders.service.read import get_order
from app.server.orders.service.status import build_state, update_status

_KIND = ReasonKind.CANCELLATION


async def cancel_tests(work: Work, order_id: int, body: CancelTestsRequest) -> None:
    """Cancel some tests of an order, or all; canceling a panel cancels its members.

    Their entered results stay stored, and cannot be released while the tests are canceled.

    Raises:
        Forbidden, NotFound, StaleVersion.
        OrderReadOnly: the order is canceled.
        BadInput: the reason is not in the lab's list, is no longer used, or needs an explanation.
        TestReleased: a chosen test has a released result; the message names it.
        NothingToCancel: the chosen tests are already canceled.
    """
    order = await get_order(work, order_id, lock=True)
    require_allowed(rules.judge_canceling(work.actor, build_state(order)))
    work.require_version(order)
    repository = work.build_repository(ReasonRepository)
    names, ended_codes = await repository.load_names_and_ended(_KIND)
    require_no_errors(
        validate_reason(body.reason, body.words, names[_KIND], ended_codes=ended_codes[_KIND])
    )
    tests = await work.build_repository(OrderRepository).list_tests(order)
    chosen_tests = _choose_tests(tests, body.order_test_ids)
    targets = [test for test in chosen_tests if test.status != ResultStatus.CANCELED]
    if not targets:
        raise NothingToCancel(messages.TESTS_ALREADY_CANCELED)
    _require_cancelable(targets)
    now = get_lab_now(work.portal.settings.time_zone)
    for test in targets:
        test.canceled_status, test.status = test.status, ResultStatus.CANCELED
        test.cancel_reason, test.cancel_words = body.reason, clean_text(body.words)
        test.canceled_by, test.canceled_at = work.actor.user_id, now
    detail = {"tests": len(targets), "reason": body.reason}
    await work.audit("cancel-tests", "order", [order.id], detail)
    await _store_tests(work, order, tests)


async def reinstate_tests(work: Work, order_id: int, body: ReinstateTestsRequest) -> None:
    """Undo the cancellation of tests, and restore their entered results.

    Raises:
        Forbidden, NotFound, StaleVersion.
        NothingToCancel: no chosen test is canceled.
    """
    order = await get_order(work, order_id, lock=True)
    require_allowed(rules.judge_reinstating(work.actor, build_state(order)))
    work.require_version(order)
    tests = await work.build_repository(OrderRepository).list_tests(order)
    chosen_tests = _choose_tests(tests, body.order_test_ids)
    targets = [test for test in chosen_tests if test.status == ResultStatus.CANCELED]
    if not targets:
        raise NothingToCancel(messages.TESTS_NOT_CANCELED)
    for test in targets:
        test.status = _find_earlier_status(test, tests)
        test.canceled_status = test.cancel_reason = test.cancel_words = None
        test.canceled_by = test.canceled_at = None
    await work.audit("reinstate-tests", "order", [order.id], {"tests": len(targets)})
    await _store_tests(work, order, tests)


async def _store_tests(work: Work, order: Order, tests: Sequence[OrderTest]) -> None:
    before = OrderStatus(order.status)
    update_status(order, tests)
    event = rules.find_final_event(before, OrderStatus(order.status), is_release=False)
    if event is not None:
        work.build_repository(OrderRepository).defer_copies(order, event)
    order.version += 1
    order.shown_version = order.version
    await work.build_repository(OrderRepository).flush()


def _choose_tests(tests: Sequence[OrderTest], ids: Sequence[int] | None) -> list[OrderTest]:
    """Return all tests, or the chosen ones with members of panels, or raise NotFound."""
    chosen_ids = set(ids if ids is not None else (test.id for test in tests))
    if not chosen_ids <= {test.id for test in tests}:
        raise NotFound(messages.NOT_FOUND)
    for test in tests:  # by position, so that panels come before their members
        if test.parent_id in chosen_ids:
            chosen_ids.add(test.id)
    return [test for test in tests if test.id in chosen_ids and not test.is_panel]


def _require_cancelable(tests: Sequence[OrderTest]) -> None:
    released_names = [
        test.name
        for test in tests
        if not rules.is_cancelable(
            ResultStatus(test.status), Withholding(test.withheld) if test.withheld else None
        )
    ]
    if released_names:
        names = ", ".join(dict.fromkeys(released_names))
        raise TestReleased(messages.TESTS_RELEASED.format(tests=names))


def _find_earlier_status(test: OrderTest, tests: Sequence[OrderTest]) -> int:
    """Return the status of a reinstated test: that of another row with the same test, if any."""
    other_statuses = (
        other.status
        for other in tests
        if other.test_id == test.test_id and other.status != ResultStatus.CANCELED
    )
    return next(other_statuses, test.canceled_status or ResultStatus.PENDING)
