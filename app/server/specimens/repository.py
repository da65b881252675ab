"""SQL of tubes."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository
from app.server.database.statements import build_insert, format_rows
from app.server.orders.models import OrderTest
from app.server.specimens.models import Specimen

_NEW = ("order_id", "number", "container", "specimen", "state", "received_at", "received_by")
_ALL = (*_NEW, "conditions")


class SpecimenRepository(ScopedRepository):
    """Tubes of orders; the caller has checked that the orders are in scope."""

    def add_tubes(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Queue new tubes of new orders; the commit stores them."""
        if rows:
            values = format_rows({**row, "conditions": []} for row in rows)
            self.statements.add(build_insert("specimens", _ALL), {"rows": values})

    async def list_tubes(self, order_id: int) -> list[Specimen]:
        """Return the tubes of an order by number; replacements follow what they replace."""
        rows = await self.session.scalars(
            select(Specimen)
            .where(Specimen.order_id == order_id)
            .order_by(Specimen.number, Specimen.id)
        )
        return list(rows)

    async def list_tests(self, order_id: int) -> list[tuple[OrderTest, str, str]]:
        """Return the tests of an order, each with its container and specimen."""
        rows = await self.session.execute(
            select(OrderTest, LabTest.container, LabTest.specimen)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .where(OrderTest.order_id == order_id)
            .order_by(OrderTest.position)
        )
        return [(test, container or "", specimen or "") for test, container, specimen in rows]
