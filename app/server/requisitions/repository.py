"""SQL of one requisition and its parts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from sqlalchemy import select

from app.contract.enumerations import OrderStatus
from app.server.catalog.models import Diagnosis, LabTest
from app.server.database.base import metadata
from app.server.database.repository import (
    ScopedRepository,
    build_ids_condition,
    build_scope_predicate,
)
from app.server.requisitions.models import (
    Requisition,
    RequisitionCopy,
    RequisitionDiagnosis,
    RequisitionDocument,
    RequisitionInsurance,
    RequisitionMedication,
    RequisitionSignature,
    RequisitionTest,
)
from app.server.requisitions.rules import SignedContent

MAIN, ADDITIONAL = "main", "additional"
_Row = TypeVar("_Row", RequisitionCopy, RequisitionInsurance)


@dataclass(frozen=True)
class Parts:
    """The tests, diagnoses and medications of a requisition, in order."""

    tests: list[tuple[RequisitionTest, LabTest]]
    diagnoses: list[tuple[RequisitionDiagnosis, Diagnosis]]
    medications: list[str]


@dataclass(frozen=True)
class OrderOfRequisition:
    """The order that a requisition became."""

    id: int
    code: str
    status: OrderStatus


class RequisitionRepository(ScopedRepository):
    """Requisitions within the actor's scope."""

    async def find(self, requisition_id: int, *, lock: bool = False) -> Requisition | None:
        """Return the requisition, or None when it does not exist or is out of scope."""
        return await self.find_one(Requisition, requisition_id, lock=lock)

    async def find_by_code(self, code: str) -> Requisition | None:
        """Return the requisition with this code, or None."""
        return await self.session.scalar(self.select(Requisition).where(Requisition.code == code))

    async def find_user_name(self, user_id: UUID) -> str | None:
        """Find the name of a user, with the statements that wait."""
        statement = "SELECT name_of_user(%(user)s::uuid)"
        row = await self.statements.fetch(statement, {"user": user_id})
        return row[0] if row else None

    async def list_without_insurance(self, ids: Sequence[int]) -> list[int]:
        """Return the ids of these requisitions that list no insurance, in ascending order."""
        insurance_ids = select(RequisitionInsurance.id).where(
            RequisitionInsurance.requisition_id == Requisition.id
        )
        statement = self.select(Requisition).with_only_columns(Requisition.id)
        rows = await self.session.scalars(
            statement.where(Requisition.id.in_(ids), ~insurance_ids.exists()).order_by(
                Requisition.id
            )
        )
        return list(rows)

    async def find_order(self, requisition: Requisition) -> OrderOfRequisition | None:
        """Return the order that the requisition became, or None."""
        # The table is found by name, because the slice of orders imports this one.
        orders = metadata.tables["orders"]
        rows = await self.session.execute(
            select(orders.c.id, orders.c.code, orders.c.status).where(
                orders.c.requisition_id == requisition.id,
                build_scope_predicate("orders", self.actor),
            )
        )
        row = rows.one_or_none()
        return OrderOfRequisition(row.id, row.code, OrderStatus(row.status)) if row else None

    async def load_parts(self, requisitions: Iterable[Requisition]) -> dict[int, Parts]:
        """Load the tests, diagnoses and medications of these requisitions, by requisition id."""
        ids = [requisition.id for requisition in requisitions]
        parts = {i: Parts([], [], []) for i in ids}
        tests = await self.session.execute(
            select(RequisitionTest, LabTest)
            .join(LabTest, LabTest.id == RequisitionTest.test_id)
            .where(build_ids_condition(RequisitionTest.requisition_id, ids))
            .order_by(RequisitionTest.position)
        )
        for row, test in tests:
            parts[row.requisition_id].tests.append((row, test))
        diagnoses = await self.session.execute(
            select(RequisitionDiagnosis, Diagnosis)
            .join(Diagnosis, Diagnosis.id == RequisitionDiagnosis.diagnosis_id)
            .where(build_ids_condition(RequisitionDiagnosis.requisition_id, ids))
            .order_by(RequisitionDiagnosis.purpose, RequisitionDiagnosis.position)
        )
        for diagnosis_row, diagnosis in diagnoses:
            parts[diagnosis_row.requisition_id].diagnoses.append((diagnosis_row, diagnosis))
        medications = await self.session.scalars(
            select(RequisitionMedication)
            .where(build_ids_condition(RequisitionMedication.requisition_id, ids))
            .order_by(RequisitionMedication.position)
        )
        for medication in medications:
            parts[medication.requisition_id].medications.append(medication.name)
        return parts

    async def load_ordered_tests(
        self, requisitions: Iterable[Requisition]
    ) -> dict[int, list[tuple[str, str]]]:
        """Load (code, name) of the ordered tests and panels, in order, by requisition id."""
        ids = [requisition.id for requisition in requisitions]
        rows = await self.session.execute(
            select(RequisitionTest.requisition_id, LabTest.code, LabTest.name)
            .join(LabTest, LabTest.id == RequisitionTest.test_id)
            .where(
                build_ids_condition(RequisitionTest.requisition_id, ids),
                RequisitionTest.parent_id.is_(None),
            )
            .order_by(RequisitionTest.position)
        )
        tests: dict[int, list[tuple[str, str]]] = {}
        for requisition_id, code, name in rows:
            tests.setdefault(requisition_id, []).append((code, name))
        return tests

    async def load_copies(
        self, requisitions: Iterable[Requisition]
    ) -> dict[int, list[RequisitionCopy]]:
        """Load the additional recipients of these requisitions, in order, by requisition id."""
        return await self._load_rows(RequisitionCopy, requisitions)

    async def load_insurance(
        self, requisitions: Iterable[Requisition]
    ) -> dict[int, list[RequisitionInsurance]]:
        """Load the insurance rows of these requisitions, in order, by requisition id."""
        return await self._load_rows(RequisitionInsurance, requisitions)

    async def _load_rows(
        self, table: type[_Row], requisitions: Iterable[Requisition]
    ) -> dict[int, list[_Row]]:
        rows: dict[int, list[_Row]] = {requisition.id: [] for requisition in requisitions}
        ordered_statement = (
            select(table)
            .where(build_ids_condition(table.requisition_id, list(rows)))
            .order_by(table.position)
        )
        for row in await self.session.scalars(ordered_statement):
            rows[row.requisition_id].append(row)
        return rows

    async def list_documents(self, requisition: Requisition) -> list[RequisitionDocument]:
        """Return the documents of the requisition that were not removed, oldest first."""
        documents = await self.session.scalars(
            select(RequisitionDocument)
            .where(
                RequisitionDocument.requisition_id == requisition.id,
                RequisitionDocument.removed_at.is_(None),
            )
            .order_by(RequisitionDocument.id)
        )
        return list(documents)

    async def list_signatures(self, requisition: Requisition) -> list[RequisitionSignature]:
        """Return the current and earlier signatures of the requisition, newest first."""
        signatures = await self.session.scalars(
            select(RequisitionSignature)
            .where(RequisitionSignature.requisition_id == requisition.id)
            .order_by(RequisitionSignature.id.desc())
        )
        return list(signatures)

    async def load_current_signatures(
        self, requisitions: Iterable[Requisition]
    ) -> dict[int, RequisitionSignature]:
        """Load the current signatures of these requisitions, by requisition id."""
        ids = [requisition.id for requisition in requisitions]
        signatures = await self.session.scalars(
            select(RequisitionSignature).where(
                build_ids_condition(RequisitionSignature.requisition_id, ids),
                RequisitionSignature.removed_at.is_(None),
            )
        )
        return {row.requisition_id: row for row in signatures}


def build_signed_content(
    requisition: Requisition,
    tests: Iterable[RequisitionTest],
    diagnoses: Iterable[RequisitionDiagnosis],
    medications: Iterable[str],
) -> SignedContent:
    """Return the content that a signature of a requisition with these parts covers."""
    return SignedContent(
        patient_id=requisition.patient_id,
        patient_last_name=requisition.patient_last_name,
        patient_first_name=requisition.patient_first_name,
        patient_middle_name=requisition.patient_middle_name,
        patient_birth_date=requisition.patient_birth_date,
        patient_gender=requisition.patient_gender,
        physician_id=requisition.physician_id,
        collection_date=requisition.collection_date,
        fasting=requisition.fasting,
        priority=requisition.priority,
        tests=tuple((row.level, row.test_id, row.is_confidential) for row in tests),
        diagnoses=tuple(
            (row.purpose, row.diagnosis_id)
            if row.test_id is None
            else (row.purpose, row.diagnosis_id, row.test_id)
            for row in diagnoses
        ),
        medications=tuple(medications),
    )
