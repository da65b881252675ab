"""Notes who saw or changed what, in the transaction of the act itself."""

from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.actor import Actor
from app.server.audit.models import AuditEvent


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


async def note(
    session: AsyncSession,
    actor: Actor,
    request_id: str,
    action: str,
    kind: str,
    ids: list[int],
    detail: dict[str, Any] | None = None,
) -> None:
    """Insert one audit row. ``detail`` names fields, counts and states, never patient data."""
    await session.execute(
        # inline: no RETURNING, since those who write the journal may not read it
        insert(AuditEvent)
        .values(
            user_id=actor.user_id,
            role=str(actor.role or actor.kind),
            action=action,
            kind=kind,
            record_ids=ids,
            request_id=request_id,
            detail=detail,
        )
        .inline()
    )
