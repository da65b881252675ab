"""The missing billing data of an order (R 4 'Missing-information form'; DECISIONS)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.contract.enumerations import BillTo

PHYSICIAN = "orderingPhysician"
DIAGNOSES = "diagnoses"
INSURANCE = "insuranceInformation"
PARTIES = "responsibleParties"
BIRTH_DATE = "birthDate"
"""A part of the form that no order needs for its bill (DECISIONS)."""
COMMENT = "comment"
BILL_TO = "billTo"
"""The field that decides whether the order needs insurance; it is not part of the form."""

CLAIM_FIELDS = (
    "lastName",
    "firstName",
    "birthDate",
    "address",
    "zipCode",
    "gender",
    "relationship",
    "insuranceId",
)
"""The fields of an insurance row that a claim needs, by their names on the wire."""


@dataclass(frozen=True)
class BillingState:
    """The data that decide whether an order is complete.

    ``insurance`` are the insurance rows that the order bills, in their wire form.
    """

    has_physician: bool
    has_diagnosis: bool
    bill_to: BillTo
    insurance: Sequence[Mapping[str, Any]] = ()


def find_missing_parts(state: BillingState) -> list[str]:
    """Return the parts of the form that lack something, in the form's order.

    Every order needs a physician and a diagnosis. Insurance matters only where it is billed.
    """
    needs_insurance = state.bill_to is BillTo.INSURANCE
    parts = (
        (PHYSICIAN, not state.has_physician),
        (DIAGNOSES, not state.has_diagnosis),
        (INSURANCE, needs_insurance and is_insurance_incomplete(state.insurance)),
    )
    return [name for name, is_missing in parts if is_missing]


def is_insurance_incomplete(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether there is no row, or a row lacks something that a claim needs."""
    all_rows = list(rows)
    return not all_rows or any(find_missing_claim_fields(row) for row in all_rows)


def find_missing_claim_fields(row: Mapping[str, Any]) -> list[str]:
    """Return the fields that a claim needs and that the row lacks."""
    return [name for name in CLAIM_FIELDS if not _has_value(row, name)]


def _has_value(row: Mapping[str, Any], name: str) -> bool:
    value = row.get(name)
    if name == "zipCode":
        return bool(value and value.get("city") and value.get("state"))
    return bool(value)
