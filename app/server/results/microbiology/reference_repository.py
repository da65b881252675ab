"""SQL of the lab's lists of microbiology."""

from collections.abc import Sequence

from sqlalchemy import func, select

from app.server.database.repository import Repository
from app.server.results.microbiology.reference_models import (
    Antibiotic,
    Breakpoint,
    CultureTerm,
    OrganismName,
)


class MicrobiologyListRepository(Repository):
    """The lab's lists, which every signed-in user may read."""

    async def list_terms(self) -> Sequence[CultureTerm]:
        """Return the terms of all kinds, in the lab's order."""
        return (
            await self.session.scalars(
                select(CultureTerm).where(CultureTerm.active).order_by(CultureTerm.position)
            )
        ).all()

    async def list_organisms(self) -> Sequence[OrganismName]:
        """Return the organisms by name."""
        return (
            await self.session.scalars(
                select(OrganismName).where(OrganismName.active).order_by(OrganismName.name)
            )
        ).all()

    async def list_antibiotics(self) -> Sequence[Antibiotic]:
        """Return the antibiotics in the order of the report."""
        return (
            await self.session.scalars(
                select(Antibiotic).where(Antibiotic.active).order_by(Antibiotic.position)
            )
        ).all()

    async def load_panels(self) -> tuple[str | None, set[tuple[str, str]]]:
        """Return the edition in force, and the pairs that have an MIC breakpoint in it.

        A pair is an organism, or a group, with an antibiotic.
        """
        edition = await self.session.scalar(
            select(func.max(Breakpoint.edition)).where(Breakpoint.active)
        )
        rows = await self.session.execute(
            select(Breakpoint.applies_to, Breakpoint.antibiotic).where(
                Breakpoint.active, Breakpoint.edition == edition, Breakpoint.method == "MIC"
            )
        )
        return edition, {(row.applies_to, row.antibiotic) for row in rows}
