"""Which tests of an order wait for a new collection."""

from app.contract.enumerations import ResultStatus
from app.server.orders.models import OrderTest
from app.server.orders.service.status import find_awaiting_ids

PANEL, FIRST, SECOND = 1, 2, 3


def build_tests(*awaiting: int, canceled: int | None = None) -> list[OrderTest]:
    """Build a panel with two members, of which these wait for a new collection."""
    return [
        OrderTest(
            id=id_,
            is_panel=id_ == PANEL,
            parent_id=None if id_ == PANEL else PANEL,
            awaits_collection=id_ in awaiting,
            status=ResultStatus.CANCELED if id_ == canceled else ResultStatus.PENDING,
        )
        for id_ in (PANEL, FIRST, SECOND)
    ]


def test_a_panel_waits_with_its_member() -> None:
    assert find_awaiting_ids(build_tests(PANEL, FIRST)) == {PANEL, FIRST}


def test_a_panel_does_not_wait_when_none_of_its_members_does() -> None:
    assert find_awaiting_ids(build_tests(PANEL)) == set()


def test_a_canceled_member_does_not_wait() -> None:
    assert find_awaiting_ids(build_tests(PANEL, FIRST, canceled=FIRST)) == set()
    both = build_tests(PANEL, FIRST, SECOND, canceled=FIRST)
    assert find_awaiting_ids(both) == {PANEL, SECOND}
