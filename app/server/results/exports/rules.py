"""Rules about exporting results: who may, and which filters are valid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.basics.errors import BadInput, FieldError, PortalError, require_no_errors
from app.contract import messages
from app.contract.enumerations import OrderStatus
from app.contract.limits import EXPORT_CLIENTS_MAX, EXPORT_TESTS_MAX
from app.server.access.policy import ORDERING_STAFF, judge_role
from app.server.actor import Actor
from app.server.results.cumulative.rules import Period

RESULT_EXPORTERS = ORDERING_STAFF
"""Roles that may export results (P 2, DECISIONS 'Results')."""


def judge_exporting_results(actor: Actor) -> PortalError | None:
    """Judge whether the actor may export results (P 2; DECISIONS: 'Export: also Laboratory')."""
    return judge_role(actor, RESULT_EXPORTERS)


@dataclass(frozen=True)
class ResultFilters:
    """The results to export; no clients, or no tests, means all in the actor's scope.

    ``status`` is a mask of ``OrderStatus``. A panel among the tests means all that it contains.
    """

    period: Period
    client_ids: Sequence[int] = ()
    test_ids: Sequence[int] = ()
    status: int = int(OrderStatus.ALL)

    def build_parameters(self) -> dict[str, Any]:
        """Return the filters as JSON."""
        return {
            "startDate": self.period.first.isoformat(),
            "endDate": self.period.last.isoformat(),
            "clientIds": list(self.client_ids),
            "testIds": list(self.test_ids),
            "status": self.status,
        }

    @property
    def statuses(self) -> list[int] | None:
        """The chosen statuses of orders; None for all."""
        if self.status == OrderStatus.ALL:
            return None
        return [bit for bit in _BITS if self.status & bit]


_BITS = tuple(
    int(status) for status in OrderStatus if status not in (OrderStatus.NONE, OrderStatus.ALL)
)


def parse_parameters(parameters: Mapping[str, Any]) -> ResultFilters:
    """Return the filters of stored JSON."""
    return ResultFilters(
        Period(
            date.fromisoformat(parameters["startDate"]), date.fromisoformat(parameters["endDate"])
        ),
        tuple(parameters["clientIds"]),
        tuple(parameters["testIds"]),
        parameters["status"],
    )


def require_valid_filters(filters: ResultFilters) -> None:
    """Raise BadInput for too many clients or tests, or an unknown status."""
    errors = []
    if len(filters.client_ids) > EXPORT_CLIENTS_MAX:
        text = messages.EXPORT_TOO_MANY_CLIENTS.format(max=EXPORT_CLIENTS_MAX)
        errors.append(FieldError("clientIds", text))
    if len(filters.test_ids) > EXPORT_TESTS_MAX:
        text = messages.EXPORT_TOO_MANY_TESTS.format(max=EXPORT_TESTS_MAX)
        errors.append(FieldError("testIds", text))
    if not 0 < filters.status <= OrderStatus.ALL:
        errors.append(FieldError("status", messages.VALUE_INVALID))
    require_no_errors(errors)


def build_unknown_test(index: int) -> BadInput:
    """Build the error of a test that is not in the catalog."""
    return BadInput.of(FieldError(f"testIds.{index}", messages.TEST_UNKNOWN))
