"""Validates, stores and reads insurance rows of patients; finds payers by name (O 4, 5, 7)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from app.basics.clock import get_utc_now
from app.basics.errors import FieldError
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.server.access.work import Work
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.rules import build_unknown_zip_code_error
from app.server.addresses.schemas import ZipCodeShape
from app.server.billing import rules
from app.server.billing.repository import (
    BillingRepository,
    PatientInsuranceData,
    build_coverage,
    parse_insurance,
)
from app.server.billing.rules import Coverage, Holder
from app.server.billing.schemas import InsuranceRow, InsuranceWrite, PayerShape

FIELD = "insuranceInformation"
_NAME_MAX = 200


async def validate_rows(
    work: Work, patient_id: int | None, sent_rows: list[InsuranceWrite], today: date
) -> tuple[list[Coverage], list[FieldError]]:
    """Validate and normalize the sent rows, and return them in order, with the errors.

    Errors name the sent row and its field. ``patient_id`` is None at registration, when there are
    no rows yet. The id of another patient's row is rejected exactly like one that does not exist.
    """
    billing = work.build_repository(BillingRepository)
    rows, errors = await _resolve_zip_codes(work, sent_rows)
    row_ids = {row.id for row in await billing.list_rows(patient_id)} if patient_id else set()
    types = await billing.load_bill_types(
        {r.bill_type_id for r in rows if r.bill_type_id is not None}
    )
    payers = await billing.load_payers({r.payer_id for r in rows if r.payer_id is not None})
    used_ids: set[int] = set()
    for i, row in enumerate(rows):
        row_errors = rules.validate_row(row, today)
        if row.id is not None and row.id not in row_ids - used_ids:
            row_errors.append(FieldError("id", messages.NOT_FOUND))
        if row.bill_type_id is not None and row.bill_type_id not in types:
            row_errors.append(FieldError("billTypeId", messages.NOT_FOUND))
        if row.payer_id is not None and row.payer_id not in payers:
            row_errors.append(FieldError("payerId", messages.NOT_FOUND))
        if row.id is not None:
            used_ids.add(row.id)
        errors += [FieldError(f"{FIELD}.{i}.{e.field}", e.message) for e in row_errors]
    return rules.sort_by_order(rows, [row.order for row in sent_rows]), errors


async def list_coverages(work: Work, patient_id: int) -> list[Coverage]:
    """Return the patient's stored rows, in order."""
    rows = await work.build_repository(BillingRepository).list_rows(patient_id)
    return [build_coverage(row) for row in rows]


async def replace_rows(work: Work, patient_id: int, rows: list[Coverage]) -> None:
    """Replace the patient's rows with validated ones, numbered from 1."""
    billing = work.build_repository(BillingRepository)
    await billing.replace_rows(patient_id, rules.number_rows(rows), get_utc_now())


async def list_rows(work: Work, patient_id: int, holder: Holder) -> list[InsuranceRow]:
    """Return the patient's rows, with the values that they copy from the patient."""
    billing = work.build_repository(BillingRepository)
    stored_rows = await billing.list_rows(patient_id)
    if not stored_rows:
        return []
    types = await billing.load_bill_types({row.bill_type_id for row in stored_rows})
    payers = await billing.load_payers({row.payer_id for row in stored_rows})
    ids = {row.zip_code_id for row in stored_rows} | {holder.zip_code_id}
    places = await work.build_repository(ZipCodeRepository).find_zip_codes(
        [zip_code_id for zip_code_id in ids if zip_code_id is not None]
    )
    return _build_rows(
        PatientInsuranceData(
            stored_rows,
            {bill_type.id: bill_type.name for bill_type in types.values()},
            {payer.id: payer.name for payer in payers.values()},
            places,
        ),
        holder,
    )


def parse_rows(json: Mapping[str, Any], holder: Holder) -> list[InsuranceRow]:
    """Parse the JSON of ``build_insurance_json`` into the rows of ``list_rows``."""
    return _build_rows(parse_insurance(json), holder)


def _build_rows(insurance: PatientInsuranceData, holder: Holder) -> list[InsuranceRow]:
    coverages = {
        row.id: rules.fill_from_holder(build_coverage(row), holder) for row in insurance.rows
    }
    places = {place.id: ZipCodeShape.model_validate(place) for place in insurance.places}
    return [
        InsuranceRow(
            **{name: value for name, value in vars(coverages[row.id]).items() if name != "id"},
            id=row.id,
            order=order,
            bill_type=insurance.types[row.bill_type_id],
            payer=insurance.payers[row.payer_id],
            zip_code=places.get(coverages[row.id].zip_code_id or 0),
            missing_information=rules.has_missing_information(coverages[row.id]),
        )
        for order, row in rules.number_rows(insurance.rows)
    ]


async def find_best_payer(work: Work, text: str) -> PayerShape | None:
    """Find the payer with the most similar name; None if none is similar."""
    name = to_upper_case(text[:_NAME_MAX])
    if name is None:
        return None
    billing = work.build_repository(BillingRepository)
    candidates = await billing.list_similar_payers(name, rules.expand_abbreviations(name))
    index = rules.find_best_match(name, [payer.name for payer, _ in candidates])
    if index is None:
        return None
    payer, bill_type = candidates[index]
    return PayerShape(
        id=payer.id, name=payer.name, bill_type_id=payer.bill_type_id, bill_type=bill_type
    )


async def _resolve_zip_codes(
    work: Work, sent_rows: list[InsuranceWrite]
) -> tuple[list[Coverage], list[FieldError]]:
    """Normalize the rows and resolve their ZIP codes, and return them with the errors."""
    rows = [
        rules.strip_holder_values(rules.normalize_coverage(_build_coverage(row)))
        for row in sent_rows
    ]
    sent_keys = [_get_zip_code_key(row) for row in sent_rows]
    # Unless the row differs from the patient, the patient's ZIP code replaces the sent one.
    keys = [
        key if row.different_than_patient else None
        for row, key in zip(rows, sent_keys, strict=True)
    ]
    zip_codes = await work.build_repository(ZipCodeRepository).find_zip_codes(
        [key for key in keys if isinstance(key, int)],
        [key for key in keys if isinstance(key, str)],
    )
    ids: dict[int | str | None, int] = {z.id: z.id for z in zip_codes}
    ids |= {z.code: z.id for z in zip_codes}
    errors = [
        build_unknown_zip_code_error(f"{FIELD}.{i}.zipCode", str(key))
        for i, key in enumerate(keys)
        if key is not None and key not in ids
    ]
    return [
        replace(row, zip_code_id=ids.get(key)) for row, key in zip(rows, keys, strict=True)
    ], errors


def _build_coverage(row: InsuranceWrite) -> Coverage:
    names = set(Coverage.__dataclass_fields__)
    return Coverage(**{name: value for name, value in row if name in names})


def _get_zip_code_key(row: InsuranceWrite) -> int | str | None:
    """Return the id or the code of the row's ZIP code."""
    if row.zip_code_id is not None:
        return row.zip_code_id
    if row.zip_code is None:
        return None
    return row.zip_code.id if row.zip_code.id is not None else clean_text(row.zip_code.code)
