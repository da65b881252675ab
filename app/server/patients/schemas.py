"""HTTP shapes of a patient (O 3)."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from app.server.access.schemas import Named, Shape
from app.server.addresses.service import ZipCodeShape
from app.server.physicians.schemas import PhysicianShape


def _date(value: Any) -> Any:
    """Also takes MM/DD/YYYY (DECISIONS, wire format); an empty text is no date."""
    if isinstance(value, str):
        text = value.strip()
        if not text:
            return None
        if "/" in text:
            return datetime.strptime(text, "%m/%d/%Y").date()  # noqa: DTZ007
        return date.fromisoformat(text[:10])
    return value


WireDate = Annotated[date | None, BeforeValidator(_date)]
Text = Annotated[str | None, Field(max_length=20_000)]


class PatientWrite(Shape):
    """A patient as sent; absent fields of an update stay as they are."""

    client_id: int | None = None
    first_name: Text = None
    middle_name: Text = None
    last_name: Text = None
    birth_date: WireDate = None
    gender: Text = None
    medical_record_id: Text = None
    bed: Text = None
    room_id: int | None = None
    unit_id: int | None = None
    social_security_number: Text = None
    phone: Text = None
    mobile: Text = None
    email: Text = None
    address: Text = None
    zip_code_name: Text = None
    zip_code_plus4: Text = Field(default=None, alias="zipCodePlus4")
    same_as_client_address: bool = False
    primary_physician_id: int | None = None
    ethnicity: int | None = None
    sexual_orientation_id: Text = None
    gender_identity_id: Text = None
    race: Text = None


class ClientOfPatient(Shape):
    """The client of a patient."""

    id: int
    code: str
    name: str
    web_access: bool
    address: str | None
    zip_code: ZipCodeShape | None
    zip_code_plus4: str | None = Field(alias="zipCodePlus4")
    default_bill_to: str | None


class RoomShape(Named):
    """A room with its unit."""

    unit_id: int | None


class PatientRead(Shape):
    """A patient as answered."""

    id: int
    code: str
    version: int
    client_id: int
    client: ClientOfPatient | None
    unit_id: int | None
    unit: Named | None
    room_id: int | None
    room: RoomShape | None
    bed: str | None
    medical_record_id: str | None
    primary_physician_id: int | None
    primary_physician: PhysicianShape | None
    first_name: str
    middle_name: str | None
    last_name: str
    birth_date: date
    gender: str
    social_security_number: str | None
    phone: str | None
    mobile: str | None
    email: str | None
    address: str | None
    zip_code_name: str | None
    zip_code: ZipCodeShape | None
    zip_code_plus4: str | None = Field(alias="zipCodePlus4")
    same_as_client_address: bool
    ethnicity: int | None
    sexual_orientation_id: str | None
    gender_identity_id: str | None
    race: str | None
    medications: list[Any] = []
    diagnoses: list[Any] = []
    responsible_parties: list[Any] = []
    insurance_information: list[Any] = []
