"""What makes an address valid (O 5, 'Address'); no session, no clock, no request."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from app.basics.errors import FieldError
from app.basics.text import capitalise, clean, digits
from app.contract import messages

ADDRESS_MAX = 200


class AddressFields(NamedTuple):
    """The wire names of an address's parts; forms name them differently."""

    line: str = "address"
    zip_code: str = "zipCode"
    plus4: str = "zipCodePlus4"


@dataclass(frozen=True)
class Address:
    """Street, five-digit ZIP code and its extension; city and state follow from the ZIP code."""

    line: str | None = None
    zip_code: str | None = None
    plus4: str | None = None


def normalised(line: str | None, zip_code: str | None, plus4: str | None) -> Address:
    """The address as it is kept: upper-cased, codes without decoration."""
    return Address(capitalise(line), clean(zip_code), digits(plus4) or clean(plus4))


def required_errors(
    address: Address, fields: AddressFields, *, zip_message: str = messages.ZIP_CODE_REQUIRED
) -> list[FieldError]:
    """The parts that an address can not be without."""
    wanted = (
        (fields.line, address.line, messages.ADDRESS_REQUIRED),
        (fields.zip_code, address.zip_code, zip_message),
        (fields.plus4, address.plus4, messages.SELECTION_REQUIRED.format(label="Zip plus 4")),
    )
    return [FieldError(name, text) for name, value, text in wanted if not value]


def format_errors(address: Address, fields: AddressFields) -> list[FieldError]:
    """Lengths and masks of the parts that hold something."""
    errors = []
    if address.line and len(address.line) > ADDRESS_MAX:
        text = messages.VALUE_TOO_LONG.format(max=ADDRESS_MAX)
        errors.append(FieldError(fields.line, text))
    if address.plus4 and not is_plus4(address.plus4):
        errors.append(FieldError(fields.plus4, messages.ZIP_CODE_PLUS4_INVALID))
    return errors


def is_plus4(text: str) -> bool:
    """Four digits."""
    return len(text) == 4 and text.isascii() and text.isdigit()


def is_zip_code(text: str) -> bool:
    """Five digits."""
    return len(text) == 5 and text.isascii() and text.isdigit()


def unknown_zip_code(field: str, code: str) -> FieldError:
    """What is said of a ZIP code that is not in the tables."""
    return FieldError(field, messages.ZIP_CODE_UNKNOWN.format(code=code[:10]))


def same_as(own: Address, other: Address) -> Address:
    """'Same as Client': the other's street and ZIP code in place of one's own.

    What the other does not have stays as it was, so that nothing required is lost by it; an
    extension goes with its ZIP code.
    """
    if not (other.line and other.zip_code):
        return own
    plus4 = other.plus4 or own.plus4
    return replace(own, line=other.line, zip_code=other.zip_code, plus4=plus4)
