"""SQL of one order."""

from sqlalchemy import select

from app.server.database.repository import ScopedRepository
from app.server.orders.models import Order, OrderTest


class OrderRepository(ScopedRepository):
    """Orders within the actor's scope."""

    async def order(self, order_id: int, *, lock: bool = False) -> Order | None:
        """An order, or None."""
        return await self.one(Order, order_id, lock=lock)

    async def kinds(self, order_id: int) -> set[str]:
        """Which kinds of result the order's tests have; panels have none themselves."""
        kinds = await self.session.scalars(
            select(OrderTest.kind).where(OrderTest.order_id == order_id, ~OrderTest.is_panel)
        )
        return set(kinds)
