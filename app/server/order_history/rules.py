"""Rules about the history of an order's results."""

from app.basics.errors import Forbidden
from app.server.access.policy import LAB_STAFF, judge_role
from app.server.actor import Actor

RECIPIENT_READERS = LAB_STAFF


def judge_reading_recipients(actor: Actor) -> Forbidden | None:
    """Return why the actor may not see who had the results before a correction, or None."""
    return judge_role(actor, RECIPIENT_READERS)
