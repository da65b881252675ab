"""SQL of insurance rows and payers.

Whoever asks for a patient's rows has found the patient within the actor's scope; the policies on
the table say the same once more.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from app.server.addresses.models import ZipCode
from app.server.billing.models import BillType, PatientInsurance, Payer
from app.server.billing.rules import Coverage
from app.server.database.records import parse_record, rows_json
from app.server.database.repository import Repository

_CANDIDATES = 100
_OF_COVERAGE = tuple(name for name in Coverage.__dataclass_fields__ if name != "id")


@dataclass(frozen=True)
class InsuranceOfPatient:
    """A patient's rows, in order, with the names of what they name; ``places`` are the ZIP codes of
    the rows and of the patient."""

    rows: Sequence[PatientInsurance]
    types: Mapping[int, str]
    payers: Mapping[int, str]
    places: Sequence[ZipCode]


def insurance_json(patient_id: str, zip_code_id: str) -> str:
    """SQL of a patient's insurance as one JSON object, which ``read_insurance`` reads.

    Args:
        patient_id, zip_code_id: SQL of the patient's columns.
    """
    rows = f"FROM patient_insurance i WHERE i.patient_id = {patient_id} AND i.removed_at IS NULL"
    of_rows = rows.removeprefix("FROM patient_insurance i ")
    return (
        "json_build_object("
        f"'rows', {rows_json(PatientInsurance, 'i', of_rows, order='i.position, i.id')}, "
        f"'types', {rows_json(BillType, 'b', f'WHERE b.id IN (SELECT i.bill_type_id {rows})')}, "
        f"'payers', {rows_json(Payer, 'y', f'WHERE y.id IN (SELECT i.payer_id {rows})')}, "
        f"'places', {rows_json(ZipCode, 'z', f'WHERE z.id IN (SELECT i.zip_code_id {rows})')}, "
        f"'own_place', {rows_json(ZipCode, 'z', f'WHERE z.id = {zip_code_id}')})"
    )


def read_insurance(loaded: Mapping[str, Any]) -> InsuranceOfPatient:
    """The insurance of a patient from the JSON of ``insurance_json``."""
    places = [*loaded["places"], *loaded["own_place"]]
    return InsuranceOfPatient(
        [parse_record(PatientInsurance, row) for row in loaded["rows"]],
        {row["id"]: row["name"] for row in loaded["types"]},
        {row["id"]: row["name"] for row in loaded["payers"]},
        [parse_record(ZipCode, row) for row in places],
    )


class BillingRepository(Repository):
    """Insurance rows of patients, and the payers they name."""

    async def rows(self, patient_id: int) -> list[PatientInsurance]:
        """The patient's rows, in order, without those that were removed."""
        found = await self.session.scalars(
            select(PatientInsurance)
            .where(PatientInsurance.patient_id == patient_id, PatientInsurance.removed_at.is_(None))
            .order_by(PatientInsurance.position, PatientInsurance.id)
        )
        return list(found)

    async def replace(
        self, patient_id: int, rows: Sequence[tuple[int, Coverage]], at: datetime
    ) -> None:
        """Put these rows with their order in place of the present ones; ids are the patient's."""
        present = {row.id: row for row in await self.rows(patient_id)}
        for position, coverage in rows:
            row = present.pop(coverage.id, None) if coverage.id is not None else None
            if row is None:
                row = PatientInsurance(patient_id=patient_id)
                self.session.add(row)
            row.position = position
            for name in _OF_COVERAGE:
                setattr(row, name, getattr(coverage, name))
        for gone in present.values():
            gone.removed_at = at
        await self.session.flush()

    async def bill_types(self, ids: Collection[int]) -> dict[int, BillType]:
        """Bill types by id."""
        found = await self.session.scalars(select(BillType).where(BillType.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def payers(self, ids: Collection[int]) -> dict[int, Payer]:
        """Payers by id."""
        found = await self.session.scalars(select(Payer).where(Payer.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def payers_like(self, *names: str) -> list[tuple[Payer, str | None]]:
        """The payers whose names look most like any of these, each with its bill type's name."""
        likeness = func.greatest(*(func.similarity(Payer.name, name) for name in names))
        found = await self.session.execute(
            select(Payer, BillType.name.label("bill_type"))
            .outerjoin(BillType, BillType.id == Payer.bill_type_id)
            .where(likeness > 0)
            .order_by(likeness.desc(), Payer.name)
            .limit(_CANDIDATES)
        )
        return [(row.Payer, row.bill_type) for row in found]


def coverage_of(row: PatientInsurance) -> Coverage:
    """The stored row as the rules see it."""
    return Coverage(id=row.id, **{name: getattr(row, name) for name in _OF_COVERAGE})
