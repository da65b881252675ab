"""Plain fields of a requisition: columns that are stored as sent and answered as stored.

A column of ``Requisition`` that has the same name in ``RequisitionWrite`` and ``RequisitionRead``
is a plain field. It is saved, answered and locked by a signature without any other declaration.
"""

from collections.abc import Collection
from typing import Any

from app.server.requisitions import rules
from app.server.requisitions.loading import RequisitionRecord
from app.server.requisitions.models import Requisition
from app.server.requisitions.rules import BilledInsurance
from app.server.requisitions.schemas import RequisitionRead, RequisitionWrite

_COLUMNS = frozenset(Requisition.__table__.columns.keys())
_PREPARED_FIELDS = frozenset({"patient_id", "bill_to", "comments"})
"""Columns that need more than storing: a snapshot, a default, or sanitizing."""
_ANSWERED_OTHERWISE = frozenset({"bill_to", "canceled_by_name"})
"""Columns that answers show as words, or hide from some readers."""
_SENT_FIELDS = tuple(
    name
    for name in RequisitionWrite.model_fields
    if name in _COLUMNS and name not in _PREPARED_FIELDS
)
_CLINICAL = frozenset({"diagnoses", "additional_tests_dx_codes", "medications"})
_EXTRAS = frozenset({"comments", "additional_copies"})
OPEN_TO_EDITORS = _CLINICAL | _EXTRAS
"""Fields that stay open to editors who may not change the header and billing."""
_READ_FIELDS = tuple(
    name
    for name in RequisitionRead.model_fields
    if name in _COLUMNS and name not in _ANSWERED_OTHERWISE
)


def get_sent_columns(
    body: RequisitionWrite, fields: Collection[str] = _SENT_FIELDS
) -> dict[str, Any]:
    """Return the plain fields of the body that are among ``fields``, by default all."""
    return {name: getattr(body, name) for name in _SENT_FIELDS if name in fields}


def get_answered_columns(requisition: Requisition) -> dict[str, Any]:
    """Return the plain fields of the requisition, as ``RequisitionRead`` names them."""
    return {name: getattr(requisition, name) for name in _READ_FIELDS}


def has_header_changes(requisition: Requisition, columns: dict[str, Any]) -> bool:
    """Whether one of the plain fields would change; a signature covers all of them."""
    return any(
        name in _SENT_FIELDS and getattr(requisition, name) != columns[name] for name in columns
    )


def changes_header_or_billing(
    record: RequisitionRecord, body: RequisitionWrite, fields: Collection[str]
) -> bool:
    """Whether the sent fields change anything apart from ``OPEN_TO_EDITORS``.

    Values that are sent as they are stored change nothing.
    """
    requisition = record.requisition
    tests = [
        (row.test_id, row.is_confidential) for row, _ in record.parts.tests if row.parent_id is None
    ]
    sent_tests = [(item.test.id, item.is_confidential) for item in body.tests or ()]
    sent_insurance = rules.sort_billing(
        [
            BilledInsurance(row.patient_billing_information_id, row.position)
            for row in body.billing_info or ()
        ]
    )
    return (
        body.refresh_patient
        or ("patient_id" in fields and body.patient_id != requisition.patient_id)
        or has_header_changes(requisition, get_sent_columns(body, fields))
        or ("bill_to" in fields and body.bill_to not in (None, requisition.bill_to))
        or ("tests" in fields and sent_tests != tests)
        or (
            "billing_info" in fields
            and sent_insurance != [row.patient_insurance_id for row in record.insurance]
        )
    )
