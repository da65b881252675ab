"""Decisions about requisitions (O 4, O 5); no session, no clock, no request."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date, datetime

from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import BillTo, Fasting, Priority, RequisitionStatus
from app.contract.transitions import REQUISITION_TRANSITIONS

READ_ONLY = frozenset({RequisitionStatus.CANCELED, RequisitionStatus.DONE})
SIGNABLE = frozenset({RequisitionStatus.PENDING, RequisitionStatus.DONE})


@dataclass(frozen=True)
class SignedContent:
    """Everything a signature vouches for (DECISIONS, Ordering)."""

    patient_id: int
    patient_last_name: str
    patient_first_name: str
    patient_middle_name: str | None
    patient_birth_date: date
    patient_gender: str
    physician_id: int | None
    collection_date: datetime
    fasting: int
    priority: str
    tests: tuple[tuple[int, int, bool], ...]
    diagnoses: tuple[tuple[str, int], ...]
    medications: tuple[str, ...]

    def digest(self) -> bytes:
        """SHA-256 over a canonical rendering; tests as (level, id, confidential) in order."""
        rendered = json.dumps(asdict(self), default=str, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(rendered.encode()).digest()


def may_become(status: RequisitionStatus, target: RequisitionStatus) -> bool:
    """Whether the transition table has this step."""
    return target in REQUISITION_TRANSITIONS[status]


def required_errors(
    *,
    collection_date: datetime | None,
    fasting: int | None,
    priority: str | None,
) -> list[FieldError]:
    """Header fields a requisition can not be without."""
    errors = []
    if collection_date is None:
        errors.append(FieldError("collectionDate", messages.REQUISITION_COLLECTION_DATE_REQUIRED))
    if fasting is None:
        errors.append(FieldError("fasting", messages.REQUISITION_FASTING_REQUIRED))
    elif fasting not in set(Fasting):
        errors.append(FieldError("fasting", messages.VALUE_INVALID))
    if not priority:
        errors.append(FieldError("priority", messages.REQUISITION_PRIORITY_REQUIRED))
    elif priority not in set(Priority):
        errors.append(FieldError("priority", messages.VALUE_INVALID))
    return errors


def default_bill_to(of_client: int | None) -> BillTo:
    """The client's default, otherwise INSURANCE (O 4)."""
    return BillTo(of_client) if of_client is not None else BillTo.INSURANCE


def requisition_code(number: int, year: int) -> str:
    """'R', two-digit year, seven digits."""
    return f"R{year % 100:02d}{number:07d}"


def order_code(of_requisition: str) -> str:
    """The requisition's digits with 'L'."""
    return "L" + of_requisition[1:]


def unique(ids: Iterable[int]) -> list[int]:
    """The ids once each, in order."""
    return list(dict.fromkeys(ids))
