"""Tries limits out on past results, and stores which limits were tried out."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import date
from typing import Any

from app.basics.clock import get_lab_now
from app.basics.errors import BadInput, FieldError, NotFound, require_allowed, require_no_errors
from app.contract import messages
from app.contract.limits import TRIAL_SECONDS_MAX
from app.server.access.reader import Reader, TooSlow
from app.server.access.work import Work
from app.server.results.automation import rules
from app.server.results.automation.errors import TrialTooSlow
from app.server.results.automation.loading import build_limits
from app.server.results.automation.models import AutoverificationTrial
from app.server.results.automation.repository import (
    AutomationRepository,
    RuleOfTest,
    try_limits,
)
from app.server.results.automation.rules import Limits, Obstacle
from app.server.results.automation.schemas import (
    CorrectedTrialResult,
    ObstacleCount,
    TestTrial,
    TrialRead,
    TrialRequest,
)
from app.server.results.automation.service.change import require_measured_test

OpenWork = Callable[[], AbstractAsyncContextManager[Work]]


async def try_out(open_work: OpenWork, reader: Reader, body: TrialRequest) -> TrialRead:
    """Return what limits would have done with the released results of a period.

    No transaction is open during the search. The limits are stored, so that a rule with them can be
    switched on.

    Raises:
        BadInput: the period or the limits are invalid, or there are no rules.
        NotFound: there is no such test, or it has no rule and the request has no limits.
        TrialTooSlow.
    """
    require_allowed(rules.judge_trying(reader.actor))
    start, end = _require_period(body)
    async with open_work() as work:
        chosen_limits = await _choose_limits(work, body)
    limits = {test_id: limits for test_id, (limits, _) in chosen_limits.items()}
    try:
        outcome = await try_limits(reader, limits, start, end, seconds_max=TRIAL_SECONDS_MAX)
    except TooSlow as error:
        raise TrialTooSlow(messages.AUTOVERIFICATION_TOO_SLOW) from error
    async with open_work() as work:
        await _store_trials(work, limits, outcome, start, end)
    names = {test_id: name for test_id, (_, name) in chosen_limits.items()}
    return _build_trial(outcome, names)


def _require_period(body: TrialRequest) -> tuple[date, date]:
    errors = [
        FieldError(name, messages.VALUE_REQUIRED)
        for name, day in (("startDate", body.start_date), ("endDate", body.end_date))
        if day is None
    ]
    require_no_errors(errors)
    assert body.start_date is not None and body.end_date is not None
    require_no_errors(rules.validate_period(body.start_date, body.end_date))
    return body.start_date, body.end_date


async def _choose_limits(work: Work, body: TrialRequest) -> dict[int, tuple[Limits, str]]:
    """Return the limits to try out, each with the name of its test, by test id."""
    repository = work.build_repository(AutomationRepository)
    if body.test_id is None:
        if body.limits is not None:
            raise BadInput.of(FieldError("testId", messages.VALUE_REQUIRED))
        rules_of_tests = await repository.list_rules()
        if not rules_of_tests:
            raise BadInput.of(FieldError("testId", messages.AUTOVERIFICATION_NO_RULES))
    else:
        rule_of_test = await repository.find_test(body.test_id)
        if rule_of_test is None:
            raise NotFound(messages.NOT_FOUND)
        require_measured_test(rule_of_test.test)
        rules_of_tests = [rule_of_test]
    return {
        tested_rule.test.id: (_require_limits(tested_rule, body), tested_rule.test.name)
        for tested_rule in rules_of_tests
    }


def _require_limits(rule_of_test: RuleOfTest, body: TrialRequest) -> Limits:
    if body.limits is not None:
        limits = build_limits(body.limits, rule_of_test.test)
        require_no_errors(rules.validate_limits(limits, "limits."))
        return limits
    if rule_of_test.rule is None:
        raise NotFound(messages.NOT_FOUND)
    return build_limits(rule_of_test.rule, rule_of_test.rule)


async def _store_trials(
    work: Work, limits: Mapping[int, Limits], outcome: Mapping[str, Any], start: date, end: date
) -> None:
    assert work.actor.user_id is not None
    now = get_lab_now(work.portal.settings.time_zone)
    trials = [
        AutoverificationTrial(
            test_id=test_id,
            low=test_limits.low,
            high=test_limits.high,
            allows_abnormal=test_limits.allows_abnormal,
            delta_percent=test_limits.delta_percent,
            delta_days=test_limits.delta_days,
            unit=test_limits.unit,
            method=test_limits.method,
            start_date=start,
            end_date=end,
            tried_by=work.actor.user_id,
            tried_at=now,
            **_get_counts(outcome, test_id),
        )
        for test_id, test_limits in limits.items()
    ]
    await work.build_repository(AutomationRepository).insert(*trials)
    detail = {"tests": list(limits), "start": start.isoformat(), "end": end.isoformat()}
    await work.audit("try out", "autoverification-trial", [trial.id for trial in trials], detail)
    order_ids = [row["order_id"] for row in outcome["corrections"]]
    if order_ids:
        await work.audit("read", "order-results", list(dict.fromkeys(order_ids)))


def _get_counts(outcome: Mapping[str, Any], test_id: int) -> dict[str, int]:
    no_counts = dict.fromkeys(("results", "comparable", "released", "corrected"), 0)
    counts: dict[str, int] = outcome["tests"].get(str(test_id), no_counts)
    return counts


def _build_trial(outcome: Mapping[str, Any], names: Mapping[int, str]) -> TrialRead:
    tests = [
        TestTrial(test_id=test_id, name=name, **_get_counts(outcome, test_id))
        for test_id, name in names.items()
    ]
    return TrialRead(
        results=sum(test.results for test in tests),
        comparable=sum(test.comparable for test in tests),
        released=sum(test.released for test in tests),
        corrected=sum(test.corrected for test in tests),
        is_capped=outcome["is_capped"],
        without_earlier=outcome["without_earlier"],
        obstacles=[
            ObstacleCount(
                reason=reason,
                words=rules.format_obstacle(reason),
                count=outcome["obstacles"][reason],
            )
            for reason in Obstacle
            if reason in outcome["obstacles"]
        ],
        tests=tests,
        corrections=[CorrectedTrialResult(**row) for row in outcome["corrections"]],
    )
