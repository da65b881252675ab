"""SQL of tests with their members, ranges and diagnoses."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import func, or_, select

from app.server.catalog.models import (
    ClientTest,
    Diagnosis,
    LabTest,
    PanelMember,
    ReferenceRange,
)
from app.server.database.repository import Repository


@dataclass
class TestNode:
    """A test with its members; panels may hold panels."""

    __test__ = False  # not a test case of pytest

    test: LabTest
    children: list["TestNode"] = field(default_factory=list)


class CatalogRepository(Repository):
    """The catalogue."""

    async def tests(self, ids: Sequence[int]) -> dict[int, LabTest]:
        """Tests by id; unknown ids are missing from the answer."""
        found = await self.session.scalars(select(LabTest).where(LabTest.id.in_(list(ids))))
        return {test.id: test for test in found}

    async def trees(self, ids: Sequence[int]) -> dict[int, TestNode]:
        """Tests by id with all their members, in printing order."""
        members: list[tuple[int, int]] = []
        wanted = set(ids)
        level = set(ids)
        while level:
            rows = await self.session.execute(
                select(PanelMember.panel_id, PanelMember.test_id)
                .where(PanelMember.panel_id.in_(level))
                .order_by(PanelMember.panel_id, PanelMember.position)
            )
            of_level = [(panel_id, test_id) for panel_id, test_id in rows]
            members += of_level
            level = {test_id for _, test_id in of_level} - wanted
            wanted |= level
        return plant_trees(ids, await self.tests(list(wanted)), members)

    async def ranges(
        self, test_ids: Sequence[int], gender: str, age_days: int
    ) -> dict[int, ReferenceRange]:
        """The range of each test for a person; a range for the sex goes before one for all."""
        rows = await self.session.scalars(
            select(ReferenceRange).where(ReferenceRange.test_id.in_(list(test_ids)))
        )
        return choose_ranges(rows, gender, age_days)

    async def outside_list(self, client_id: int, tests: Collection[LabTest]) -> set[int]:
        """Those of the tests, by id, that are not on the client's own list. A client without a
        list has them all, and its private tests are always on it."""
        own_list = select(ClientTest.test_id).where(ClientTest.client_id == client_id)
        if not await self.session.scalar(select(own_list.exists())):
            return set()
        ids = [test.id for test in tests if test.client_id != client_id]
        listed = await self.session.scalars(own_list.where(ClientTest.test_id.in_(ids)))
        return set(ids) - set(listed)

    async def diagnoses_by_id(self, ids: Sequence[int]) -> dict[int, Diagnosis]:
        """Diagnoses by id."""
        found = await self.session.scalars(select(Diagnosis).where(Diagnosis.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def diagnoses_by_code(self, codes: Sequence[str]) -> dict[str, Diagnosis]:
        """Diagnoses by code."""
        found = await self.session.scalars(select(Diagnosis).where(Diagnosis.code.in_(list(codes))))
        return {row.code: row for row in found}

    async def diagnoses_starting(self, prefix: str, day: date, limit: int) -> list[Diagnosis]:
        """The first diagnoses by code that begin so and are valid on the day."""
        found = await self.session.scalars(
            select(Diagnosis)
            .where(
                func.starts_with(Diagnosis.code, prefix),
                Diagnosis.valid_from <= day,
                or_(Diagnosis.valid_to.is_(None), Diagnosis.valid_to >= day),
            )
            .order_by(Diagnosis.code)
            .limit(limit)
        )
        return list(found)

    async def release_on(self, day: date) -> str | None:
        """The ICD-10-CM release in use on a day: that of the code which came last until then."""
        return await self.session.scalar(
            select(Diagnosis.release)
            .where(
                Diagnosis.valid_from <= day,
                or_(Diagnosis.valid_to.is_(None), Diagnosis.valid_to >= day),
            )
            .order_by(Diagnosis.valid_from.desc(), Diagnosis.release.desc())
            .limit(1)
        )


def choose_ranges(
    rows: Iterable[ReferenceRange], gender: str, age_days: int
) -> dict[int, ReferenceRange]:
    """Of each test's ranges that of a person; a range for the sex goes before one for all."""
    chosen: dict[int, ReferenceRange] = {}
    for row in rows:
        if not row.age_from_days <= age_days < row.age_to_days:
            continue
        if row.gender == gender or (row.gender is None and row.test_id not in chosen):
            chosen[row.test_id] = row
    return chosen


def plant_trees(
    ids: Iterable[int], tests: Mapping[int, LabTest], members: Iterable[Sequence[int]]
) -> dict[int, TestNode]:
    """The trees of these tests; ids that are not among ``tests`` are left out.

    Args:
        members: ids of panels, each with that of a test in it, in printing order.
    """
    of_panel: dict[int, list[int]] = {}
    for panel_id, test_id in members:
        of_panel.setdefault(panel_id, []).append(test_id)

    def node(test_id: int) -> TestNode:
        return TestNode(tests[test_id], [node(child) for child in of_panel.get(test_id, [])])

    return {test_id: node(test_id) for test_id in ids if test_id in tests}


def is_valid_on(diagnosis: Diagnosis, day: date) -> bool:
    """Whether the code may be used on this day (the collection date)."""
    return diagnosis.valid_from <= day and (diagnosis.valid_to is None or day <= diagnosis.valid_to)
