"""Acts that the interface checks: creating a requisition, and acts on search rows."""

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
"""A placeholder: the interface fills in the requisition's code."""


def build_row_rule(
    judge: Callable[[Actor, RequisitionState], PortalError | None],
) -> Callable[[Actor, int, bool], PortalError | None]:
    """Return a rule that judges a row by its status and signature; a row has no signer."""
    return lambda actor, status, has_signature: judge(
        actor, RequisitionState(_CODE, RequisitionStatus(status), bool(has_signature))
    )


ROW = {"status": STATUSES, "hasSignature": (False, True)}
ACTS = (
    Act("createRequisition", rules.judge_creating),
    Act("changeRequisition", build_row_rule(rules.judge_change), ROW),
    Act("signRequisition", build_row_rule(rules.judge_signing), ROW),
    Act("receiveRequisition", build_row_rule(rules.judge_receiving), ROW),
)
