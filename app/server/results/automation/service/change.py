"""Changes rules of autoverification, and switches them on and off."""

from typing import Any

from app.basics.clock import get_lab_now
from app.basics.errors import (
    BadInput,
    FieldError,
    NotFound,
    PortalError,
    require_allowed,
    require_no_errors,
)
from app.contract import messages
from app.contract.enumerations import ResultKind, ResultType
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.catalog.models import LabTest
from app.server.lab_settings.repository import SettingRepository
from app.server.results.automation import rules
from app.server.results.automation.errors import RuleSwitched
from app.server.results.automation.loading import build_limits
from app.server.results.automation.models import AutoverificationRule
from app.server.results.automation.repository import AutomationRepository, RuleOfTest, TriedLimits
from app.server.results.automation.rules import Limits
from app.server.results.automation.schemas import (
    AutoverificationSettings,
    LimitsWrite,
    RuleRead,
    SwitchWrite,
)

_KIND = "autoverification-rule"
_MEASURED_TYPES = frozenset(
    {
        ResultType.VALUE_VALUE,
        ResultType.GREATER_EQUAL_VALUE,
        ResultType.GREATER_THAN_VALUE,
        ResultType.LESS_EQUAL_VALUE,
        ResultType.LESS_THAN_VALUE,
    }
)


async def read_settings(work: Work) -> AutoverificationSettings:
    """Return whether the lab uses autoverification; off by default."""
    group = await work.build_repository(SettingRepository).load_group(rules.SETTING)
    return AutoverificationSettings(
        enabled=group.get("enabled") is True,
        can_change=Permission.of(rules.judge_changing(work.actor)),
    )


async def read_rule(work: Work, test_id: int) -> RuleRead:
    """Return the rule of a test, or raise NotFound."""
    rule_of_test = await work.build_repository(AutomationRepository).find_test(test_id)
    if rule_of_test is None or rule_of_test.rule is None:
        raise NotFound(messages.NOT_FOUND)
    return await _build_rule(work, rule_of_test.test, rule_of_test.rule)


async def change_limits(work: Work, test_id: int, body: LimitsWrite) -> RuleRead:
    """Create or change the rule of a test. Changed limits switch it off.

    The rule gets the current unit and method of its test. If these are new to the rule, that counts
    as a change, too.

    Raises:
        Forbidden, NotFound, StaleVersion.
        BadInput: the limits contradict each other, or the test has no numbers.
    """
    require_allowed(rules.judge_changing(work.actor))
    rule_of_test = await _get_test(work, test_id)
    limits = build_limits(body, rule_of_test.test)
    require_no_errors(rules.validate_limits(limits))
    require_measured_test(rule_of_test.test)
    rule, now = rule_of_test.rule, get_lab_now(work.portal.settings.time_zone)
    if rule is None:
        rule = AutoverificationRule(test_id=test_id, is_on=False, version=1, changed_at=now)
    else:
        work.require_version(rule)
        if build_limits(rule, rule) == limits:
            return await _build_rule(work, rule_of_test.test, rule)
        rule.version += 1
        if rule.is_on:
            rule.is_on, rule.switched_by, rule.switched_at = False, work.actor.user_id, now
    rule.low, rule.high, rule.allows_abnormal = limits.low, limits.high, limits.allows_abnormal
    rule.delta_percent, rule.delta_days = limits.delta_percent, limits.delta_days
    rule.unit, rule.method = limits.unit, limits.method
    rule.changed_by, rule.changed_at = work.actor.user_id, now
    await work.build_repository(AutomationRepository).insert(rule)
    await work.audit("change", _KIND, [rule.id], _describe_rule(rule))
    return await _build_rule(work, rule_of_test.test, rule)


async def switch_rule(work: Work, test_id: int, body: SwitchWrite) -> RuleRead:
    """Switch a rule off, or switch it on if exactly its limits have been tried out.

    Raises:
        Forbidden, NotFound, StaleVersion.
        LimitsNotTried.
        LimitsOutdated: the limits are for another unit or method than the test has now.
        RuleSwitched: the rule is in that state already.
    """
    require_allowed(rules.judge_changing(work.actor))
    rule_of_test = await _get_test(work, test_id)
    rule = rule_of_test.rule
    if rule is None:
        raise NotFound(messages.NOT_FOUND)
    work.require_version(rule)
    if rule.is_on == body.is_on:
        text = messages.AUTOVERIFICATION_IS_ON if rule.is_on else messages.AUTOVERIFICATION_IS_OFF
        raise RuleSwitched(text.format(test=rule_of_test.test.name))
    repository = work.build_repository(AutomationRepository)
    if body.is_on:
        tried_limits = await repository.load_tried_limits(test_id)
        require_allowed(_judge_switching_on(work, rule_of_test.test, rule, tried_limits))
    rule.is_on, rule.switched_by = body.is_on, work.actor.user_id
    rule.switched_at = get_lab_now(work.portal.settings.time_zone)
    rule.version += 1
    await repository.flush()
    await work.audit(
        "switch on" if rule.is_on else "switch off", _KIND, [rule.id], _describe_rule(rule)
    )
    return await _build_rule(work, rule_of_test.test, rule)


def require_measured_test(test: LabTest) -> None:
    """Raise BadInput unless the test has clinical results with numbers."""
    if test.kind == ResultKind.CLINICAL and ResultType(test.result_type) in _MEASURED_TYPES:
        return
    raise BadInput.of(FieldError("testId", messages.AUTOVERIFICATION_TEST))


async def _get_test(work: Work, test_id: int) -> RuleOfTest:
    rule_of_test = await work.build_repository(AutomationRepository).find_test(test_id, lock=True)
    if rule_of_test is None:
        raise NotFound(messages.NOT_FOUND)
    return rule_of_test


def _describe_rule(rule: AutoverificationRule) -> dict[str, Any]:
    """Describe a rule in the audit log, so that each version can be read later."""
    return {
        "test": rule.test_id,
        "version": rule.version,
        "isOn": rule.is_on,
        "low": str(rule.low),
        "high": str(rule.high),
        "allowsAbnormal": rule.allows_abnormal,
        "deltaPercent": None if rule.delta_percent is None else str(rule.delta_percent),
        "deltaDays": rule.delta_days,
        "unit": rule.unit,
        "method": rule.method,
    }


def _judge_switching_on(
    work: Work, test: LabTest, rule: AutoverificationRule, tried_limits: TriedLimits
) -> PortalError | None:
    return rules.judge_switching_on(
        work.actor,
        tried_limits.proven,
        build_limits(rule, rule),
        unit=test.unit,
        method=test.method,
        empty_limits=tried_limits.empty,
    )


async def _build_rule(work: Work, test: LabTest, rule: AutoverificationRule) -> RuleRead:
    repository = work.build_repository(AutomationRepository)
    names = await repository.load_user_names([rule.changed_by, rule.switched_by])
    limits: Limits = build_limits(rule, rule)
    tried_limits = await repository.load_tried_limits(test.id)
    return RuleRead(
        id=rule.id,
        test_id=test.id,
        code=test.code,
        name=test.name,
        unit=rule.unit,
        method=rule.method,
        test_unit=test.unit,
        test_method=test.method,
        low=limits.low,
        high=limits.high,
        allows_abnormal=limits.allows_abnormal,
        delta_percent=limits.delta_percent,
        delta_days=limits.delta_days,
        is_on=rule.is_on,
        is_tried=limits in tried_limits.proven,
        changed_by=names.get(rule.changed_by) if rule.changed_by else None,
        changed_at=rule.changed_at,
        switched_by=names.get(rule.switched_by) if rule.switched_by else None,
        switched_at=rule.switched_at,
        version=rule.version,
        can_switch_on=Permission.of(_judge_switching_on(work, test, rule, tried_limits)),
    )
