"""Decisions about insurance rows and payers (O 4, O 5, R 5); no session, no clock, no request."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from app.basics.errors import FieldError
from app.basics.text import capitalise, clean, digits, mask_phone
from app.contract import messages
from app.contract.choices import RELATIONSHIPS
from app.contract.enumerations import Gender
from app.contract.limits import EARLIEST_BIRTH_DATE
from app.server.addresses.rules import ADDRESS_MAX, is_plus4

SELF = "SELF"
NAME_MAX = 100
NUMBER_MAX = 50
NEAR_ENOUGH = 0.6
"""How alike two payer names must be, from 0 to 1, for one to be offered for the other."""

_EARLIEST = date.fromisoformat(EARLIEST_BIRTH_DATE)
_SHORT_FOR = {
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
    """The patient, as far as insurance rows take anything from one."""

    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date
    gender: str
    address: str | None
    zip_code_id: int | None
    zip_code_plus4: str | None


@dataclass(frozen=True)
class Coverage:
    """One insurance row. ``id`` None: a new one."""

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


def normalised(row: Coverage) -> Coverage:
    """The row in the form in which it is kept: upper-cased, masks applied, empty is None."""
    return replace(
        row,
        insurance_id=capitalise(row.insurance_id),
        group_number=capitalise(row.group_number),
        relationship=capitalise(row.relationship),
        last_name=capitalise(row.last_name),
        first_name=capitalise(row.first_name),
        middle_name=capitalise(row.middle_name),
        gender=capitalise(row.gender),
        phone=mask_phone(clean(row.phone)),
        address=capitalise(row.address),
        zip_code_plus4=digits(row.zip_code_plus4) or clean(row.zip_code_plus4),
    )


def settled(row: Coverage, holder: Holder) -> Coverage:
    """The row with what it takes from the patient (O 5).

    SELF takes address, birth date, gender and names. Any row takes the ZIP code, unless it is
    different from the patient.
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


def own_part(row: Coverage) -> Coverage:
    """The row without what ``settled`` will give it: what is worth checking and keeping."""
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
    """Whether a settled row lacks something that an insurance claim needs (O 5)."""
    wanted = (
        row.last_name,
        row.first_name,
        row.address,
        row.birth_date,
        row.gender,
        row.zip_code_id,
        row.relationship,
    )
    return not all(wanted)


def row_errors(row: Coverage, today: date) -> list[FieldError]:
    """What stands in the way of keeping a normalised row; missing information does not."""
    required = (
        ("insuranceId", row.insurance_id, "Insurance Id"),
        ("payerId", row.payer_id, "Payer"),
        ("billTypeId", row.bill_type_id, "Bill Type"),
    )
    errors = [
        FieldError(name, messages.SELECTION_REQUIRED.format(label=label))
        for name, value, label in required
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
    if row.phone and len(digits(row.phone) or "") != 10:
        errors.append(FieldError("phone", messages.PHONE_INVALID))
    if row.zip_code_plus4 and not is_plus4(row.zip_code_plus4):
        errors.append(FieldError("zipCodePlus4", messages.ZIP_CODE_PLUS4_INVALID))
    if row.gender and row.gender not in set(Gender):
        errors.append(FieldError("gender", messages.VALUE_INVALID))
    if row.relationship and row.relationship not in RELATIONSHIPS:
        errors.append(FieldError("relationship", messages.VALUE_INVALID))
    return errors


def numbered(rows: Iterable[Item]) -> list[tuple[int, Item]]:
    """The rows with their order: 1 to n, by their place in the list."""
    return list(enumerate(rows, start=1))


def by_order(rows: Sequence[Item], orders: Sequence[int | None]) -> list[Item]:
    """The rows sorted by the order each was sent with; one without it keeps its place."""
    places = [i if order is None else order for i, order in enumerate(orders, start=1)]
    placed = sorted(zip(places, rows, strict=True), key=lambda each: each[0])
    return [row for _, row in placed]


def best_match(wanted: str, names: Sequence[str]) -> int | None:
    """The place of the payer's name that is nearest to what was written; None: none is near.

    An exact name wins over all. Otherwise abbreviations are spelled out and names compared by
    the groups of three letters they share; of equally near ones the shorter, then the first in
    the alphabet.
    """
    exact = capitalise(wanted)
    if exact is None:
        return None
    if exact in names:
        return names.index(exact)
    grams = _trigrams(spelled_out(exact))
    scored = [(-_likeness(grams, _trigrams(spelled_out(name))), name) for name in names]
    near = [(score, len(name), name) for score, name in scored if -score >= NEAR_ENOUGH]
    return names.index(min(near)[2]) if near else None


def spelled_out(name: str) -> str:
    """An upper-cased name in whole words, without what says nothing about the payer."""
    words = "".join(c if c.isalnum() or c == "/" else " " for c in name).split()
    return " ".join(filter(None, (_SHORT_FOR.get(word, word) for word in words)))


def _trigrams(text: str) -> frozenset[str]:
    padded = [f"  {word} " for word in text.replace("/", " ").split()]
    return frozenset(word[i : i + 3] for word in padded for i in range(len(word) - 2))


def _likeness(left: frozenset[str], right: frozenset[str]) -> float:
    """Half for what they share of all, half for how much of the smaller is in the larger."""
    if not left or not right:
        return 0.0
    shared = len(left & right)
    return shared / len(left | right) / 2 + shared / min(len(left), len(right)) / 2
