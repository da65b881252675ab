"""The toxicology tests of an order, with what their entry and release need."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from app.contract.enumerations import ReasonKind, ResultKind
from app.server.database.records import build_rows_json, parse_record
from app.server.results.entry.loading import EntryQuery, OrderEntry
from app.server.results.toxicology.models import ToxicologyResult, ToxicologyTest
from app.server.results.toxicology.repository import MeasuredTest, share_results
from app.server.results.toxicology.rules import Verdict

SETTINGS = "toxicology"
"""The lab's settings with the label for unexpected positives and the edition of the tables."""
_OF_ORDER = "WHERE r.order_id = (SELECT o.id FROM chosen o)"
_TESTS = "SELECT t.test_id FROM order_tests t JOIN chosen o ON o.id = t.order_id"


QUERY = EntryQuery(
    parts=(
        ("results", build_rows_json(ToxicologyResult, "r", _OF_ORDER, order="r.revision")),
        ("methods", build_rows_json(ToxicologyTest, "m", f"WHERE m.test_id IN ({_TESTS})")),
        (
            "metabolites",
            "(SELECT coalesce(json_agg(json_build_array(parent, metabolite)), '[]'::json) "
            "FROM toxicology_metabolites WHERE active)",
        ),
        (
            "names",
            "(SELECT coalesce(json_agg(json_build_array(name, ingredient) "
            "ORDER BY name, ingredient), '[]'::json) FROM toxicology_names WHERE active)",
        ),
        (
            "substances",
            "(SELECT coalesce(json_agg(json_build_array(name, is_critical)), '[]'::json) "
            "FROM toxicology_substances)",
        ),
        (
            "medications",
            "(SELECT coalesce(json_agg(q.name ORDER BY q.position), '[]'::json) FROM chosen o "
            "JOIN requisition_medications q ON q.requisition_id = o.requisition_id)",
        ),
        ("settings", f"(SELECT s.value FROM lab_settings s WHERE s.name = '{SETTINGS}')"),
        (
            "assessments",
            f"(SELECT coalesce(max(r.revision), 0) FROM toxicology_assessments r {_OF_ORDER})",
        ),
        (
            "shown",
            f"(SELECT r.verdicts FROM toxicology_assessments r {_OF_ORDER} "
            "ORDER BY r.revision DESC LIMIT 1)",
        ),
        (
            "reasons",
            "(SELECT coalesce(json_object_agg(code, words), '{}'::json) FROM reasons "
            f"WHERE kind = '{ReasonKind.CORRECTION}')",
        ),
    ),
    users=f"SELECT r.entered_by FROM toxicology_results r {_OF_ORDER}",
)
"""The data that the entry of toxicology results reads in addition to the order."""


@dataclass(frozen=True)
class Tables:
    """The reference tables by which results are judged."""

    metabolites: Mapping[str, Sequence[str]]
    names: Mapping[str, Sequence[str]]
    critical_by_substance: Mapping[str, bool]
    edition: str | None


def collect_tests(entry: OrderEntry) -> list[MeasuredTest]:
    """Collect the order's toxicology tests and panels by position."""
    versions: dict[int, list[ToxicologyResult]] = {}
    for row in entry.parts["results"]:
        versions.setdefault(row["order_test_id"], []).append(parse_record(ToxicologyResult, row))
    references = {
        row["test_id"]: parse_record(ToxicologyTest, row) for row in entry.parts["methods"]
    }
    tests = [
        MeasuredTest(
            ordered_test.row,
            ordered_test.test,
            references.get(ordered_test.test.id),
            versions.get(ordered_test.row.id, []),
        )
        for ordered_test in entry.tests
        if ordered_test.row.kind == ResultKind.TOXICOLOGY
    ]
    return share_results(tests)


def build_tables(entry: OrderEntry) -> Tables:
    """Build the reference tables of a loaded order."""
    return Tables(
        metabolites=_group_pairs(entry.parts["metabolites"]),
        names=_group_pairs(entry.parts["names"]),
        critical_by_substance=dict(entry.parts["substances"]),
        edition=(entry.parts["settings"] or {}).get("edition"),
    )


def parse_verdicts(rows: Iterable[Mapping[str, Any]] | None) -> list[Verdict]:
    """Parse stored verdicts; an order without a release has none."""
    return [Verdict(**{**row, "tests": tuple(row["tests"])}) for row in rows or ()]


def format_cut_off(cut_off: Decimal | None, unit: str | None) -> str | None:
    """Format a cut-off with its unit."""
    return None if cut_off is None else f"{cut_off:f} {unit or ''}".rstrip()


def format_limits(low: Decimal | None, high: Decimal | None) -> str | None:
    """Format the limits of a valid specimen, both inclusive."""
    if low is not None and high is not None:
        return f"{low:f} - {high:f}"
    if low is not None:
        return f"≥ {low:f}"
    return None if high is None else f"≤ {high:f}"


def _group_pairs(pairs: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
