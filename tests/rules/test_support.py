"""Rules about writing to the lab."""

from datetime import UTC, datetime, timedelta

import pytest

from app.contract import messages
from app.contract.choices import SUPPLY_UNITS
from app.contract.limits import (
    LAB_TEXT_MAX,
    SUPPLY_COMMENT_MAX,
    SUPPLY_QUANTITY_MAX,
    SUPPORT_MESSAGE_MAX,
)
from app.server.support.rules import (
    RequestStatus,
    Wish,
    choose_wishes,
    find_reason,
    find_status,
    is_over,
    validate_wishes,
    validate_writer,
)
from app.server.transmissions.rules import (
    Outcome,
    RetryPolicy,
    Trouble,
    choose_trouble,
    describe_trouble,
)
from tests.rules.errors import list_errors

_AT = datetime(2026, 3, 4, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_POLICY = RetryPolicy(timedelta(minutes=1), timedelta(hours=4), timedelta(days=1))


class TestWriter:
    """The person who writes, and the message."""

    @pytest.mark.parametrize("phone", [None, "312-555-0199", "3125550199"])
    def test_a_complete_message_is_valid(self, phone: str | None) -> None:
        name, message = "n" * LAB_TEXT_MAX, "m" * SUPPORT_MESSAGE_MAX
        assert validate_writer(name, "a@b.example", phone, message) == []

    def test_names_what_is_missing(self) -> None:
        errors = validate_writer(None, None, None, None)
        assert list_errors(errors) == [
            ("name", messages.CONTACT_LAST_NAME_REQUIRED),
            ("email", messages.EMAIL_REQUIRED),
            ("message", messages.MESSAGE_REQUIRED),
        ]

    def test_names_each_error(self) -> None:
        name, message = "n" * (LAB_TEXT_MAX + 1), "m" * (SUPPORT_MESSAGE_MAX + 1)
        errors = validate_writer(name, "nobody", "555", message)
        assert list_errors(errors) == [
            ("name", messages.VALUE_TOO_LONG.format(max=LAB_TEXT_MAX)),
            ("email", messages.EMAIL_INVALID),
            ("phone", messages.PHONE_INVALID),
            ("message", messages.VALUE_TOO_LONG.format(max=SUPPORT_MESSAGE_MAX)),
        ]

    def test_an_address_may_be_as_long_as_other_texts(self) -> None:
        longest = "a@" + "b" * 60 + "." + "c" * 60 + "." + "d" * 60 + ".example"
        longest = longest + "s" * (LAB_TEXT_MAX - len(longest))
        assert len(longest) == LAB_TEXT_MAX
        assert validate_writer("n", longest, None, "m") == []
        [error] = validate_writer("n", longest + "s", None, "m")
        assert error.field == "email"


class TestSupplyRequests:
    """The supplies that somebody requests."""

    def test_keeps_only_supplies_with_quantity_and_unit(self) -> None:
        complete = Wish(1, 2, "BOX", None)
        assert choose_wishes([complete, Wish(2, None, "BOX", None), Wish(3, 1, None, None)]) == [
            complete
        ]
        assert choose_wishes([Wish(4, 1, "", None)]) == []

    @pytest.mark.parametrize("quantity", [1, SUPPLY_QUANTITY_MAX])
    def test_accepts_known_supplies(self, quantity: int, unit: str) -> None:
        assert validate_wishes([Wish(1, quantity, unit, "c" * SUPPLY_COMMENT_MAX)], {1: ""}) == []

    @pytest.mark.parametrize(
        ("supply", "quantity", "has_unit"),
        [
            (2, 1, True),
            (1, 1, False),
            (1, 0, True),
            (1, None, True),
            (1, -1, True),
            (1, SUPPLY_QUANTITY_MAX + 1, True),
        ],
    )
    def test_rejects_unknown_supplies_quantities_and_units(
        self, supply: int, quantity: int | None, has_unit: bool, unit: str
    ) -> None:
        wish = Wish(supply, quantity, unit if has_unit else "BARREL", None)
        [error] = validate_wishes([wish], {1: ""})
        assert (error.field, error.message) == (f"supplies.{supply}", messages.VALUE_INVALID)

    def test_rejects_long_comments(self, unit: str) -> None:
        [error] = validate_wishes([Wish(1, 1, unit, "c" * (SUPPLY_COMMENT_MAX + 1))], {1: ""})
        expected = messages.VALUE_TOO_LONG.format(max=SUPPLY_COMMENT_MAX)
        assert (error.field, error.message) == ("supplies.1", expected)

    @pytest.fixture
    def unit(self) -> str:
        """A unit of the vocabulary."""
        return next(iter(SUPPLY_UNITS))


class TestProgress:
    """When a message is tried again, and what its writer reads."""

    def test_an_accepted_message_has_no_trouble(self) -> None:
        assert choose_trouble(Trouble.UNCERTAIN, Outcome.ACCEPTED, None) is None

    @pytest.mark.parametrize(
        ("earlier", "outcome", "stored_trouble"),
        [
            (None, Outcome.LATER, Trouble.NO_ANSWER),
            (None, Outcome.UNKNOWN, Trouble.UNCERTAIN),
            (Trouble.UNCERTAIN, Outcome.LATER, Trouble.UNCERTAIN),
            (Trouble.UNCERTAIN, Outcome.REFUSED, Trouble.NO_ANSWER),
            (None, Outcome.REFUSED, Trouble.NO_ANSWER),
        ],
    )
    def test_an_unknown_outcome_stays_uncertain(
        self, earlier: str | None, outcome: Outcome, stored_trouble: Trouble
    ) -> None:
        assert choose_trouble(earlier, outcome, Trouble.NO_ANSWER) is stored_trouble

    @pytest.mark.parametrize(
        ("earlier", "outcome", "age", "expected"),
        [
            (None, Outcome.LATER, _POLICY.give_up_after, False),
            (None, Outcome.LATER, _POLICY.give_up_after + _SECOND, True),
            (None, Outcome.REFUSED, _SECOND, True),
            (None, Outcome.UNKNOWN, _SECOND, False),
            (Trouble.UNCERTAIN, Outcome.UNKNOWN, _SECOND, True),
            (Trouble.UNCERTAIN, Outcome.LATER, _SECOND, False),
        ],
    )
    def test_gives_up_when_refused_or_uncertain_twice_or_too_old(
        self, earlier: str | None, outcome: Outcome, age: timedelta, expected: bool
    ) -> None:
        assert is_over(_POLICY, earlier, outcome, age) is expected

    def test_a_retry_after_an_unknown_outcome_is_reported_as_unanswered(self) -> None:
        no_answer = describe_trouble(Trouble.NO_ANSWER)
        uncertain = describe_trouble(Trouble.UNCERTAIN)
        assert find_reason(RequestStatus.WAITING, Trouble.UNCERTAIN) == no_answer
        assert find_reason(RequestStatus.FAILED, Trouble.UNCERTAIN) == uncertain
        assert find_reason(RequestStatus.WAITING, Trouble.NO_ANSWER) == no_answer
        assert find_reason(RequestStatus.WAITING, None) is None

    def test_derives_the_status_from_the_attempts(self) -> None:
        assert find_status(_AT, None) is RequestStatus.SENT
        assert find_status(_AT, _AT) is RequestStatus.SENT
        assert find_status(None, None) is RequestStatus.FAILED
        assert find_status(None, _AT) is RequestStatus.WAITING
