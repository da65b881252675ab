"""Obstacles to a release, in all families."""

from uuid import UUID

import pytest

from app.contract import messages
from app.server.results.entry.rules import EnteredState, find_release_obstacle

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
