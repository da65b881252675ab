"""Permissions about the data of the lab (ADR 57)."""

from collections.abc import Collection

from app.basics.errors import Forbidden
from app.contract import messages
from app.contract.enumerations import Role
from app.server.access.policy import LAB_STAFF, judge_role
from app.server.actor import Actor

READERS = LAB_STAFF


def judge_reading(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may read the data of the lab."""
    return judge_role(actor, READERS)


def judge_changing(actor: Actor, editors: Collection[Role]) -> Forbidden | None:
    """Judge whether the actor may change a kind of data with these editors."""
    if actor.role in editors:
        return None
    return Forbidden(messages.LAB_DATA_READ_ONLY)
