"""/api/v2/orders/advanced-search (R 7) and saved searches."""

import json
from collections.abc import Sequence
from typing import Any

from fastapi import Request, Response
from pydantic import ConfigDict, ValidationError, create_model

from app.basics.clock import get_lab_today
from app.basics.errors import StaleVersion
from app.server.access.policy import allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.exports.schemas import ExportRead
from app.server.lists.document import Page, build_page_model, document_answer, document_page
from app.server.lists.parsing import build_parameter_error
from app.server.order_search.columns import COLUMNS
from app.server.order_search.lists import build_list
from app.server.order_search.rules import SEARCHERS
from app.server.order_search.schemas import (
    OrderExportRequest,
    OrderSearchRequest,
    SavedSearchRead,
    SavedSearchWrite,
    SearchColumnRead,
)
from app.server.order_search.service import export, saved, search

router = build_router("/api/v2", "orders")
_SEARCH = "/orders/advanced-search"
_SAVED = "/orders/saved-searches"


def _build_page_model() -> type[Page]:
    """Return the model of a page; a row has the columns that the search shows."""
    spec = build_list(frozenset(column.name for column in COLUMNS), frozenset())
    fields: dict[str, Any] = {
        column.name: (column.value_type, ...)
        if column.name in ("id", "version")
        else (column.value_type | None, None)
        for column in spec.columns
    }
    row = create_model("OrderSearchRow", __config__=ConfigDict(extra="forbid"), **fields)
    return build_page_model("OrderSearchPage", row)


_PAGE = _build_page_model()
_OWN_PARAMETERS = frozenset({"query", "columns", "skip", "take", "sort", "after"})
_ALL_COLUMNS = build_list(frozenset(column.name for column in COLUMNS), frozenset())


@router.get(
    _SEARCH, **document_page(_ALL_COLUMNS, {"query": str, "columns": list[str]}, model=_PAGE)
)
@allow(SEARCHERS, transaction=False)
async def search_orders(request: Request) -> Response:
    """Orders that meet conditions; ``query`` is their tree as JSON.

    The filters of the order search and ``column.<name>`` limit them further. The portal's own
    screen posts its searches, so that no URL contains the searched values.
    """
    filters = [
        pair for pair in request.query_params.multi_items() if pair[0] not in _OWN_PARAMETERS
    ]
    return await _answer_search(request, _read_parameters(request), filters)


@router.post(_SEARCH, **document_answer(_PAGE))
@allow(SEARCHERS, transaction=False, repeatable=True)
async def search_orders_by_post(body: OrderSearchRequest, request: Request) -> Response:
    """Orders that meet conditions, joined with and / or, in groups."""
    return await _answer_search(request, body)


@router.post(f"{_SEARCH}/export", status_code=201)
@allow(SEARCHERS)
async def export_orders(body: OrderExportRequest, work: InWork) -> ExportRead:
    """Request an export of all orders that meet conditions; a job writes its file."""
    return await export.request_order_export(work, body)


@router.get(f"{_SEARCH}/columns")
@allow(SEARCHERS)
async def list_search_columns(work: InWork) -> list[SearchColumnRead]:
    """The columns that the user may search and show, with their operators."""
    return await search.list_columns(work)


@router.get(_SAVED)
@allow(SEARCHERS)
async def list_saved_searches(work: InWork) -> list[SavedSearchRead]:
    """The user's saved searches by name."""
    return await saved.list_searches(work)


@router.post(_SAVED, status_code=201)
@allow(SEARCHERS)
async def save_search(body: SavedSearchWrite, work: InWork, response: Response) -> SavedSearchRead:
    """Save a search under a new name."""
    return set_etag(response, await saved.create_search(work, body))


@router.put(f"{_SAVED}/{{saved_search_id}}")
@allow(SEARCHERS, errors=(StaleVersion,))
async def change_saved_search(
    saved_search_id: int, body: SavedSearchWrite, work: InWork, response: Response
) -> SavedSearchRead:
    """Rename a saved search, or replace its content."""
    return set_etag(response, await saved.update_search(work, saved_search_id, body))


@router.delete(f"{_SAVED}/{{saved_search_id}}", status_code=204)
@allow(SEARCHERS, errors=(StaleVersion,))
async def remove_saved_search(saved_search_id: int, work: InWork) -> None:
    """Delete a saved search."""
    await saved.delete_search(work, saved_search_id)


async def _answer_search(
    request: Request, body: OrderSearchRequest, filters: Sequence[tuple[str, str]] = ()
) -> Response:
    today = get_lab_today(request.app.state.portal.settings.time_zone)
    content = await search.search_orders(get_reader(request), body, today, filters)
    return Response(content, media_type="application/json")


def _read_parameters(request: Request) -> OrderSearchRequest:
    """Read a search from the query of a GET, without the filters of the list.

    Raises:
        BadInput: names a parameter that is invalid.
    """
    parameters = request.query_params
    values: dict[str, Any] = {
        name: parameters[name] for name in _OWN_PARAMETERS if parameters.get(name)
    }
    if columns := [name for name in parameters.getlist("columns") if name]:
        values["columns"] = columns
    try:
        if "query" in values:
            values["query"] = json.loads(values["query"])
        return OrderSearchRequest.model_validate(values)
    except (ValueError, RecursionError) as error:
        name = "query"
        if isinstance(error, ValidationError):
            name = str(error.errors()[0]["loc"][0])
        raise build_parameter_error(name) from error
