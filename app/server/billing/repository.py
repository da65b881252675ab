"""SQL for insurance rows and payers.

The caller has found the patient within the actor's scope; the table's policies enforce it again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from app.server.addresses.models import ZipCode
from app.server.billing.models import BillType, PatientInsurance, Payer
from app.server.billing.rules import Coverage
from app.server.database.records import build_rows_json, parse_record
from app.server.database.repository import Repository

_CANDIDATES_MAX = 100
_COVERAGE_FIELDS = tuple(name for name in Coverage.__dataclass_fields__ if name != "id")


@dataclass(frozen=True)
class PatientInsuranceData:
    """A patient's rows, in order, with the names of their bill types and payers.

    ``places`` are the ZIP codes of the rows and of the patient.
    """

    rows: Sequence[PatientInsurance]
    types: Mapping[int, str]
    payers: Mapping[int, str]
    places: Sequence[ZipCode]


def build_insurance_json(patient_id: str, zip_code_id: str) -> str:
    """Return SQL for a patient's insurance as a JSON object for ``parse_insurance``.

    Args:
        patient_id, zip_code_id: SQL of the patient's columns.
    """
    condition = f"WHERE i.patient_id = {patient_id} AND i.removed_at IS NULL"
    rows = f"FROM patient_insurance i {condition}"
    bill_types = f"WHERE b.id IN (SELECT i.bill_type_id {rows})"
    payers = f"WHERE y.id IN (SELECT i.payer_id {rows})"
    places = f"WHERE z.id IN (SELECT i.zip_code_id {rows})"
    return (
        "json_build_object("
        f"'rows', {build_rows_json(PatientInsurance, 'i', condition, order='i.position, i.id')}, "
        f"'types', {build_rows_json(BillType, 'b', bill_types)}, "
        f"'payers', {build_rows_json(Payer, 'y', payers)}, "
        f"'places', {build_rows_json(ZipCode, 'z', places)}, "
        f"'own_place', {build_rows_json(ZipCode, 'z', f'WHERE z.id = {zip_code_id}')})"
    )


def parse_insurance(json: Mapping[str, Any]) -> PatientInsuranceData:
    """Parse the JSON of ``build_insurance_json``."""
    places = [*json["places"], *json["own_place"]]
    return PatientInsuranceData(
        [parse_record(PatientInsurance, row) for row in json["rows"]],
        {row["id"]: row["name"] for row in json["types"]},
        {row["id"]: row["name"] for row in json["payers"]},
        [parse_record(ZipCode, row) for row in places],
    )


class BillingRepository(Repository):
    """Insurance rows of patients, with their bill types and payers."""

    async def list_rows(self, patient_id: int) -> list[PatientInsurance]:
        """Return the patient's rows, in order, without removed ones."""
        rows = await self.session.scalars(
            select(PatientInsurance)
            .where(PatientInsurance.patient_id == patient_id, PatientInsurance.removed_at.is_(None))
            .order_by(PatientInsurance.position, PatientInsurance.id)
        )
        return list(rows)

    async def replace_rows(
        self, patient_id: int, rows: Sequence[tuple[int, Coverage]], at: datetime
    ) -> None:
        """Replace the patient's rows with these, each with its position."""
        current_rows = {row.id: row for row in await self.list_rows(patient_id)}
        for position, coverage in rows:
            row = current_rows.pop(coverage.id, None) if coverage.id is not None else None
            if row is None:
                row = PatientInsurance(patient_id=patient_id)
                self.session.add(row)
            row.position = position
            for name in _COVERAGE_FIELDS:
                setattr(row, name, getattr(coverage, name))
        for removed_row in current_rows.values():
            removed_row.removed_at = at
        await self.session.flush()

    async def load_bill_types(self, ids: Collection[int]) -> dict[int, BillType]:
        """Load bill types by id."""
        return await self.load_by_id(BillType, ids)

    async def load_payers(self, ids: Collection[int]) -> dict[int, Payer]:
        """Load payers by id."""
        return await self.load_by_id(Payer, ids)

    async def list_similar_payers(self, *names: str) -> list[tuple[Payer, str | None]]:
        """List the payers with the most similar names, each with its bill type's name."""
        similarity = func.greatest(*(func.similarity(Payer.name, name) for name in names))
        rows = await self.session.execute(
            select(Payer, BillType.name.label("bill_type"))
            .outerjoin(BillType, BillType.id == Payer.bill_type_id)
            .where(similarity > 0)
            .order_by(similarity.desc(), Payer.name)
            .limit(_CANDIDATES_MAX)
        )
        return [(row.Payer, row.bill_type) for row in rows]


def build_coverage(row: PatientInsurance) -> Coverage:
    """Build the coverage of a stored row, for the rules."""
    return Coverage(id=row.id, **{name: getattr(row, name) for name in _COVERAGE_FIELDS})
