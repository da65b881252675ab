"""SQL of transmissions and their tries."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, update

from app.server.database.repository import ScopedRepository, in_scope
from app.server.requisitions.models import Requisition
from app.server.transmissions.models import SendAttempt, Transmission, TransmissionRequisition
from app.server.transmissions.rules import NOT_SENT, Outcome

_LOCK_SPACE = 7_305_119
"""First half of the advisory locks that keep one worker at a transmission."""


class TransmissionRepository(ScopedRepository):
    """Transmissions of requisitions within the actor's scope."""

    async def begin(self, transmission: Transmission, requisition_ids: Sequence[int]) -> None:
        """Insert a transmission of these requisitions, in this order."""
        await self.insert(transmission)
        await self.insert(
            *(
                TransmissionRequisition(
                    transmission_id=transmission.id, requisition_id=requisition_id, position=i
                )
                for i, requisition_id in enumerate(requisition_ids)
            )
        )

    async def of_requisitions(self, ids: Sequence[int]) -> list[Transmission]:
        """What was sent of these requisitions (which are the actor's), the newest first."""
        linked = select(TransmissionRequisition.transmission_id).where(
            TransmissionRequisition.requisition_id.in_(ids)
        )
        found = await self.session.scalars(
            select(Transmission).where(Transmission.id.in_(linked)).order_by(Transmission.id.desc())
        )
        return list(found)

    async def requisition_ids(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """The requisitions of each transmission, in order; only those the actor may see."""
        rows = await self.session.execute(
            select(TransmissionRequisition.transmission_id, TransmissionRequisition.requisition_id)
            .join(Requisition, Requisition.id == TransmissionRequisition.requisition_id)
            .where(
                TransmissionRequisition.transmission_id.in_(ids),
                in_scope(Requisition, self.actor),
            )
            .order_by(TransmissionRequisition.transmission_id, TransmissionRequisition.position)
        )
        found: dict[int, list[int]] = {each: [] for each in ids}
        for transmission_id, requisition_id in rows:
            found[transmission_id].append(requisition_id)
        return found

    async def transmission(self, transmission_id: int) -> Transmission:
        """One, locked; for background work, which knows that it is there."""
        return await self.session.get_one(Transmission, transmission_id, with_for_update=True)

    async def hold(self, transmission_id: int) -> bool:
        """Be the only worker at this transmission until the transaction ends, however it ends."""
        return bool(
            await self.session.scalar(
                select(func.pg_try_advisory_xact_lock(_LOCK_SPACE, transmission_id % 2**31))
            )
        )

    async def waits(self, transmission_id: int) -> bool:
        """Whether its next try is still to come, by the clock that also lets jobs become due."""
        next_try_is_to_come = select(Transmission.next_try_at > func.now())
        return bool(
            await self.session.scalar(next_try_is_to_come.where(Transmission.id == transmission_id))
        )

    async def sendable(self, ids: Sequence[int]) -> bool:
        """Whether none of these requisitions is one that is not sent."""
        statuses = await self.session.scalars(
            select(Requisition.status).where(Requisition.id.in_(ids))
        )
        return NOT_SENT.isdisjoint(statuses)

    async def undecided(self, transmission_id: int) -> list[SendAttempt]:
        """Tries of which nobody here knows whether they went."""
        found = await self.session.scalars(
            select(SendAttempt)
            .where(
                SendAttempt.transmission_id == transmission_id,
                SendAttempt.ended_at.is_(None) | (SendAttempt.outcome == Outcome.UNKNOWN),
            )
            .order_by(SendAttempt.number)
        )
        return list(found)

    async def begin_attempt(
        self, transmission: Transmission, number: int, sender: str, at: datetime
    ) -> None:
        """Write that a try begins. Those before it whose end nobody knows were repeated so."""
        await self.session.execute(
            update(SendAttempt)
            .where(
                SendAttempt.transmission_id == transmission.id,
                SendAttempt.ended_at.is_(None) | (SendAttempt.outcome == Outcome.UNKNOWN),
            )
            .values(outcome=Outcome.REPEATED, ended_at=at)
        )
        self.session.add(
            SendAttempt(
                transmission_id=transmission.id, number=number, sender=sender, started_at=at
            )
        )

    async def attempt(self, transmission_id: int, number: int) -> SendAttempt:
        """A try by its number."""
        found = await self.session.scalar(
            select(SendAttempt).where(
                SendAttempt.transmission_id == transmission_id, SendAttempt.number == number
            )
        )
        assert found is not None
        return found

    async def taken(self, transmission_id: int) -> int:
        """How often the other side has taken it."""
        count = await self.session.scalar(
            select(func.count())
            .select_from(SendAttempt)
            .where(
                SendAttempt.transmission_id == transmission_id,
                SendAttempt.outcome == Outcome.ACCEPTED,
            )
        )
        return count or 0

    async def counts(self) -> list[tuple[str, str, int]]:
        """How many transmissions there are by kind and status; for metrics."""
        rows = await self.session.execute(
            select(Transmission.kind, Transmission.status, func.count()).group_by(
                Transmission.kind, Transmission.status
            )
        )
        return [(kind, status, count) for kind, status, count in rows]
