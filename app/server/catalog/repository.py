"""SQL for tests with their members, ranges and diagnoses."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from sqlalchemy import func, or_, select

from app.server.catalog.models import (
    ClientTest,
    Container,
    Diagnosis,
    LabTest,
    PanelMember,
    ReferenceRange,
)
from app.server.database.repository import Repository


@dataclass
class TestNode:
    """A test with its members; panels may contain panels."""

    __test__ = False  # not a pytest class

    test: LabTest
    children: list["TestNode"] = field(default_factory=list)


class CatalogRepository(Repository):
    """Tests, reference ranges and diagnoses of the catalog."""

    async def load_tests(self, ids: Sequence[int]) -> dict[int, LabTest]:
        """Load tests by id."""
        return await self.load_by_id(LabTest, ids)

    async def load_container_volumes(self, names: Collection[str]) -> dict[str, Decimal]:
        """Load the volumes in mL of the containers that have one, by name."""
        rows = await self.session.execute(
            select(Container.name, Container.volume_ml).where(Container.name.in_(names))
        )
        return {row.name: row.volume_ml for row in rows}

    async def load_trees(self, ids: Sequence[int]) -> dict[int, TestNode]:
        """Load tests by id with all their members, in printing order."""
        members: list[tuple[int, int]] = []
        all_ids = set(ids)
        level = set(ids)
        while level:
            rows = await self.session.execute(
                select(PanelMember.panel_id, PanelMember.test_id)
                .where(PanelMember.panel_id.in_(level))
                .order_by(PanelMember.panel_id, PanelMember.position)
            )
            level_members = [(panel_id, test_id) for panel_id, test_id in rows]
            members += level_members
            level = {test_id for _, test_id in level_members} - all_ids
            all_ids |= level
        return build_trees(ids, await self.load_tests(list(all_ids)), members)

    async def list_ids_outside_list(self, client_id: int, tests: Collection[LabTest]) -> set[int]:
        """List the ids of the tests that are not on the client's own list.

        A client without a list has all tests, and its private tests are always on its list.
        """
        own_list = select(ClientTest.test_id).where(ClientTest.client_id == client_id)
        if not await self.session.scalar(select(own_list.exists())):
            return set()
        ids = [test.id for test in tests if test.client_id != client_id]
        listed_ids = await self.session.scalars(own_list.where(ClientTest.test_id.in_(ids)))
        return set(ids) - set(listed_ids)

    async def load_diagnoses_by_id(self, ids: Sequence[int]) -> dict[int, Diagnosis]:
        """Load diagnoses by id."""
        return await self.load_by_id(Diagnosis, ids)

    async def load_diagnoses_by_code(self, codes: Sequence[str]) -> dict[str, Diagnosis]:
        """Load diagnoses by code."""
        rows = await self.session.scalars(select(Diagnosis).where(Diagnosis.code.in_(list(codes))))
        return {row.code: row for row in rows}

    async def list_diagnoses_by_prefix(self, prefix: str, day: date, limit: int) -> list[Diagnosis]:
        """List the first diagnoses whose code starts with the prefix and is valid on the day."""
        rows = await self.session.scalars(
            select(Diagnosis)
            .where(
                func.starts_with(Diagnosis.code, prefix),
                Diagnosis.valid_from <= day,
                or_(Diagnosis.valid_to.is_(None), Diagnosis.valid_to >= day),
            )
            .order_by(Diagnosis.code)
            .limit(limit)
        )
        return list(rows)

    async def find_release(self, day: date) -> str | None:
        """Find the ICD-10-CM release in use on a day, from the newest code valid then."""
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
    rows: Iterable[ReferenceRange], gender: str, age_days: int | None
) -> dict[int, ReferenceRange]:
    """Choose each test's range for a person; a range for the sex precedes one for all.

    Without an age, only ranges for all ages apply.
    """
    chosen_ranges: dict[int, ReferenceRange] = {}
    for row in rows:
        if not _applies_at(row, age_days):
            continue
        if row.gender == gender or (row.gender is None and row.test_id not in chosen_ranges):
            chosen_ranges[row.test_id] = row
    return chosen_ranges


def split_by_unit(
    ranges: Mapping[int, ReferenceRange], units: Mapping[int, str | None]
) -> tuple[dict[int, ReferenceRange], dict[int, ReferenceRange]]:
    """Split chosen ranges, by test, into those in the unit of their test and the others.

    A general range does not replace a more specific one that is in another unit.
    """
    fitting_ranges: dict[int, ReferenceRange] = {}
    other_ranges: dict[int, ReferenceRange] = {}
    for test_id, row in ranges.items():
        fits = not row.has_limits or row.unit == units.get(test_id)
        (fitting_ranges if fits else other_ranges)[test_id] = row
    return fitting_ranges, other_ranges


def _applies_at(row: ReferenceRange, age_days: int | None) -> bool:
    if age_days is None:
        return not row.has_age_limit
    return row.age_from_days <= age_days < row.age_to_days


def build_trees(
    ids: Iterable[int], tests: Mapping[int, LabTest], members: Iterable[Sequence[int]]
) -> dict[int, TestNode]:
    """Build the trees of these tests; ids that are not in ``tests`` are left out.

    Args:
        members: pairs of the ids of a panel and a member, in printing order.
    """
    members_of_panel: dict[int, list[int]] = {}
    for panel_id, test_id in members:
        members_of_panel.setdefault(panel_id, []).append(test_id)

    def build_node(test_id: int) -> TestNode:
        children = [build_node(child) for child in members_of_panel.get(test_id, [])]
        return TestNode(tests[test_id], children)

    return {test_id: build_node(test_id) for test_id in ids if test_id in tests}


def is_valid_on(diagnosis: Diagnosis, day: date) -> bool:
    """Whether the code may be used on this day (the collection date)."""
    return diagnosis.valid_from <= day and (diagnosis.valid_to is None or day <= diagnosis.valid_to)
