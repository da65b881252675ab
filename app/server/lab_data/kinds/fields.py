"""Fields that several kinds have."""

from app.basics.emails import is_valid_email
from app.basics.text import keep_digits, mask_phone
from app.contract import messages
from app.contract.limits import LAB_DATA_LONG_TEXT_MAX
from app.server.catalog.ucum import find_ucum
from app.server.lab_data.kind import Field

_PHONE_DIGITS = 10


def build_code(label: str = "Code", *, fixed: bool = False) -> Field:
    """Build the field of a unique code."""
    return Field("code", label, required=True, upper=True, max_length=40, fixed=fixed)


def build_name(label: str = "Name", *, upper: bool = False) -> Field:
    """Build the field of a name."""
    return Field("name", label, required=True, upper=upper)


def build_position(*, smallest: int = 0) -> Field:
    """Build the field of a row's position in the lab's order."""
    return Field("position", "Position", "integer", required=True, smallest=smallest, default=1)


def build_flag(column: str, label: str, *, default: bool = False, in_grid: bool = True) -> Field:
    """Build a field that is on or off."""
    return Field(column, label, "boolean", default=default, in_grid=in_grid)


def build_phone(column: str, label: str, message: str, *, in_grid: bool = True) -> Field:
    """Build the field of a phone or fax number of ten digits."""

    def check(text: str) -> str | None:
        return None if len(keep_digits(text) or "") == _PHONE_DIGITS else message

    return Field(
        column,
        label,
        max_length=20,
        convert=mask_phone,
        check=check,
        in_grid=in_grid,
    )


def build_email(column: str, label: str) -> Field:
    """Build the field of an e-mail address."""

    def check(text: str) -> str | None:
        return None if is_valid_email(text) else messages.EMAIL_INVALID

    return Field(column, label, check=check, in_grid=False)


def build_long_text(column: str, label: str, *, in_grid: bool = False) -> Field:
    """Build the field of a long text."""
    return Field(column, label, max_length=LAB_DATA_LONG_TEXT_MAX, in_grid=in_grid)


PHONE = build_phone("phone", "Phone", messages.PHONE_INVALID)
FAX = build_phone("fax", "Fax", messages.FAX_INVALID, in_grid=False)
ADDRESS = Field("address", "Address", upper=True)
ZIP_CODE = Field("zip_code_id", "Zip Code", "lookup", lookup="zip-codes")


def _describe_ucum(unit: str | None) -> str | None:
    if unit is None:
        return None
    code = find_ucum(unit)
    if code is None:
        return messages.UNIT_WITHOUT_UCUM
    return messages.UNIT_IS_UCUM if code == unit else messages.UNIT_UCUM.format(code=code)


UNIT = Field("unit", "Unit", note=_describe_ucum)
"""The unit of a test or of limits; new limits without one have that of their test (ADR 102)."""
INVENTED = build_flag("invented", "Invented", in_grid=False)
"""Our own limits, which no lab approved (DECISIONS, Ordering)."""
