"""Decisions about sending."""

from datetime import timedelta

import pytest

from app.contract import messages
from app.server.transmissions.rules import Patience, Trouble, e164, in_words

MINUTE = timedelta(minutes=1)
PATIENCE = Patience(first=MINUTE, longest=timedelta(hours=4), enough=timedelta(hours=24))


class TestPatience:
    """How long to wait."""

    @pytest.mark.parametrize(
        ("tries", "minutes"),
        [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (8, 128), (9, 240), (900, 240)],
    )
    def test_each_wait_is_twice_the_one_before_up_to_the_longest(self, tries, minutes) -> None:
        assert PATIENCE.wait(tries) == minutes * MINUTE

    def test_the_other_side_may_ask_for_more_but_not_for_less(self) -> None:
        assert PATIENCE.wait(1, 10 * MINUTE) == 10 * MINUTE
        assert PATIENCE.wait(5, MINUTE) == 16 * MINUTE

    def test_doubling_ends_where_dates_would(self) -> None:
        patience = Patience(first=MINUTE, longest=timedelta.max, enough=timedelta.max)
        assert patience.wait(21) == patience.wait(900) == 2**20 * MINUTE

    @pytest.mark.parametrize(
        ("age", "minutes"), [(0, 1), (1, 1), (2, 2), (4, 4), (100, 100), (239, 239), (600, 240)]
    )
    def test_what_is_not_even_tried_waits_as_long_again(self, age, minutes) -> None:
        assert PATIENCE.wait_untried(age * MINUTE) == minutes * MINUTE
        assert PATIENCE.wait_untried(age * MINUTE, 300 * MINUTE) == 300 * MINUTE


class TestWords:
    """What people read of trouble."""

    def test_every_trouble_has_a_sentence(self) -> None:
        assert all(in_words(trouble) for trouble in Trouble)
        assert in_words(Trouble.FAX_BUSY) == "The line was busy"

    def test_one_of_another_release_is_trouble_too(self) -> None:
        assert in_words("somethingNew") == messages.SEND_TROUBLE
        assert in_words(None) is None


def test_a_number_becomes_e164() -> None:
    assert e164("312-555-0199") == "+13125550199"
    assert e164("") == "+1"
