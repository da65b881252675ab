"""How long the portal tries to send invitations and links for new passwords."""

from datetime import timedelta

import pytest

from app.server.password_recovery import rules
from app.server.transmissions.rules import RetryPolicy

_MINUTE = timedelta(minutes=1)
_POLICY = RetryPolicy(
    first_wait=_MINUTE, longest_wait=timedelta(hours=4), give_up_after=timedelta(hours=24)
)


def test_a_link_for_a_new_password_lasts_ten_minutes_and_an_invitation_longer() -> None:
    assert rules.get_life(is_invitation=False) == timedelta(minutes=10)
    assert rules.get_life(is_invitation=True) == rules.INVITATION_LIFE > timedelta(days=1)


@pytest.mark.parametrize(("age", "is_last"), [(9, False), (10, True)])
def test_no_link_is_sent_after_its_end(age: int, *, is_last: bool) -> None:
    """The next try after one attempt comes a minute later."""
    assert rules.is_last_try(_POLICY, 1, age * _MINUTE, is_invitation=False) == is_last


@pytest.mark.parametrize(("minutes", "is_last"), [(0, False), (1, True)])
def test_an_invitation_is_tried_until_the_portal_gives_up(minutes: int, *, is_last: bool) -> None:
    """After many attempts the next one is four hours away."""
    age = timedelta(hours=20) + minutes * _MINUTE
    assert rules.is_last_try(_POLICY, 20, age, is_invitation=True) == is_last


def test_an_invitation_is_not_tried_after_its_link_has_ended() -> None:
    long_policy = RetryPolicy(
        first_wait=_MINUTE, longest_wait=_MINUTE, give_up_after=2 * rules.INVITATION_LIFE
    )
    assert not rules.is_last_try(
        long_policy, 1, rules.INVITATION_LIFE - _MINUTE, is_invitation=True
    )
    assert rules.is_last_try(long_policy, 1, rules.INVITATION_LIFE, is_invitation=True)
