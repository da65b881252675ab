"""HTTP shapes of autoverification."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from app.contract.limits import DELTA_DAYS_MAX
from app.server.access.schemas import Permission, RecordId, Shape, WireDate
from app.server.orders.schemas import OptionalTime
from app.server.requisitions.schemas import ClinicalTime

Number = Annotated[Decimal, Field(max_digits=20, decimal_places=10, allow_inf_nan=False)]


class AutoverificationSettings(Shape):
    """Whether results are released automatically, and whether the caller may change the rules."""

    enabled: bool
    can_change: Permission


class LimitsWrite(Shape):
    """The limits of a rule, for the unit and method that its test has now.

    The largest change in percent counts within ``delta_days``, or always if the days are empty.
    """

    low: Number
    high: Number
    allows_abnormal: bool = False
    delta_percent: Annotated[Number, Field(gt=0)] | None = None
    delta_days: Annotated[int, Field(ge=1, le=DELTA_DAYS_MAX, strict=True)] | None = None


class SwitchWrite(Shape):
    """POST switch: on, or off."""

    is_on: bool


class RuleRead(Shape):
    """A rule of autoverification; ``is_tried`` says that its limits were compared with results.

    Its limits are for ``unit`` and ``method``. While the test has others, ``test_unit`` and
    ``test_method``, its results wait for a person.
    """

    id: int
    test_id: int
    code: str
    name: str
    unit: str | None
    method: str | None
    test_unit: str | None
    test_method: str | None
    low: float
    high: float
    allows_abnormal: bool
    delta_percent: float | None
    delta_days: int | None
    is_on: bool
    is_tried: bool
    changed_by: str | None
    changed_at: ClinicalTime
    switched_by: str | None
    switched_at: OptionalTime
    version: int
    can_switch_on: Permission


class TrialRequest(Shape):
    """POST try-out: one test with these limits or with its rule's limits, or all rules."""

    test_id: RecordId | None = None
    limits: LimitsWrite | None = None
    start_date: WireDate = None
    end_date: WireDate = None


class ObstacleCount(Shape):
    """How many results would have waited for this reason."""

    reason: str
    words: str
    count: int


class CorrectedTrialResult(Shape):
    """A result in a trial that was corrected later, or withdrawn if there is no new value."""

    order_id: int
    code_value: str
    test: str
    result: str
    corrected_result: str | None


class TestTrial(Shape):
    """A trial of the limits on the results of one test."""

    __test__ = False

    test_id: int
    name: str
    results: int
    comparable: int
    released: int
    corrected: int


class TrialRead(Shape):
    """A trial of limits on the released results of a period.

    Attributes:
        results: how many results were tried.
        comparable: how many of them are in the unit and by the method of their limits; without any,
            a rule cannot be switched on.
        released: how many of them would have been released automatically.
        corrected: how many of ``released`` were corrected or withdrawn later.
        is_capped: whether there are more results than were tried.
        without_earlier: how many results had no earlier value, so that the largest change could not
            be tried.
        corrections: the newest of the results that ``corrected`` counts.
    """

    results: int
    comparable: int
    released: int
    corrected: int
    is_capped: bool
    without_earlier: int
    obstacles: list[ObstacleCount]
    tests: list[TestTrial]
    corrections: list[CorrectedTrialResult]
