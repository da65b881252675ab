"""Rules for patients (O 4, O 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from app.basics.emails import is_valid_email
from app.basics.errors import FieldError, Forbidden
from app.basics.text import clean_text, keep_digits, mask_phone, to_upper_case
from app.contract import messages
from app.contract.choices import GENDER_IDENTITIES, RACES, SEXUAL_ORIENTATIONS
from app.contract.enumerations import Ethnicity, Gender
from app.contract.limits import EARLIEST_BIRTH_DATE
from app.server.access.policy import ORDERING_STAFF, judge_role
from app.server.actor import Actor
from app.server.addresses import rules as addresses
from app.server.addresses.rules import Address, AddressFields

EDITORS = ORDERING_STAFF
"""The roles that register and change patients."""

NAME_MAX = 100
COUNTRY_MAX = 60
MEDICATION_MAX = 200
PATIENT_ADDRESS = AddressFields("address", "zipCodeName", "zipCodePlus4")
PARTY_ADDRESS = AddressFields("address", "zipCode", "zipCodeExtra")
_EARLIEST = date.fromisoformat(EARLIEST_BIRTH_DATE)


@dataclass(frozen=True)
class Places:
    """The owners of the chosen unit and room; None when not chosen or not found."""

    client_has_units: bool
    unit_client_id: int | None = None
    room_client_id: int | None = None
    room_unit_id: int | None = None


def judge_edit(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may register and change patients."""
    return judge_role(actor, EDITORS)


def judge_full_ssn(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may see full social security numbers; editors may (DECISIONS)."""
    return judge_edit(actor)


def validate_birth_date(value: date | None, today: date) -> FieldError | None:
    """Require a birth date between 1900-01-01 and today."""
    if value is None:
        return FieldError("birthDate", messages.BIRTH_DATE_REQUIRED)
    if not _EARLIEST <= value <= today:
        return FieldError("birthDate", messages.BIRTH_DATE_OUT_OF_RANGE)
    return None


def validate_required(values: dict[str, object]) -> list[FieldError]:
    """Collect errors for missing required fields."""
    messages_by_field = {
        "clientId": messages.CLIENT_REQUIRED,
        "lastName": messages.LAST_NAME_REQUIRED,
        "firstName": messages.FIRST_NAME_REQUIRED,
        "gender": messages.GENDER_REQUIRED,
    }
    return [
        FieldError(name, text) for name, text in messages_by_field.items() if not values.get(name)
    ]


def validate_formats(values: dict[str, str | None]) -> list[FieldError]:
    """Collect errors of masks, lengths and closed choices; empty fields pass."""
    errors: list[FieldError] = []
    for name, limit in (
        ("lastName", NAME_MAX),
        ("firstName", NAME_MAX),
        ("middleName", NAME_MAX),
        ("bed", 20),
        ("medicalRecordId", 50),
        ("email", 320),
    ):
        value = values.get(name)
        if value and len(value) > limit:
            errors.append(FieldError(name, messages.VALUE_TOO_LONG.format(max=limit)))
    for name, length, message in (
        ("socialSecurityNumber", 9, messages.SSN_INVALID),
        ("phone", 10, messages.PHONE_INVALID),
        ("mobile", 10, messages.MOBILE_INVALID),
    ):
        value = values.get(name)
        if value and len(keep_digits(value) or "") != length:
            errors.append(FieldError(name, message))
    if (email := values.get("email")) and not is_valid_email(email):
        errors.append(FieldError("email", messages.EMAIL_INVALID))
    for name, allowed_values in (
        ("gender", set(Gender)),
        ("race", set(RACES)),
        ("sexualOrientationId", {choice.id for choice in SEXUAL_ORIENTATIONS}),
        ("genderIdentityId", {choice.id for choice in GENDER_IDENTITIES}),
    ):
        value = values.get(name)
        if value and value not in allowed_values:
            errors.append(FieldError(name, messages.VALUE_INVALID))
    return errors


def validate_address(address: Address) -> list[FieldError]:
    """Require address, ZIP code and extension, and check their formats."""
    return addresses.validate_required(address, PATIENT_ADDRESS) + addresses.validate_formats(
        address, PATIENT_ADDRESS
    )


def validate_ethnicity(value: int | None) -> FieldError | None:
    """Require 0, 1 or 2, or none."""
    if value is not None and value not in set(Ethnicity):
        return FieldError("ethnicity", messages.VALUE_INVALID)
    return None


def infer_unit(
    client_id: int | None, unit_id: int | None, places: Places, *, room_decides: bool = False
) -> int | None:
    """Return the chosen unit, or the unit of the client's chosen room (O 4).

    ``room_decides``: only the room has changed, so its unit replaces the earlier one.
    """
    if (unit_id is not None and not room_decides) or places.room_client_id != client_id:
        return unit_id
    return places.room_unit_id or unit_id


def validate_place(
    client_id: int | None, unit_id: int | None, room_id: int | None, places: Places
) -> list[FieldError]:
    """Require a unit if the client has units, and that unit and room belong together."""
    errors: list[FieldError] = []
    if unit_id is None:
        if places.client_has_units:
            errors.append(FieldError("unitId", messages.UNIT_REQUIRED))
    elif places.unit_client_id != client_id:
        errors.append(FieldError("unitId", messages.UNIT_NOT_OF_CLIENT))
    if room_id is not None and (
        places.room_client_id != client_id
        or (unit_id is not None and places.room_unit_id not in (None, unit_id))
    ):
        errors.append(FieldError("roomId", messages.ROOM_NOT_OF_CLIENT))
    return errors


@dataclass(frozen=True)
class Party:
    """A responsible party; ``id`` is None for a new one."""

    address: Address
    id: int | None = None
    last_name: str | None = None
    first_name: str | None = None
    country: str | None = None
    phone: str | None = None
    mobile: str | None = None
    fax: str | None = None


def normalize_party(party: Party) -> Party:
    """Normalize a party for storage: upper-case names and address, apply masks."""
    address = party.address
    return replace(
        party,
        last_name=to_upper_case(party.last_name),
        first_name=to_upper_case(party.first_name),
        country=to_upper_case(party.country),
        address=addresses.normalize_address(address.line, address.zip_code, address.plus4),
        phone=mask_phone(clean_text(party.phone)),
        mobile=mask_phone(clean_text(party.mobile)),
        fax=mask_phone(clean_text(party.fax)),
    )


def validate_party(party: Party) -> list[FieldError]:
    """Collect the errors of a normalized responsible party (O 5)."""
    required_values = (
        ("lastName", party.last_name, messages.LAST_NAME_REQUIRED),
        ("firstName", party.first_name, messages.FIRST_NAME_REQUIRED),
        ("phone", party.phone, messages.SELECTION_REQUIRED.format(label="Phone")),
    )
    errors = [FieldError(name, text) for name, value, text in required_values if not value]
    errors += addresses.validate_required(
        party.address, PARTY_ADDRESS, zip_message=messages.MISSING_ADDRESS
    )
    errors += addresses.validate_formats(party.address, PARTY_ADDRESS)
    for name, value, limit in (
        ("lastName", party.last_name, NAME_MAX),
        ("firstName", party.first_name, NAME_MAX),
        ("country", party.country, COUNTRY_MAX),
    ):
        if value and len(value) > limit:
            errors.append(FieldError(name, messages.VALUE_TOO_LONG.format(max=limit)))
    for name, value, message in (
        ("phone", party.phone, messages.PHONE_INVALID),
        ("mobile", party.mobile, messages.MOBILE_INVALID),
        ("fax", party.fax, messages.FAX_INVALID),
    ):
        if value and len(keep_digits(value) or "") != 10:
            errors.append(FieldError(name, message))
    return errors


def normalize_medications(
    medications: Sequence[tuple[int | None, str | None]], current_names: Mapping[int, str]
) -> tuple[list[str], list[FieldError]]:
    """Return the distinct normalized names of medications, and the errors of the others.

    Each medication was sent as id and name. The name is used; an id without a name selects one of
    the patient's current medications.
    """
    names: list[str] = []
    errors: list[FieldError] = []
    for i, (row_id, text) in enumerate(medications):
        field = f"medications.{i}.name"
        name = to_upper_case(text)
        if text is None and row_id is not None:
            name = current_names.get(row_id)
            if name is None:
                errors.append(FieldError(field, messages.NOT_FOUND))
        elif name is None:
            errors.append(FieldError(field, messages.VALUE_REQUIRED))
        elif len(name) > MEDICATION_MAX:
            errors.append(FieldError(field, messages.VALUE_TOO_LONG.format(max=MEDICATION_MAX)))
        if name is not None:
            names.append(name)
    return list(dict.fromkeys(names)), errors


def format_patient_code(number: int) -> str:
    """Format a patient code: 'P' and seven digits."""
    return f"P{number:07d}"
