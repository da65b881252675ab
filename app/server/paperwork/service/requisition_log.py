"""The requisition log as PDF (O 7): a list of requisitions, one line each."""

import asyncio

from app.basics.clock import lab_now
from app.contract.enumerations import RequisitionStatus
from app.drawing.pages import RequisitionLog, RequisitionLogLine, draw_requisition_log
from app.server.access.work import Work
from app.server.paperwork.service import facts
from app.server.paperwork.service.report import Making
from app.server.paperwork.service.requisition_form import all_there
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository


async def requisition_log(work: Work, ids: list[int]) -> Making:
    """The log of these requisitions in this order; raises NotFound when one is not the actor's."""
    records = await all_there(work, ids)
    wanted = rules.deduplicate_ids(ids)
    repository = work.repository(RequisitionRepository)
    tests = await repository.load_test_names(records.values())
    known = facts.Facts(work)
    await known.load(list(records.values()))
    log = RequisitionLog(
        lab=await facts.lab(work),
        printed=lab_now(work.portal.settings.time_zone),
        lines=tuple(
            _line(records[i], known.client(records[i].client_id).name, tests.get(i, ()))
            for i in wanted
        ),
    )
    await work.audit("print", "requisition", wanted, {"report": "log"})
    yield 0
    document = await asyncio.to_thread(draw_requisition_log, log)
    yield len(wanted)
    yield document


def _line(record: Requisition, client: str, tests: tuple[str, ...]) -> RequisitionLogLine:
    return RequisitionLogLine(
        code=record.code,
        status=RequisitionStatus(record.status).name,
        collection=record.collection_date,
        patient=f"{record.patient_last_name}, {record.patient_first_name}",
        birth_date=record.patient_birth_date,
        client=client,
        tests=tests,
        is_signed=record.has_signature,
        unit=record.unit_name,
        room=" - ".join(each for each in (record.room_name, record.bed) if each),
    )
