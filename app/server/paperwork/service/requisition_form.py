"""The requisition as PDF (42 CFR 493.1241(c))."""

import asyncio
from dataclasses import replace
from datetime import datetime

from app.basics.clock import lab_now
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import LABELS, BillTo, Fasting, RequisitionStatus
from app.drawing.pages import (
    DiagnosisLine,
    InsuranceLine,
    Lab,
    OrderedTest,
    RequisitionPage,
    Signature,
    requisition_pdf,
)
from app.server.access.work import Work
from app.server.paperwork.service import facts
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition, RequisitionInsurance
from app.server.requisitions.repository import ADDITIONAL, MAIN, Parts, RequisitionRepository
from app.server.rich_text import plain_text


async def requisition_forms(work: Work, ids: list[int]) -> bytes:
    """One PDF of these requisitions in this order; raises NotFound when one is not the actor's."""
    wanted = rules.unique(ids)
    repository = RequisitionRepository(work.session, work.actor)
    records = await repository.many(Requisition, wanted)
    if len(records) != len(wanted):
        raise NotFound(messages.NOT_FOUND)
    lab = await facts.lab(work)
    printed = lab_now(work.portal.settings.time_zone)
    pages = [await _page(work, repository, records[i], lab, printed) for i in wanted]
    await work.audit("print", "requisition", wanted)
    return await asyncio.to_thread(requisition_pdf, pages)


async def _page(
    work: Work,
    repository: RequisitionRepository,
    requisition: Requisition,
    lab: Lab,
    printed: datetime,
) -> RequisitionPage:
    parts = await repository.parts(requisition.id)
    signature = await repository.signature(requisition.id)
    return RequisitionPage(
        lab=lab,
        code=requisition.code,
        status=RequisitionStatus(requisition.status).name,
        printed=printed,
        patient=await facts.patient(work, requisition),
        client=await facts.client(work, requisition.client_id),
        physician=await facts.doctor(work, requisition.physician_id),
        collection=requisition.collection_date,
        fasting=LABELS[Fasting][Fasting(requisition.fasting)],
        priority=requisition.priority,
        bill_to=LABELS[BillTo][BillTo(requisition.bill_to)],
        tests=_tests(parts),
        diagnoses=_diagnoses(parts, MAIN),
        additional_diagnoses=_diagnoses(parts, ADDITIONAL),
        medications=tuple(parts.medications),
        insurance=_insurance(await repository.insurance(requisition.id)),
        comments=plain_text(requisition.comments),
        signature=(
            Signature(signature.user_name, signature.signed_at, signature.image)
            if signature
            else None
        ),
    )


def _tests(parts: Parts) -> tuple[OrderedTest, ...]:
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


def _diagnoses(parts: Parts, purpose: str) -> tuple[DiagnosisLine, ...]:
    """One line a diagnosis, with the names of all tests that it supports."""
    named = {test.id: test.name for _, test in parts.tests}
    lines: dict[int, DiagnosisLine] = {}
    for row, found in parts.diagnoses:
        if row.purpose != purpose:
            continue
        line = lines.get(found.id, DiagnosisLine(found.code, found.description))
        if row.test_id in named:
            line = replace(line, supports=(*line.supports, named[row.test_id]))
        lines[found.id] = line
    return tuple(lines.values())


def _insurance(rows: list[RequisitionInsurance]) -> tuple[InsuranceLine, ...]:
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
