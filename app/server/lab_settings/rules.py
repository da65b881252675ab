"""Rules that depend on the lab's settings and lists (P 6; DECISIONS, 'People and roles')."""

import re
from collections.abc import Collection, Mapping
from typing import Any
from zoneinfo import available_timezones

from app.basics.emails import is_valid_email
from app.basics.errors import FieldError, Forbidden
from app.basics.text import clean_text, keep_digits
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import (
    AUDIT_RETENTION_YEARS_MAX,
    AUDIT_RETENTION_YEARS_MIN,
    CRITICAL_MINUTES_DEFAULT,
    CRITICAL_MINUTES_MAX,
    CRITICAL_MINUTES_MIN,
    LAB_TEXT_MAX,
    RESULT_COLUMNS_MAX,
)
from app.server.access.policy import LAB_STAFF, judge_role
from app.server.actor import Actor

_FLAG_OF_ROLE = {
    Role.SUPERUSER: "resultEntrySuperUser",
    Role.CLIENT_ADMIN: "resultEntryClientAdmin",
    Role.CLIENT_BASIC: "resultEntryClientBasic",
}
_ENABLED_FLAG = "resultEntryEnabled"
RESULT_ENTRY_OFF = dict.fromkeys((_ENABLED_FLAG, *_FLAG_OF_ROLE.values()), False)
RESULT_ENTERERS = frozenset({Role.LABORATORY, *_FLAG_OF_ROLE})
"""The roles that may enter results if the lab enables it."""
RESULT_RELEASERS = LAB_STAFF


SIGN_IN = "sign-in"
"""The group with the settings of sign-in."""
_SECOND_FACTOR_ROLES = "secondFactorRoles"
VERIFICATION = "resultVerificationRequired"
CRITICAL_RESULTS = "critical-results"
CRITICAL_MINUTES = "minutes"
OTHER_REASON = "OTHER"
"""The reason in every list that must be explained in words."""


def format_setting(name: str, value: Any, codes: Mapping[int, str]) -> str:
    """Format the value of a setting for its history; ``codes`` has the codes of tests."""
    if value is None or value == []:
        return ""
    if name == "logo":
        return messages.SETTING_PICTURE
    if isinstance(value, bool):
        return messages.SETTING_ON if value else messages.SETTING_OFF
    if isinstance(value, list):
        return ", ".join(codes.get(member, str(member)) for member in value)
    return str(value)


def is_verification_required(flags: Mapping[str, Any]) -> bool:
    """Whether one person must verify a result before another releases it."""
    return bool(flags.get(VERIFICATION))


def get_critical_minutes(settings: Mapping[str, Any]) -> int:
    """Return the minutes until a critical result must be reported, and until the next alert."""
    return int(settings.get(CRITICAL_MINUTES) or CRITICAL_MINUTES_DEFAULT)


def is_second_factor_required(settings: Mapping[str, Any], role: str) -> bool:
    """Whether the lab's settings of sign-in require a second factor of this role."""
    return role in (settings.get(_SECOND_FACTOR_ROLES) or ())


def judge_result_entry(actor: Actor, flags: Mapping[str, Any]) -> Forbidden | None:
    """Judge whether the actor may enter results.

    Laboratory may when result entry is enabled; other roles also need their own flag. Physicians
    and patients never may. Releasing does not depend on these flags.
    """
    role, is_enabled = actor.role, bool(flags.get(_ENABLED_FLAG))
    has_flag = role in _FLAG_OF_ROLE and bool(flags.get(_FLAG_OF_ROLE[role]))
    if is_enabled and (role is Role.LABORATORY or has_flag):
        return None
    return Forbidden(messages.RESULT_ENTRY_DISABLED)


def judge_result_release(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may release results, whatever the lab's flags are."""
    return judge_role(actor, RESULT_RELEASERS)


def judge_result_screen(actor: Actor, flags: Mapping[str, Any]) -> Forbidden | None:
    """Judge whether the actor may open result entry, to enter results or to release them."""
    if judge_result_release(actor) is None:
        return None
    return judge_result_entry(actor, flags)


SETTINGS_READERS = LAB_STAFF
SETTINGS_CHANGERS = frozenset({Role.SUPERUSER})
_EMAILS = ("email", "contact_email", "supply_email")
_URLS = ("url", "desktop_app_url")
_PHONES = {"phone": messages.PHONE_INVALID, "fax": messages.FAX_INVALID}
_CLIA = re.compile(r"[0-9]{2}D[0-9]{7}")
_URL = re.compile(r"https?://[^\s/]+(/\S*)?")
_PHONE_DIGITS = 10


def judge_reading_settings(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may read all settings of the lab."""
    return judge_role(actor, SETTINGS_READERS)


def judge_changing_settings(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may change the settings of the lab."""
    return judge_role(actor, SETTINGS_CHANGERS)


def validate_settings(
    values: Mapping[str, Any],
    known_tests: Collection[int],
    codes_without_value: Collection[str] = (),
) -> list[FieldError]:
    """Validate changed settings, by the names of ``fields.FIELDS``.

    ``codes_without_value`` are the codes of the columns' tests whose result is not one value. Their
    columns would be empty for every order, which reads as 'no result'.
    """
    errors = [
        FieldError(_name_on_wire(name), messages.VALUE_TOO_LONG.format(max=LAB_TEXT_MAX))
        for name, value in values.items()
        if isinstance(value, str) and name != "logo" and len(value) > LAB_TEXT_MAX
    ]
    if "name" in values and values["name"] is None:
        errors.append(FieldError("name", messages.LAB_NAME_REQUIRED))
    for name in _EMAILS:
        if (email := values.get(name)) is not None and not is_valid_email(email):
            errors.append(FieldError(_name_on_wire(name), messages.EMAIL_INVALID))
    for name, message in _PHONES.items():
        phone = values.get(name)
        if phone is not None and len(keep_digits(phone) or "") != _PHONE_DIGITS:
            errors.append(FieldError(name, message))
    for name in _URLS:
        if (url := values.get(name)) is not None and not _URL.fullmatch(url):
            errors.append(FieldError(_name_on_wire(name), messages.LAB_URL_INVALID))
    if (clia := values.get("clia")) is not None and not _CLIA.fullmatch(clia):
        errors.append(FieldError("clia", messages.LAB_CLIA_INVALID))
    if "time_zone" in values and values["time_zone"] not in available_timezones():
        errors.append(FieldError("timeZone", messages.VALUE_INVALID))
    years = values.get("audit_retention_years", AUDIT_RETENTION_YEARS_MIN)
    if not AUDIT_RETENTION_YEARS_MIN <= years <= AUDIT_RETENTION_YEARS_MAX:
        message = messages.AUDIT_RETENTION_INVALID.format(
            min=AUDIT_RETENTION_YEARS_MIN, max=AUDIT_RETENTION_YEARS_MAX
        )
        errors.append(FieldError("auditRetentionYears", message))
    minutes = values.get("critical_minutes", CRITICAL_MINUTES_MIN)
    if not CRITICAL_MINUTES_MIN <= minutes <= CRITICAL_MINUTES_MAX:
        message = messages.CRITICAL_MINUTES_INVALID.format(
            min=CRITICAL_MINUTES_MIN, max=CRITICAL_MINUTES_MAX
        )
        errors.append(FieldError("criticalMinutes", message))
    errors += _validate_columns(
        values.get("result_columns") or [], known_tests, codes_without_value
    )
    return errors


def _validate_columns(
    ids: Collection[int], known_tests: Collection[int], codes_without_value: Collection[str]
) -> list[FieldError]:
    if len(ids) > RESULT_COLUMNS_MAX:
        message = messages.TOO_MANY_ROWS.format(max=RESULT_COLUMNS_MAX)
        return [FieldError("resultColumns", message)]
    if len(set(ids)) < len(ids) or not set(ids) <= set(known_tests):
        return [FieldError("resultColumns", messages.VALUE_INVALID)]
    if codes_without_value:
        message = messages.RESULT_COLUMN_EMPTY.format(tests=", ".join(codes_without_value))
        return [FieldError("resultColumns", message)]
    return []


def explains_why(code: str | None, words: str | None) -> bool:
    """Whether a reason of the lab's list, or words, say why; OTHER alone does not."""
    return code not in (None, "", OTHER_REASON) or clean_text(words) is not None


def validate_reason(
    reason: str | None,
    words: str | None,
    allowed_codes: Collection[str],
    field: str = "reason",
    words_field: str = "words",
    *,
    ended_codes: Collection[str] = (),
) -> list[FieldError]:
    """Validate a reason against the lab's list; OTHER also needs words.

    ``ended_codes`` are those that the lab no longer uses.
    """
    if reason not in allowed_codes:
        return [FieldError(field, messages.REASON_UNKNOWN)]
    if reason in ended_codes:
        return [FieldError(field, messages.REASON_ENDED)]
    if not explains_why(reason, words):
        return [FieldError(words_field, messages.REASON_NEEDS_WORDS)]
    return []


def _name_on_wire(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
