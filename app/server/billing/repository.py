"""SQL of insurance rows and payers, through one session.

Whoever asks for a patient's rows has found the patient within the actor's scope; the policies on
the table say the same once more.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.billing.models import BillType, PatientInsurance, Payer
from app.server.billing.rules import Coverage

_CANDIDATES = 100
_OF_COVERAGE = tuple(name for name in Coverage.__dataclass_fields__ if name != "id")


class BillingRepository:
    """Insurance rows of patients, and the payers they name."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def rows(self, patient_id: int) -> list[PatientInsurance]:
        """The patient's rows, in order, without those that were removed."""
        found = await self._session.scalars(
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
                self._session.add(row)
            row.position = position
            for name in _OF_COVERAGE:
                setattr(row, name, getattr(coverage, name))
        for gone in present.values():
            gone.removed_at = at
        await self._session.flush()

    async def bill_types(self, ids: Collection[int]) -> dict[int, BillType]:
        """Bill types by id."""
        found = await self._session.scalars(select(BillType).where(BillType.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def payers(self, ids: Collection[int]) -> dict[int, Payer]:
        """Payers by id."""
        found = await self._session.scalars(select(Payer).where(Payer.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def payers_like(self, *names: str) -> list[tuple[Payer, str | None]]:
        """The payers whose names look most like any of these, each with its bill type's name."""
        likeness = func.greatest(*(func.similarity(Payer.name, name) for name in names))
        found = await self._session.execute(
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
