"""Plain fields of a requisition: columns that are stored as sent and answered as stored.

A column of ``Requisition`` that has the same name in ``RequisitionWrite`` and ``RequisitionRead``
is a plain field. It is saved, answered and locked by a signature without any other declaration.
"""

from collections.abc import Collection
from typing import Any

from app.server.requisitions.models import Requisition
from app.server.requisitions.schemas import RequisitionRead, RequisitionWrite

_COLUMNS = frozenset(Requisition.__table__.columns.keys())
_PREPARED = frozenset({"patient_id", "bill_to", "comments"})
"""Columns that need more than storing: a snapshot, a default, or sanitizing."""
_ANSWERED_AS_WORDS = frozenset({"bill_to"})
_SENT = tuple(
    name for name in RequisitionWrite.model_fields if name in _COLUMNS and name not in _PREPARED
)
_READ = tuple(
    name
    for name in RequisitionRead.model_fields
    if name in _COLUMNS and name not in _ANSWERED_AS_WORDS
)


def get_sent_columns(body: RequisitionWrite, fields: Collection[str] = _SENT) -> dict[str, Any]:
    """Return the plain fields of the body, by default all of them."""
    return {name: getattr(body, name) for name in _SENT if name in fields}


def get_answered_columns(requisition: Requisition) -> dict[str, Any]:
    """Return the plain fields of the requisition, as ``RequisitionRead`` names them."""
    return {name: getattr(requisition, name) for name in _READ}


def has_header_changes(requisition: Requisition, columns: dict[str, Any]) -> bool:
    """Whether one of the plain fields would change; a signature covers all of them."""
    return any(name in _SENT and getattr(requisition, name) != columns[name] for name in columns)
