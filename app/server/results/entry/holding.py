"""Holds tests, so that their results cannot be released, and lifts holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound, require_allowed, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import ReasonKind
from app.server.access.work import Work
from app.server.lab_settings.rules import validate_reason
from app.server.results.entry.errors import NothingToChange
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.models import ResultHold
from app.server.results.entry.repository import store_holds, store_lifted_hold
from app.server.results.entry.schemas import HoldRequest, LiftRequest


@dataclass(frozen=True)
class ChosenTest:
    """A test of the order that somebody wants to hold."""

    test_id: int
    name: str
    is_canceled: bool


def hold_tests(
    work: Work, entry: OrderEntry, tests: Sequence[ChosenTest], body: HoldRequest
) -> int:
    """Hold tests of the catalog, in this order or in every order; return the number of holds.

    A test may have both kinds of hold at once: each keeps its results in the lab until it is
    lifted.

    Raises:
        BadInput: the reason is not in the lab's list.
        NothingToChange: a test is canceled, or already has such a hold; the message names it, and
            no test is held.
    """
    ended_codes = entry.get_ended_reasons(ReasonKind.HOLD)
    require_no_errors(
        validate_reason(body.reason, body.words, entry.hold_reasons, ended_codes=ended_codes)
    )
    for test in tests:
        require_allowed(_judge_hold(entry, test, is_everywhere=bool(body.every_order)))
    assert work.actor.user_id is not None
    now = get_lab_now(work.portal.settings.time_zone)
    holds = [
        ResultHold(
            test_id=test_id,
            order_id=None if body.every_order else entry.order.id,
            reason=body.reason,
            words=clean_text(body.words),
            placed_by=work.actor.user_id,
            placed_at=now,
        )
        # Several rows of the order may be the same test.
        for test_id in dict.fromkeys(test.test_id for test in tests)
    ]
    store_holds(work, holds)
    entry.holds += holds
    return len(holds)


def _judge_hold(
    entry: OrderEntry, test: ChosenTest, *, is_everywhere: bool
) -> NothingToChange | None:
    if test.is_canceled:
        return NothingToChange(messages.RESULT_TEST_CANCELED.format(test=test.name))
    for hold in entry.holds:
        if hold.test_id == test.test_id and (hold.order_id is None) == is_everywhere:
            reason = entry.hold_reasons.get(hold.reason, hold.reason)
            text = (
                messages.RESULT_HELD_EVERYWHERE_ALREADY
                if is_everywhere
                else (messages.RESULT_HELD_ALREADY)
            )
            return NothingToChange(text.format(test=test.name, reason=reason))
    return None


def lift_hold(work: Work, entry: OrderEntry, hold_id: int, body: LiftRequest) -> ResultHold:
    """Lift a hold of this order or of every order, and return it.

    Raises:
        NotFound: there is no such hold, or somebody has lifted it already.
    """
    hold = next((hold for hold in entry.holds if hold.id == hold_id), None)
    if hold is None:
        raise NotFound(messages.NOT_FOUND)
    hold.lifted_by = work.actor.user_id
    hold.lifted_at = get_lab_now(work.portal.settings.time_zone)
    hold.lifted_words = clean_text(body.words)
    store_lifted_hold(work, hold)
    entry.holds.remove(hold)
    entry.lifted_holds.append(hold)
    return hold
