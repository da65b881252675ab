"""HTTP shapes of insurance rows and payers (O 3)."""

from datetime import date
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from app.server.access.schemas import Named, RecordId, Shape, Text, WireDate
from app.server.addresses.schemas import ZipCodeShape


class ZipCodeRef(Shape):
    """A ZIP code named by id or by its five digits."""

    id: RecordId | None = None
    code: Text = None


def _wrap_zip_code(value: Any) -> Any:
    return {"code": value} if isinstance(value, str) else value


class InsuranceWrite(Shape):
    """An insurance row as sent.

    Attributes:
        id: the id of an existing row.
        order: the position of the row.
    """

    id: RecordId | None = None
    order: RecordId | None = None
    bill_type_id: RecordId | None = None
    payer_id: RecordId | None = None
    insurance_id: Text = None
    group_number: Text = None
    relationship: Text = None
    different_than_patient: bool = False
    last_name: Text = None
    first_name: Text = None
    middle_name: Text = None
    birth_date: WireDate = None
    gender: Text = None
    phone: Text = None
    address: Text = None
    zip_code: Annotated[ZipCodeRef | None, BeforeValidator(_wrap_zip_code)] = None
    zip_code_id: RecordId | None = None
    zip_code_plus4: Text = Field(default=None, alias="zipCodePlus4")


class InsuranceRow(Shape):
    """An insurance row as returned; ``order`` counts from 1."""

    id: int
    order: int
    bill_type_id: int
    bill_type: str
    payer_id: int
    payer: str
    insurance_id: str
    group_number: str | None
    relationship: str | None
    different_than_patient: bool
    last_name: str | None
    first_name: str | None
    middle_name: str | None
    birth_date: date | None
    gender: str | None
    phone: str | None
    address: str | None
    zip_code: ZipCodeShape | None
    zip_code_id: int | None
    zip_code_plus4: str | None = Field(alias="zipCodePlus4")
    missing_information: bool


class PayerShape(Named):
    """A payer with the bill type it belongs to."""

    bill_type_id: int | None
    bill_type: str | None
