"""Rules about sending: retries and messages."""

from datetime import timedelta
from uuid import UUID

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, Role
from app.server.orders.rules import OrderState
from app.server.transmissions.rules import (
    RetryPolicy,
    Trouble,
    describe_trouble,
    format_e164,
    judge_sending_results,
    name_requester,
)
from tests.rules.permissions import build_actor

MINUTE = timedelta(minutes=1)
POLICY = RetryPolicy(
    first_wait=MINUTE, longest_wait=timedelta(hours=4), give_up_after=timedelta(hours=24)
)


class TestRetryPolicy:
    """The waits between attempts."""

    @pytest.mark.parametrize(
        ("attempts", "minutes"),
        [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (8, 128), (9, 240), (900, 240)],
    )
    def test_waits_double_up_to_the_maximum(self, attempts, minutes) -> None:
        assert POLICY.compute_wait(attempts) == minutes * MINUTE

    def test_servers_can_request_a_longer_wait(self) -> None:
        assert POLICY.compute_wait(1, 10 * MINUTE) == 10 * MINUTE
        assert POLICY.compute_wait(5, MINUTE) == 16 * MINUTE

    def test_doubling_does_not_overflow(self) -> None:
        policy = RetryPolicy(
            first_wait=MINUTE, longest_wait=timedelta.max, give_up_after=timedelta.max
        )
        assert policy.compute_wait(21) == policy.compute_wait(900) == 2**20 * MINUTE

    @pytest.mark.parametrize(
        ("age", "minutes"), [(0, 1), (1, 1), (2, 2), (4, 4), (100, 100), (239, 239), (600, 240)]
    )
    def test_wait_without_an_attempt_equals_the_age(self, age, minutes) -> None:
        assert POLICY.compute_wait_without_attempt(age * MINUTE) == minutes * MINUTE
        assert POLICY.compute_wait_without_attempt(age * MINUTE, 300 * MINUTE) == 300 * MINUTE


class TestMessages:
    """The messages of troubles."""

    def test_every_trouble_has_a_message(self) -> None:
        assert all(describe_trouble(trouble) for trouble in Trouble)
        assert describe_trouble(Trouble.FAX_BUSY) == "The line was busy"

    def test_unknown_troubles_have_a_general_message(self) -> None:
        assert describe_trouble("somethingNew") == messages.SEND_TROUBLE
        assert describe_trouble(None) is None


def test_formats_numbers_in_e164() -> None:
    assert format_e164("312-555-0199") == "+13125550199"
    assert format_e164("") == "+1"


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (OrderStatus.CANCELED, messages.ORDER_CANCELED_NOT_SENDABLE),
        (OrderStatus.PENDING, messages.ORDER_NOTHING_TO_SEND),
        (OrderStatus.UNRELEASED, messages.ORDER_NOTHING_TO_SEND),
    ],
)
def test_says_why_an_order_has_no_results_to_send(status: OrderStatus, reason: str) -> None:
    error = judge_sending_results(build_actor(Role.LABORATORY), OrderState("L1", status))
    assert error is not None and error.detail == reason.format(code="L1")


def test_patients_see_only_their_own_names() -> None:
    me, other = UUID(int=1), UUID(int=2)
    for requester in (me, other):
        actor = build_actor(Role.LABORATORY, me)
        assert name_requester(actor, requester, "DOE, JANE") == "DOE, JANE"
    patient = build_actor(Role.PATIENT, me)
    assert name_requester(patient, me, "DOE, JANE") == "DOE, JANE"
    assert name_requester(patient, other, "DOE, JANE") == ""
