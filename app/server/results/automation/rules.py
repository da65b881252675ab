"""Rules of autoverification: which entered results are released automatically (ADR 50)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from app.basics.errors import FieldError, Forbidden, PortalError
from app.contract import messages
from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, Role
from app.contract.limits import TRIAL_DAYS_MAX
from app.server.access.policy import LAB_STAFF, judge_role
from app.server.actor import Actor
from app.server.results.automation.errors import LimitsNotTried, LimitsOutdated

SETTING = "autoverification"
"""The lab's setting that allows autoverification at all: ``{"enabled": true}``."""
TRIERS = LAB_STAFF
CHANGERS = frozenset({Role.SUPERUSER})


class Obstacle(StrEnum):
    """Why an entered result waits for a person, in the order in which rules check it."""

    CORRECTION = "correction"
    UNIT = "unit"
    METHOD = "method"
    NOT_EXACT = "not-exact"
    CRITICAL = "critical"
    UNUSUAL = "unusual"
    NO_RANGE = "no-range"
    SEX_UNKNOWN = "sex-unknown"
    AGE_UNKNOWN = "age-unknown"
    LIMITS = "limits"
    ABNORMAL = "abnormal"
    DELTA = "delta"
    HOLD = "hold"
    SPECIMEN = "specimen"
    NO_SPECIMEN = "no-specimen"
    INPUT = "input"


_WORDS = {
    Obstacle.CORRECTION: messages.WAITS_CORRECTION,
    Obstacle.UNIT: messages.WAITS_UNIT,
    Obstacle.METHOD: messages.WAITS_METHOD,
    Obstacle.NOT_EXACT: messages.WAITS_NOT_EXACT,
    Obstacle.CRITICAL: messages.WAITS_CRITICAL,
    Obstacle.UNUSUAL: messages.WAITS_UNUSUAL,
    Obstacle.NO_RANGE: messages.WAITS_NO_RANGE,
    Obstacle.SEX_UNKNOWN: messages.WAITS_SEX_UNKNOWN,
    Obstacle.AGE_UNKNOWN: messages.WAITS_AGE_UNKNOWN,
    Obstacle.LIMITS: messages.WAITS_LIMITS,
    Obstacle.ABNORMAL: messages.WAITS_ABNORMAL,
    Obstacle.DELTA: messages.WAITS_DELTA,
    Obstacle.HOLD: messages.WAITS_HOLD,
    Obstacle.SPECIMEN: messages.WAITS_SPECIMEN,
    Obstacle.NO_SPECIMEN: messages.WAITS_NO_SPECIMEN,
    Obstacle.INPUT: messages.WAITS_INPUT,
}


@dataclass(frozen=True)
class Limits:
    """The inclusive limits of a rule. Without a percentage, every change is allowed.

    The limits apply to values in ``unit`` and by ``method``: those of the test when the limits were
    saved.
    """

    low: Decimal
    high: Decimal
    allows_abnormal: bool = False
    delta_percent: Decimal | None = None
    delta_days: int | None = None
    unit: str | None = None
    method: str | None = None

    def find_difference(self, unit: str | None, method: str | None) -> Obstacle | None:
        """Return why the limits do not apply to values in a unit and by a method, or None."""
        if unit != self.unit:
            return Obstacle.UNIT
        return Obstacle.METHOD if method != self.method else None


@dataclass(frozen=True)
class ActiveRule:
    """A rule that is on, with the version that its results store."""

    version: int
    limits: Limits


@dataclass(frozen=True)
class LastResult:
    """The patient's last result; ``number`` is None if it cannot be compared."""

    number: Decimal | None
    days: int


@dataclass(frozen=True)
class Candidate:
    """An entered result, and all that decides whether it is released automatically.

    Attributes:
        is_unusual: whether it is outside the plausible bounds, or a person confirmed it.
        is_delta_exceeded: whether its change exceeds the limits of the catalog.
        has_remark: whether its specimen was rejected or described.
        is_specimen_missing: whether its specimen was not received yet.
    """

    number: Decimal | None
    sign: str | None = None
    flag: str | None = None
    has_range: bool = False
    is_sex_missing: bool = False
    is_age_missing: bool = False
    is_unusual: bool = False
    is_delta_exceeded: bool = False
    last: LastResult | None = None
    is_correction: bool = False
    is_held: bool = False
    has_remark: bool = False
    is_specimen_missing: bool = False
    has_unreleased_input: bool = False
    unit: str | None = None
    method: str | None = None


def find_obstacle(limits: Limits, result: Candidate) -> Obstacle | None:
    """Return why a result waits for a person, or None if it is released automatically."""
    return next((reason for reason, is_met in _list_checks(limits, result) if is_met), None)


def _list_checks(limits: Limits, result: Candidate) -> Iterator[tuple[Obstacle, bool]]:
    """List the obstacles in their order, each with whether the result meets it."""
    number, flag = result.number, result.flag
    yield Obstacle.CORRECTION, result.is_correction
    difference = limits.find_difference(result.unit, result.method)
    yield Obstacle.UNIT, difference is Obstacle.UNIT
    yield Obstacle.METHOD, difference is Obstacle.METHOD
    if number is None or result.sign:
        yield Obstacle.NOT_EXACT, True
        return
    yield Obstacle.CRITICAL, flag in CRITICAL_FLAGS
    yield Obstacle.UNUSUAL, result.is_unusual
    yield Obstacle.NO_RANGE, not result.has_range or not flag
    yield Obstacle.SEX_UNKNOWN, result.is_sex_missing
    yield Obstacle.AGE_UNKNOWN, result.is_age_missing
    yield Obstacle.LIMITS, not limits.low <= number <= limits.high
    yield Obstacle.ABNORMAL, flag not in NOT_ABNORMAL_FLAGS and not limits.allows_abnormal
    yield Obstacle.DELTA, result.is_delta_exceeded
    yield Obstacle.DELTA, _is_delta_exceeded(limits, number, result.last)
    yield Obstacle.HOLD, result.is_held
    yield Obstacle.SPECIMEN, result.has_remark
    yield Obstacle.NO_SPECIMEN, result.is_specimen_missing
    yield Obstacle.INPUT, result.has_unreleased_input


def _is_delta_exceeded(limits: Limits, number: Decimal, last: LastResult | None) -> bool:
    """Whether the change is larger than the rule allows, or cannot be computed."""
    if limits.delta_percent is None or last is None:
        return False
    if limits.delta_days is not None and last.days > limits.delta_days:
        return False
    if last.number is None:
        return True
    return 100 * abs(number - last.number) > limits.delta_percent * abs(last.number)


def format_obstacle(obstacle: str) -> str:
    """Return the words for an obstacle: 'outside the limits of autoverification'."""
    return _WORDS[Obstacle(obstacle)]


def describe_difference(
    difference: Obstacle, limits: Limits, unit: str | None, method: str | None
) -> str:
    """Return the message that the limits are for another unit or method than the test's."""
    if difference is Obstacle.UNIT:
        none = messages.AUTOVERIFICATION_NO_UNIT
        return messages.AUTOVERIFICATION_OTHER_UNIT.format(
            rule=limits.unit or none, test=unit or none
        )
    none = messages.AUTOVERIFICATION_NO_METHOD
    return messages.AUTOVERIFICATION_OTHER_METHOD.format(
        rule=limits.method or none, test=method or none
    )


def judge_trying(actor: Actor) -> Forbidden | None:
    """Return why the actor may not see rules of autoverification and try limits out, or None."""
    return judge_role(actor, TRIERS)


def judge_changing(actor: Actor) -> Forbidden | None:
    """Return why the actor may not change rules of autoverification, or None."""
    return judge_role(actor, CHANGERS)


def judge_switching_on(
    actor: Actor,
    tried_limits: Sequence[Limits],
    limits: Limits,
    *,
    unit: str | None,
    method: str | None,
    empty_limits: Sequence[Limits] = (),
) -> PortalError | None:
    """Return why the actor may not switch a rule with these limits on, or None.

    Args:
        tried_limits: the limits of the test that somebody has tried out on comparable results.
        unit, method: those of the test now.
        empty_limits: the limits whose try-out found no comparable result, which proves nothing.
    """
    if error := judge_changing(actor):
        return error
    if difference := limits.find_difference(unit, method):
        return LimitsOutdated(describe_difference(difference, limits, unit, method))
    if limits in tried_limits:
        return None
    is_empty = limits in empty_limits
    return LimitsNotTried(
        messages.AUTOVERIFICATION_TRIED_NOTHING if is_empty else messages.AUTOVERIFICATION_NOT_TRIED
    )


def validate_limits(limits: Limits, prefix: str = "") -> list[FieldError]:
    """Return the errors of limits that allow nothing, or days without a percentage."""
    errors = []
    if limits.low > limits.high:
        errors.append(FieldError(f"{prefix}high", messages.AUTOVERIFICATION_LIMITS))
    if limits.delta_days is not None and limits.delta_percent is None:
        errors.append(FieldError(f"{prefix}deltaPercent", messages.AUTOVERIFICATION_DELTA))
    return errors


def validate_period(start: date, end: date) -> list[FieldError]:
    """Return the errors of a period that ends before it begins, or is longer than a year."""
    if end < start:
        return [FieldError("endDate", messages.AUTOVERIFICATION_PERIOD)]
    if (end - start).days >= TRIAL_DAYS_MAX:
        return [FieldError("startDate", messages.AUTOVERIFICATION_PERIOD_LONG)]
    return []
