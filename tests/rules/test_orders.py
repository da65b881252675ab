"""The status of orders and results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import OrderStatus, ResultKind, ResultStatus, Withholding
from app.server.orders.rules import (
    ACCEPTABLE,
    FAMILY_BITS,
    AdditionReason,
    AlertState,
    FinalEvent,
    TestState,
    compute_order_status,
    compute_result_status,
    find_alert,
    find_final_event,
    format_addition,
    format_flagged_value,
    has_remark,
    is_cancelable,
    list_alert_badges,
    list_families,
    set_family,
)

PENDING = ResultStatus.PENDING
ENTERED = ResultStatus.UNRELEASED
PRELIMINARY = ResultStatus.PRELIMINARY
FINAL = ResultStatus.FINAL
CANCELED = ResultStatus.CANCELED
STATUSES = st.sampled_from([PENDING, ENTERED, PRELIMINARY, FINAL, CANCELED])


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
            ([PRELIMINARY], OrderStatus.PRELIMINARY),
            ([PRELIMINARY, ENTERED], OrderStatus.PRELIMINARY),
            ([PRELIMINARY, PENDING], OrderStatus.PRELIMINARY),
            ([FINAL, PENDING], OrderStatus.PARTIAL),
            ([FINAL, ENTERED, PENDING], OrderStatus.PARTIAL),
            ([FINAL, PRELIMINARY, PENDING], OrderStatus.PARTIAL),
            ([FINAL, ENTERED], OrderStatus.PARTIALLY_RELEASED),
            ([FINAL, PRELIMINARY], OrderStatus.PARTIALLY_RELEASED),
            ([FINAL], OrderStatus.FINAL),
            ([FINAL, FINAL], OrderStatus.FINAL),
            ([CANCELED], OrderStatus.CANCELED),
            ([CANCELED, CANCELED], OrderStatus.CANCELED),
        ],
    )
    def test_order_status_follows_from_the_tests(
        self, tests: list[ResultStatus], status: OrderStatus
    ) -> None:
        assert compute_order_status(tests) is status

    @given(st.lists(STATUSES, min_size=1))
    def test_is_final_exactly_when_every_counted_test_is_final(
        self, tests: list[ResultStatus]
    ) -> None:
        is_final = compute_order_status(tests) is OrderStatus.FINAL
        assert is_final == (set(tests) - {CANCELED} == {FINAL})

    @given(st.lists(STATUSES, min_size=1))
    def test_is_not_final_before_the_last_test(self, tests: list[ResultStatus]) -> None:
        for unfinished_status in (ENTERED, PENDING, PRELIMINARY):
            assert compute_order_status([*tests, unfinished_status]) is not OrderStatus.FINAL

    @given(st.lists(STATUSES.filter(lambda status: status is not CANCELED), min_size=1))
    def test_does_not_count_canceled_tests(self, tests: list[ResultStatus]) -> None:
        assert compute_order_status([*tests, CANCELED]) is compute_order_status(tests)

    @given(st.lists(STATUSES))
    def test_does_not_depend_on_the_order_of_the_tests(self, tests: list[ResultStatus]) -> None:
        assert compute_order_status(tests) is compute_order_status(reversed(tests))


class TestFamilies:
    """The masks of families with a critical or abnormal result."""

    @given(st.sets(st.sampled_from(ResultKind)), st.sampled_from(ResultKind), st.booleans())
    def test_changes_one_family_only(
        self, present: set[ResultKind], kind: ResultKind, is_present: bool
    ) -> None:
        mask = 0
        for family in present:
            mask = set_family(mask, family, is_present=True)
        expected = present | {kind} if is_present else present - {kind}
        changed_mask = set_family(mask, kind, is_present)
        assert {family for family in ResultKind if changed_mask & FAMILY_BITS[family]} == expected
        assert (changed_mask == 0) == (not expected)

    @given(st.sets(st.sampled_from(sorted(FAMILY_BITS))))
    def test_lists_the_families_of_a_mask(self, families: set[ResultKind]) -> None:
        mask = sum(FAMILY_BITS[family] for family in families)
        assert list_families(mask) == [family for family in FAMILY_BITS if family in families]


class TestResultStatus:
    """The status of a result, from the state of its test."""

    @pytest.mark.parametrize(
        ("state", "status"),
        [
            (TestState(is_entered=False, is_released=False), ResultStatus.PENDING),
            (TestState(is_entered=True, is_released=False), ResultStatus.UNRELEASED),
            (TestState(is_entered=True, is_released=True), ResultStatus.FINAL),
            # A withdrawn correction: the released result is still valid.
            (TestState(is_entered=False, is_released=True), ResultStatus.FINAL),
        ],
    )
    def test_result_status_follows_from_the_test(
        self, state: TestState, status: ResultStatus
    ) -> None:
        assert compute_result_status(state) is status


class TestAlerts:
    """The alert of an order, and its badges (R 4)."""

    @pytest.mark.parametrize(
        ("has_critical", "has_unexpected_positive", "alert", "badges"),
        [
            (False, False, None, []),
            (True, False, "CRITICAL", ["CRITICAL"]),
            (False, True, "TOX", ["TOX"]),
            (True, True, "CRITICAL", ["CRITICAL", "TOX"]),
        ],
    )
    def test_a_critical_does_not_hide_an_unexpected_positive(
        self, has_critical: bool, has_unexpected_positive: bool, alert: str, badges: list[str]
    ) -> None:
        state = AlertState(has_critical, has_unexpected_positive, "TOX")
        assert (find_alert(state), list_alert_badges(state)) == (alert, badges)
        assert state.has_alert == bool(badges)

    @pytest.mark.parametrize("label", [None, ""])
    def test_alert_has_a_default_label(self, label: str | None) -> None:
        state = AlertState(has_critical=False, has_unexpected_positive=True, label=label)
        assert (find_alert(state), list_alert_badges(state)) == ("ABNORMAL", ["ABNORMAL"])


class TestAddedTests:
    """Why a rule added a test."""

    @pytest.mark.parametrize(
        ("reason", "words"),
        [
            (AdditionReason("TSH", "8.20 (H)"), "Added because TSH was 8.20 (H)"),
            (AdditionReason("TSH", None), "Added because of TSH"),
            (
                AdditionReason("TSH", "8.20 (H)", new_result="7.90 (H)"),
                "Added because TSH was 8.20 (H). TSH was corrected to 7.90 (H)",
            ),
            (
                AdditionReason("TSH", "8.20 (H)", new_result="2.10 (N)", is_gone=True),
                "Added because TSH was 8.20 (H). "
                "The reason no longer holds: TSH was corrected to 2.10 (N)",
            ),
            (
                AdditionReason("TSH", None, is_withdrawn=True, is_gone=True),
                "Added because of TSH. The reason no longer holds: TSH was withdrawn",
            ),
            (
                AdditionReason("TSH", None, is_gone=True),
                "Added because of TSH. The reason no longer holds",
            ),
        ],
    )
    def test_added_tests_name_the_earlier_and_the_current_result(
        self, reason: AdditionReason, words: str
    ) -> None:
        assert format_addition(reason) == words

    def test_added_tests_show_the_flag_of_a_flagged_value(self) -> None:
        assert format_flagged_value("8.20", "H") == "8.20 (H)"
        assert format_flagged_value("8.20", None) == "8.20"


class TestFinalEvents:
    """The events that send the additional copies."""

    @pytest.mark.parametrize(
        ("before", "after", "is_release", "is_addition", "event"),
        [
            (OrderStatus.PARTIAL, OrderStatus.FINAL, True, False, FinalEvent.RELEASED),
            (OrderStatus.PARTIAL, OrderStatus.FINAL, False, False, FinalEvent.COMPLETED),
            (OrderStatus.FINAL, OrderStatus.FINAL, True, False, FinalEvent.CORRECTED),
            (OrderStatus.FINAL, OrderStatus.FINAL, True, True, FinalEvent.ADDED),
            (OrderStatus.FINAL, OrderStatus.FINAL, False, False, None),
            (OrderStatus.FINAL, OrderStatus.PARTIAL, False, False, None),
            (OrderStatus.PENDING, OrderStatus.PARTIAL, True, False, None),
        ],
    )
    def test_only_final_results_trigger_copies(
        self,
        before: OrderStatus,
        after: OrderStatus,
        is_release: bool,
        is_addition: bool,
        event: FinalEvent | None,
    ) -> None:
        assert (
            find_final_event(before, after, is_release=is_release, is_addition=is_addition) is event
        )

    def test_a_release_alone_is_not_an_addition(self) -> None:
        final = OrderStatus.FINAL
        assert find_final_event(final, final, is_release=True) is FinalEvent.CORRECTED


class TestCancelable:
    """Tests that may be canceled."""

    @pytest.mark.parametrize(
        ("status", "withholding", "expected"),
        [
            (PENDING, None, True),
            (ENTERED, None, True),
            (ENTERED, Withholding.WITHDRAWN, True),
            (ENTERED, Withholding.REVIEW, False),
            (PRELIMINARY, None, False),
            (FINAL, None, False),
            (FINAL, Withholding.WITHDRAWN, False),
        ],
    )
    def test_tests_are_cancelable_unless_clients_rely_on_a_result(
        self, status: ResultStatus, withholding: Withholding | None, expected: bool
    ) -> None:
        assert is_cancelable(status, withholding) is expected


def test_every_other_condition_of_specimens_is_a_remark() -> None:
    assert has_remark("HEMOLYZED")
    assert not has_remark(ACCEPTABLE)
