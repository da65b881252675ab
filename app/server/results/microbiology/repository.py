"""SQL of an order's cultures."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import select

from app.contract.enumerations import (
    CultureStage,
    Reporting,
    ResultKind,
    SusceptibilityMethod,
)
from app.server.catalog.models import LabTest
from app.server.database.base import Table
from app.server.database.repository import ScopedRepository, build_ids_condition
from app.server.database.statements import build_insert, build_update, format_rows
from app.server.orders.models import Order, OrderTest
from app.server.results.microbiology import rules
from app.server.results.microbiology.models import (
    CultureFinding,
    CultureOrganism,
    CultureSusceptibility,
    CultureVersion,
)

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)

_RELEASE_COLUMNS = ("stage", "released_by", "released_by_name", "released_at")
_UPDATED_COLUMNS = ("is_current", *_RELEASE_COLUMNS)
_NEW_COLUMNS = tuple(
    c.name for c in CultureVersion.__table__.columns if c.name not in {"id", *_RELEASE_COLUMNS}
)
_RELEASE_STATEMENT = (
    f"UPDATE cultures c SET {', '.join(f'{name} = n.{name}' for name in _RELEASE_COLUMNS)} "
    "FROM json_populate_recordset(NULL::cultures, %(rows)s::json) n "
    "WHERE c.order_test_id = n.order_test_id AND c.revision = n.revision"
)


@dataclass
class Version:
    """A version of a culture with its content."""

    row: CultureVersion
    content: rules.Culture

    @property
    def stage(self) -> CultureStage | None:
        """The stage of its release, if any."""
        return CultureStage(self.row.stage) if self.row.stage else None


@dataclass
class CultureTest:
    """A microbiology test of an order with all versions of its culture, oldest first."""

    row: OrderTest
    test: LabTest
    versions: list[Version]

    @property
    def current(self) -> Version | None:
        """The version in entry, released or not."""
        return next((version for version in self.versions if version.row.is_current), None)

    @property
    def released_versions(self) -> list[Version]:
        """The released versions, oldest first, including withheld ones."""
        return [version for version in self.versions if version.row.released_at is not None]

    @property
    def visible_versions(self) -> list[Version]:
        """The released versions that people outside the lab see, oldest first."""
        return [version for version in self.released_versions if version.row.withheld is None]

    @property
    def latest_release(self) -> Version | None:
        """The newest released version, even if it is withheld now."""
        released_versions = self.released_versions
        return released_versions[-1] if released_versions else None

    @property
    def shown_version(self) -> Version | None:
        """The version that clients see: the newest released one, unless it is withheld."""
        latest = self.latest_release
        return latest if latest is not None and latest.row.withheld is None else None

    @property
    def stage(self) -> CultureStage | None:
        """The stage of the version that clients see."""
        return self.shown_version.stage if self.shown_version else None

    @property
    def latest_stage(self) -> CultureStage | None:
        """The stage of the newest release, even if it is withheld now."""
        return self.latest_release.stage if self.latest_release else None

    @property
    def unreleased_version(self) -> Version | None:
        """The entered version that is not released."""
        current = self.current
        return current if current and current.row.released_at is None else None


@dataclass
class CultureParts:
    """Rows of cultures and of their parts, each in order."""

    cultures: Sequence[CultureVersion]
    findings: Sequence[CultureFinding]
    organisms: Sequence[CultureOrganism]
    susceptibilities: Sequence[CultureSusceptibility]


@dataclass
class CultureChanges:
    """Versions that a write adds, and stored ones that it changes, in their new state."""

    added: list[Version] = field(default_factory=list)
    changed: list[Version] = field(default_factory=list)


class CultureRepository(ScopedRepository):
    """Cultures of orders; the caller has checked that the orders are in scope."""

    async def load_tests(self, order: Order) -> list[CultureTest]:
        """Load the cultures by position; row-level security hides what is not released."""
        return (await self.load_tests_of_many([order.id])).get(order.id, [])

    async def load_tests_of_many(self, order_ids: Collection[int]) -> dict[int, list[CultureTest]]:
        """Load the cultures of these orders by order id and position, with five statements."""
        rows = await self.session.execute(
            select(OrderTest, LabTest)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .where(
                build_ids_condition(OrderTest.order_id, order_ids),
                OrderTest.kind == ResultKind.MICROBIOLOGY,
                ~OrderTest.is_panel,
            )
            .order_by(OrderTest.order_id, OrderTest.position)
        )
        cultures = (
            await self.session.scalars(
                select(CultureVersion)
                .where(build_ids_condition(CultureVersion.order_id, order_ids))
                .order_by(CultureVersion.order_id, CultureVersion.revision)
            )
        ).all()
        ids = [culture.id for culture in cultures]
        versions = group_versions(
            CultureParts(
                cultures,
                await self._load_parts(CultureFinding, ids, "position"),
                await self._load_parts(CultureOrganism, ids, "position"),
                await self._load_parts(CultureSusceptibility, ids, "organism_position", "position"),
            )
        )
        tests: dict[int, list[CultureTest]] = {}
        for row in rows:
            test = CultureTest(row.OrderTest, row.LabTest, versions.get(row.OrderTest.id, []))
            tests.setdefault(row.OrderTest.order_id, []).append(test)
        return tests

    async def _load_parts(
        self, table: Any, culture_ids: Collection[int], *columns: str
    ) -> Sequence[Any]:
        statement = select(table).where(build_ids_condition(table.culture_id, culture_ids))
        ordered_statement = statement.order_by(*(getattr(table, name) for name in columns))
        return (await self.session.scalars(ordered_statement)).all()

    def store_changes(self, changes: CultureChanges) -> None:
        """Queue the changed versions; the commit stores them."""
        if changes.changed:
            # Updated before new versions are inserted, since a test has only one current version.
            rows = _select_rows(
                [version.row for version in changes.changed], ("id", *_UPDATED_COLUMNS)
            )
            self.statements.add(build_update("cultures", _UPDATED_COLUMNS), {"rows": rows})
        for version in changes.added:
            rows = _select_rows([version.row], _NEW_COLUMNS)
            self.statements.add(build_insert("cultures", _NEW_COLUMNS), {"rows": rows})
            self._add_parts(version)
            if version.row.released_at is not None:
                # A released version accepts no more parts.
                rows = _select_rows([version.row], ("order_test_id", "revision", *_RELEASE_COLUMNS))
                self.statements.add(_RELEASE_STATEMENT, {"rows": rows})

    def _add_parts(self, version: Version) -> None:
        """Queue the parts of a new version, whose id the database finds by test and revision."""
        content, row = version.content, version.row
        key = {"test": row.order_test_id, "revision": row.revision}
        for table, rows in build_part_rows(content).items():
            if rows:
                statement = _build_part_insert(table, tuple(rows[0]))
                values = {**key, "rows": format_rows(rows)}
                self.statements.add(statement, values)


def group_versions(parts: CultureParts) -> dict[int, list[Version]]:
    """Return the versions with their content by the id of the order's test, oldest first."""
    index = _PartIndex(
        _group_rows(parts.findings, lambda row: row.culture_id),
        _group_rows(parts.organisms, lambda row: row.culture_id),
        _group_rows(parts.susceptibilities, lambda row: (row.culture_id, row.organism_position)),
    )
    versions: dict[int, list[Version]] = {}
    for row in parts.cultures:
        version = Version(row, _build_content(row, index))
        versions.setdefault(row.order_test_id, []).append(version)
    return versions


@dataclass(frozen=True)
class _PartIndex:
    """The parts of cultures, grouped by their parents, since many cultures are read at once."""

    findings: Mapping[int, Sequence[CultureFinding]]
    organisms: Mapping[int, Sequence[CultureOrganism]]
    susceptibilities: Mapping[tuple[int, int], Sequence[CultureSusceptibility]]


def _group_rows(rows: Iterable[Row], get_key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(get_key(row), []).append(row)
    return groups


def _build_content(row: CultureVersion, parts: _PartIndex) -> rules.Culture:
    return rules.Culture(
        source=row.source,
        source_name=row.source_name,
        site=row.site,
        site_name=row.site_name,
        collected_at=row.collected_at,
        result=row.result,
        findings=tuple(
            rules.Finding(f.code, f.name, f.is_interim, f.is_critical, f.quantity, f.quantity_name)
            for f in parts.findings.get(row.id, ())
        ),
        organisms=tuple(
            _build_organism(organism, parts.susceptibilities.get((row.id, organism.position), ()))
            for organism in parts.organisms.get(row.id, ())
        ),
        comment=row.comment,
        preliminary_comment=row.preliminary_comment,
    )


def _build_organism(
    row: CultureOrganism, susceptibilities: Sequence[CultureSusceptibility]
) -> rules.Organism:
    return rules.Organism(
        code=row.code,
        group=row.group_code,
        name=row.name,
        is_flora=row.is_flora,
        is_interim=row.is_interim,
        quantity=row.quantity,
        quantity_name=row.quantity_name,
        mark=row.mark,
        mark_name=row.mark_name,
        comment=row.comment,
        organism_comment=row.organism_comment,
        sensitivity=tuple(
            rules.Susceptibility(
                antibiotic=s.antibiotic,
                antibiotic_name=s.antibiotic_name,
                method=SusceptibilityMethod(s.method),
                value=s.value,
                interpretation=s.interpretation,
                is_manual=s.is_manual,
                reporting=Reporting(s.reporting),
                is_suppressed=s.is_suppressed,
                limits=s.limits,
                comment=s.comment,
            )
            for s in susceptibilities
        ),
    )


def build_part_rows(content: rules.Culture) -> dict[str, list[dict[str, Any]]]:
    """Build the rows of a version's parts by table, without the version's id."""
    return {
        "culture_findings": _build_finding_rows(content),
        "culture_organisms": _build_organism_rows(content),
        "culture_susceptibilities": _build_susceptibility_rows(content),
    }


def _build_finding_rows(content: rules.Culture) -> list[dict[str, Any]]:
    return [
        {"position": position, **vars(finding)} for position, finding in enumerate(content.findings)
    ]


def _build_organism_rows(content: rules.Culture) -> list[dict[str, Any]]:
    return [
        {
            "position": position,
            "group_code": organism.group,
            **{n: v for n, v in vars(organism).items() if n not in ("group", "sensitivity")},
        }
        for position, organism in enumerate(content.organisms)
    ]


def _build_susceptibility_rows(content: rules.Culture) -> list[dict[str, Any]]:
    return [
        {"organism_position": organism_position, "position": position, **vars(susceptibility)}
        for organism_position, organism in enumerate(content.organisms)
        for position, susceptibility in enumerate(organism.sensitivity)
    ]


def _build_part_insert(table: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(columns)
    values = ", ".join(f"n.{name}" for name in columns)
    return (
        f"INSERT INTO {table} (culture_id, {names}) SELECT c.id, {values} "
        f"FROM json_populate_recordset(NULL::{table}, %(rows)s::json) n "
        "JOIN cultures c ON c.order_test_id = %(test)s AND c.revision = %(revision)s"
    )


def _select_rows(records: Sequence[Table], columns: Sequence[str]) -> str:
    return format_rows({name: getattr(record, name) for name in columns} for record in records)
