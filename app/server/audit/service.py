"""Notes who saw or changed what, in the transaction of the act itself."""

import json
from typing import Any

from app.server.actor import Actor
from app.server.database.statements import Statements

# No RETURNING: those who write the journal may not read it.
_NOTE = (
    "INSERT INTO audit_events (user_id, role, action, kind, record_ids, request_id, detail) "
    "VALUES (nullif(%(user)s, '')::uuid, %(role_name)s, %(action)s, %(kind)s, "
    "%(record_ids)s::bigint[], %(request_id)s, %(detail)s::jsonb)"
)


def audit_parameters(actor: Actor, request_id: str) -> dict[str, str]:
    """Who an audit row of ``audit_insert`` names."""
    return {"role_name": str(actor.role or actor.kind), "request_id": request_id}


def audit_insert(action: str, kind: str, ids: str, *, detail: str = "NULL", of: str = "") -> str:
    """The INSERT of an audit row, for statements that do more than that.

    It names ``%(user)s`` and what ``audit_parameters`` gives.

    Args:
        ids: SQL of the array of record ids.
        detail: SQL of the detail, as JSON.
        of: a FROM clause; it writes one row for each of its rows.
    """
    return (
        "INSERT INTO audit_events (user_id, role, action, kind, record_ids, request_id, detail) "
        f"SELECT nullif(%(user)s, '')::uuid, %(role_name)s, '{action}', '{kind}', {ids}, "
        f"%(request_id)s, ({detail})::jsonb {of}"
    )


def note(
    statements: Statements,
    actor: Actor,
    request_id: str,
    action: str,
    kind: str,
    ids: list[int],
    detail: dict[str, Any] | None = None,
) -> None:
    """Insert one audit row with what the transaction writes next. ``detail`` names fields, counts
    and states, never patient data."""
    values = {
        **audit_parameters(actor, request_id),
        "action": action,
        "kind": kind,
        "record_ids": ids,
        "detail": None if detail is None else json.dumps(detail),
    }
    statements.add(_NOTE, values)
