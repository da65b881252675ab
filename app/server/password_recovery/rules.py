"""How long and how often the portal tries to send a link."""

from datetime import timedelta

from app.contract.limits import INVITATION_HOURS, RECOVERY_LINK_MINUTES
from app.server.transmissions.rules import RetryPolicy

RECOVERY_LIFE = timedelta(minutes=RECOVERY_LINK_MINUTES)
INVITATION_LIFE = timedelta(hours=INVITATION_HOURS)


def get_life(*, is_invitation: bool) -> timedelta:
    """Return how long a link is valid."""
    return INVITATION_LIFE if is_invitation else RECOVERY_LIFE


def is_last_try(policy: RetryPolicy, attempts: int, age: timedelta, *, is_invitation: bool) -> bool:
    """Whether the next try would be too late: then a person decides whether to ask again."""
    longest = min(policy.give_up_after, get_life(is_invitation=is_invitation))
    return age + policy.compute_wait(attempts) > longest
