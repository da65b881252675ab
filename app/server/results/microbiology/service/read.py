"""Reads the microbiology results of an order (R 2.2)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from app.contract.enumerations import CultureStage, OrderStatus, ResultStatus, ScopeKind
from app.server.access.answers import Values
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.orders.models import Order
from app.server.results.microbiology import rules
from app.server.results.microbiology.opening import OpenedOrganism, open_cultures
from app.server.results.microbiology.repository import CultureRepository, CultureTest, Version
from app.server.results.microbiology.schemas import MicrobiologyResult
from app.server.results.performing import list_performers, load_lab_name


async def read_microbiology_results(reader: Reader, order_id: int) -> list[Values]:
    """Return the order's cultures as the values of ``MicrobiologyResult``, or raise NotFound.

    Only the lab sees a culture before its release. Suppressed antibiotics are not in any of them.
    """
    order, tests, lab_name = await open_cultures(reader, order_id)
    is_lab = reader.actor.kind is ScopeKind.STAFF
    results = _build_results(order, tests, lab_name, is_lab=is_lab)
    if not reader.actor.sees_user_names:
        for result in results:
            _hide_names(result)
    return results


async def load_results(
    work: Work, orders: Sequence[Order], *, is_lab: bool
) -> dict[int, list[MicrobiologyResult]]:
    """Load the cultures of these orders by order id; ``is_lab`` adds unreleased ones.

    The number of statements does not depend on the number of orders.
    """
    repository = work.build_repository(CultureRepository)
    tests = await repository.load_tests_of_many([order.id for order in orders])
    lab_name = await load_lab_name(work)
    return {
        order.id: [
            MicrobiologyResult.model_validate(values)
            for values in _build_results(order, tests.get(order.id, ()), lab_name, is_lab=is_lab)
        ]
        for order in orders
    }


def _build_results(
    order: Order, tests: Iterable[CultureTest], lab_name: str | None, *, is_lab: bool
) -> list[Values]:
    is_canceled = order.status == OrderStatus.CANCELED
    return [_build_result(item, lab_name, is_lab=is_lab, is_canceled=is_canceled) for item in tests]


def _hide_names(result: Values) -> None:
    """Remove the names of the people who released versions; patients do not see them."""
    for version in (result, *result["earlier"], *result["corrections"]):
        version["releasedBy"] = None


def _build_result(
    item: CultureTest, lab_name: str | None, *, is_lab: bool, is_canceled: bool
) -> Values:
    status = ResultStatus(item.row.status)
    is_canceled = is_canceled or status is ResultStatus.CANCELED
    shows_entry = is_lab and not is_canceled
    shown_version = item.current if shows_entry else item.shown_version
    if shown_version and shown_version.row.released_at is None:
        status = ResultStatus.UNRELEASED
    # A withdrawn version stays inside the lab, even after its correction.
    released_versions = item.released_versions if is_lab else item.visible_versions
    earlier_versions = [
        version for version in reversed(released_versions) if version is not shown_version
    ]
    return {
        **_build_values(shown_version, lab_name),
        "key": item.row.id,
        "name": item.row.name,
        "status": ResultStatus.CANCELED if is_canceled else status,
        "withheld": item.row.withheld,
        "withheldAt": item.row.withheld_at,
        "awaitsCollection": item.row.needs_specimen,
        "label": rules.format_label(status, is_canceled=is_canceled),
        "resultType": item.test.result_type,
        "tests": [item.row.name],
        "corrections": _list_corrections(released_versions),
        "earlier": [_build_values(version, lab_name) for version in earlier_versions],
    }


def _list_corrections(released_versions: Sequence[Version]) -> list[Values]:
    """List the corrections among released versions, newest first.

    One that replaced a withdrawn version has no changes: that version stays inside the lab.
    """
    corrections = []
    for before, after in pairwise([None, *released_versions]):
        assert after is not None
        changes = _find_changes(before, after)
        if changes or after.row.reason:
            corrections.append(
                {
                    "revision": after.row.revision,
                    "reason": after.row.reason,
                    "explanation": after.row.explanation,
                    "releasedBy": after.row.released_by_name,
                    "releasedAt": after.row.released_at,
                    "changes": [vars(change) for change in changes],
                }
            )
    return corrections[::-1]


def _find_changes(before: Version | None, after: Version) -> list[rules.Change]:
    """Return what a version corrects of the one before it; progress corrects nothing."""
    if before is None or before.stage is None:
        return []
    if not rules.is_correction(before.content, after.content, before.stage):
        return []
    return rules.list_changes(before.content, after.content)


def _build_values(version: Version | None, lab_name: str | None) -> Values:
    """Build the values of ``CultureContent``, of an empty culture if there is no version."""
    content = version.content if version else rules.Culture()
    row = version.row if version else None
    return {
        "revision": row.revision if row else 0,
        "sources": [content.source_name] if content.source_name else [],
        "collectionSite": content.site_name,
        "collected": content.collected_at if rules.is_valid_date(content.collected_at) else None,
        "result": content.result,
        "findings": [
            {"name": finding.name, "cultureQuantityName": finding.quantity_name}
            for finding in content.findings
        ],
        "organisms": [_build_organism(organism) for organism in content.organisms],
        "preliminaryReleased": bool(version and version.stage is CultureStage.PRELIMINARY),
        "preliminaryResultComment": content.preliminary_comment,
        "resultReportComments": [
            *([content.comment] if content.comment else []),
            *(list_performers(row.performing_lab, lab_name) if row else ()),
        ],
        "isCritical": bool(row and row.is_critical),
        "isAbnormal": bool(row and row.is_abnormal),
        "releasedAt": row.released_at if row else None,
        "releasedBy": row.released_by_name if row else None,
    }


def _build_organism(organism: rules.Organism) -> Values:
    return {
        "name": organism.name,
        "cultureQuantityName": organism.quantity_name,
        "mark": organism.mark_name,
        "comment": organism.comment,
        "organismComment": organism.organism_comment,
        "isFlora": organism.is_flora,
        "sensitivity": (
            organism.reported_json
            if isinstance(organism, OpenedOrganism)
            else [
                {
                    "antibioticName": susceptibility.antibiotic_name,
                    "mic": susceptibility.value,
                    "method": susceptibility.method,
                    "microbiologyInterpretationType": susceptibility.interpretation,
                    "comment": susceptibility.comment,
                }
                for susceptibility in organism.reported_susceptibilities
            ]
        ),
    }
