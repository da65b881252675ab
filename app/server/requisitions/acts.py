"""What the interface asks about requisitions: of rows of the search, and before there is one."""

from collections.abc import Callable

from app.basics.errors import PortalError
from app.contract.enumerations import RequisitionStatus
from app.server.access.acts import Act
from app.server.actor import Actor
from app.server.requisitions import rules
from app.server.requisitions.rules import RequisitionState

STATUSES = tuple(
    int(status)
    for status in RequisitionStatus
    if status not in (RequisitionStatus.NONE, RequisitionStatus.ALL)
)
_CODE = "R{number}"
"""The interface fills in which requisition a reason is about."""


def of_row(
    judge: Callable[[Actor, RequisitionState], PortalError | None],
) -> Callable[[Actor, int, bool], PortalError | None]:
    """The rule, asked about a row by its status and signature; rows do not say who has signed."""
    return lambda actor, status, has_signature: judge(
        actor, RequisitionState(_CODE, RequisitionStatus(status), bool(has_signature))
    )


ROW = {"status": STATUSES, "hasSignature": (False, True)}
ACTS = (
    Act("createRequisition", rules.judge_creating),
    Act("changeRequisition", of_row(rules.judge_change), ROW),
    Act("signRequisition", of_row(rules.judge_signing), ROW),
    Act("receiveRequisition", of_row(rules.judge_receiving), ROW),
)
