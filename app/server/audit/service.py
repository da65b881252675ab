"""Notes who saw or changed what, in the transaction of the act itself."""

from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.actor import Actor
from app.server.audit.models import AuditEvent


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
