"""Audit rows of refused requests: a role, a record out of scope, or a quota (ADR 52)."""

from fastapi import Request

from app.basics.errors import PortalError
from app.server.actor import Actor
from app.server.audit.service import build_audit_insert, build_audit_parameters
from app.server.database.pools import Database
from app.server.database.statements import build_scope_parameters

REFUSED = frozenset({403, 404, 429})
_RECORD_ID_MAX = 2**63
_STATEMENT = (
    "WITH audited AS ("
    + build_audit_insert(
        "refuse",
        "request",
        "%(record_ids)s::bigint[]",
        detail="json_build_object('method', %(method)s::text, 'route', %(route)s::text, "
        "'code', %(code)s::text)",
    )
    + ") SELECT true"
)


async def audit_refusal(request: Request, actor: Actor, error: PortalError) -> None:
    """Record that a request of an actor was refused, after its transaction was rolled back.

    The row has the ids in the path and the error's code. It does not say whether the records
    exist, as the answer does not.
    """
    database: Database = request.app.state.portal.database
    ids = [
        int(value)
        for value in request.path_params.values()
        if str(value).isdecimal() and int(value) < _RECORD_ID_MAX
    ]
    values = {
        **build_scope_parameters(actor),
        **build_audit_parameters(actor, request.state.request_id),
        "record_ids": ids,
        "method": request.method,
        "route": request.scope["route"].path,
        "code": error.code,
    }
    await database.read(actor, _STATEMENT, values)
