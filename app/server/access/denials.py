"""Audit rows of denied requests (ADR 52).

A request is denied because of the actor's role, a record out of scope, a quota, or a value that a
record out of scope already has, such as an e-mail address. Requests of people who are not signed in
are denied, too: by a quota, or because nobody has the e-mail address that they sent.
"""

from fastapi import Request
from pydantic import TypeAdapter, ValidationError

from app.basics.errors import PortalError
from app.server.actor import ANONYMOUS, Actor
from app.server.audit.service import build_audit_insert, build_audit_parameters
from app.server.database.pools import Database
from app.server.database.statements import build_scope_parameters

DENIED_STATUSES = frozenset({403, 404, 429})
_RECORD_ID_MAX = 2**63
_INTEGER = TypeAdapter(int)
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


def is_denial(error: PortalError) -> bool:
    """Whether the audit log must record the error."""
    return not error.is_audited and (error.status in DENIED_STATUSES or error.reveals_other_records)


async def audit_denial(request: Request, actor: Actor, error: PortalError) -> None:
    """Record that a request of an actor was denied, after its transaction was rolled back.

    The row has the ids in the path and the error's code. Like the answer, it does not say whether
    the records exist. If nobody was signed in, it has no ids, because anyone could send any.
    """
    database: Database = request.app.state.portal.database
    values = request.path_params.values()
    ids = [number for value in values if (number := _parse_id(value)) is not None]
    if actor is ANONYMOUS:
        ids = []
    parameters = {
        **build_scope_parameters(actor),
        **build_audit_parameters(actor, request.state.request_id),
        "record_ids": ids,
        "method": request.method,
        "route": request.scope["route"].path,
        "code": error.code,
    }
    await database.read(actor, _STATEMENT, parameters)


def _parse_id(value: object) -> int | None:
    """Return the id that a part of the path spells, or None.

    Endpoints accept digits only. Here '+12' is 12, so that the row names what somebody tried.
    """
    try:
        number = _INTEGER.validate_python(value)
    except ValidationError:
        return None
    return number if 0 <= number < _RECORD_ID_MAX else None
