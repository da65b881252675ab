"""The requisition form as PDF (42 CFR 493.1241(c))."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from app.basics.clock import get_lab_now, to_lab_time
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import LABELS, BillTo, CopyType, Fasting, RequisitionStatus
from app.drawing.pages import (
    Cancellation,
    DiagnosisLine,
    InsuranceLine,
    Lab,
    OrderedTest,
    RequisitionPage,
    RequisitionsPdf,
    Signature,
)
from app.server.access.work import Work
from app.server.database.repository import ScopedRepository
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.report import ReportContext, ReportSteps, render_batches
from app.server.requisitions import rules
from app.server.requisitions.models import (
    Requisition,
    RequisitionCopy,
    RequisitionInsurance,
    RequisitionSignature,
)
from app.server.requisitions.repository import ADDITIONAL, MAIN, Parts, RequisitionRepository
from app.server.rich_text import to_plain_text

_CHANNELS = {CopyType.EMAIL: "Email", CopyType.FAX: "Fax"}


async def get_requisitions(work: Work, ids: list[int]) -> dict[int, Requisition]:
    """Return these requisitions by id, or raise NotFound when one is missing or out of scope."""
    unique_ids = rules.deduplicate_ids(ids)
    records = await work.build_repository(ScopedRepository).load_in_scope(Requisition, unique_ids)
    if len(records) != len(unique_ids):
        raise NotFound(messages.NOT_FOUND)
    return records


def render_requisition_forms(context: ReportContext, ids: list[int]) -> ReportSteps:
    """Render one PDF of these requisitions, in the order of the ids, or raise NotFound.

    Each batch is loaded in a separate transaction, and none is open during drawing.
    """
    unique_ids = rules.deduplicate_ids(ids)
    return render_batches(
        context,
        RequisitionsPdf,
        format_title(len(unique_ids)),
        unique_ids,
        build_pages,
        lambda work, _: work.audit("print", "requisition", unique_ids),
    )


def format_title(count: int) -> str:
    """Return the title of a document with the forms of ``count`` requisitions."""
    return "Requisition" if count == 1 else "Requisitions"


async def build_pages(work: Work, ids: Sequence[int]) -> list[RequisitionPage]:
    """Build the pages of these requisitions, in the order of the ids, or raise NotFound.

    The number of statements does not depend on the number of requisitions.
    """
    unique_ids = rules.deduplicate_ids(list(ids))
    by_id = await get_requisitions(work, unique_ids)
    records = [by_id[i] for i in unique_ids]
    lab, printed_at = await load_lab(work), get_lab_now(work.portal.settings.time_zone)
    facts = Facts(work)
    await facts.load(records)
    repository = work.build_repository(RequisitionRepository)
    parts = await repository.load_parts(records)
    signatures = await repository.load_current_signatures(records)
    insurance = await repository.load_insurance(records)
    copies = await repository.load_copies(records)
    return [
        _build_page(
            work,
            facts,
            record,
            parts[record.id],
            signatures.get(record.id),
            insurance[record.id],
            copies[record.id],
            lab,
            printed_at,
        )
        for record in records
    ]


def _build_page(
    work: Work,
    facts: Facts,
    requisition: Requisition,
    parts: Parts,
    signature: RequisitionSignature | None,
    insurance: list[RequisitionInsurance],
    copies: list[RequisitionCopy],
    lab: Lab,
    printed_at: datetime,
) -> RequisitionPage:
    return RequisitionPage(
        lab=lab,
        code=requisition.code,
        status=RequisitionStatus(requisition.status).name,
        printed=printed_at,
        patient=facts.build_patient(requisition),
        client=facts.build_client(requisition.client_id),
        physician=facts.build_physician(requisition.physician_id),
        collection=requisition.collection_date,
        fasting=LABELS[Fasting][Fasting(requisition.fasting)],
        priority=requisition.priority,
        bill_to=LABELS[BillTo][BillTo(requisition.bill_to)],
        tests=_build_tests(parts),
        diagnoses=_build_diagnoses(parts, MAIN),
        additional_diagnoses=_build_diagnoses(parts, ADDITIONAL),
        medications=tuple(parts.medications),
        insurance=_build_insurance(insurance),
        copies=tuple(f"{_CHANNELS[CopyType(copy.kind)]} {copy.destination}" for copy in copies),
        comments=to_plain_text(requisition.comments),
        cancellation=_build_cancellation(work, requisition),
        signature=(
            Signature(signature.user_name, signature.signed_at, signature.image)
            if signature
            else None
        ),
    )


def _build_cancellation(work: Work, requisition: Requisition) -> Cancellation | None:
    if requisition.status != RequisitionStatus.CANCELED:
        return None
    at = requisition.canceled_at
    return Cancellation(
        comment=requisition.cancel_comment,
        canceled_at=to_lab_time(at, work.portal.settings.time_zone) if at else None,
        canceled_by=rules.find_canceler_name(work.actor, requisition.canceled_by_name),
    )


def _build_tests(parts: Parts) -> tuple[OrderedTest, ...]:
    members: dict[int, list[str]] = {}
    for row, test in parts.tests:
        if row.parent_id is not None:
            members.setdefault(row.parent_id, []).append(test.name)
    return tuple(
        OrderedTest(
            code=test.code,
            name=test.name,
            container=test.container,
            specimen=test.specimen,
            components=tuple(members.get(row.id, ())),
            is_confidential=row.is_confidential,
        )
        for row, test in parts.tests
        if row.parent_id is None
    )


def _build_diagnoses(parts: Parts, purpose: str) -> tuple[DiagnosisLine, ...]:
    """Build one line for each diagnosis, with the names of the tests that it supports."""
    test_names = {test.id: test.name for _, test in parts.tests}
    lines: dict[int, DiagnosisLine] = {}
    for row, diagnosis in parts.diagnoses:
        if row.purpose != purpose:
            continue
        line = lines.get(diagnosis.id, DiagnosisLine(diagnosis.code, diagnosis.description))
        if row.test_id in test_names:
            line = replace(line, supports=(*line.supports, test_names[row.test_id]))
        lines[diagnosis.id] = line
    return tuple(lines.values())


def _build_insurance(rows: list[RequisitionInsurance]) -> tuple[InsuranceLine, ...]:
    return tuple(
        InsuranceLine(
            payer=row.snapshot["payer"],
            insurance_id=row.snapshot["insuranceId"],
            group_number=row.snapshot["groupNumber"],
            relationship=row.snapshot["relationship"],
            holder=", ".join(filter(None, (row.snapshot["lastName"], row.snapshot["firstName"]))),
        )
        for row in rows
    )
