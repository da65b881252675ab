"""Decisions that the lab's settings take part in (P 6; DECISIONS, 'People and roles')."""

from collections.abc import Mapping
from typing import Any

from app.basics.errors import Forbidden
from app.contract import messages
from app.contract.enumerations import Role
from app.server.access.policy import LAB_STAFF, judge_role
from app.server.actor import Actor

_FLAG_OF_ROLE = {
    Role.SUPERUSER: "resultEntrySuperUser",
    Role.CLIENT_ADMIN: "resultEntryClientAdmin",
    Role.CLIENT_BASIC: "resultEntryClientBasic",
}
_ENABLED = "resultEntryEnabled"
RESULT_ENTRY_OFF = dict.fromkeys((_ENABLED, *_FLAG_OF_ROLE.values()), False)
RESULT_ENTERERS = frozenset({Role.LABORATORY, *_FLAG_OF_ROLE})
"""The roles that the lab can let enter results."""
RESULT_RELEASERS = LAB_STAFF


def judge_result_entry(actor: Actor, flags: Mapping[str, Any]) -> Forbidden | None:
    """Why this person may not enter results; None: it may.

    Laboratory may when result entry is on, the other roles by their own flags too. Physicians and
    patients never do. Releasing does not depend on these flags.
    """
    role, is_on = actor.role, bool(flags.get(_ENABLED))
    by_flag = role in _FLAG_OF_ROLE and bool(flags.get(_FLAG_OF_ROLE[role]))
    if is_on and (role is Role.LABORATORY or by_flag):
        return None
    return Forbidden(messages.RESULT_ENTRY_DISABLED)


def judge_result_release(actor: Actor) -> Forbidden | None:
    """Why this person may not release results, whatever the lab's flags say; None: it may."""
    return judge_role(actor, RESULT_RELEASERS)


def judge_result_screen(actor: Actor, flags: Mapping[str, Any]) -> Forbidden | None:
    """Why this person may not open result entry: who releases has to see what was entered."""
    return judge_result_release(actor) and judge_result_entry(actor, flags)
