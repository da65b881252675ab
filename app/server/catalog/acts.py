"""Permissions about offered tests that the interface evaluates."""

from app.basics.errors import Forbidden
from app.server.access.acts import Act
from app.server.actor import Actor
from app.server.catalog import rules
from app.server.catalog.rules import TestOffer


def _judge_offered(actor: Actor, is_on_list: bool) -> Forbidden | None:
    """Judge a test that the picker offers: it is orderable, and not private to another client."""
    # The interface replaces {code} in the reason.
    offer = TestOffer("{code}", is_orderable=True, owner_id=None, is_outside=not is_on_list)
    reason = rules.judge_ordering(actor, None, offer)
    return Forbidden(reason) if reason else None


ACTS = (Act("orderTest", _judge_offered, {"onList": (False, True)}),)
