"""The cultures of an order with the lab's tables, for entry and release, in one statement."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import (
    CultureTermKind,
    ReasonKind,
    ResultKind,
    SusceptibilityMethod,
)
from app.server.database.base import Table
from app.server.database.records import build_rows_json, parse_record
from app.server.results.entry.loading import EntryQuery, OrderEntry
from app.server.results.microbiology.models import (
    CultureFinding,
    CultureOrganism,
    CultureSusceptibility,
    CultureVersion,
)
from app.server.results.microbiology.reference_models import (
    Antibiotic,
    Breakpoint,
    CascadeRule,
    CriticalCultureRule,
    CultureTerm,
    IntrinsicResistance,
    OrganismName,
)
from app.server.results.microbiology.repository import CultureParts, CultureTest, group_versions
from app.server.results.microbiology.rules import CriticalRow
from app.server.results.microbiology.susceptibility import BreakpointRow, CascadeRow, Limits

_OF_ORDER = "WHERE c.order_id = (SELECT o.id FROM chosen o)"
_ACTIVE = "WHERE x.active"
_IN_FORCE = (
    "WHERE b.active AND b.edition = (SELECT max(n.edition) FROM breakpoints n WHERE n.active)"
)


def _select_parts(table: type[Table], order: str) -> str:
    rest = f"JOIN cultures c ON c.id = x.culture_id {_OF_ORDER}"
    return build_rows_json(table, "x", rest, order=order)


QUERY = EntryQuery(
    parts=(
        ("cultures", build_rows_json(CultureVersion, "c", _OF_ORDER, order="c.revision")),
        ("findings", _select_parts(CultureFinding, "x.position")),
        ("organisms", _select_parts(CultureOrganism, "x.position")),
        (
            "susceptibilities",
            _select_parts(CultureSusceptibility, "x.organism_position, x.position"),
        ),
        ("terms", build_rows_json(CultureTerm, "x", "", order="x.position")),
        ("organism_names", build_rows_json(OrganismName, "x", "")),
        ("antibiotics", build_rows_json(Antibiotic, "x", "", order="x.position")),
        ("breakpoints", build_rows_json(Breakpoint, "b", _IN_FORCE)),
        ("intrinsic", build_rows_json(IntrinsicResistance, "x", _ACTIVE)),
        ("cascade", build_rows_json(CascadeRule, "x", _ACTIVE)),
        ("critical", build_rows_json(CriticalCultureRule, "x", _ACTIVE)),
        (
            "reasons",
            "(SELECT coalesce(json_object_agg(code, words), '{}'::json) FROM reasons "
            f"WHERE kind = '{ReasonKind.CORRECTION}')",
        ),
    ),
    users=f"SELECT c.entered_by FROM cultures c {_OF_ORDER}",
)
"""The data that the entry of cultures reads in addition to the order."""


@dataclass(frozen=True)
class LabTables:
    """The lab's tables that interpret and check a culture. ``terms`` are by kind and code."""

    terms: Mapping[tuple[str, str], CultureTerm]
    organisms: Mapping[str, OrganismName]
    antibiotics: Mapping[str, Antibiotic]
    edition: str | None
    breakpoints: tuple[BreakpointRow, ...]
    intrinsic_resistances: frozenset[tuple[str, str]]
    cascade_rows: tuple[CascadeRow, ...]
    critical_rows: tuple[CriticalRow, ...]
    reasons: Mapping[str, str]
    ended_reasons: Collection[str]

    def find_term(self, kind: CultureTermKind, code: str | None) -> CultureTerm | None:
        """Return the term of a kind, or None when the lab has none with this code."""
        return self.terms.get((kind, code)) if code else None


@dataclass
class CultureRecord:
    """An order with its cultures and the lab's tables."""

    entry: OrderEntry
    tests: list[CultureTest]
    tables: LabTables

    def get_test(self, order_test_id: int) -> CultureTest:
        """Return one of the tests, or raise NotFound."""
        for item in self.tests:
            if item.row.id == order_test_id:
                return item
        raise NotFound(messages.NOT_FOUND)


def build_record(entry: OrderEntry) -> CultureRecord:
    """Build the record from an order that was loaded with ``QUERY``."""
    parts = entry.parts
    versions = group_versions(
        CultureParts(
            [parse_record(CultureVersion, row) for row in parts["cultures"]],
            [parse_record(CultureFinding, row) for row in parts["findings"]],
            [parse_record(CultureOrganism, row) for row in parts["organisms"]],
            [parse_record(CultureSusceptibility, row) for row in parts["susceptibilities"]],
        )
    )
    tests = [
        CultureTest(item.row, item.test, versions.get(item.row.id, []))
        for item in entry.tests
        if item.row.kind == ResultKind.MICROBIOLOGY and not item.row.is_panel
    ]
    return CultureRecord(entry, tests, _build_tables(entry))


def _build_tables(entry: OrderEntry) -> LabTables:
    parts = entry.parts
    breakpoints = [parse_record(Breakpoint, row) for row in parts["breakpoints"]]
    return LabTables(
        terms={
            (row["kind"], row["code"]): parse_record(CultureTerm, row) for row in parts["terms"]
        },
        organisms=_index_by_code(OrganismName, parts["organism_names"]),
        antibiotics=_index_by_code(Antibiotic, parts["antibiotics"]),
        edition=breakpoints[0].edition if breakpoints else None,
        breakpoints=tuple(_build_breakpoint(row) for row in breakpoints),
        intrinsic_resistances=frozenset(
            (row["applies_to"], row["antibiotic"]) for row in parts["intrinsic"]
        ),
        cascade_rows=tuple(_build_cascade(row) for row in parts["cascade"]),
        critical_rows=tuple(
            CriticalRow(row["source"], row["applies_to"], row["mark"], row["finding"])
            for row in parts["critical"]
        ),
        reasons=parts["reasons"],
        ended_reasons=entry.get_ended_reasons(ReasonKind.CORRECTION),
    )


def _index_by_code(table: Any, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {row["code"]: parse_record(table, row) for row in rows}


def _build_breakpoint(row: Breakpoint) -> BreakpointRow:
    return BreakpointRow(
        row.applies_to,
        row.antibiotic,
        SusceptibilityMethod(row.method),
        row.source,
        Limits(
            Decimal(row.susceptible),
            row.dose_dependent,
            row.resistant,
        ),
    )


def _build_cascade(row: Mapping[str, Any]) -> CascadeRow:
    return CascadeRow(
        row["applies_to"],
        row["antibiotic"],
        row["unless_antibiotic"],
        frozenset(row["unless_interpretations"]),
        row["unless_source"],
    )
