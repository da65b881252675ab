"""Rules about requisitions (O 4, O 5): permissions, validation, codes, signed content."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from uuid import UUID

from app.basics.emails import is_valid_email
from app.basics.errors import FieldError, Forbidden, PortalError
from app.basics.text import clean_text, mask_phone
from app.contract import messages
from app.contract.enumerations import (
    BillTo,
    CopyType,
    Fasting,
    OrderStatus,
    Priority,
    RequisitionStatus,
)
from app.contract.transitions import REQUISITION_TRANSITIONS
from app.server.access.policy import ALL_ROLES, EDITORS, LAB_STAFF, ORDERING_STAFF, judge_role
from app.server.actor import Actor
from app.server.requisitions.errors import (
    RequisitionNotSigned,
    RequisitionReadOnly,
    RequisitionSigned,
    SignedByAnother,
    TransitionNotAllowed,
)

ORDERERS = ORDERING_STAFF
"""Roles that may create, change and cancel requisitions."""
SIGNERS = ALL_ROLES
UNSIGNERS = ALL_ROLES
"""Roles that may remove their own signature."""
RECEIVERS = LAB_STAFF

BILLABLE_TO = frozenset({BillTo.INSURANCE, BillTo.CLIENT, BillTo.PATIENT})
"""The choices of Bill To (O 4), which do not include NONE."""

_FORBIDDEN_STEPS = {
    (RequisitionStatus.DONE, RequisitionStatus.DONE): messages.REQUISITION_ALREADY_RECEIVED,
    (RequisitionStatus.DONE, RequisitionStatus.CANCELED): messages.REQUISITION_NOT_CANCELABLE,
    (RequisitionStatus.CANCELED, RequisitionStatus.DONE): messages.REQUISITION_NOT_RECEIVABLE,
    (RequisitionStatus.CANCELED, RequisitionStatus.CANCELED): messages.REQUISITION_ALREADY_CANCELED,
}
"""What the steps that people try, but the transition table forbids, say."""

_EMAIL_MAX = 320
_FAX = re.compile(r"[0-9]{3}-?[0-9]{3}-?[0-9]{4}")


@dataclass(frozen=True)
class Copy:
    """An additional recipient of results; ``kind`` is a ``CopyType`` after validation."""

    kind: str
    destination: str


@dataclass(frozen=True)
class BilledInsurance:
    """An insurance row chosen for a requisition, with the requested position."""

    insurance_id: int | None
    position: int | None = None


@dataclass(frozen=True)
class SignedContent:
    """The content that a signature covers (DECISIONS, Ordering).

    Tests are (level, id, confidential), in order. Diagnoses are (purpose, id), or (purpose, id,
    test) when they support one test. The shorter form keeps older signatures valid: those
    made before a diagnosis could support one test.
    """

    patient_id: int
    patient_last_name: str
    patient_first_name: str
    patient_middle_name: str | None
    patient_birth_date: date | None
    patient_gender: str
    physician_id: int | None
    collection_date: datetime
    fasting: int
    priority: str
    tests: tuple[tuple[int, int, bool], ...]
    diagnoses: tuple[tuple[str, int] | tuple[str, int, int], ...]
    medications: tuple[str, ...]

    def compute_digest(self) -> bytes:
        """Return the SHA-256 digest of the content as canonical JSON."""
        # The default ``ensure_ascii`` is part of the canonical form: it escapes all but ASCII.
        json_text = json.dumps(asdict(self), default=str, sort_keys=True)
        return hashlib.sha256(json_text.encode()).digest()


@dataclass(frozen=True)
class RequisitionState:
    """The facts about a requisition that permissions depend on.

    Attributes:
        signer: a user id.
        order_status: the status of the order that it became.
        is_shown_as_order: whether the person acts on that order; messages then contain its code.
    """

    code: str
    status: RequisitionStatus
    is_signed: bool
    signer: UUID | None = None
    order_status: OrderStatus | None = None
    is_shown_as_order: bool = False


def judge_creating(actor: Actor) -> PortalError | None:
    """Return why the actor may not create requisitions, or None."""
    return judge_role(actor, ORDERERS)


def judge_editing(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not change comments, copies and documents, or None.

    These parts stay open the longest: until the requisition is done or canceled (O 4).
    """
    is_open = state.status not in (RequisitionStatus.CANCELED, RequisitionStatus.DONE)
    return judge_role(actor, EDITORS) or (None if is_open else _build_read_only_error(state))


def judge_change(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not change header and billing, or None (DECISIONS, roles)."""
    error = judge_editing(actor, state)
    if error is None and actor.role not in ORDERERS:
        return Forbidden(messages.REQUISITION_PHYSICIAN_PARTS)
    return error


def judge_content_change(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not change the content that a signature covers, or None."""
    return judge_change(actor, state) or _judge_unsigned(state)


def judge_clinical_change(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not change diagnoses and medications, or None."""
    return judge_editing(actor, state) or _judge_unsigned(state)


def _judge_unsigned(state: RequisitionState) -> RequisitionSigned | None:
    text = messages.REQUISITION_SIGNED_CONTENT.format(code=state.code)
    return RequisitionSigned(text) if state.is_signed else None


def judge_signing(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not sign, or None; done requisitions can be signed."""
    if error := judge_role(actor, SIGNERS) or _judge_signature_open(state):
        return error
    if state.is_signed:
        return RequisitionSigned(
            _name_record(state, messages.REQUISITION_ALREADY_SIGNED, messages.ORDER_ALREADY_SIGNED)
        )
    return None


def judge_unsigning(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not remove the signature, or None; only the signer may."""
    if error := judge_role(actor, UNSIGNERS) or _judge_signature_open(state):
        return error
    if not state.is_signed:
        return RequisitionNotSigned(
            _name_record(state, messages.REQUISITION_NOT_SIGNED, messages.ORDER_NOT_SIGNED)
        )
    if state.signer is None or state.signer != actor.user_id:
        return SignedByAnother(
            _name_record(
                state, messages.REQUISITION_SIGNED_BY_OTHER, messages.ORDER_SIGNED_BY_OTHER
            )
        )
    return None


def _name_record(state: RequisitionState, message: str, order_message: str) -> str:
    """Return the message with the code of the row that the person chose."""
    if state.is_shown_as_order:
        return order_message.format(code=format_order_code(state.code))
    return message.format(code=state.code)


def _judge_signature_open(state: RequisitionState) -> RequisitionReadOnly | None:
    """Return why nobody may sign or unsign, or None.

    A requisition and its order share the signature, which nobody may change once the order is
    FINAL or CANCELED (R 4).
    """
    if state.status == RequisitionStatus.CANCELED:
        return _build_read_only_error(state)
    if state.order_status in (OrderStatus.FINAL, OrderStatus.CANCELED):
        return RequisitionReadOnly(
            messages.ORDER_SIGNATURE_CLOSED.format(
                code=format_order_code(state.code), status=state.order_status.name
            )
        )
    return None


def judge_canceling(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not cancel the requisition, or None."""
    return judge_role(actor, ORDERERS) or judge_transition(state, RequisitionStatus.CANCELED)


def find_canceler_name(actor: Actor, canceled_by_name: str | None) -> str | None:
    """Return who canceled a requisition; None when unknown or withheld from the actor."""
    return canceled_by_name if actor.sees_user_names else None


def judge_receiving(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not receive the requisition, or None."""
    return judge_role(actor, RECEIVERS) or judge_transition(state, RequisitionStatus.DONE)


def judge_transition(
    state: RequisitionState, target: RequisitionStatus
) -> TransitionNotAllowed | None:
    """Return why the status may not become ``target``, or None (O 4)."""
    if can_become(state.status, target):
        return None
    text = _FORBIDDEN_STEPS.get((state.status, target), messages.REQUISITION_READ_ONLY)
    order = format_order_code(state.code)
    return TransitionNotAllowed(text.format(code=state.code, order=order, status=state.status.name))


def _build_read_only_error(state: RequisitionState) -> RequisitionReadOnly:
    text = messages.REQUISITION_READ_ONLY.format(code=state.code, status=state.status.name)
    return RequisitionReadOnly(text)


def can_become(status: RequisitionStatus, target: RequisitionStatus) -> bool:
    """Whether the transition table allows this step."""
    return target in REQUISITION_TRANSITIONS[status]


def validate_header(
    *,
    collection_date: datetime | None,
    fasting: int | None,
    priority: str | None,
) -> list[FieldError]:
    """Validate the required header fields of a requisition."""
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


def validate_collection_day(day: date, *, birth_date: date | None, today: date) -> list[FieldError]:
    """Validate that a specimen can be collected from the patient on this day (DECISIONS)."""
    if birth_date is not None and day < birth_date:
        message = messages.REQUISITION_COLLECTION_DATE_BEFORE_BIRTH
    elif (day.year - 1, day.month, day.day) > (today.year, today.month, today.day):
        message = messages.REQUISITION_COLLECTION_DATE_TOO_LATE
    else:
        return []
    return [FieldError("collectionDate", message)]


def validate_ordering_physician(physician_id: int | None, *, is_required: bool) -> list[FieldError]:
    """Validate that there is an ordering physician where the client requires one (O 5)."""
    if is_required and physician_id is None:
        return [FieldError("physicianId", messages.PHYSICIAN_REQUIRED)]
    return []


def choose_default_bill_to(client_default: int | None) -> BillTo:
    """Return the client's default, or INSURANCE without one (O 4)."""
    return BillTo(client_default) if client_default in BILLABLE_TO else BillTo.INSURANCE


def validate_bill_to(value: int | None) -> FieldError | None:
    """Validate that a given value is insurance, client or patient; None passes."""
    if value is not None and value not in BILLABLE_TO:
        return FieldError("billTo", messages.VALUE_INVALID)
    return None


def normalize_copy(kind: str | None, destination: str | None) -> Copy:
    """Return the copy in its stored form; a valid fax number gets the phone mask."""
    address = clean_text(destination) or ""
    copy_type = (clean_text(kind) or "").upper()
    if copy_type == CopyType.FAX and _FAX.fullmatch(address):
        address = mask_phone(address)
    return Copy(copy_type, address)


def validate_copy(copy: Copy) -> list[FieldError]:
    """Validate that the destination is one e-mail address or one fax number (O 5)."""
    destination = copy.destination
    if copy.kind == CopyType.EMAIL:
        required_message, invalid_message = messages.EMAIL_REQUIRED, messages.EMAIL_INVALID
        is_valid = len(destination) <= _EMAIL_MAX and is_valid_email(destination)
    elif copy.kind == CopyType.FAX:
        required_message, invalid_message = messages.FAX_REQUIRED, messages.FAX_INVALID
        is_valid = bool(_FAX.fullmatch(destination))
    else:
        return [FieldError("type", messages.VALUE_INVALID)]
    if not destination:
        return [FieldError("destination", required_message)]
    return [] if is_valid else [FieldError("destination", invalid_message)]


def deduplicate_copies(copies: Iterable[Copy]) -> list[Copy]:
    """Return the copies without duplicates, in order; the case of a destination is ignored."""
    unique_copies: dict[tuple[str, str], Copy] = {}
    for copy in copies:
        unique_copies.setdefault((copy.kind, copy.destination.casefold()), copy)
    return list(unique_copies.values())


def validate_billing(
    rows: Sequence[BilledInsurance], allowed_ids: Collection[int]
) -> list[FieldError]:
    """Validate insurance rows; errors name the row's index.

    Rows of other patients are rejected like rows that do not exist.
    """
    errors: list[FieldError] = []
    seen_ids: set[int] = set()
    positions: set[int] = set()
    for i, (position, row) in enumerate(_number_rows(rows)):
        field = f"{i}.patientBillingInformationId"
        if row.insurance_id is None:
            errors.append(FieldError(field, messages.VALUE_REQUIRED))
        elif row.insurance_id not in allowed_ids:
            errors.append(FieldError(field, messages.NOT_FOUND))
        elif row.insurance_id in seen_ids:
            errors.append(FieldError(field, messages.VALUE_INVALID))
        else:
            seen_ids.add(row.insurance_id)
        if position < 1 or position in positions:
            errors.append(FieldError(f"{i}.position", messages.VALUE_INVALID))
        positions.add(position)
    return errors


def sort_billing(rows: Sequence[BilledInsurance]) -> list[int]:
    """Return the ids of validated rows in the order of their positions."""
    numbered_rows = sorted(_number_rows(rows), key=lambda pair: pair[0])
    return [row.insurance_id for _, row in numbered_rows if row.insurance_id is not None]


def _number_rows(rows: Sequence[BilledInsurance]) -> list[tuple[int, BilledInsurance]]:
    return [
        (i if row.position is None else row.position, row) for i, row in enumerate(rows, start=1)
    ]


def format_requisition_code(number: int, year: int) -> str:
    """Return the code: 'R', two-digit year, seven digits."""
    return f"R{year % 100:02d}{number:07d}"


def format_order_code(requisition_code: str) -> str:
    """Return the order's code: the requisition's with 'L' instead of 'R'."""
    return "L" + requisition_code[1:]


def deduplicate_ids(ids: Iterable[int]) -> list[int]:
    """Return the ids without duplicates, in order."""
    return list(dict.fromkeys(ids))
