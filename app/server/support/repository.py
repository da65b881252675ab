"""SQL of supplies and support requests."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import select, update

from app.server.clients.models import Client
from app.server.database.repository import Repository, build_ids_condition, build_scope_predicate
from app.server.support.models import Supply, SupplyCategory, SupportRequest

_LISTED_MAX = 20


class SupportRepository(Repository):
    """Supplies, and the requests of a person or, for the worker, of everybody."""

    async def list_categories(self) -> Sequence[SupplyCategory]:
        """Return the active categories of supplies, in the lab's order."""
        statement = select(SupplyCategory).where(SupplyCategory.active)
        statement = statement.order_by(SupplyCategory.position)
        return (await self.session.scalars(statement)).all()

    async def list_supplies(self, ids: Collection[int] | None = None) -> Sequence[Supply]:
        """Return the active supplies, or those of them with these ids, in the lab's order."""
        statement = select(Supply).where(Supply.active).order_by(Supply.position)
        if ids is not None:
            statement = statement.where(build_ids_condition(Supply.id, ids))
        return (await self.session.scalars(statement)).all()

    async def has_client(self, name: str) -> bool:
        """Whether a client of this name is in the actor's scope."""
        statement = select(Client.id).where(
            build_scope_predicate(Client, self.actor), Client.name == name
        )
        return await self.session.scalar(statement.limit(1)) is not None

    async def list_own_requests(self) -> Sequence[SupportRequest]:
        """Return the newest requests of the actor."""
        statement = (
            select(SupportRequest)
            .where(SupportRequest.user_id == self.actor.user_id)
            .order_by(SupportRequest.id.desc())
            .limit(_LISTED_MAX)
        )
        return (await self.session.scalars(statement)).all()

    async def claim_due_request(self, now: datetime, wait: timedelta) -> SupportRequest | None:
        """Return a request whose e-mail is due, or None, and postpone it for other workers."""
        request = await self.session.scalar(
            select(SupportRequest)
            .where(SupportRequest.next_try_at <= now)
            .order_by(SupportRequest.next_try_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        if request is not None:
            request.attempts += 1
            request.next_try_at = now + wait
        return request

    async def record_outcome(
        self,
        request_id: int,
        *,
        ended_at: datetime,
        is_sent: bool,
        next_try_at: datetime | None,
        trouble: str | None,
    ) -> None:
        """Record the outcome of an attempt."""
        await self.session.execute(
            update(SupportRequest)
            .where(SupportRequest.id == request_id, SupportRequest.sent_at.is_(None))
            .values(
                {
                    "sent_at" if is_sent else "failed_at": ended_at,
                    "next_try_at": next_try_at,
                    "trouble": trouble,
                }
            )
        )
