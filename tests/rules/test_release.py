"""Obstacles to a release, in all families."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from app.contract import messages
from app.server.results.entry.rules import (
    EnteredState,
    Tube,
    find_release_obstacle,
    predates_specimen,
)

ME, OTHER = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize("needs_second_person", [True, False])
def test_a_hold_prevents_a_release_by_anybody(needs_second_person: bool) -> None:
    obstacle = find_release_obstacle(
        EnteredState("GLU", "Control out of range", OTHER),
        ME,
        needs_second_person=needs_second_person,
    )
    assert obstacle == messages.RESULT_ON_HOLD.format(test="GLU", reason="Control out of range")


def test_two_people_release_if_the_lab_requires_it() -> None:
    mine, others = EnteredState("GLU", None, ME), EnteredState("GLU", None, OTHER)
    entered_by_me = messages.RESULT_ENTERED_BY_YOU.format(test="GLU")
    assert find_release_obstacle(mine, ME, needs_second_person=True) == entered_by_me
    assert find_release_obstacle(others, ME, needs_second_person=True) is None
    assert find_release_obstacle(mine, ME, needs_second_person=False) is None


def test_calculated_results_need_no_second_person() -> None:
    calculated_state = EnteredState("GFR", None, None)
    assert find_release_obstacle(calculated_state, None, needs_second_person=True) is None


RECEIVED = datetime.fromisoformat("2026-05-04T09:00")
FIRST, EXPECTED = Tube(False, RECEIVED), Tube(False, None)
LATER = Tube(False, RECEIVED + timedelta(days=2))
REPLACEMENT = Tube(True, RECEIVED + timedelta(days=1))


@pytest.mark.parametrize(
    ("tubes", "hours", "is_earlier"),
    [
        ([], 0, False),
        ([FIRST], 0, False),
        ([FIRST], -1, True),
        ([EXPECTED], 0, True),
        # A second tube that is still expected, or came later, says nothing about the first one.
        ([FIRST, EXPECTED], 0, False),
        ([FIRST, LATER], 0, False),
        ([REPLACEMENT], 3, True),
        ([FIRST, REPLACEMENT], 3, True),
        ([REPLACEMENT], 24, False),
        # Its reception is undone: the specimen is expected again.
        ([Tube(True, None)], 24, True),
    ],
)
def test_a_value_from_before_the_reception_is_of_another_specimen(
    tubes: list[Tube], hours: int, is_earlier: bool
) -> None:
    assert predates_specimen(RECEIVED + timedelta(hours=hours), tubes) is is_earlier
