"""Writes audit rows in the transaction of the act itself."""

import json
from typing import Any

from app.server.actor import Actor
from app.server.database.statements import Statements

# No RETURNING: most roles may insert audit rows but not read them.
_INSERT = (
    "INSERT INTO audit_events (user_id, role, action, kind, record_ids, request_id, detail) "
    "VALUES (nullif(%(user)s, '')::uuid, %(role_name)s, %(action)s, %(kind)s, "
    "%(record_ids)s::bigint[], %(request_id)s, %(detail)s::jsonb)"
)


def build_audit_parameters(actor: Actor, request_id: str) -> dict[str, str]:
    """Return the parameters of ``build_audit_insert``: role name and request id."""
    return {"role_name": str(actor.role or actor.kind), "request_id": request_id}


def build_audit_insert(
    action: str, kind: str, ids: str, *, detail: str = "NULL", of: str = ""
) -> str:
    """Return SQL that inserts an audit row as part of a larger statement.

    It uses ``%(user)s`` and the ``build_audit_parameters``.

    Args:
        ids: SQL of the array of record ids.
        detail: SQL of the detail, as JSON.
        of: a FROM clause; one audit row is inserted for each of its rows.
    """
    return (
        "INSERT INTO audit_events (user_id, role, action, kind, record_ids, request_id, detail) "
        f"SELECT nullif(%(user)s, '')::uuid, %(role_name)s, '{action}', '{kind}', {ids}, "
        f"%(request_id)s, ({detail})::jsonb {of}"
    )


def add_audit_row(
    statements: Statements,
    actor: Actor,
    request_id: str,
    action: str,
    kind: str,
    ids: list[int],
    detail: dict[str, Any] | None = None,
) -> None:
    """Add an audit row to the pending statements.

    ``detail`` has field names, counts and states, never patient data.
    """
    values = {
        **build_audit_parameters(actor, request_id),
        # Sign-in acts for nobody yet, but its rows name the account.
        "user": actor.user_text,
        "action": action,
        "kind": kind,
        "record_ids": ids,
        "detail": None if detail is None else json.dumps(detail),
    }
    statements.add(_INSERT, values)
