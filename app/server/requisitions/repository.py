"""SQL of one requisition and its parts."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select

from app.server.catalog.models import Diagnosis, LabTest
from app.server.database.base import metadata
from app.server.database.repository import ScopedRepository, among, in_scope
from app.server.requisitions.models import (
    Requisition,
    RequisitionDiagnosis,
    RequisitionDocument,
    RequisitionInsurance,
    RequisitionMedication,
    RequisitionSignature,
    RequisitionTest,
)
from app.server.requisitions.rules import SignedContent

MAIN, ADDITIONAL = "main", "additional"


@dataclass(frozen=True)
class Parts:
    """What belongs to a requisition, in order."""

    tests: list[tuple[RequisitionTest, LabTest]]
    diagnoses: list[tuple[RequisitionDiagnosis, Diagnosis]]
    medications: list[str]


@dataclass(frozen=True)
class OrderOfRequisition:
    """The order that a requisition became."""

    id: int
    code: str


class RequisitionRepository(ScopedRepository):
    """Requisitions within the actor's scope."""

    async def requisition(self, requisition_id: int, *, lock: bool = False) -> Requisition | None:
        """A requisition, or None."""
        return await self.one(Requisition, requisition_id, lock=lock)

    async def by_code(self, code: str) -> Requisition | None:
        """A requisition by its code."""
        return await self.session.scalar(self.select(Requisition).where(Requisition.code == code))

    async def order(self, requisition: Requisition) -> OrderOfRequisition | None:
        """The order that the requisition became, or None.

        By the table's name: the slice of orders stands above this one.
        """
        orders = metadata.tables["orders"]
        rows = await self.session.execute(
            select(orders.c.id, orders.c.code).where(
                orders.c.requisition_id == requisition.id, in_scope("orders", self.actor)
            )
        )
        row = rows.one_or_none()
        return OrderOfRequisition(row.id, row.code) if row else None

    async def parts(self, requisitions: Iterable[Requisition]) -> dict[int, Parts]:
        """Tests, diagnoses and medications of these requisitions, by their ids."""
        ids = [each.id for each in requisitions]
        found = {i: Parts([], [], []) for i in ids}
        tests = await self.session.execute(
            select(RequisitionTest, LabTest)
            .join(LabTest, LabTest.id == RequisitionTest.test_id)
            .where(among(RequisitionTest.requisition_id, ids))
            .order_by(RequisitionTest.position)
        )
        for ordered, test in tests:
            found[ordered.requisition_id].tests.append((ordered, test))
        diagnoses = await self.session.execute(
            select(RequisitionDiagnosis, Diagnosis)
            .join(Diagnosis, Diagnosis.id == RequisitionDiagnosis.diagnosis_id)
            .where(among(RequisitionDiagnosis.requisition_id, ids))
            .order_by(RequisitionDiagnosis.purpose, RequisitionDiagnosis.position)
        )
        for named, diagnosis in diagnoses:
            found[named.requisition_id].diagnoses.append((named, diagnosis))
        medications = await self.session.scalars(
            select(RequisitionMedication)
            .where(among(RequisitionMedication.requisition_id, ids))
            .order_by(RequisitionMedication.position)
        )
        for medication in medications:
            found[medication.requisition_id].medications.append(medication.name)
        return found

    async def test_names(self, requisitions: Iterable[Requisition]) -> dict[int, tuple[str, ...]]:
        """The names of the tests and panels that these requisitions order, in order, by their
        ids."""
        ids = [each.id for each in requisitions]
        rows = await self.session.execute(
            select(RequisitionTest.requisition_id, LabTest.name)
            .join(LabTest, LabTest.id == RequisitionTest.test_id)
            .where(among(RequisitionTest.requisition_id, ids), RequisitionTest.parent_id.is_(None))
            .order_by(RequisitionTest.position)
        )
        found: dict[int, tuple[str, ...]] = {}
        for requisition_id, name in rows:
            found[requisition_id] = (*found.get(requisition_id, ()), name)
        return found

    async def insurance(
        self, requisitions: Iterable[Requisition]
    ) -> dict[int, list[RequisitionInsurance]]:
        """The insurance rows to which these requisitions are billed, in order, by their ids."""
        ids = [each.id for each in requisitions]
        found: dict[int, list[RequisitionInsurance]] = {i: [] for i in ids}
        rows = await self.session.scalars(
            select(RequisitionInsurance)
            .where(among(RequisitionInsurance.requisition_id, ids))
            .order_by(RequisitionInsurance.position)
        )
        for row in rows:
            found[row.requisition_id].append(row)
        return found

    async def documents(self, requisition: Requisition) -> list[RequisitionDocument]:
        """The documents that were not removed, the oldest first."""
        found = await self.session.scalars(
            select(RequisitionDocument)
            .where(
                RequisitionDocument.requisition_id == requisition.id,
                RequisitionDocument.removed_at.is_(None),
            )
            .order_by(RequisitionDocument.id)
        )
        return list(found)

    async def signature_history(self, requisition: Requisition) -> list[RequisitionSignature]:
        """Every signature there has been, the newest first."""
        found = await self.session.scalars(
            select(RequisitionSignature)
            .where(RequisitionSignature.requisition_id == requisition.id)
            .order_by(RequisitionSignature.id.desc())
        )
        return list(found)

    async def signatures(
        self, requisitions: Iterable[Requisition]
    ) -> dict[int, RequisitionSignature]:
        """The signatures in force of these requisitions, by their ids."""
        ids = [each.id for each in requisitions]
        found = await self.session.scalars(
            select(RequisitionSignature).where(
                among(RequisitionSignature.requisition_id, ids),
                RequisitionSignature.removed_at.is_(None),
            )
        )
        return {row.requisition_id: row for row in found}


def content_of(
    requisition: Requisition,
    tests: Iterable[RequisitionTest],
    diagnoses: Iterable[RequisitionDiagnosis],
    medications: Iterable[str],
) -> SignedContent:
    """What a signature of a requisition with these parts, in their order, vouches for."""
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
