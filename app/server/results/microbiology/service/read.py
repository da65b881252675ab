"""Reads the microbiology results of an order (R 2.2)."""

from collections.abc import Sequence
from itertools import pairwise

from app.contract.enumerations import CultureStage, OrderStatus, ResultStatus, ScopeKind
from app.server.access.work import Work
from app.server.orders.models import Order
from app.server.orders.service.read import get_order
from app.server.results.microbiology import rules
from app.server.results.microbiology.repository import CultureRepository, CultureTest, Version
from app.server.results.microbiology.schemas import (
    ChangeShape,
    CorrectionShape,
    CultureContent,
    FindingShape,
    MicrobiologyResult,
    OrganismShape,
    SensitivityShape,
)


async def read_microbiology_results(work: Work, order_id: int) -> list[MicrobiologyResult]:
    """Return the order's cultures, or raise NotFound.

    Only the lab sees a culture before its release. Suppressed antibiotics are not in any of them.
    """
    order = await get_order(work, order_id)
    await work.audit("read", "order-results", [order.id])
    results = await load_results(work, [order], is_lab=work.actor.kind is ScopeKind.STAFF)
    return results[order.id]


async def load_results(
    work: Work, orders: Sequence[Order], *, is_lab: bool
) -> dict[int, list[MicrobiologyResult]]:
    """Load the cultures of these orders by order id; only ``is_lab`` shows entered ones.

    The number of statements does not depend on the number of orders.
    """
    repository = work.build_repository(CultureRepository)
    tests = await repository.load_tests_of_many([order.id for order in orders])
    return {
        order.id: [
            _build_result(item, is_lab=is_lab, is_canceled=order.status == OrderStatus.CANCELED)
            for item in tests.get(order.id, ())
        ]
        for order in orders
    }


def _build_result(item: CultureTest, *, is_lab: bool, is_canceled: bool) -> MicrobiologyResult:
    shown = item.current if is_lab else item.latest_release
    status = ResultStatus(item.row.status)
    if shown and shown.row.released_at is None:
        status = ResultStatus.UNRELEASED
    is_canceled = is_canceled or status is ResultStatus.CANCELED
    released = item.released
    earlier = [version for version in reversed(released) if version is not shown]
    return MicrobiologyResult(
        **_build_values(shown),
        key=item.row.id,
        name=item.row.name,
        status=ResultStatus.CANCELED if is_canceled else status,
        awaits_collection=item.row.needs_specimen,
        label=rules.format_label(status, is_canceled=is_canceled),
        result_type=item.test.result_type,
        tests=[item.test.name],
        corrections=_list_corrections(released),
        earlier=[CultureContent(**_build_values(version)) for version in earlier],
    )


def _list_corrections(released: Sequence[Version]) -> list[CorrectionShape]:
    """List the corrections among released versions, newest first."""
    corrections = []
    for before, after in pairwise(released):
        if before.stage is None:
            continue
        if not rules.is_correction(before.content, after.content, before.stage):
            continue
        changes = rules.list_changes(before.content, after.content)
        corrections.append(
            CorrectionShape(
                revision=after.row.revision,
                reason=after.row.reason,
                explanation=after.row.explanation,
                released_by=after.row.released_by_name,
                released_at=after.row.released_at,
                changes=[ChangeShape.model_validate(change) for change in changes],
            )
        )
    return corrections[::-1]


def _build_values(version: Version | None) -> dict[str, object]:
    """Build the values of ``CultureContent``; those of an empty culture without a version."""
    content = version.content if version else rules.Culture()
    row = version.row if version else None
    return {
        "revision": row.revision if row else 0,
        "sources": [content.source_name] if content.source_name else [],
        "collection_site": content.site_name,
        "collected": (content.collected_at if rules.is_valid_date(content.collected_at) else None),
        "result": content.result,
        "findings": [
            FindingShape(name=finding.name, culture_quantity_name=finding.quantity_name)
            for finding in content.findings
        ],
        "organisms": [_build_organism(organism) for organism in content.organisms],
        "preliminary_released": bool(version and version.stage is CultureStage.PRELIMINARY),
        "preliminary_result_comment": content.preliminary_comment,
        "result_report_comments": [content.comment] if content.comment else [],
        "is_critical": bool(row and row.is_critical),
        "is_abnormal": bool(row and row.is_abnormal),
        "released_at": row.released_at if row else None,
        "released_by": row.released_by_name if row else None,
    }


def _build_organism(organism: rules.Organism) -> OrganismShape:
    return OrganismShape(
        name=organism.name,
        culture_quantity_name=organism.quantity_name,
        mark=organism.mark_name,
        comment=organism.comment,
        organism_comment=organism.organism_comment,
        is_flora=organism.is_flora,
        sensitivity=[
            SensitivityShape(
                antibiotic_name=each.antibiotic_name,
                mic=each.value,
                method=each.method,
                microbiology_interpretation_type=each.interpretation,
                comment=each.comment,
            )
            for each in organism.reported
        ],
    )
