"""The fields of a requisition that are stored as they are sent and answered as they are stored.

A column of ``Requisition`` that ``RequisitionWrite`` and ``RequisitionRead`` name alike is one: it
is written, changed, read, and locked by a signature without being named anywhere else.
"""

from collections.abc import Collection
from typing import Any

from app.server.requisitions.models import Requisition
from app.server.requisitions.schemas import RequisitionRead, RequisitionWrite

_COLUMNS = frozenset(Requisition.__table__.columns.keys())
_JUDGED = frozenset({"patient_id", "bill_to", "comments"})
"""What is not simply stored: it brings a snapshot, has a default, or is made safe first."""
_WORDED = frozenset({"bill_to"})
_SENT = tuple(
    name for name in RequisitionWrite.model_fields if name in _COLUMNS and name not in _JUDGED
)
_READ = tuple(
    name for name in RequisitionRead.model_fields if name in _COLUMNS and name not in _WORDED
)


def sent_columns(body: RequisitionWrite, given: Collection[str] = _SENT) -> dict[str, Any]:
    """What the body says of these columns, of those in ``given`` alone; all by default."""
    return {name: getattr(body, name) for name in _SENT if name in given}


def read_columns(requisition: Requisition) -> dict[str, Any]:
    """The columns as they are answered, by the fields of ``RequisitionRead``."""
    return {name: getattr(requisition, name) for name in _READ}


def differs(requisition: Requisition, columns: dict[str, Any]) -> bool:
    """Whether one of the sent columns would change; a signature vouches for all of them."""
    return any(name in _SENT and getattr(requisition, name) != columns[name] for name in columns)
