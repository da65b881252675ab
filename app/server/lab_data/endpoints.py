"""/api/v2/lab-data: the data of the lab, by kind (ADR 57)."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.errors import StaleVersion
from app.contract.limits import LAB_DATA_KEYS_MAX, LAB_DATA_TEXT_MAX
from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_data.kinds import KINDS
from app.server.lab_data.lists import build_list
from app.server.lab_data.rules import READERS
from app.server.lab_data.schemas import (
    LabDataChange,
    LabDataKind,
    LabDataOffer,
    LabDataRead,
    LabDataRow,
    LabDataWrite,
)
from app.server.lab_data.service import read, save
from app.server.lab_data.service.kinds import get_kind
from app.server.lists.document import build_page_model, document_answer, list_column_filters
from app.server.lists.service import answer_page

router = build_router("/api/v2/lab-data", "lab data")

_PAGE = build_page_model("LabDataPage", LabDataRow)
_PARAMETERS = {
    **{"skip": int, "take": int, "sort": str, "after": str, "search": str, "parent": str},
    **{
        name: value_type
        for kind in KINDS.values()
        for name, value_type in list_column_filters(build_list(kind)).items()
    },
}
"""The parameters of the lists of all kinds; a kind has those of its own fields."""


@router.get("")
@allow(READERS)
async def list_kinds(work: InWork) -> list[LabDataKind]:
    """The kinds of lab data, each with its fields."""
    return read.list_kinds(work)


@router.get("/lookups/{lookup}", responses={200: {"model": list[LabDataOffer]}})
@allow(READERS)
async def offer_records(
    lookup: str,
    work: InWork,
    search: Annotated[str, Query(max_length=LAB_DATA_TEXT_MAX)] = "",
    keys: Annotated[list[str], Query(max_length=LAB_DATA_KEYS_MAX)] = [],  # noqa: B006
) -> Response:
    """Records that a lookup field can refer to: the first matches of ``search``, and ``keys``."""
    body = await read.offer_records(work, lookup, search, keys)
    return Response(body, media_type="application/json")


@router.get("/{kind}", **document_answer(_PAGE, _PARAMETERS))
@allow(READERS, transaction=False)
async def list_rows(request: Request) -> Response:
    """A page of the rows of a kind; its fields are filtered by ``column.<name>``."""
    kind = get_kind(request.path_params["kind"])
    return await answer_page(request, build_list(kind))


@router.get("/{kind}/{row_id}")
@allow(READERS)
async def read_row(kind: str, row_id: int, work: InWork, response: Response) -> LabDataRead:
    """A row of a kind, with its values and version."""
    return set_etag(response, await read.read_row(work, kind, row_id))


@router.get("/{kind}/{row_id}/history")
@allow(READERS)
async def read_history(kind: str, row_id: int, work: InWork) -> list[LabDataChange]:
    """The changes to a row, newest first, with who made them."""
    return await read.read_history(work, kind, row_id)


@router.post("/{kind}", status_code=201)
@allow(READERS)
async def create_row(
    kind: str, body: LabDataWrite, work: InWork, response: Response
) -> LabDataRead:
    """Create a row."""
    return set_etag(response, await save.create_row(work, kind, body))


@router.put("/{kind}/{row_id}")
@allow(READERS, errors=(StaleVersion,))
async def change_row(
    kind: str, row_id: int, body: LabDataWrite, work: InWork, response: Response
) -> LabDataRead:
    """Change a row; absent values stay unchanged."""
    return set_etag(response, await save.change_row(work, kind, row_id, body))
