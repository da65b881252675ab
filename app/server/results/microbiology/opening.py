"""Loads the cultures of an order for reading, by one statement (ADR 42)."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from app.contract.enumerations import ResultKind, ScopeKind
from app.server.access.reader import Reader
from app.server.catalog.models import LabTest
from app.server.database.base import Table
from app.server.database.records import Columns, build_decoder, build_row_json, build_rows_type
from app.server.orders.loading import build_parts_statement, build_tests_json, fetch_parts
from app.server.orders.models import Order, OrderTest
from app.server.results.microbiology import rules
from app.server.results.microbiology.models import (
    CultureFinding,
    CultureOrganism,
    CultureSusceptibility,
    CultureVersion,
)
from app.server.results.microbiology.repository import CultureTest, Version
from app.server.results.performing import LAB_NAME

Value = TypeVar("Value")

_ORDER = Columns(Order, ("status",))
_ROW = Columns(OrderTest, ("id", "name", "status", "withheld", "withheld_at", "awaits_collection"))
_TEST = Columns(LabTest, ("name", "result_type"))
_VERSION = Columns(
    CultureVersion,
    (
        "revision",
        "is_current",
        "is_critical",
        "is_abnormal",
        "performing_lab",
        "reason",
        "explanation",
        "stage",
        "released_by_name",
        "released_at",
        "withheld",
    ),
)
# All fields are named, because the defaults of ``rules.Culture`` would hide a missing one.
_CONTENT = (
    "source",
    "source_name",
    "site",
    "site_name",
    "collected_at",
    "result",
    "comment",
    "preliminary_comment",
)
_FINDING = ("name", "is_interim", "quantity_name")
_ORGANISM = (
    "name",
    "is_flora",
    "is_interim",
    "quantity_name",
    "mark_name",
    "comment",
    "organism_comment",
)
_SUSCEPTIBILITY = {
    "antibioticName": "antibiotic_name",
    "mic": "value",
    "method": "method",
    "microbiologyInterpretationType": "interpretation",
    "comment": "comment",
}
"""The columns of ``SensitivityShape`` by their names on the wire."""
_OrganismParts = tuple[dict[str, Any], msgspec.Raw]
"""The columns of an organism, and its susceptibilities."""
_VERSIONS = build_rows_type(
    _VERSION.row, dict[str, Any], list[dict[str, Any]], list[_OrganismParts]
)
"""The columns of each version, its content, its findings, and its organisms."""
_DECODER = build_decoder(
    order=_ORDER.row,
    tests=build_rows_type(_ROW.row, _TEST.row, _VERSIONS),
    lab_name=str | None,
)


class OpenedOrganism(rules.Organism):
    """An organism with its reported susceptibilities as the JSON of the answer.

    A culture has more than a hundred of them. They are decoded only to compare versions (ADR 88).
    """

    reported_json: msgspec.Raw

    @property
    def reported_susceptibilities(self) -> tuple[rules.Susceptibility, ...]:
        """The susceptibilities that clients see."""
        return tuple(
            _restore_part(
                rules.Susceptibility,
                {column: values[name] for name, column in _SUSCEPTIBILITY.items()},
            )
            for values in msgspec.json.decode(self.reported_json)
        )


async def open_cultures(
    reader: Reader, order_id: int
) -> tuple[Order, list[CultureTest], str | None]:
    """Load an order's status, its cultures by position, and the lab's name on its reports.

    Raises:
        NotFound.
    """
    parts = await fetch_parts(reader, order_id, _build_statement(reader.actor.kind), _DECODER)
    tests = [
        CultureTest(row, test, [_build_version(*version) for version in versions])
        for row, test, versions in parts.tests
    ]
    return parts.order, tests, parts.lab_name


@lru_cache(maxsize=8)
def _build_statement(kind: ScopeKind) -> str:
    pairs = ", ".join(f"'{name}', s.{column}" for name, column in _SUSCEPTIBILITY.items())
    susceptibilities = _select_parts(
        CultureSusceptibility,
        "s",
        f"json_build_object({pairs})",
        where="s.culture_id = c.id AND s.organism_position = g.position AND NOT s.is_suppressed",
    )
    organisms = _select_parts(
        CultureOrganism,
        "g",
        f"json_build_array({build_row_json(CultureOrganism, 'g', only=_ORGANISM)}, "
        f"{susceptibilities})",
        where="g.culture_id = c.id",
    )
    findings = _select_parts(
        CultureFinding,
        "f",
        build_row_json(CultureFinding, "f", only=_FINDING),
        where="f.culture_id = c.id",
    )
    versions = (
        "(SELECT coalesce(json_agg(json_build_array("
        f"{_VERSION.build_json('c')}, "
        f"{build_row_json(CultureVersion, 'c', only=_CONTENT)}, {findings}, {organisms}) "
        "ORDER BY c.revision), '[]'::json) FROM cultures c WHERE c.order_test_id = t.id)"
    )
    tests = build_tests_json(ResultKind.MICROBIOLOGY, _ROW, _TEST, versions, has_panels=False)
    parts = (("order", _ORDER.build_json("o")), ("tests", tests), ("lab_name", LAB_NAME))
    return build_parts_statement(kind, "order-results", parts)


def _select_parts(table: type[Table], alias: str, row: str, *, where: str) -> str:
    """Return SQL for the parts of a culture in order, each as the JSON ``row``."""
    return (
        f"(SELECT coalesce(json_agg({row} ORDER BY {alias}.position), '[]'::json) "
        f"FROM {table.__tablename__} {alias} WHERE {where})"
    )


def _build_version(
    row: CultureVersion,
    content: dict[str, Any],
    findings: Iterable[dict[str, Any]],
    organisms: Iterable[_OrganismParts],
) -> Version:
    collection_time = content["collected_at"]
    content["collected_at"] = datetime.fromisoformat(collection_time) if collection_time else None
    content["findings"] = tuple(_restore_part(rules.Finding, finding) for finding in findings)
    content["organisms"] = tuple(_build_organism(*organism) for organism in organisms)
    return Version(row, _restore_part(rules.Culture, content))


def _build_organism(row: dict[str, Any], reported_json: msgspec.Raw) -> rules.Organism:
    row["reported_json"] = reported_json
    return _restore_part(OpenedOrganism, row)


def _restore_part(kind: type[Value], values: dict[str, Any]) -> Value:
    """Build a part of a culture from the columns that reading needs; it lacks the others.

    Its constructor would take ten times as long, and a culture has more than a hundred parts.
    """
    value = object.__new__(kind)
    value.__dict__.update(values)
    return value
