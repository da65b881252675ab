"""The status of orders and results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.orders.rules import TestState, compute_order_status, compute_result_status

PENDING = TestState(is_entered=False, is_released=False)
ENTERED = TestState(is_entered=True, is_released=False)
RELEASED = TestState(is_entered=True, is_released=True)
# A withdrawn correction: the released result is still valid.
ONLY_RELEASED = TestState(is_entered=False, is_released=True)
STATES = st.sampled_from([PENDING, ENTERED, RELEASED, ONLY_RELEASED])


class TestOrderStatus:
    """The status of an order, from its tests."""

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
        assert compute_order_status(tests) is status

    @given(st.lists(STATES, min_size=1))
    def test_is_final_exactly_when_every_test_is_released(self, tests: list[TestState]) -> None:
        is_final = compute_order_status(tests) is OrderStatus.FINAL
        assert is_final == all(test.is_released for test in tests)

    @given(st.lists(STATES, min_size=1))
    def test_is_not_final_before_the_last_test(self, tests: list[TestState]) -> None:
        assert compute_order_status([*tests, ENTERED]) is not OrderStatus.FINAL
        assert compute_order_status([*tests, PENDING]) is not OrderStatus.FINAL

    @given(st.lists(STATES))
    def test_does_not_depend_on_the_order_of_the_tests(self, tests: list[TestState]) -> None:
        assert compute_order_status(tests) is compute_order_status(reversed(tests))


class TestResultStatus:
    """The status of a result, from the state of its test."""

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
        assert compute_result_status(state) is status
