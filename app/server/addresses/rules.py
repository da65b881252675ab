"""Rules for addresses (O 5, 'Address')."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from app.basics.errors import FieldError
from app.basics.text import clean_text, keep_digits, to_upper_case
from app.contract import messages

ADDRESS_MAX = 200


class AddressFields(NamedTuple):
    """The wire names of an address's parts, which differ between forms."""

    line: str = "address"
    zip_code: str = "zipCode"
    plus4: str = "zipCodePlus4"


@dataclass(frozen=True)
class Address:
    """Street, five-digit ZIP code and its extension; city and state follow from the ZIP code."""

    line: str | None = None
    zip_code: str | None = None
    plus4: str | None = None


def normalize_address(line: str | None, zip_code: str | None, plus4: str | None) -> Address:
    """Normalize an address for storage: upper-case the line, reduce codes to digits."""
    return Address(
        to_upper_case(line), clean_text(zip_code), keep_digits(plus4) or clean_text(plus4)
    )


def validate_required(
    address: Address, fields: AddressFields, *, zip_message: str = messages.ZIP_CODE_REQUIRED
) -> list[FieldError]:
    """Collect errors for missing parts."""
    required_values = (
        (fields.line, address.line, messages.ADDRESS_REQUIRED),
        (fields.zip_code, address.zip_code, zip_message),
        (fields.plus4, address.plus4, messages.SELECTION_REQUIRED.format(label="Zip plus 4")),
    )
    return [FieldError(name, text) for name, value, text in required_values if not value]


def validate_formats(address: Address, fields: AddressFields) -> list[FieldError]:
    """Collect errors of lengths and masks; empty parts pass."""
    errors = []
    if address.line and len(address.line) > ADDRESS_MAX:
        text = messages.VALUE_TOO_LONG.format(max=ADDRESS_MAX)
        errors.append(FieldError(fields.line, text))
    if address.plus4 and not is_plus4(address.plus4):
        errors.append(FieldError(fields.plus4, messages.ZIP_CODE_PLUS4_INVALID))
    return errors


def is_plus4(text: str) -> bool:
    """Whether the text has exactly four digits."""
    return len(text) == 4 and text.isascii() and text.isdigit()


def is_zip_code(text: str) -> bool:
    """Whether the text has exactly five digits."""
    return len(text) == 5 and text.isascii() and text.isdigit()


def get_zip_code(text: str) -> str | None:
    """Return the five digits of a ZIP code with or without extension; None for other text."""
    zip_code, dash, plus4 = text.strip().partition("-")
    return zip_code if is_zip_code(zip_code) and (not dash or is_plus4(plus4)) else None


def build_unknown_zip_code_error(field: str, code: str) -> FieldError:
    """Build the error for a ZIP code that does not exist."""
    return FieldError(field, messages.ZIP_CODE_UNKNOWN.format(code=code[:10]))


def copy_client_address(own: Address, client: Address) -> Address:
    """Replace an address with the client's, for 'Same as Client'.

    If the client's address is incomplete, nothing changes, so that no required part is lost. If the
    client has no extension, the current one stays.
    """
    if not (client.line and client.zip_code):
        return own
    plus4 = client.plus4 or own.plus4
    return replace(own, line=client.line, zip_code=client.zip_code, plus4=plus4)
