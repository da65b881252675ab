"""Rules about notifying clients of critical results."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import TellingMethod
from app.server.critical_alerts.rules import compute_wait
from app.server.critical_results.rules import (
    CallState,
    Contact,
    choose_next_contact,
    compute_escalation_delay,
    validate_call,
    validate_closing,
)

contacts = st.lists(st.integers(1, 50), unique=True).map(
    lambda positions: [Contact(position, f"CONTACT {position}", None) for position in positions]
)


class TestEscalation:
    """The contacts of a client, one after another."""

    @given(contacts)
    def test_reaches_every_contact_once_in_order_and_ends(self, people: list[Contact]) -> None:
        level, reached_contacts = 0, []
        while contact := choose_next_contact(level, people):
            level = contact.position
            reached_contacts.append(level)
            assert len(reached_contacts) <= len(people)
        assert reached_contacts == sorted(person.position for person in people)

    def test_waits_only_for_a_contact_who_can_be_reached_now(self) -> None:
        limit = timedelta(minutes=30)
        for is_open, delay in ((True, limit), (False, timedelta())):
            assert compute_escalation_delay(Contact(1, "WARD", None, is_open), limit) == delay

    @given(st.integers(1, 10_000))
    def test_waits_longer_after_each_failure_up_to_ten_minutes(self, attempts: int) -> None:
        wait = compute_wait(attempts)
        assert timedelta(seconds=30) <= wait <= timedelta(minutes=10)
        assert compute_wait(attempts + 1) >= wait

    def test_doubles_the_wait(self) -> None:
        assert [compute_wait(n).total_seconds() for n in range(1, 7)] == [
            30,
            60,
            120,
            240,
            480,
            600,
        ]


class TestCalls:
    """The required fields of a call."""

    @given(st.booleans(), st.booleans())
    def test_only_somebody_who_was_reached_reads_back(
        self, is_told: bool, has_read_back: bool
    ) -> None:
        errors = validate_call(CallState("ANN", TellingMethod.PHONE, is_told, has_read_back))
        expected = ["hasReadBack"] if has_read_back and not is_told else []
        assert [error.field for error in errors] == expected

    def test_names_everything_that_is_missing(self) -> None:
        errors = validate_call(CallState("", None, is_told=False, has_read_back=True))
        assert errors == [
            FieldError("toldName", messages.CRITICAL_NAME_REQUIRED),
            FieldError("method", messages.CRITICAL_METHOD_REQUIRED),
            FieldError("hasReadBack", messages.CRITICAL_READ_BACK_WITHOUT_CALL),
        ]

    def test_closing_without_a_read_back_needs_a_reason(self) -> None:
        assert validate_closing("", is_told=True) == []
        assert validate_closing("TRANSFERRED", is_told=False) == []
        [error] = validate_closing(None, is_told=False)
        assert error == FieldError("note", messages.CRITICAL_NOTE_REQUIRED)
