"""Rules about the change of a value since the patient's last one."""

from dataclasses import dataclass
from decimal import Decimal

from app.contract import messages


@dataclass(frozen=True)
class Delta:
    """The change since the patient's last value, in percent of it, and the days between them."""

    percent: int
    days: int
    is_exceeded: bool


def compute_delta(
    number: Decimal,
    previous_number: Decimal,
    days: int,
    *,
    percent_limit: Decimal | None,
    days_limit: int | None,
) -> Delta | None:
    """Compute the change since the last value; None if the last value was zero.

    The change exceeds the limits of the test if it is larger than ``percent_limit`` within
    ``days_limit``. Without a limit in days, the last value may be of any age.
    """
    if previous_number == 0:
        return None
    percent = 100 * (number - previous_number) / abs(previous_number)
    is_recent = days_limit is None or days <= days_limit
    is_large = percent_limit is not None and abs(percent) > percent_limit
    return Delta(round(percent), days, is_recent and is_large)


def find_difference(
    unit: str | None, method: str | None, last_unit: str | None, last_method: str | None
) -> str | None:
    """Return why a result cannot be compared with the last one, or None.

    A last result without a method, from before the lab named one, can be compared.
    """
    if last_unit != unit:
        return messages.RESULT_LAST_UNIT.format(unit=last_unit or messages.RESULT_LAST_NO_UNIT)
    if last_method not in (None, method):
        return messages.RESULT_LAST_METHOD.format(method=last_method)
    return None
