"""SQL of one requisition and its parts."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select, update

from app.server.catalog.models import Diagnosis, LabTest
from app.server.catalog.repository import TestNode
from app.server.database.repository import ScopedRepository
from app.server.requisitions.models import (
    Requisition,
    RequisitionDiagnosis,
    RequisitionMedication,
    RequisitionSignature,
    RequisitionTest,
    requisition_codes,
)
from app.server.requisitions.rules import SignedContent

MAIN, ADDITIONAL = "main", "additional"


@dataclass(frozen=True)
class Parts:
    """What belongs to a requisition, in order."""

    tests: list[tuple[RequisitionTest, LabTest]]
    diagnoses: list[tuple[RequisitionDiagnosis, Diagnosis]]
    medications: list[str]


class RequisitionRepository(ScopedRepository):
    """Requisitions within the actor's scope."""

    async def requisition(self, requisition_id: int, *, lock: bool = False) -> Requisition | None:
        """A requisition, or None."""
        return await self.one(Requisition, requisition_id, lock=lock)

    async def by_code(self, code: str, *, lock: bool = False) -> Requisition | None:
        """A requisition by its code."""
        statement = self.select(Requisition).where(Requisition.code == code)
        return await self.session.scalar(statement.with_for_update() if lock else statement)

    async def parts(self, requisition_id: int) -> Parts:
        """Tests, diagnoses and medications."""
        tests = await self.session.execute(
            select(RequisitionTest, LabTest)
            .join(LabTest, LabTest.id == RequisitionTest.test_id)
            .where(RequisitionTest.requisition_id == requisition_id)
            .order_by(RequisitionTest.position)
        )
        diagnoses = await self.session.execute(
            select(RequisitionDiagnosis, Diagnosis)
            .join(Diagnosis, Diagnosis.id == RequisitionDiagnosis.diagnosis_id)
            .where(RequisitionDiagnosis.requisition_id == requisition_id)
            .order_by(RequisitionDiagnosis.purpose, RequisitionDiagnosis.position)
        )
        medications = await self.session.scalars(
            select(RequisitionMedication.name)
            .where(RequisitionMedication.requisition_id == requisition_id)
            .order_by(RequisitionMedication.position)
        )
        return Parts(
            [(row.RequisitionTest, row.LabTest) for row in tests],
            [(row.RequisitionDiagnosis, row.Diagnosis) for row in diagnoses],
            list(medications),
        )

    async def content(self, requisition: Requisition) -> SignedContent:
        """What a signature of this requisition vouches for, as it is stored now."""
        parts = await self.parts(requisition.id)
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
            tests=tuple((row.level, row.test_id, row.is_confidential) for row, _ in parts.tests),
            diagnoses=tuple((row.purpose, row.diagnosis_id) for row, _ in parts.diagnoses),
            medications=tuple(parts.medications),
        )

    async def replace_tests(self, requisition_id: int, roots: list[tuple[TestNode, bool]]) -> None:
        """Put these tests with their members in place of the present ones."""
        await self.session.execute(
            delete(RequisitionTest).where(RequisitionTest.requisition_id == requisition_id)
        )
        position = 0

        async def put(
            node: TestNode, parent: RequisitionTest | None, level: int, confidential: bool
        ) -> None:
            nonlocal position
            row = RequisitionTest(
                requisition_id=requisition_id,
                test_id=node.test.id,
                parent_id=parent.id if parent else None,
                level=level,
                position=position,
                is_confidential=confidential,
            )
            position += 1
            self.session.add(row)
            if node.children:
                await self.session.flush()
            for child in node.children:
                await put(child, row, level + 1, confidential)

        for node, confidential in roots:
            await put(node, None, 0, confidential)
        await self.session.flush()

    async def replace_diagnoses(
        self, requisition_id: int, purpose: str, diagnosis_ids: list[int]
    ) -> None:
        """Put these diagnoses in place of the present ones of that purpose."""
        await self.session.execute(
            delete(RequisitionDiagnosis).where(
                RequisitionDiagnosis.requisition_id == requisition_id,
                RequisitionDiagnosis.purpose == purpose,
            )
        )
        self.session.add_all(
            RequisitionDiagnosis(
                requisition_id=requisition_id, diagnosis_id=found, purpose=purpose, position=i
            )
            for i, found in enumerate(diagnosis_ids)
        )
        await self.session.flush()

    async def replace_medications(self, requisition_id: int, names: list[str]) -> None:
        """Put these medications in place of the present ones."""
        await self.session.execute(
            delete(RequisitionMedication).where(
                RequisitionMedication.requisition_id == requisition_id
            )
        )
        self.session.add_all(
            RequisitionMedication(requisition_id=requisition_id, name=name, position=i)
            for i, name in enumerate(names)
        )
        await self.session.flush()

    async def signature(self, requisition_id: int) -> RequisitionSignature | None:
        """The signature in force."""
        return await self.session.scalar(
            select(RequisitionSignature).where(
                RequisitionSignature.requisition_id == requisition_id,
                RequisitionSignature.removed_at.is_(None),
            )
        )

    async def remove_signature(self, requisition_id: int, at: datetime) -> None:
        """End the signature in force; its row stays as history."""
        await self.session.execute(
            update(RequisitionSignature)
            .where(
                RequisitionSignature.requisition_id == requisition_id,
                RequisitionSignature.removed_at.is_(None),
            )
            .values(removed_at=at)
        )

    async def next_code_number(self) -> int:
        """The number of the next requisition code."""
        number: int | None = await self.session.scalar(select(requisition_codes.next_value()))
        assert number is not None
        return number
