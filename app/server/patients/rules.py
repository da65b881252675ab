"""What makes a patient valid (O 4, O 5); no session, no clock, no request."""

from dataclasses import dataclass
from datetime import date

from app.basics.errors import FieldError
from app.basics.text import digits
from app.contract import messages
from app.contract.choices import GENDER_IDENTITIES, RACES, SEXUAL_ORIENTATIONS
from app.contract.enumerations import Ethnicity, Gender
from app.contract.limits import EARLIEST_BIRTH_DATE

NAME_MAX = 100
TEXT_MAX = 200
_EARLIEST = date.fromisoformat(EARLIEST_BIRTH_DATE)


@dataclass(frozen=True)
class Places:
    """Where the chosen unit and room belong; None when not chosen or not found."""

    client_has_units: bool
    unit_client_id: int | None = None
    room_client_id: int | None = None
    room_unit_id: int | None = None


def birth_date_error(value: date | None, today: date) -> FieldError | None:
    """Between 1900-01-01 and today."""
    if value is None:
        return FieldError("birthDate", messages.BIRTH_DATE_REQUIRED)
    if not _EARLIEST <= value <= today:
        return FieldError("birthDate", messages.BIRTH_DATE_OUT_OF_RANGE)
    return None


def required_errors(values: dict[str, object]) -> list[FieldError]:
    """The fields that a patient can not be without."""
    wanted = {
        "clientId": messages.CLIENT_REQUIRED,
        "lastName": messages.LAST_NAME_REQUIRED,
        "firstName": messages.FIRST_NAME_REQUIRED,
        "gender": messages.GENDER_REQUIRED,
        "address": messages.ADDRESS_REQUIRED,
        "zipCodeName": messages.ZIP_CODE_REQUIRED,
        "zipCodePlus4": messages.SELECTION_REQUIRED.format(label="Zip plus 4"),
    }
    return [FieldError(name, text) for name, text in wanted.items() if not values.get(name)]


def format_errors(values: dict[str, str | None]) -> list[FieldError]:
    """Masks, lengths and closed lists, for the fields that hold something."""
    errors: list[FieldError] = []
    for name, limit in (
        ("lastName", NAME_MAX),
        ("firstName", NAME_MAX),
        ("middleName", NAME_MAX),
        ("bed", 20),
        ("medicalRecordId", 50),
        ("address", TEXT_MAX),
        ("email", 320),
    ):
        value = values.get(name)
        if value and len(value) > limit:
            errors.append(FieldError(name, messages.VALUE_TOO_LONG.format(max=limit)))
    for name, length, message in (
        ("socialSecurityNumber", 9, messages.SSN_INVALID),
        ("phone", 10, messages.PHONE_INVALID),
        ("mobile", 10, messages.PHONE_INVALID),
        ("zipCodePlus4", 4, messages.ZIP_CODE_PLUS4_INVALID),
    ):
        value = values.get(name)
        if value and len(digits(value) or "") != length:
            errors.append(FieldError(name, message))
    if (email := values.get("email")) and not email_is_valid(email):
        errors.append(FieldError("email", messages.EMAIL_INVALID))
    for name, allowed in (
        ("gender", set(Gender)),
        ("race", set(RACES)),
        ("sexualOrientationId", {choice.id for choice in SEXUAL_ORIENTATIONS}),
        ("genderIdentityId", {choice.id for choice in GENDER_IDENTITIES}),
    ):
        value = values.get(name)
        if value and value not in allowed:
            errors.append(FieldError(name, messages.VALUE_INVALID))
    return errors


def ethnicity_error(value: int | None) -> FieldError | None:
    """0, 1 or 2."""
    if value is not None and value not in set(Ethnicity):
        return FieldError("ethnicity", messages.VALUE_INVALID)
    return None


def place_errors(
    client_id: int | None, unit_id: int | None, room_id: int | None, places: Places
) -> list[FieldError]:
    """Unit and room belong to the client, the room to the unit; a client's units are used."""
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


def email_is_valid(text: str) -> bool:
    """One address: something, an at sign, a domain with a dot; no spaces or separators."""
    name, at, domain = text.rpartition("@")
    return (
        bool(at and name)
        and "." in domain.strip(".")
        and not domain.startswith(".")
        and not domain.endswith(".")
        and not any(c in text for c in ' ,;<>()[]"\\\t\n\r')
        and "@" not in name
    )


def patient_code(number: int) -> str:
    """'P' and seven digits."""
    return f"P{number:07d}"
