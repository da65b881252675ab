"""SQL of the rules of autoverification and of their try-outs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import select

from app.server.access.reader import Reader
from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository, lock_rows
from app.server.results.automation.loading import build_limits
from app.server.results.automation.models import AutoverificationRule, AutoverificationTrial
from app.server.results.automation.rules import Limits
from app.server.results.automation.trial import TRY_OUT


@dataclass(frozen=True)
class RuleOfTest:
    """A test of the catalog with its rule, if it has one."""

    test: LabTest
    rule: AutoverificationRule | None


@dataclass(frozen=True)
class TriedLimits:
    """The limits of a test that were tried out.

    Attributes:
        proven: those that were compared with results in their unit and by their method.
        empty: those for which there were no such results.
    """

    proven: list[Limits] = field(default_factory=list)
    empty: list[Limits] = field(default_factory=list)


class AutomationRepository(ScopedRepository):
    """Rules of autoverification, which only the lab sees."""

    async def find_test(self, test_id: int, *, lock: bool = False) -> RuleOfTest | None:
        """Return a test with its rule, or None if there is no such test.

        ``lock`` locks both. Two people then cannot create two rules for the test.
        """
        tests = select(LabTest).where(LabTest.id == test_id)
        test = await self.session.scalar(lock_rows(tests) if lock else tests)
        if test is None:
            return None
        rules = self.select(AutoverificationRule).where(AutoverificationRule.test_id == test_id)
        return RuleOfTest(test, await self.session.scalar(lock_rows(rules) if lock else rules))

    async def list_rules(self) -> list[RuleOfTest]:
        """Return all rules with their tests, by the code of the test."""
        rows = await self.session.execute(
            select(LabTest, AutoverificationRule)
            .join(AutoverificationRule, AutoverificationRule.test_id == LabTest.id)
            .order_by(LabTest.code)
        )
        return [RuleOfTest(test, rule) for test, rule in rows]

    async def load_tried_limits(self, test_id: int) -> TriedLimits:
        """Load the limits of a test that somebody has tried out."""
        trials = await self.session.scalars(
            self.select(AutoverificationTrial).where(AutoverificationTrial.test_id == test_id)
        )
        tried_limits = TriedLimits()
        for trial in trials:
            limits = tried_limits.proven if trial.comparable > 0 else tried_limits.empty
            limits.append(build_limits(trial, trial))
        return tried_limits


async def try_limits(
    reader: Reader,
    limits: Mapping[int, Limits],
    start: date,
    end: date,
    *,
    seconds_max: float,
) -> Mapping[str, Any]:
    """Return what limits, by test id, would have done with past results, or raise TooSlow."""
    values = {
        "tests": list(limits),
        "lows": [test_limits.low for test_limits in limits.values()],
        "highs": [test_limits.high for test_limits in limits.values()],
        "abnormal": [test_limits.allows_abnormal for test_limits in limits.values()],
        "percents": [test_limits.delta_percent for test_limits in limits.values()],
        "days": [test_limits.delta_days for test_limits in limits.values()],
        "units": [test_limits.unit for test_limits in limits.values()],
        "methods": [test_limits.method for test_limits in limits.values()],
        "start": start,
        "end": end,
    }
    row = await reader.fetch_row(TRY_OUT, values, seconds_max=seconds_max)
    result: Mapping[str, Any] = row[0]
    return result
