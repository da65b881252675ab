"""Autoverification: which entered results are released automatically (ADR 50)."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import PortalError
from app.contract import messages
from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag, Role
from app.contract.limits import TRIAL_DAYS_MAX
from app.server.results.automation.errors import LimitsNotTried, LimitsOutdated
from app.server.results.automation.rules import (
    Candidate,
    LastResult,
    Limits,
    Obstacle,
    describe_difference,
    find_obstacle,
    format_obstacle,
    judge_switching_on,
    validate_limits,
    validate_period,
)
from tests.rules.errors import list_errors
from tests.rules.permissions import build_actor

UNIT, METHOD = "mg/dL", "Oxidase"
LIMITS = Limits(
    Decimal(70),
    Decimal(99),
    delta_percent=Decimal(20),
    delta_days=30,
    unit=UNIT,
    method=METHOD,
)
GOOD = Candidate(Decimal(90), flag="N", has_range=True, unit=UNIT, method=METHOD)
NUMBERS = st.decimals(min_value=0, max_value=200, places=1)
MEASURES = st.sampled_from([None, "A", "B", "a"])
MARKS = (
    "is_sex_missing",
    "is_age_missing",
    "is_unusual",
    "is_delta_exceeded",
    "is_correction",
    "is_held",
    "has_remark",
    "is_specimen_missing",
    "has_unreleased_input",
)
# Most examples have few marks, so that some of them are released.
CANDIDATES = st.builds(
    lambda number, sign, flag, has_range, marks, unit, method: Candidate(
        number, sign, flag, has_range, **dict.fromkeys(marks, True), unit=unit, method=method
    ),
    st.one_of(st.none(), NUMBERS, NUMBERS, NUMBERS),
    st.sampled_from([None, None, None, "<"]),
    st.one_of(st.none(), st.just("N"), st.sampled_from([str(flag) for flag in ResultFlag])),
    st.sampled_from([True, True, False]),
    st.sets(st.sampled_from(MARKS), max_size=1),
    st.sampled_from([UNIT, UNIT, UNIT, "mmol/L", None]),
    st.sampled_from([METHOD, METHOD, METHOD, "Hexokinase", None]),
)


class TestObstacles:
    """A result is released automatically only if nothing prevents it."""

    @pytest.mark.parametrize(
        ("change", "obstacle"),
        [
            ({}, None),
            ({"number": Decimal(70)}, None),
            ({"number": Decimal(99)}, None),
            ({"number": Decimal("69.9")}, Obstacle.LIMITS),
            ({"number": Decimal("99.1")}, Obstacle.LIMITS),
            ({"number": None}, Obstacle.NOT_EXACT),
            ({"sign": "<"}, Obstacle.NOT_EXACT),
            ({"unit": "mmol/L"}, Obstacle.UNIT),
            ({"unit": None}, Obstacle.UNIT),
            ({"method": "Hexokinase"}, Obstacle.METHOD),
            ({"method": None}, Obstacle.METHOD),
            ({"flag": "HH"}, Obstacle.CRITICAL),
            ({"flag": "AA"}, Obstacle.CRITICAL),
            ({"flag": "H"}, Obstacle.ABNORMAL),
            ({"flag": None}, Obstacle.NO_RANGE),
            ({"has_range": False}, Obstacle.NO_RANGE),
            ({"is_sex_missing": True}, Obstacle.SEX_UNKNOWN),
            ({"is_age_missing": True}, Obstacle.AGE_UNKNOWN),
            ({"is_unusual": True}, Obstacle.UNUSUAL),
            ({"is_delta_exceeded": True}, Obstacle.DELTA),
            ({"is_correction": True}, Obstacle.CORRECTION),
            ({"is_held": True}, Obstacle.HOLD),
            ({"has_remark": True}, Obstacle.SPECIMEN),
            ({"is_specimen_missing": True}, Obstacle.NO_SPECIMEN),
            ({"has_unreleased_input": True}, Obstacle.INPUT),
        ],
    )
    def test_names_why_a_result_waits(
        self, change: dict[str, object], obstacle: Obstacle | None
    ) -> None:
        assert find_obstacle(LIMITS, replace(GOOD, **change)) == obstacle

    @given(result=CANDIDATES, low=NUMBERS, high=NUMBERS, allows_abnormal=st.booleans())
    def test_released_results_are_exact_harmless_and_within_the_limits(
        self, result: Candidate, low: Decimal, high: Decimal, allows_abnormal: bool
    ) -> None:
        limits = Limits(low, high, allows_abnormal, Decimal(20), 30, UNIT, METHOD)
        if find_obstacle(limits, result) is not None:
            return
        assert result.number is not None
        assert low <= result.number <= high
        assert (result.unit, result.method) == (UNIT, METHOD)
        assert not result.sign
        assert result.flag not in CRITICAL_FLAGS
        assert result.flag in NOT_ABNORMAL_FLAGS or allows_abnormal
        assert result.has_range
        assert not any(getattr(result, name) for name in MARKS)

    @given(
        result=CANDIDATES,
        low=NUMBERS,
        high=NUMBERS,
        measured=st.tuples(MEASURES, MEASURES),
        own=st.tuples(MEASURES, MEASURES),
    )
    def test_limits_release_nothing_in_another_unit_or_by_another_method(
        self,
        result: Candidate,
        low: Decimal,
        high: Decimal,
        measured: tuple[str | None, str | None],
        own: tuple[str | None, str | None],
    ) -> None:
        limits = Limits(low, high, True, unit=own[0], method=own[1])
        result = replace(result, unit=measured[0], method=measured[1], is_correction=False)
        obstacle = find_obstacle(limits, result)
        if measured == own:
            assert obstacle not in (Obstacle.UNIT, Obstacle.METHOD)
        else:
            assert obstacle is (Obstacle.UNIT if measured[0] != own[0] else Obstacle.METHOD)

    @pytest.mark.parametrize(
        ("last", "is_exceeded"),
        [
            (None, False),
            (LastResult(Decimal(75), 10), False),
            (LastResult(Decimal("74.9"), 10), True),
            (LastResult(Decimal(50), 30), True),
            (LastResult(Decimal(50), 31), False),
            # Values that cannot be compared count as a change.
            (LastResult(None, 30), True),
            (LastResult(None, 31), False),
            (LastResult(Decimal(0), 1), True),
        ],
    )
    def test_compares_with_the_last_result(
        self, last: LastResult | None, is_exceeded: bool
    ) -> None:
        obstacle = find_obstacle(LIMITS, replace(GOOD, last=last))
        assert (obstacle is Obstacle.DELTA) is is_exceeded

    def test_without_days_every_earlier_result_counts(self) -> None:
        result = replace(GOOD, last=LastResult(Decimal(50), 3_000))
        assert find_obstacle(replace(LIMITS, delta_days=None), result) is Obstacle.DELTA
        assert find_obstacle(replace(LIMITS, delta_percent=None), result) is None

    def test_every_obstacle_is_explained(self) -> None:
        assert len({format_obstacle(obstacle) for obstacle in Obstacle}) == len(Obstacle)


class TestDifferences:
    """The message that limits are for another unit or method."""

    @pytest.mark.parametrize(
        ("limit_unit", "unit", "rule", "test"),
        [
            ("mg/dL", "mmol/L", "mg/dL", "mmol/L"),
            (None, "mmol/L", messages.AUTOVERIFICATION_NO_UNIT, "mmol/L"),
            ("mg/dL", None, "mg/dL", messages.AUTOVERIFICATION_NO_UNIT),
        ],
    )
    def test_names_both_units(
        self, limit_unit: str | None, unit: str | None, rule: str, test: str
    ) -> None:
        limits = replace(LIMITS, unit=limit_unit)
        assert describe_difference(
            Obstacle.UNIT, limits, unit, METHOD
        ) == messages.AUTOVERIFICATION_OTHER_UNIT.format(rule=rule, test=test)

    @pytest.mark.parametrize(
        ("limit_method", "method", "rule", "test"),
        [
            ("Oxidase", "Strip", "Oxidase", "Strip"),
            (None, "Strip", messages.AUTOVERIFICATION_NO_METHOD, "Strip"),
            ("Oxidase", None, "Oxidase", messages.AUTOVERIFICATION_NO_METHOD),
        ],
    )
    def test_names_both_methods(
        self, limit_method: str | None, method: str | None, rule: str, test: str
    ) -> None:
        limits = replace(LIMITS, method=limit_method)
        assert describe_difference(
            Obstacle.METHOD, limits, UNIT, method
        ) == messages.AUTOVERIFICATION_OTHER_METHOD.format(rule=rule, test=test)


def _judge(
    tried_limits: list[Limits], *, unit: str | None = UNIT, method: str | None = METHOD
) -> PortalError | None:
    actor = build_actor(Role.SUPERUSER)
    return judge_switching_on(actor, tried_limits, LIMITS, unit=unit, method=method)


class TestRules:
    """Who switches rules on, and which limits and periods make sense."""

    @given(st.lists(st.builds(Limits, NUMBERS, NUMBERS), max_size=3))
    def test_only_limits_that_were_tried_out_can_be_switched_on(
        self, tried_limits: list[Limits]
    ) -> None:
        error = _judge(tried_limits)
        assert isinstance(error, LimitsNotTried)
        assert _judge([*tried_limits, LIMITS]) is None

    def test_a_try_out_without_comparable_results_does_not_count(self) -> None:
        actor = build_actor(Role.SUPERUSER)
        error = judge_switching_on(
            actor, [], LIMITS, unit=UNIT, method=METHOD, empty_limits=[LIMITS]
        )
        assert str(error) == messages.AUTOVERIFICATION_TRIED_NOTHING
        assert str(_judge([])) == messages.AUTOVERIFICATION_NOT_TRIED

    @pytest.mark.parametrize("change", [{"unit": "mmol/L"}, {"method": None}])
    def test_trials_in_another_unit_or_method_do_not_count(self, change: dict[str, object]) -> None:
        assert isinstance(_judge([replace(LIMITS, **change)]), LimitsNotTried)

    @given(unit=st.one_of(st.just(UNIT), MEASURES), method=st.one_of(st.just(METHOD), MEASURES))
    def test_a_rule_for_another_unit_or_method_stays_off(
        self, unit: str | None, method: str | None
    ) -> None:
        error = _judge([LIMITS], unit=unit, method=method)
        assert (error is None) is ((unit, method) == (UNIT, METHOD))
        assert error is None or isinstance(error, LimitsOutdated)

    def test_says_for_which_unit_or_method_a_rule_was_meant(self) -> None:
        assert str(_judge([LIMITS], unit=None)) == messages.AUTOVERIFICATION_OTHER_UNIT.format(
            rule=UNIT, test=messages.AUTOVERIFICATION_NO_UNIT
        )
        assert str(_judge([LIMITS], method="GC")) == messages.AUTOVERIFICATION_OTHER_METHOD.format(
            rule=METHOD, test="GC"
        )

    @pytest.mark.parametrize(
        ("limits", "errors"),
        [
            (LIMITS, []),
            (replace(LIMITS, low=LIMITS.high), []),
            (
                replace(LIMITS, low=Decimal(100)),
                [("rule.high", messages.AUTOVERIFICATION_LIMITS)],
            ),
            (
                replace(LIMITS, delta_percent=None),
                [("rule.deltaPercent", messages.AUTOVERIFICATION_DELTA)],
            ),
            (replace(LIMITS, delta_percent=None, delta_days=None), []),
        ],
    )
    def test_rejects_limits_that_allow_nothing(
        self, limits: Limits, errors: list[tuple[str, str]]
    ) -> None:
        assert list_errors(validate_limits(limits, "rule.")) == errors
        without_prefix = [(field.removeprefix("rule."), message) for field, message in errors]
        assert list_errors(validate_limits(limits)) == without_prefix

    def test_rejects_a_period_longer_than_a_year(self) -> None:
        start = date(2026, 1, 1)
        assert validate_period(start, start) == []
        last = start + timedelta(TRIAL_DAYS_MAX - 1)
        assert validate_period(start, last) == []
        assert list_errors(validate_period(start, last + timedelta(1))) == [
            ("startDate", messages.AUTOVERIFICATION_PERIOD_LONG)
        ]
        assert list_errors(validate_period(start, start - timedelta(1))) == [
            ("endDate", messages.AUTOVERIFICATION_PERIOD)
        ]
