"""The requisition log as PDF (O 7), with one line for each requisition."""

from collections.abc import Sequence

from app.basics.clock import get_lab_now
from app.contract.enumerations import RequisitionStatus
from app.drawing.pages import (
    OrderedTest,
    RequisitionLog,
    RequisitionLogLine,
    draw_requisition_log,
)
from app.server.access.work import Work
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.report import ReportContext, ReportSteps
from app.server.paperwork.service.requisition_form import get_requisitions
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository


async def render_requisition_log(context: ReportContext, ids: list[int]) -> ReportSteps:
    """Render the log of these requisitions, in the order of the ids, or raise NotFound.

    They are loaded in one transaction, and none is open during drawing.
    """
    unique_ids = rules.deduplicate_ids(ids)
    async with context.open_function(draw_requisition_log) as draw:
        yield 0
        async with context.open_work() as work:
            log = await _load_log(work, unique_ids)
            await work.audit("print", "requisition", unique_ids, {"report": "log"})
        document = await draw(log)
        yield len(unique_ids)
        yield document


async def _load_log(work: Work, ids: list[int]) -> RequisitionLog:
    records = await get_requisitions(work, ids)
    repository = work.build_repository(RequisitionRepository)
    tests = await repository.load_ordered_tests(records.values())
    facts = Facts(work)
    await facts.load(list(records.values()))
    return RequisitionLog(
        lab=await load_lab(work),
        printed=get_lab_now(work.portal.settings.time_zone),
        lines=tuple(
            _build_line(records[i], facts.build_client(records[i].client_id).name, tests.get(i, ()))
            for i in ids
        ),
    )


def _build_line(
    record: Requisition, client: str, tests: Sequence[tuple[str, str]]
) -> RequisitionLogLine:
    return RequisitionLogLine(
        code=record.code,
        status=RequisitionStatus(record.status).name,
        collection=record.collection_date,
        patient=f"{record.patient_last_name}, {record.patient_first_name}",
        birth_date=record.patient_birth_date,
        client=client,
        tests=tuple(OrderedTest(code, name) for code, name in tests),
        is_signed=record.has_signature,
        unit=record.unit_name,
        room=" - ".join(part for part in (record.room_name, record.bed) if part),
    )
