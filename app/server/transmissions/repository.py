"""SQL of transmissions and their attempts."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select, update

from app.server.database.repository import (
    ScopedRepository,
    build_ids_condition,
    build_scope_predicate,
)
from app.server.orders.models import Order
from app.server.requisitions.models import Requisition, RequisitionCopy
from app.server.transmissions.models import SendAttempt, Transmission, TransmissionRequisition
from app.server.transmissions.rules import UNSENDABLE_STATUSES, Outcome, Subject, Trouble

_LOCK_SPACE = 7_305_119
"""First half of the advisory locks that keep other workers from a transmission."""


class TransmissionRepository(ScopedRepository):
    """Transmissions of requisitions within the actor's scope."""

    async def create(self, transmission: Transmission, requisition_ids: Sequence[int]) -> None:
        """Insert a transmission of these requisitions, in their order."""
        await self.insert(transmission)
        await self.insert(
            *(
                TransmissionRequisition(
                    transmission_id=transmission.id, requisition_id=requisition_id, position=i
                )
                for i, requisition_id in enumerate(requisition_ids)
            )
        )

    async def is_key_used(self, key: UUID) -> bool:
        """Whether a transmission has this key."""
        count = select(func.count()).select_from(Transmission).where(Transmission.key == key)
        return bool(await self.session.scalar(count))

    async def load_orders(self, requisition_ids: Collection[int]) -> dict[int, Order]:
        """Load the orders of these requisitions in the actor's scope, by requisition id."""
        orders = await self.session.scalars(
            self.select(Order).where(build_ids_condition(Order.requisition_id, requisition_ids))
        )
        return {order.requisition_id: order for order in orders}

    async def list_copies(self, order: Order) -> list[RequisitionCopy]:
        """Return the additional recipients of an order's results, in order."""
        copies = await self.session.scalars(
            select(RequisitionCopy)
            .where(RequisitionCopy.requisition_id == order.requisition_id)
            .order_by(RequisitionCopy.position)
        )
        return list(copies)

    async def list_by_requisitions(
        self, ids: Collection[int], subjects: Collection[Subject]
    ) -> list[Transmission]:
        """Return the transmissions of requisitions that the caller has checked, newest first."""
        linked_ids = select(TransmissionRequisition.transmission_id).where(
            TransmissionRequisition.requisition_id.in_(ids)
        )
        transmissions = await self.session.scalars(
            select(Transmission)
            .where(Transmission.id.in_(linked_ids), Transmission.subject.in_(list(subjects)))
            .order_by(Transmission.id.desc())
        )
        return list(transmissions)

    async def load_requisition_ids(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """Load the requisitions in the actor's scope of each transmission, in order."""
        rows = await self.session.execute(
            select(TransmissionRequisition.transmission_id, TransmissionRequisition.requisition_id)
            .join(Requisition, Requisition.id == TransmissionRequisition.requisition_id)
            .where(
                TransmissionRequisition.transmission_id.in_(ids),
                build_scope_predicate(Requisition, self.actor),
            )
            .order_by(TransmissionRequisition.transmission_id, TransmissionRequisition.position)
        )
        requisition_ids: dict[int, list[int]] = {i: [] for i in ids}
        for transmission_id, requisition_id in rows:
            requisition_ids[transmission_id].append(requisition_id)
        return requisition_ids

    async def lock(self, transmission_id: int) -> Transmission:
        """Lock and return a transmission, for jobs, which know that it exists."""
        return await self.session.get_one(Transmission, transmission_id, with_for_update=True)

    async def claim(self, transmission_id: int) -> bool:
        """Claim a transmission until the transaction ends; return False if a worker has it."""
        return bool(
            await self.session.scalar(
                select(func.pg_try_advisory_xact_lock(_LOCK_SPACE, transmission_id % 2**31))
            )
        )

    async def is_waiting(self, transmission_id: int) -> bool:
        """Whether the next attempt is in the future, by the clock of the job queue."""
        is_waiting = select(Transmission.next_try_at > func.now())
        return bool(await self.session.scalar(is_waiting.where(Transmission.id == transmission_id)))

    async def are_sendable(self, ids: Sequence[int]) -> bool:
        """Whether all of these requisitions can be sent."""
        statuses = await self.session.scalars(
            select(Requisition.status).where(Requisition.id.in_(ids))
        )
        return UNSENDABLE_STATUSES.isdisjoint(statuses)

    async def list_uncertain(self, transmission_id: int) -> list[SendAttempt]:
        """Return the attempts that may have been accepted, including repeated ones, in order.

        Attempts before an accepted one are left out, because they were decided before it was sent:
        the other side said whether it had accepted them, or the provider gave up and the fax was
        dialed again.
        """
        last_accepted_number = (
            select(func.coalesce(func.max(SendAttempt.number), 0))
            .where(
                SendAttempt.transmission_id == transmission_id,
                SendAttempt.outcome == Outcome.ACCEPTED,
            )
            .scalar_subquery()
        )
        outcomes = (Outcome.UNKNOWN, Outcome.REPEATED)
        attempts = await self.session.scalars(
            select(SendAttempt)
            .where(
                SendAttempt.transmission_id == transmission_id,
                SendAttempt.number > last_accepted_number,
                SendAttempt.ended_at.is_(None) | SendAttempt.outcome.in_(outcomes),
            )
            .order_by(SendAttempt.number)
        )
        return list(attempts)

    async def load_possible_arrivals(self, ids: Collection[int]) -> dict[int, datetime]:
        """Load, by id, when the first content that may have arrived was read.

        A transmission of which nothing can have arrived is left out. An attempt without an answer
        may have arrived, and some pages of an accepted fax too. A repeated fax may have the
        document of the first attempt.
        """
        outcomes = (Outcome.ACCEPTED, Outcome.UNKNOWN, Outcome.REPEATED)
        result = await self.session.execute(
            select(SendAttempt.transmission_id, func.min(SendAttempt.started_at))
            .where(
                SendAttempt.transmission_id.in_(ids),
                SendAttempt.ended_at.is_(None) | SendAttempt.outcome.in_(outcomes),
            )
            .group_by(SendAttempt.transmission_id)
        )
        rows: Iterable[tuple[int, datetime]] = result.all()
        return dict(rows)

    async def reopen_accepted(self, transmission: Transmission) -> None:
        """Mark the attempt that was accepted under the transmission's reference as UNKNOWN."""
        await self.session.execute(
            update(SendAttempt)
            .where(
                SendAttempt.transmission_id == transmission.id,
                SendAttempt.reference == transmission.reference,
                SendAttempt.outcome == Outcome.ACCEPTED,
            )
            .values(outcome=Outcome.UNKNOWN, trouble=Trouble.FAX_LOST)
        )

    async def create_attempt(
        self, transmission: Transmission, number: int, sender: str, started_at: datetime
    ) -> None:
        """Insert an attempt; earlier undecided attempts become REPEATED."""
        await self.session.execute(
            update(SendAttempt)
            .where(
                SendAttempt.transmission_id == transmission.id,
                SendAttempt.ended_at.is_(None) | (SendAttempt.outcome == Outcome.UNKNOWN),
            )
            .values(outcome=Outcome.REPEATED, ended_at=started_at)
        )
        self.session.add(
            SendAttempt(
                transmission_id=transmission.id, number=number, sender=sender, started_at=started_at
            )
        )

    async def get_attempt(self, transmission_id: int, number: int) -> SendAttempt:
        """Return an attempt by its number."""
        attempt = await self.session.scalar(
            select(SendAttempt).where(
                SendAttempt.transmission_id == transmission_id, SendAttempt.number == number
            )
        )
        assert attempt is not None
        return attempt

    async def count_accepted(self, transmission_id: int) -> int:
        """Count the accepted attempts of a transmission."""
        count = await self.session.scalar(
            select(func.count())
            .select_from(SendAttempt)
            .where(
                SendAttempt.transmission_id == transmission_id,
                SendAttempt.outcome == Outcome.ACCEPTED,
            )
        )
        return count or 0

    async def count_by_status(self) -> list[tuple[str, str, int]]:
        """Count transmissions by kind and status, for metrics."""
        rows = await self.session.execute(
            select(Transmission.kind, Transmission.status, func.count()).group_by(
                Transmission.kind, Transmission.status
            )
        )
        return [(kind, status, count) for kind, status, count in rows]
