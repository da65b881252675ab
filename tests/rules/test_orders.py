"""How far an order is, from its tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.orders.rules import TestState, order_status, result_status

PENDING = TestState(entered=False, released=False)
ENTERED = TestState(entered=True, released=False)
RELEASED = TestState(entered=True, released=True)
# A correction that was taken back leaves what was released in force.
ONLY_RELEASED = TestState(entered=False, released=True)
STATES = st.sampled_from([PENDING, ENTERED, RELEASED, ONLY_RELEASED])


class TestOrderStatus:
    """``order_status``."""

    @pytest.mark.parametrize(
        ("tests", "status"),
        [
            ([], OrderStatus.PENDING),
            ([PENDING], OrderStatus.PENDING),
            ([PENDING, PENDING], OrderStatus.PENDING),
            ([ENTERED], OrderStatus.UNRELEASED),
            ([PENDING, ENTERED], OrderStatus.UNRELEASED),
            ([RELEASED, PENDING], OrderStatus.PARTIAL),
            ([RELEASED, ENTERED], OrderStatus.PARTIAL),
            ([RELEASED, RELEASED, PENDING], OrderStatus.PARTIAL),
            ([RELEASED], OrderStatus.FINAL),
            ([RELEASED, ONLY_RELEASED], OrderStatus.FINAL),
        ],
    )
    def test_follows_from_the_tests(self, tests: list[TestState], status: OrderStatus) -> None:
        assert order_status(tests) is status

    @given(st.lists(STATES, min_size=1))
    def test_is_final_exactly_when_every_test_is_released(self, tests: list[TestState]) -> None:
        is_final = order_status(tests) is OrderStatus.FINAL
        assert is_final == all(test.released for test in tests)

    @given(st.lists(STATES, min_size=1))
    def test_is_never_final_one_test_early(self, tests: list[TestState]) -> None:
        assert order_status([*tests, ENTERED]) is not OrderStatus.FINAL
        assert order_status([*tests, PENDING]) is not OrderStatus.FINAL

    @given(st.lists(STATES))
    def test_does_not_depend_on_the_order_of_the_tests(self, tests: list[TestState]) -> None:
        assert order_status(tests) is order_status(reversed(tests))


class TestResultStatus:
    """``result_status``."""

    @pytest.mark.parametrize(
        ("state", "status"),
        [
            (PENDING, ResultStatus.PENDING),
            (ENTERED, ResultStatus.UNRELEASED),
            (RELEASED, ResultStatus.FINAL),
            (ONLY_RELEASED, ResultStatus.FINAL),
        ],
    )
    def test_follows_from_the_test(self, state: TestState, status: ResultStatus) -> None:
        assert result_status(state) is status
