"""Permissions about users that the interface evaluates for the rows of the list."""

from app.basics.errors import PortalError
from app.contract.enumerations import Role
from app.server.access.acts import Act
from app.server.actor import Actor
from app.server.users import rules
from app.server.users.rules import UserState

# isGiven: a Client Admin may give the role of the user. isWithin: see UserState.
_FACTS = dict.fromkeys(("isGiven", "isWithin", "isSelf", "active"), (False, True))


def _build_state(is_given: int, is_within: int, is_self: int, active: int) -> UserState:
    role = Role.CLIENT_BASIC if is_given else Role.CLIENT_ADMIN
    return UserState(role, is_self=bool(is_self), is_within=bool(is_within), active=bool(active))


def _judge_change(actor: Actor, *facts: int) -> PortalError | None:
    return rules.judge_change(actor, _build_state(*facts))


def _judge_deletion(actor: Actor, *facts: int) -> PortalError | None:
    return rules.judge_deletion(actor, _build_state(*facts))


def _judge_invitation(actor: Actor, *facts: int) -> PortalError | None:
    return rules.judge_invitation(actor, _build_state(*facts))


ACTS = (
    Act("administerUsers", rules.judge_administering),
    Act("changeUser", _judge_change, _FACTS),
    Act("deleteUser", _judge_deletion, _FACTS),
    Act("inviteUser", _judge_invitation, _FACTS),
)
