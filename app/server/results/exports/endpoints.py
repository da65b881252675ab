"""/api/v2/result-exports: Result Export (P 2, DECISIONS 'Results')."""

from typing import Annotated

from fastapi import Depends, Query, Request

from app.basics.clock import get_lab_today
from app.contract.enumerations import OrderStatus
from app.server.access.policy import allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId, WireDate
from app.server.access.work import InWork
from app.server.exports.schemas import ExportRead
from app.server.results.cumulative.rules import choose_period
from app.server.results.exports import service
from app.server.results.exports.rules import RESULT_EXPORTERS, ResultFilters
from app.server.results.exports.schemas import IDS_MAX, ResultExportPreview, ResultExportRequest

router = build_router("/api/v2/result-exports", "exports")


def _build_filters(request: Request, body: ResultExportRequest) -> ResultFilters:
    today = get_lab_today(request.app.state.portal.settings.time_zone)
    return ResultFilters(
        choose_period(body.start_date, body.end_date, today),
        tuple(dict.fromkeys(body.client_ids)),
        tuple(dict.fromkeys(body.test_ids)),
        body.status,
    )


def _parse_filters(
    request: Request,
    start_date: Annotated[WireDate, Query(alias="startDate")] = None,
    end_date: Annotated[WireDate, Query(alias="endDate")] = None,
    client_ids: Annotated[
        list[RecordId] | None, Query(alias="clientIds", max_length=IDS_MAX)
    ] = None,
    test_ids: Annotated[list[RecordId] | None, Query(alias="testIds", max_length=IDS_MAX)] = None,
    status: int = int(OrderStatus.ALL),
) -> ResultFilters:
    body = ResultExportRequest(
        start_date=start_date,
        end_date=end_date,
        client_ids=client_ids or [],
        test_ids=test_ids or [],
        status=status,
    )
    return _build_filters(request, body)


@router.get("/preview")
@allow(RESULT_EXPORTERS, transaction=False)
async def preview_export(
    request: Request, filters: Annotated[ResultFilters, Depends(_parse_filters)]
) -> ResultExportPreview:
    """How many orders and rows an export would have, and its first rows."""
    return await service.preview_export(get_reader(request), filters)


@router.post("", status_code=201)
@allow(RESULT_EXPORTERS)
async def export_results(request: Request, body: ResultExportRequest, work: InWork) -> ExportRead:
    """Request an export of released results; its file is ready when its job is done."""
    return await service.request_result_export(work, body, _build_filters(request, body))
