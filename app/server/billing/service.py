"""Checks, keeps and reads the insurance rows of a patient; finds payers by name (O 4, O 5, O 7)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from app.basics.clock import utc_now
from app.basics.errors import FieldError
from app.basics.text import capitalise, clean
from app.contract import messages
from app.server.access.work import Work
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.rules import unknown_zip_code
from app.server.addresses.schemas import ZipCodeShape
from app.server.billing import rules
from app.server.billing.repository import (
    BillingRepository,
    InsuranceOfPatient,
    coverage_of,
    read_insurance,
)
from app.server.billing.rules import Coverage, Holder
from app.server.billing.schemas import InsuranceRow, InsuranceWrite, PayerShape

FIELD = "insuranceInformation"
_NAME_MAX = 200


async def checked(
    work: Work, patient_id: int | None, sent: list[InsuranceWrite], today: date
) -> tuple[list[Coverage], list[FieldError]]:
    """The rows as they may be kept, in order, and all that is wrong with them, by row as sent
    and field.

    ``patient_id`` None: a patient who is being registered and has no rows yet. A row of another
    patient is refused exactly like one that does not exist.
    """
    billing = work.repository(BillingRepository)
    rows, errors = await _with_zip_codes(work, sent)
    known = {row.id for row in await billing.rows(patient_id)} if patient_id else set()
    types = await billing.bill_types({r.bill_type_id for r in rows if r.bill_type_id is not None})
    payers = await billing.payers({r.payer_id for r in rows if r.payer_id is not None})
    named: set[int] = set()
    for i, row in enumerate(rows):
        found = rules.row_errors(row, today)
        if row.id is not None and row.id not in known - named:
            found.append(FieldError("id", messages.NOT_FOUND))
        if row.bill_type_id is not None and row.bill_type_id not in types:
            found.append(FieldError("billTypeId", messages.NOT_FOUND))
        if row.payer_id is not None and row.payer_id not in payers:
            found.append(FieldError("payerId", messages.NOT_FOUND))
        if row.id is not None:
            named.add(row.id)
        errors += [FieldError(f"{FIELD}.{i}.{e.field}", e.message) for e in found]
    return rules.by_order(rows, [row.order for row in sent]), errors


async def kept_rows(work: Work, patient_id: int) -> list[Coverage]:
    """The patient's rows as they are kept, in order."""
    return [coverage_of(row) for row in await work.repository(BillingRepository).rows(patient_id)]


async def replace_rows(work: Work, patient_id: int, rows: list[Coverage]) -> None:
    """Put checked rows in place of the patient's present ones, numbered from 1."""
    await work.repository(BillingRepository).replace(patient_id, rules.numbered(rows), utc_now())


async def rows_of(work: Work, patient_id: int, holder: Holder) -> list[InsuranceRow]:
    """The patient's rows with what they take from the patient as it is now."""
    billing = work.repository(BillingRepository)
    stored = await billing.rows(patient_id)
    if not stored:
        return []
    types = await billing.bill_types({row.bill_type_id for row in stored})
    payers = await billing.payers({row.payer_id for row in stored})
    ids = {row.zip_code_id for row in stored} | {holder.zip_code_id}
    places = await work.repository(ZipCodeRepository).zip_codes(
        [each for each in ids if each is not None]
    )
    return _settled_rows(
        InsuranceOfPatient(
            stored,
            {each.id: each.name for each in types.values()},
            {each.id: each.name for each in payers.values()},
            places,
        ),
        holder,
    )


def read_rows(loaded: Mapping[str, Any], holder: Holder) -> list[InsuranceRow]:
    """What ``rows_of`` answers, from what ``insurance_json`` has loaded."""
    return _settled_rows(read_insurance(loaded), holder)


def _settled_rows(insurance: InsuranceOfPatient, holder: Holder) -> list[InsuranceRow]:
    settled = {row.id: rules.settled(coverage_of(row), holder) for row in insurance.rows}
    places = {place.id: ZipCodeShape.model_validate(place) for place in insurance.places}
    return [
        InsuranceRow(
            **{name: value for name, value in vars(settled[row.id]).items() if name != "id"},
            id=row.id,
            order=order,
            bill_type=insurance.types[row.bill_type_id],
            payer=insurance.payers[row.payer_id],
            zip_code=places.get(settled[row.id].zip_code_id or 0),
            missing_information=rules.has_missing_information(settled[row.id]),
        )
        for order, row in rules.numbered(insurance.rows)
    ]


async def best_payer(work: Work, name: str) -> PayerShape | None:
    """The payer whose name is nearest to what was written; None when none is near."""
    wanted = capitalise(name[:_NAME_MAX])
    if wanted is None:
        return None
    found = await work.repository(BillingRepository).payers_like(wanted, rules.spelled_out(wanted))
    place = rules.best_match(wanted, [payer.name for payer, _ in found])
    if place is None:
        return None
    payer, bill_type = found[place]
    return PayerShape(
        id=payer.id, name=payer.name, bill_type_id=payer.bill_type_id, bill_type=bill_type
    )


async def _with_zip_codes(
    work: Work, sent: list[InsuranceWrite]
) -> tuple[list[Coverage], list[FieldError]]:
    """The rows' own parts, with the ZIP codes they name."""
    own = [rules.own_part(rules.normalised(_coverage(row))) for row in sent]
    wanted = [_zip_code(row) for row in sent]
    # A ZIP code that the patient's will replace anyway is not worth an error.
    used = [
        key if row.different_than_patient else None for row, key in zip(own, wanted, strict=True)
    ]
    found = await work.repository(ZipCodeRepository).zip_codes(
        [key for key in used if isinstance(key, int)],
        [key for key in used if isinstance(key, str)],
    )
    ids: dict[int | str | None, int] = {z.id: z.id for z in found}
    ids |= {z.code: z.id for z in found}
    errors = [
        unknown_zip_code(f"{FIELD}.{i}.zipCode", str(key))
        for i, key in enumerate(used)
        if key is not None and key not in ids
    ]
    return [
        replace(row, zip_code_id=ids.get(key)) for row, key in zip(own, used, strict=True)
    ], errors


def _coverage(row: InsuranceWrite) -> Coverage:
    names = set(Coverage.__dataclass_fields__)
    return Coverage(**{name: value for name, value in row if name in names})


def _zip_code(row: InsuranceWrite) -> int | str | None:
    """The id or the code by which a row names its ZIP code."""
    if row.zip_code_id is not None:
        return row.zip_code_id
    if row.zip_code is None:
        return None
    return row.zip_code.id if row.zip_code.id is not None else clean(row.zip_code.code)
