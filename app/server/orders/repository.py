"""SQL of one order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import select

from app.contract.enumerations import ScopeKind
from app.server.database.records import read_record, row_json
from app.server.database.repository import ScopedRepository
from app.server.database.statements import insert_text, rows_text, statements_of, update_text
from app.server.orders.models import Order, OrderTest
from app.server.requisitions.models import Requisition

_OF_LATER = frozenset({"created_at", "reported_at", "report_comment", "specimen_condition"})
_ORDER = tuple(c.name for c in Order.__table__.columns if c.name not in _OF_LATER)
_TEST = tuple(c.name for c in OrderTest.__table__.columns)


@dataclass(frozen=True)
class ToReceive:
    """A requisition that the lab has in hand, with the ids of the order that may begin.

    ``tests`` are its tests in their order, as the catalogue describes them now: columns of
    ``OrderTest`` but the order and the status.
    """

    requisition: Requisition
    order_id: int
    tests: Sequence[dict[str, Any]]


class OrderRepository(ScopedRepository):
    """Orders within the actor's scope."""

    async def order(self, order_id: int, *, lock: bool = False) -> Order | None:
        """An order, or None."""
        return await self.one(Order, order_id, lock=lock)

    async def kinds(self, order: Order) -> set[str]:
        """Which kinds of result the order's tests have; panels have none themselves."""
        kinds = await self.session.scalars(
            select(OrderTest.kind).where(OrderTest.order_id == order.id, ~OrderTest.is_panel)
        )
        return set(kinds)

    async def requisitions_to_receive(
        self, ids: Sequence[int], code: str | None
    ) -> list[ToReceive]:
        """The requisitions of these ids and of this code, locked in the order of their ids."""
        statements = statements_of(self.session)
        values = {"requisitions": list(ids), "code": code}
        # On its own: a statement that waited for a lock would show requisitions as of before.
        statements.add(_lock(self.actor.kind), values)
        row = await statements.fetch(_to_receive(self.actor.kind), values)
        assert row is not None
        return [
            ToReceive(
                read_record(Requisition, each["requisition"]),
                each["order_id"],
                _rows(each["tests"]),
            )
            for each in row[0]
        ]

    def begin_orders(
        self,
        requisitions: Sequence[Requisition],
        orders: Sequence[Order],
        tests: list[dict[str, Any]],
    ) -> None:
        """Write, with the commit, received requisitions and the orders that begin."""
        statements = statements_of(self.session)
        received = [{"id": r.id, "status": r.status, "version": r.version} for r in requisitions]
        statements.add(
            update_text("requisitions", ("status", "version")), {"rows": rows_text(received)}
        )
        begun = [{name: getattr(order, name) for name in _ORDER} for order in orders]
        statements.add(insert_text("orders", _ORDER), {"rows": rows_text(begun)})
        if tests:
            statements.add(insert_text("order_tests", _TEST), {"rows": rows_text(tests)})


def _rows(tests: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of an order for a requisition's tests: each under its panel's new row."""
    new_ids = {each["of_requisition"]: each["id"] for each in tests}
    return [
        {
            **{name: value for name, value in each.items() if name != "of_requisition"},
            "parent_id": new_ids[each["parent_id"]] if each["parent_id"] else None,
        }
        for each in tests
    ]


@lru_cache(maxsize=8)
def _wanted(kind: ScopeKind) -> str:
    return (
        "FROM requisitions r WHERE (r.id = ANY(%(requisitions)s::bigint[]) "
        f"OR r.code = %(code)s::text) AND {Requisition.__scope__.predicate(kind, 'r')}"
    )


@lru_cache(maxsize=8)
def _lock(kind: ScopeKind) -> str:
    return f"SELECT 1 {_wanted(kind)} ORDER BY r.id FOR NO KEY UPDATE"


@lru_cache(maxsize=8)
def _to_receive(kind: ScopeKind) -> str:
    tests = (
        "(SELECT coalesce(json_agg(json_build_object('of_requisition', o.id, "
        "'id', nextval('order_tests_id_seq'), 'test_id', o.test_id, 'parent_id', o.parent_id, "
        "'level', o.level, 'position', o.position, 'is_confidential', o.is_confidential, "
        "'name', t.name, 'kind', t.kind, 'is_panel', t.is_panel) ORDER BY o.position), '[]'::json) "
        "FROM requisition_tests o JOIN lab_tests t ON t.id = o.test_id "
        "WHERE o.requisition_id = r.id)"
    )
    return (
        f"SELECT coalesce(json_agg(json_build_object('requisition', {row_json(Requisition, 'r')}, "
        f"'order_id', nextval('orders_id_seq'), 'tests', {tests})), '[]'::json) {_wanted(kind)}"
    )
