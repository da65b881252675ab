"""/api/v2/billing-information (O 7, 'Lookups')."""

from fastapi import Request, Response

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.billing import lists, service
from app.server.billing.schemas import PayerShape
from app.server.lists.document import document_page
from app.server.lists.parsing import build_parameter_error
from app.server.lists.service import answer_page

router = build_router("/api/v2/billing-information", "billing")
_ALL_PAYERS = "allPayers"


@router.get("/bill-types/remote-operations", **document_page(lists.bill_types))
@allow(ALL_ROLES, transaction=False)
async def list_bill_types(request: Request) -> Response:
    """The bill types."""
    return await answer_page(request, lists.bill_types)


@router.get(
    "/payers/remote-operations/{bill_type_id}",
    **document_page(lists.all_payers, {_ALL_PAYERS: bool}),
)
@allow(ALL_ROLES, transaction=False)
async def list_payers(bill_type_id: int, request: Request) -> Response:
    """The payers of a bill type; with ``allPayers=true`` those of every type."""
    all_payers = request.query_params.get(_ALL_PAYERS) or "false"
    if all_payers not in ("true", "false"):
        raise build_parameter_error(_ALL_PAYERS)
    endpoint_parameters = frozenset({_ALL_PAYERS})
    if all_payers == "true":
        return await answer_page(request, lists.all_payers, endpoint_parameters=endpoint_parameters)
    parameters = {"bill_type": bill_type_id}
    return await answer_page(
        request, lists.payers_of_bill_type, parameters, endpoint_parameters=endpoint_parameters
    )


@router.get("/payers/best-match")
@allow(ALL_ROLES)
async def find_best_payer(work: InWork, name: str = "") -> PayerShape | None:
    """The payer with the most similar name; null if none is similar."""
    return await service.find_best_payer(work, name)
