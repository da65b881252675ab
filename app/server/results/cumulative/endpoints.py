"""Cumulative results of the patient of an order, and the clients that have some (R 7)."""

from typing import Annotated, Literal

from fastapi import Depends, Query, Request, Response

from app.basics.clock import get_lab_today
from app.basics.errors import NotFound
from app.contract.enumerations import ResultKind
from app.contract.limits import CUMULATIVE_RECORDS_DEFAULT, TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId, WireDate
from app.server.results.cumulative import service
from app.server.results.cumulative.rules import choose_period
from app.server.results.cumulative.schemas import (
    CumulativeClient,
    CumulativeClinicalDay,
    CumulativeInfo,
    CumulativeMicrobiologyDay,
    CumulativeToxicologyDay,
)
from app.server.results.cumulative.service import CumulativeQuery

router = build_router("/api/v2/orders/{order_id}", "orders")
client_router = build_router("/api/v2/clients", "clients")

PhysicianIds = Annotated[list[RecordId] | None, Query(alias="physicianIds", max_length=TAKE_MAX)]
Count = Annotated[int, Query(ge=0)]


def _parse_query(
    request: Request,
    start_date: Annotated[WireDate, Query(alias="startDate")] = None,
    end_date: Annotated[WireDate, Query(alias="endDate")] = None,
    records: Count = CUMULATIVE_RECORDS_DEFAULT,
    client_id: Annotated[RecordId | None, Query(alias="clientId")] = None,
    physician_ids: PhysicianIds = None,
    _kind: Annotated[Literal["NORMAL"], Query(alias="type")] = "NORMAL",
) -> CumulativeQuery:
    today = get_lab_today(request.app.state.portal.settings.time_zone)
    period = choose_period(start_date, end_date, today)
    return CumulativeQuery(period, records, client_id, physician_ids)


InQuery = Annotated[CumulativeQuery, Depends(_parse_query)]


@router.get("/cumulative-result-info", responses={200: {"model": CumulativeInfo}})
@allow(ALL_ROLES, transaction=False)
async def read_cumulative_info(order_id: int, request: Request) -> Response:
    """The patient of an order, for the screen of cumulative results."""
    return _answer_json(await service.load_info(get_reader(request), order_id))


@router.get("/clinical-cumulative-results", responses={200: {"model": list[CumulativeClinicalDay]}})
@allow(ALL_ROLES, transaction=False)
async def read_clinical_results(order_id: int, query: InQuery, request: Request) -> Response:
    """The patient's released clinical results, newest day first."""
    return await _answer_days(request, order_id, ResultKind.CLINICAL, query)


@router.get(
    "/toxicology-cumulative-results", responses={200: {"model": list[CumulativeToxicologyDay]}}
)
@allow(ALL_ROLES, transaction=False)
async def read_toxicology_results(order_id: int, query: InQuery, request: Request) -> Response:
    """The patient's released toxicology results, newest day first."""
    return await _answer_days(request, order_id, ResultKind.TOXICOLOGY, query)


@router.get(
    "/microbiology-cumulative-results",
    responses={200: {"model": list[CumulativeMicrobiologyDay]}},
)
@allow(ALL_ROLES, transaction=False)
async def read_microbiology_results(order_id: int, query: InQuery, request: Request) -> Response:
    """The patient's released cultures, newest day first."""
    return await _answer_days(request, order_id, ResultKind.MICROBIOLOGY, query)


@client_router.get(
    "/by-order-tests-in-time-range", responses={200: {"model": list[CumulativeClient]}}
)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def list_clients_with_results(
    request: Request,
    order_id: Annotated[RecordId, Query(alias="orderId")],
    start_date: Annotated[WireDate, Query(alias="startDate")] = None,
    end_date: Annotated[WireDate, Query(alias="endDate")] = None,
    limit: Count = 0,
    physician_ids: PhysicianIds = None,
) -> Response:
    """The clients through which the patient of an order has released results in a period."""
    query = _parse_query(request, start_date, end_date, physician_ids=physician_ids)
    return _answer_json(await service.load_clients(get_reader(request), order_id, query, limit))


async def _answer_days(
    request: Request, order_id: int, kind: ResultKind, query: CumulativeQuery
) -> Response:
    return _answer_json(await service.load_days(get_reader(request), order_id, kind, query))


def _answer_json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
