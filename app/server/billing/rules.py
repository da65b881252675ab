"""Rules for insurance rows and payers (O 4, O 5, R 5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from app.basics.errors import FieldError
from app.basics.text import clean_text, keep_digits, mask_phone, to_upper_case
from app.contract import messages
from app.contract.choices import RELATIONSHIPS
from app.contract.enumerations import Gender
from app.contract.limits import EARLIEST_BIRTH_DATE
from app.server.addresses.rules import ADDRESS_MAX, is_plus4

SELF = "SELF"
NAME_MAX = 100
NUMBER_MAX = 50
MIN_SIMILARITY = 0.6
"""The least similarity of matching payer names; equal names have 1."""

_EARLIEST = date.fromisoformat(EARLIEST_BIRTH_DATE)
_EXPANSIONS = {
    "BCBS": "BLUE CROSS BLUE SHIELD",
    "BC/BS": "BLUE CROSS BLUE SHIELD",
    "UHC": "UNITED HEALTHCARE",
    "HMO": "",
    "PPO": "",
    "INC": "",
    "LLC": "",
    "CO": "",
    "CORP": "",
    "THE": "",
}
Item = TypeVar("Item")


@dataclass(frozen=True)
class Holder:
    """The values of a patient that insurance rows copy."""

    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date | None
    gender: str
    address: str | None
    zip_code_id: int | None
    zip_code_plus4: str | None


@dataclass(frozen=True)
class Coverage:
    """An insurance row; ``id`` is None for a new one."""

    id: int | None = None
    bill_type_id: int | None = None
    payer_id: int | None = None
    insurance_id: str | None = None
    group_number: str | None = None
    relationship: str | None = None
    different_than_patient: bool = False
    last_name: str | None = None
    first_name: str | None = None
    middle_name: str | None = None
    birth_date: date | None = None
    gender: str | None = None
    phone: str | None = None
    address: str | None = None
    zip_code_id: int | None = None
    zip_code_plus4: str | None = None


def normalize_coverage(row: Coverage) -> Coverage:
    """Normalize a row for storage: upper-case texts, apply masks, turn empty into None."""
    return replace(
        row,
        insurance_id=to_upper_case(row.insurance_id),
        group_number=to_upper_case(row.group_number),
        relationship=to_upper_case(row.relationship),
        last_name=to_upper_case(row.last_name),
        first_name=to_upper_case(row.first_name),
        middle_name=to_upper_case(row.middle_name),
        gender=to_upper_case(row.gender),
        phone=mask_phone(clean_text(row.phone)),
        address=to_upper_case(row.address),
        zip_code_plus4=keep_digits(row.zip_code_plus4) or clean_text(row.zip_code_plus4),
    )


def fill_from_holder(row: Coverage, holder: Holder) -> Coverage:
    """Fill in the values that a row copies from the patient (O 5).

    SELF copies address, birth date, gender and names. Every row copies the ZIP code unless it is
    marked as different from the patient.
    """
    if row.relationship == SELF:
        row = replace(
            row,
            last_name=holder.last_name,
            first_name=holder.first_name,
            middle_name=holder.middle_name,
            birth_date=holder.birth_date,
            gender=holder.gender,
            address=holder.address,
        )
    if not row.different_than_patient:
        row = replace(row, zip_code_id=holder.zip_code_id, zip_code_plus4=holder.zip_code_plus4)
    return row


def strip_holder_values(row: Coverage) -> Coverage:
    """Remove the values that ``fill_from_holder`` fills in, which are never stored."""
    if row.relationship == SELF:
        row = replace(
            row,
            last_name=None,
            first_name=None,
            middle_name=None,
            birth_date=None,
            gender=None,
            address=None,
        )
    if not row.different_than_patient:
        row = replace(row, zip_code_id=None, zip_code_plus4=None)
    return row


def has_missing_information(row: Coverage) -> bool:
    """Whether a filled-in row lacks a value that an insurance claim needs (O 5)."""
    required_values = (
        row.last_name,
        row.first_name,
        row.address,
        row.birth_date,
        row.gender,
        row.zip_code_id,
        row.relationship,
    )
    return not all(required_values)


def validate_row(row: Coverage, today: date) -> list[FieldError]:
    """Collect the errors of a normalized row; missing information is not an error."""
    required_values = (
        ("insuranceId", row.insurance_id, "Insurance Id"),
        ("payerId", row.payer_id, "Payer"),
        ("billTypeId", row.bill_type_id, "Bill Type"),
    )
    errors = [
        FieldError(name, messages.SELECTION_REQUIRED.format(label=label))
        for name, value, label in required_values
        if value is None
    ]
    for name, text, limit in (
        ("insuranceId", row.insurance_id, NUMBER_MAX),
        ("groupNumber", row.group_number, NUMBER_MAX),
        ("lastName", row.last_name, NAME_MAX),
        ("firstName", row.first_name, NAME_MAX),
        ("middleName", row.middle_name, NAME_MAX),
        ("address", row.address, ADDRESS_MAX),
    ):
        if text and len(text) > limit:
            errors.append(FieldError(name, messages.VALUE_TOO_LONG.format(max=limit)))
    if row.birth_date is not None and not _EARLIEST <= row.birth_date <= today:
        errors.append(FieldError("birthDate", messages.BIRTH_DATE_OUT_OF_RANGE))
    if row.phone and len(keep_digits(row.phone) or "") != 10:
        errors.append(FieldError("phone", messages.PHONE_INVALID))
    if row.zip_code_plus4 and not is_plus4(row.zip_code_plus4):
        errors.append(FieldError("zipCodePlus4", messages.ZIP_CODE_PLUS4_INVALID))
    if row.gender and row.gender not in set(Gender):
        errors.append(FieldError("gender", messages.VALUE_INVALID))
    if row.relationship and row.relationship not in RELATIONSHIPS:
        errors.append(FieldError("relationship", messages.VALUE_INVALID))
    return errors


def number_rows(rows: Iterable[Item]) -> list[tuple[int, Item]]:
    """Number the rows from 1, by their position in the list."""
    return list(enumerate(rows, start=1))


def sort_by_order(rows: Sequence[Item], orders: Sequence[int | None]) -> list[Item]:
    """Sort rows by their sent order; a row without one keeps its position."""
    positions = [i if order is None else order for i, order in enumerate(orders, start=1)]
    pairs = sorted(zip(positions, rows, strict=True), key=lambda pair: pair[0])
    return [row for _, row in pairs]


def find_best_match(text: str, names: Sequence[str]) -> int | None:
    """Find the index of the payer name most similar to the text; None if none is similar.

    An exact match is chosen first. Otherwise abbreviations are expanded and names compared by their
    common groups of three letters. Ties go to the shorter name, then to the alphabetical order.
    """
    typed_name = to_upper_case(text)
    if typed_name is None:
        return None
    if typed_name in names:
        return names.index(typed_name)
    trigrams = _list_trigrams(expand_abbreviations(typed_name))
    scores = {
        name: _compute_similarity(trigrams, _list_trigrams(expand_abbreviations(name)))
        for name in names
    }
    similar_names = [name for name in names if scores[name] >= MIN_SIMILARITY]
    if not similar_names:
        return None
    return names.index(min(similar_names, key=lambda name: (-scores[name], len(name), name)))


def expand_abbreviations(name: str) -> str:
    """Expand abbreviations in an upper-cased name and drop words that do not identify a payer."""
    words = "".join(c if c.isalnum() or c == "/" else " " for c in name).split()
    return " ".join(filter(None, (_EXPANSIONS.get(word, word) for word in words)))


def _list_trigrams(text: str) -> frozenset[str]:
    padded_words = [f"  {word} " for word in text.replace("/", " ").split()]
    return frozenset(word[i : i + 3] for word in padded_words for i in range(len(word) - 2))


def _compute_similarity(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the mean share of common trigrams in the union and in the smaller set; 0 to 1."""
    if not left or not right:
        return 0.0
    shared_count = len(left & right)
    return shared_count / len(left | right) / 2 + shared_count / min(len(left), len(right)) / 2
