"""The requisition as PDF (42 CFR 493.1241(c))."""

import asyncio
from collections.abc import AsyncIterator, Sequence
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
    RequisitionsPdf,
    Signature,
)
from app.server.access.work import Work
from app.server.database.repository import ScopedRepository
from app.server.paperwork.service import facts
from app.server.paperwork.service.report import Making, batches
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition, RequisitionInsurance, RequisitionSignature
from app.server.requisitions.repository import ADDITIONAL, MAIN, Parts, RequisitionRepository
from app.server.rich_text import plain_text


async def all_there(work: Work, ids: list[int]) -> dict[int, Requisition]:
    """These requisitions by id; raises NotFound when one is not the actor's."""
    wanted = rules.deduplicate_ids(ids)
    records = await work.repository(ScopedRepository).many(Requisition, wanted)
    if len(records) != len(wanted):
        raise NotFound(messages.NOT_FOUND)
    return records


async def requisition_forms(work: Work, ids: list[int]) -> Making:
    """One PDF of these requisitions in this order; raises NotFound when one is not the actor's."""
    wanted = rules.deduplicate_ids(ids)
    document = RequisitionsPdf("Requisition" if len(wanted) == 1 else "Requisitions")
    async for done in forms_on(work, ids, document):
        yield done
    await work.audit("print", "requisition", wanted)
    yield await asyncio.to_thread(document.finish)


async def forms_on(work: Work, ids: list[int], document: RequisitionsPdf) -> AsyncIterator[int]:
    """Draw these requisitions on a document that the caller finishes and gives account of; tells
    how many are done. Raises NotFound when one is not the actor's."""
    records = await all_there(work, ids)
    wanted = rules.deduplicate_ids(ids)
    repository = work.repository(RequisitionRepository)
    lab = await facts.lab(work)
    printed = lab_now(work.portal.settings.time_zone)
    known = facts.Facts(work)
    done = 0
    for batch in batches(wanted):
        yield done
        pages = await _pages(known, repository, [records[i] for i in batch], lab, printed)
        await asyncio.to_thread(document.add, pages)
        done += len(batch)
    yield done


async def _pages(
    known: facts.Facts,
    repository: RequisitionRepository,
    records: Sequence[Requisition],
    lab: Lab,
    printed: datetime,
) -> list[RequisitionPage]:
    """What the forms of a batch say, read by a few statements for all of them."""
    await known.load(records)
    parts = await repository.load_parts(records)
    signatures = await repository.load_current_signatures(records)
    insurance = await repository.load_insurance(records)
    return [
        _page(
            known, each, parts[each.id], signatures.get(each.id), insurance[each.id], lab, printed
        )
        for each in records
    ]


def _page(
    known: facts.Facts,
    requisition: Requisition,
    parts: Parts,
    signature: RequisitionSignature | None,
    insurance: list[RequisitionInsurance],
    lab: Lab,
    printed: datetime,
) -> RequisitionPage:
    return RequisitionPage(
        lab=lab,
        code=requisition.code,
        status=RequisitionStatus(requisition.status).name,
        printed=printed,
        patient=known.patient(requisition),
        client=known.client(requisition.client_id),
        physician=known.doctor(requisition.physician_id),
        collection=requisition.collection_date,
        fasting=LABELS[Fasting][Fasting(requisition.fasting)],
        priority=requisition.priority,
        bill_to=LABELS[BillTo][BillTo(requisition.bill_to)],
        tests=_tests(parts),
        diagnoses=_diagnoses(parts, MAIN),
        additional_diagnoses=_diagnoses(parts, ADDITIONAL),
        medications=tuple(parts.medications),
        insurance=_insurance(insurance),
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
