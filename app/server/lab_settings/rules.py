"""Rules that depend on the lab's settings and lists (P 6; DECISIONS, 'People and roles')."""

from collections.abc import Collection, Mapping
from typing import Any

from app.basics.errors import FieldError, Forbidden
from app.basics.text import clean
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
"""The roles that may enter results if the lab enables it."""
RESULT_RELEASERS = LAB_STAFF


SIGN_IN = "sign-in"
"""The name of the settings of sign-in."""
_SECOND_FACTOR_ROLES = "secondFactorRoles"
VERIFICATION = "resultVerificationRequired"
OTHER_REASON = "OTHER"
"""The reason of every list that needs words."""


def is_verification_required(flags: Mapping[str, Any]) -> bool:
    """Whether one person must verify a result before another releases it."""
    return bool(flags.get(VERIFICATION))


def is_second_factor_required(settings: Mapping[str, Any], role: str) -> bool:
    """Whether the lab's settings of sign-in require a second factor of this role."""
    return role in (settings.get(_SECOND_FACTOR_ROLES) or ())


def judge_result_entry(actor: Actor, flags: Mapping[str, Any]) -> Forbidden | None:
    """Judge whether the actor may enter results.

    Laboratory may when result entry is enabled; other roles also need their own flag. Physicians
    and patients never may. Releasing does not depend on these flags.
    """
    role, is_enabled = actor.role, bool(flags.get(_ENABLED))
    has_flag = role in _FLAG_OF_ROLE and bool(flags.get(_FLAG_OF_ROLE[role]))
    if is_enabled and (role is Role.LABORATORY or has_flag):
        return None
    return Forbidden(messages.RESULT_ENTRY_DISABLED)


def judge_result_release(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may release results, whatever the lab's flags are."""
    return judge_role(actor, RESULT_RELEASERS)


def judge_result_screen(actor: Actor, flags: Mapping[str, Any]) -> Forbidden | None:
    """Judge whether the actor may open result entry, which releasing requires too."""
    return judge_result_release(actor) and judge_result_entry(actor, flags)


def validate_reason(
    reason: str | None,
    words: str | None,
    allowed: Collection[str],
    field: str = "reason",
    words_field: str = "words",
) -> list[FieldError]:
    """Validate a reason against the lab's list; OTHER also needs words."""
    if reason not in allowed:
        return [FieldError(field, messages.REASON_UNKNOWN)]
    if reason == OTHER_REASON and clean(words) is None:
        return [FieldError(words_field, messages.REASON_NEEDS_WORDS)]
    return []
