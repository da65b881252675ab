"""Decisions about requisitions (O 4, O 5); no session, no clock, no request."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from uuid import UUID

from app.basics.errors import FieldError, PortalError
from app.basics.text import clean, mask_phone
from app.contract import messages
from app.contract.enumerations import (
    BillTo,
    CopyType,
    Fasting,
    Priority,
    RequisitionStatus,
)
from app.contract.transitions import REQUISITION_TRANSITIONS
from app.server.access.policy import ALL_ROLES, LAB_STAFF, ORDERING_STAFF, judge_role
from app.server.actor import Actor
from app.server.patients.rules import email_is_valid
from app.server.requisitions.errors import (
    RequisitionNotSigned,
    RequisitionReadOnly,
    RequisitionSigned,
    SignedByAnother,
    TransitionNotAllowed,
)

ORDERERS = ORDERING_STAFF
"""The roles that make, change and cancel requisitions."""
SIGNERS = ALL_ROLES
UNSIGNERS = ALL_ROLES
"""The roles that may remove a signature of their own."""
RECEIVERS = LAB_STAFF

BILLABLE_TO = frozenset({BillTo.INSURANCE, BillTo.CLIENT, BillTo.PATIENT})
"""The choice of O 4; NONE is no choice."""

_EMAIL_MAX = 320
_FAX = re.compile(r"[0-9]{3}-?[0-9]{3}-?[0-9]{4}")


@dataclass(frozen=True)
class Copy:
    """Somebody who gets the results as well; ``kind`` is a ``CopyType`` once it was checked."""

    kind: str
    destination: str


@dataclass(frozen=True)
class Billed:
    """An insurance row that a requisition names, with the place that was asked for."""

    insurance_id: int | None
    position: int | None = None


@dataclass(frozen=True)
class SignedContent:
    """Everything a signature vouches for (DECISIONS, Ordering).

    Tests are (level, id, confidential), in order. Diagnoses are (purpose, id), or (purpose, id,
    test) where they name the test that they support: the shorter form is also what signatures
    of before that was possible were made over.
    """

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
    diagnoses: tuple[tuple[str, int] | tuple[str, int, int], ...]
    medications: tuple[str, ...]

    def digest(self) -> bytes:
        """SHA-256 over a canonical rendering."""
        # All characters beyond ASCII are escaped, which is what json does when not told otherwise.
        rendered = json.dumps(asdict(self), default=str, sort_keys=True)
        return hashlib.sha256(rendered.encode()).digest()


@dataclass(frozen=True)
class RequisitionState:
    """What decides what may be done with a requisition; ``signer`` has signed it."""

    code: str
    status: RequisitionStatus
    is_signed: bool
    signer: UUID | None = None


def judge_creating(actor: Actor) -> PortalError | None:
    """Why this person may not make a requisition; None: it may."""
    return judge_role(actor, ORDERERS)


def judge_change(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Why it may not be changed; None: it may. Done and canceled ones are read-only (O 4)."""
    is_open = state.status not in (RequisitionStatus.CANCELED, RequisitionStatus.DONE)
    return judge_role(actor, ORDERERS) or (None if is_open else _read_only(state))


def judge_content_change(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Why what a signature vouches for may not be changed; None: it may."""
    refusal = judge_change(actor, state)
    if refusal is None and state.is_signed:
        text = messages.REQUISITION_SIGNED_CONTENT.format(code=state.code)
        return RequisitionSigned(text)
    return refusal


def judge_signing(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Why it may not be signed; None: it may. Done ones can be signed too."""
    if refusal := judge_role(actor, SIGNERS):
        return refusal
    if state.status == RequisitionStatus.CANCELED:
        return _read_only(state)
    if state.is_signed:
        return RequisitionSigned(messages.REQUISITION_ALREADY_SIGNED.format(code=state.code))
    return None


def judge_unsigning(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Why this person may not remove its signature; None: the signer may."""
    if refusal := judge_role(actor, UNSIGNERS):
        return refusal
    if state.status == RequisitionStatus.CANCELED:
        return _read_only(state)
    if not state.is_signed:
        return RequisitionNotSigned(messages.REQUISITION_NOT_SIGNED.format(code=state.code))
    if state.signer is None or state.signer != actor.user_id:
        return SignedByAnother(messages.REQUISITION_SIGNED_BY_OTHER.format(code=state.code))
    return None


def judge_canceling(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Why it may not be canceled; None: it may."""
    return judge_role(actor, ORDERERS) or judge_step(state, RequisitionStatus.CANCELED)


def judge_receiving(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Why the lab may not receive it; None: it may."""
    refusal = judge_role(actor, RECEIVERS)
    if refusal is None and state.status == RequisitionStatus.DONE:
        order = order_code(state.code)
        text = messages.REQUISITION_ALREADY_RECEIVED.format(code=state.code, order=order)
        return TransitionNotAllowed(text)
    return refusal or judge_step(state, RequisitionStatus.DONE)


def judge_step(state: RequisitionState, target: RequisitionStatus) -> TransitionNotAllowed | None:
    """Why its status may not become this one; None: the transition table has this step."""
    if may_become(state.status, target):
        return None
    text = messages.REQUISITION_TRANSITION_NOT_ALLOWED.format(
        code=state.code, status=state.status.name, target=target.name
    )
    return TransitionNotAllowed(text)


def _read_only(state: RequisitionState) -> RequisitionReadOnly:
    text = messages.REQUISITION_READ_ONLY.format(code=state.code, status=state.status.name)
    return RequisitionReadOnly(text)


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
    return BillTo(of_client) if of_client in BILLABLE_TO else BillTo.INSURANCE


def bill_to_error(value: int | None) -> FieldError | None:
    """Insurance, client or patient; None is for the caller to judge."""
    if value is not None and value not in BILLABLE_TO:
        return FieldError("billTo", messages.VALUE_INVALID)
    return None


def normalised_copy(kind: str | None, destination: str | None) -> Copy:
    """The copy in the form in which it is kept; a fax number that is one gets its mask."""
    where = clean(destination) or ""
    wanted = (clean(kind) or "").upper()
    if wanted == CopyType.FAX and _FAX.fullmatch(where):
        where = mask_phone(where)
    return Copy(wanted, where)


def copy_errors(copy: Copy) -> list[FieldError]:
    """One address or one number, never a list of them (O 5)."""
    where = copy.destination
    if copy.kind == CopyType.EMAIL:
        required, invalid = messages.EMAIL_REQUIRED, messages.EMAIL_INVALID
        valid = len(where) <= _EMAIL_MAX and email_is_valid(where)
    elif copy.kind == CopyType.FAX:
        required, invalid = messages.FAX_REQUIRED, messages.FAX_INVALID
        valid = bool(_FAX.fullmatch(where))
    else:
        return [FieldError("type", messages.VALUE_INVALID)]
    if not where:
        return [FieldError("destination", required)]
    return [] if valid else [FieldError("destination", invalid)]


def different_copies(copies: Iterable[Copy]) -> list[Copy]:
    """The copies once each, in order; addresses that differ in case only are one."""
    first: dict[tuple[str, str], Copy] = {}
    for copy in copies:
        first.setdefault((copy.kind, copy.destination.casefold()), copy)
    return list(first.values())


def billing_errors(rows: Sequence[Billed], known: Collection[int]) -> list[FieldError]:
    """What is wrong with insurance rows by index: unknown and foreign ones are refused alike."""
    errors: list[FieldError] = []
    named: set[int] = set()
    places: set[int] = set()
    for i, (place, row) in enumerate(_with_places(rows)):
        field = f"{i}.patientBillingInformationId"
        if row.insurance_id is None:
            errors.append(FieldError(field, messages.VALUE_REQUIRED))
        elif row.insurance_id not in known:
            errors.append(FieldError(field, messages.NOT_FOUND))
        elif row.insurance_id in named:
            errors.append(FieldError(field, messages.VALUE_INVALID))
        else:
            named.add(row.insurance_id)
        if place < 1 or place in places:
            errors.append(FieldError(f"{i}.position", messages.VALUE_INVALID))
        places.add(place)
    return errors


def billing_order(rows: Sequence[Billed]) -> list[int]:
    """The ids of checked rows by their places; gaps close."""
    in_order = sorted(_with_places(rows), key=lambda each: each[0])
    return [row.insurance_id for _, row in in_order if row.insurance_id is not None]


def _with_places(rows: Sequence[Billed]) -> list[tuple[int, Billed]]:
    return [
        (i if row.position is None else row.position, row) for i, row in enumerate(rows, start=1)
    ]


def requisition_code(number: int, year: int) -> str:
    """'R', two-digit year, seven digits."""
    return f"R{year % 100:02d}{number:07d}"


def order_code(of_requisition: str) -> str:
    """The requisition's digits with 'L'."""
    return "L" + of_requisition[1:]


def unique(ids: Iterable[int]) -> list[int]:
    """The ids once each, in order."""
    return list(dict.fromkeys(ids))
