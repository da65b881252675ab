"""/api/v2/diagnoses and /api/v2/medications (O 7)."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.clock import get_lab_today
from app.contract.limits import BULK_IDS_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId, WireDate
from app.server.access.work import InWork
from app.server.catalog import lists
from app.server.catalog.schemas import DiagnosisShape, DiagnosisValidity
from app.server.catalog.service import check_validity, find_best_match
from app.server.lists.document import document_page
from app.server.lists.lookups import allow_parameters
from app.server.lists.service import answer_page

router = build_router("/api/v2", "catalogue")


@router.get("/diagnoses/remote-operations", **document_page(lists.diagnoses))
@allow(ALL_ROLES, transaction=False)
async def list_diagnoses(request: Request) -> Response:
    """Search billable ICD-10-CM codes."""
    return await answer_page(request, lists.diagnoses)


@router.get("/diagnoses/best-match", dependencies=[allow_parameters("code")])
@allow(ALL_ROLES)
async def find_best_diagnosis(work: InWork, code: str = "") -> DiagnosisShape | None:
    """The diagnosis of a typed code; null if it matches none, or more than one."""
    today = get_lab_today(work.portal.settings.time_zone)
    diagnosis = await find_best_match(work, code, today)
    return DiagnosisShape.of(diagnosis) if diagnosis else None


@router.get("/diagnoses/validity", dependencies=[allow_parameters("date", "id")])
@allow(ALL_ROLES)
async def check_diagnoses(
    work: InWork,
    day: Annotated[WireDate, Query(alias="date")] = None,
    ids: Annotated[list[RecordId] | None, Query(alias="id", max_length=BULK_IDS_MAX)] = None,
) -> DiagnosisValidity:
    """The ICD-10-CM release of a day (default: today), and the diagnoses not valid then."""
    return await check_validity(
        work, ids or [], day or get_lab_today(work.portal.settings.time_zone)
    )


@router.get("/medications/remote-operations", **document_page(lists.medications))
@allow(ALL_ROLES, transaction=False)
async def list_medications(request: Request) -> Response:
    """Search the names of medications."""
    return await answer_page(request, lists.medications)
