"""SQL of orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import exists, select, text
from sqlalchemy.orm import aliased

from app.contract.enumerations import Reopening, ResultStatus, ScopeKind
from app.server.catalog.models import LabTest
from app.server.catalog.tubes import SpecimenNeed
from app.server.database.records import build_row_json, parse_record
from app.server.database.repository import ScopedRepository, build_ids_condition
from app.server.database.statements import build_insert, build_update, format_rows
from app.server.jobs.queue import Argument, build_arguments
from app.server.orders.models import (
    Order,
    OrderComment,
    OrderCompletion,
    OrderDocument,
    OrderTest,
)
from app.server.orders.names import SEND_COPIES
from app.server.orders.rules import FinalEvent
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import MAIN

_NOT_INSERTED = frozenset(
    {
        "acknowledged_at",
        "acknowledged_by_name",
        "comment_changed_at",
        "comment_changed_by",
        "billing_comment",
        "collection_day",
        "created_at",
        "is_unread",
        "is_unread_by_physician",
        "report_comment",
        "reported_at",
        "shown_version",
    }
)
_DEFER_COPIES = (
    "SELECT jobs.defer_job(%(task)s::text, %(arguments)s::jsonb, NULL) "
    "WHERE EXISTS (SELECT 1 FROM requisition_copies WHERE requisition_id = %(requisition)s)"
)
_REOPEN_ACKNOWLEDGMENTS = (
    "UPDATE order_acknowledgments SET reopened_at = %(at)s, reopened_by = %(kind)s "
    "WHERE order_id = %(order)s AND reopened_at IS NULL"
)
_ORDER = tuple(c.name for c in Order.__table__.columns if c.name not in _NOT_INSERTED)
_TEST = (
    "id",
    "order_id",
    "test_id",
    "parent_id",
    "level",
    "position",
    "name",
    "kind",
    "is_panel",
    "is_confidential",
    "status",
    "awaits_collection",
)


ADDITION = (
    f"a.order_id, t.name, t.status = {int(ResultStatus.CANCELED)}, c.name, r.value, r.flag, "
    "n.value, n.flag, c.withheld, a.is_reason_gone, a.added_at, a.added_by"
)
"""SQL: the columns of an ``Addition`` in ``ADDITIONS``."""
# The policies let staff read withheld values. The order page and its report must not show them.
ADDITIONS = (
    "FROM order_additions a JOIN order_tests t ON t.id = a.order_test_id "
    "JOIN order_tests c ON c.id = a.trigger_test_id "
    "LEFT JOIN results r ON r.order_test_id = a.trigger_test_id "
    "AND r.revision = a.trigger_revision AND r.released_at IS NOT NULL AND r.withheld IS NULL "
    "LEFT JOIN LATERAL (SELECT n.value, n.flag FROM results n "
    "WHERE n.order_test_id = a.trigger_test_id AND n.revision > a.trigger_revision "
    "AND n.released_at IS NOT NULL AND n.withheld IS NULL ORDER BY n.revision DESC LIMIT 1) n "
    "ON true"
)
"""SQL: the tests ``t`` that rules added, because of the results ``r`` of the tests ``c``."""
_ADDITIONS = text(
    f"SELECT {ADDITION} {ADDITIONS} "
    "WHERE a.order_id = ANY(:orders) ORDER BY a.order_id, a.added_at, t.position"
)


@dataclass(frozen=True)
class Addition:
    """A test that a rule added to an order because of a result of another test.

    Attributes:
        trigger: the test whose result led to it.
        value, flag: that result; None if it is no longer visible outside the lab.
        new_value, new_flag: the version that has replaced that result.
        withheld: why no version is shown.
        is_reason_gone: whether the reason no longer holds.
    """

    order_id: int
    test: str
    is_canceled: bool
    trigger: str
    value: str | None
    flag: str | None
    new_value: str | None
    new_flag: str | None
    withheld: str | None
    is_reason_gone: bool
    added_at: datetime
    added_by: UUID | None


@dataclass(frozen=True)
class CanceledTest:
    """A canceled test; ``panel`` names its panel if the test is not canceled in another."""

    test: OrderTest
    panel: str | None

    @property
    def name(self) -> str:
        """The name of the test, with its panel if another row has the same name."""
        return f"{self.test.name} ({self.panel})" if self.panel else self.test.name


@dataclass(frozen=True)
class ReceivableRequisition:
    """A locked requisition, with reserved ids for its order.

    Attributes:
        tests: its tests in order, as the catalog describes them now: the columns of ``OrderTest``
            except the order and the status.
        needs: the specimens that the tests need, by the ids of these rows.
        volumes: the volumes of containers, in mL.
        insurance: the insurance rows to bill, in their wire form.
    """

    requisition: Requisition
    order_id: int
    tests: Sequence[dict[str, Any]]
    needs: Sequence[SpecimenNeed]
    volumes: Mapping[str, Decimal]
    has_diagnosis: bool
    insurance: Sequence[Mapping[str, Any]]


class OrderRepository(ScopedRepository):
    """Orders within the actor's scope."""

    async def find(self, order_id: int, *, lock: bool = False) -> Order | None:
        """Return the order, or None when it does not exist or is out of scope."""
        return await self.find_one(Order, order_id, lock=lock)

    async def load_orders(self, ids: Sequence[int]) -> dict[int, Order]:
        """Load the orders with these ids, without those out of scope, by id."""
        return await self.load_in_scope(Order, list(ids))

    async def list_tests(self, order: Order) -> list[OrderTest]:
        """Return the tests of an order by position, panels before their members."""
        return (await self.load_tests([order.id])).get(order.id, [])

    async def load_tests(self, order_ids: Sequence[int]) -> dict[int, list[OrderTest]]:
        """Load the tests of these orders by order id and position, panels before members."""
        rows = await self.session.scalars(
            select(OrderTest)
            .where(build_ids_condition(OrderTest.order_id, order_ids))
            .order_by(OrderTest.order_id, OrderTest.position)
        )
        tests: dict[int, list[OrderTest]] = {}
        for row in rows:
            tests.setdefault(row.order_id, []).append(row)
        return tests

    async def load_ordered_tests(self, orders: Sequence[Order]) -> dict[int, list[tuple[str, str]]]:
        """Load (code, name) of the tests and panels of these orders, by the order's id."""
        rows = await self.session.execute(
            select(OrderTest.order_id, LabTest.code, OrderTest.name)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .where(
                build_ids_condition(OrderTest.order_id, [order.id for order in orders]),
                OrderTest.parent_id.is_(None),
            )
            .order_by(OrderTest.order_id, OrderTest.position)
        )
        tests: dict[int, list[tuple[str, str]]] = {}
        for order_id, code, name in rows:
            tests.setdefault(order_id, []).append((code, name))
        return tests

    async def list_canceled_tests(self, order_ids: Sequence[int]) -> list[CanceledTest]:
        """Return the canceled tests of these orders by position."""
        panel, other = aliased(OrderTest), aliased(OrderTest)
        has_open_row = exists().where(
            other.order_id == OrderTest.order_id,
            other.test_id == OrderTest.test_id,
            other.canceled_at.is_(None),
        )
        panel_name = (
            select(panel.name)
            .where(panel.id == OrderTest.parent_id, has_open_row)
            .correlate(OrderTest)
            .scalar_subquery()
        )
        rows = await self.session.execute(
            select(OrderTest, panel_name)
            .where(
                build_ids_condition(OrderTest.order_id, order_ids),
                OrderTest.canceled_at.is_not(None),
            )
            .order_by(OrderTest.order_id, OrderTest.position)
        )
        return [CanceledTest(test, name) for test, name in rows]

    async def lock_requisitions(
        self, ids: Sequence[int], code: str | None
    ) -> list[ReceivableRequisition]:
        """Lock the requisitions with one of these ids or this code, and return them by id."""
        values = {"requisitions": list(ids), "code": code}
        # Lock first: a statement that waits for locks still reads the rows from before the wait.
        self.statements.add(_build_lock_statement(self.actor.kind), values)
        row = await self.statements.fetch(_build_load_statement(self.actor.kind), values)
        assert row is not None
        volumes = {name: Decimal(volume) for name, volume in row[0]["volumes"].items()}
        return [_build_receivable(item, volumes) for item in row[0]["requisitions"]]

    def create_orders(
        self,
        requisitions: Sequence[Requisition],
        orders: Sequence[Order],
        tests: list[dict[str, Any]],
    ) -> None:
        """Update received requisitions and insert their orders, at the commit."""
        requisition_rows = [
            {"id": r.id, "status": r.status, "version": r.version} for r in requisitions
        ]
        self.statements.add(
            build_update("requisitions", ("status", "version")),
            {"rows": format_rows(requisition_rows)},
        )
        order_rows = [{name: getattr(order, name) for name in _ORDER} for order in orders]
        self.statements.add(build_insert("orders", _ORDER), {"rows": format_rows(order_rows)})
        if tests:
            self.statements.add(build_insert("order_tests", _TEST), {"rows": format_rows(tests)})

    def add_tests(
        self,
        order: Order,
        tests: Sequence[OrderTest],
        additions: Sequence[Mapping[str, Any]],
    ) -> None:
        """Insert tests that the lab's rules add to an order, and why, at the commit."""
        rows = [{name: getattr(test, name) for name in _TEST} for test in tests]
        self.statements.add(build_insert("order_tests", _TEST), {"rows": format_rows(rows)})
        self.statements.add(
            build_insert("order_additions", tuple(additions[0])), {"rows": format_rows(additions)}
        )
        columns = ("test_ids", "awaits_collection")
        row = {name: getattr(order, name) for name in ("id", *columns)}
        self.statements.add(build_update("orders", columns), {"rows": format_rows([row])})

    def mark_additions(self, is_reason_gone: Mapping[int, bool]) -> None:
        """Store whether the reasons of these additions, by id, no longer hold, at the commit."""
        columns = ("is_reason_gone",)
        rows = [
            {"id": addition_id, "is_reason_gone": is_gone}
            for addition_id, is_gone in is_reason_gone.items()
        ]
        statement = build_update("order_additions", columns)
        self.statements.add(statement, {"rows": format_rows(rows)})

    async def list_additions(self, order_ids: Sequence[int]) -> list[Addition]:
        """Return the tests that rules added to these orders, oldest first.

        The policies of results hide a value that is not visible to the actor.
        """
        rows = await self.session.execute(_ADDITIONS, {"orders": list(order_ids)})
        return [Addition(*row) for row in rows]

    def create_acknowledgments(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert acknowledgments, in the order of their orders' ids, at the commit."""
        # All transactions lock orders by ascending id, so that they cannot deadlock.
        sorted_rows = sorted(rows, key=lambda row: row["order_id"])
        self.statements.add(
            build_insert("order_acknowledgments", tuple(sorted_rows[0])),
            {"rows": format_rows(sorted_rows)},
        )

    def create_completions(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert what somebody filled in, at the commit; a trigger changes the orders."""
        # All transactions lock orders by ascending id, so that they cannot deadlock.
        sorted_rows = sorted(rows, key=lambda row: row["order_id"])
        self.statements.add(
            build_insert("order_completions", tuple(sorted_rows[0])),
            {"rows": format_rows(sorted_rows)},
        )

    def defer_copies(self, order: Order, event: FinalEvent) -> None:
        """Defer the job that sends results to the additional recipients, if there are any."""
        arguments: dict[str, Argument] = {
            "order_id": order.id,
            "event": event,
            "user_id": self.actor.user_text,
            "key": str(uuid4()),
        }
        values = {
            "task": SEND_COPIES,
            "arguments": build_arguments(arguments),
            "requisition": order.requisition_id,
        }
        self.statements.add(_DEFER_COPIES, values)

    def reopen_acknowledgments(self, order: Order, kind: Reopening, at: datetime) -> None:
        """Store in the acknowledgments of an order what changed after them, and when."""
        values = {"order": order.id, "at": at, "kind": kind}
        self.statements.add(_REOPEN_ACKNOWLEDGMENTS, values)

    async def list_comments(self, order: Order) -> list[OrderComment]:
        """Return the comments that the order has had, newest first."""
        rows = await self.session.scalars(
            select(OrderComment)
            .where(OrderComment.order_id == order.id)
            .order_by(OrderComment.id.desc())
        )
        return list(rows)

    async def list_completions(self, order: Order) -> list[OrderCompletion]:
        """Return who filled in missing information of the order, oldest first."""
        rows = await self.session.scalars(
            select(OrderCompletion)
            .where(OrderCompletion.order_id == order.id)
            .order_by(OrderCompletion.id)
        )
        return list(rows)

    async def list_documents(self, order: Order) -> list[OrderDocument]:
        """Return the documents of the order that were not removed, oldest first."""
        documents = await self.session.scalars(
            select(OrderDocument)
            .where(OrderDocument.order_id == order.id, OrderDocument.removed_at.is_(None))
            .order_by(OrderDocument.id)
        )
        return list(documents)


def _build_receivable(
    item: Mapping[str, Any], volumes: Mapping[str, Decimal]
) -> ReceivableRequisition:
    """Build a requisition to receive; members of panels refer to the new rows of their panels."""
    new_ids = {test["requisition_test_id"]: test["id"] for test in item["tests"]}
    tests, needs = [], []
    for test in item["tests"]:
        parent_id = new_ids[test["parent_id"]] if test["parent_id"] else None
        row = {name: test[name] for name in _TEST if name in test}
        tests.append({**row, "parent_id": parent_id, "awaits_collection": False})
        needs.append(
            SpecimenNeed(
                row_id=test["id"],
                parent_id=parent_id,
                test_id=test["test_id"],
                container=test["container"] or "",
                specimen=test["specimen"] or "",
                required_ml=Decimal(test["required_ml"]) if test["required_ml"] else None,
            )
        )
    requisition = parse_record(Requisition, item["requisition"])
    return ReceivableRequisition(
        requisition,
        item["order_id"],
        tests,
        needs,
        volumes,
        has_diagnosis=item["has_diagnosis"],
        insurance=item["insurance"],
    )


@lru_cache(maxsize=8)
def _select_requisitions(kind: ScopeKind) -> str:
    return (
        "FROM requisitions r WHERE (r.id = ANY(%(requisitions)s::bigint[]) "
        f"OR r.code = %(code)s::text) AND {Requisition.__scope__.build_predicate(kind, 'r')}"
    )


@lru_cache(maxsize=8)
def _build_lock_statement(kind: ScopeKind) -> str:
    return f"SELECT 1 {_select_requisitions(kind)} ORDER BY r.id FOR NO KEY UPDATE"


@lru_cache(maxsize=8)
def _build_load_statement(kind: ScopeKind) -> str:
    tests = (
        "(SELECT coalesce(json_agg(json_build_object('requisition_test_id', o.id, "
        "'id', nextval('order_tests_id_seq'), 'test_id', o.test_id, 'parent_id', o.parent_id, "
        "'level', o.level, 'position', o.position, 'is_confidential', o.is_confidential, "
        "'name', t.name, 'kind', t.kind, 'is_panel', t.is_panel, 'container', t.container, "
        "'specimen', t.specimen, 'required_ml', t.required_ml::text) ORDER BY o.position), "
        "'[]'::json) "
        "FROM requisition_tests o JOIN lab_tests t ON t.id = o.test_id "
        "WHERE o.requisition_id = r.id)"
    )
    has_diagnosis = (
        "EXISTS (SELECT 1 FROM requisition_diagnoses g "
        f"WHERE g.requisition_id = r.id AND g.purpose = '{MAIN}')"
    )
    insurance = (
        "(SELECT coalesce(json_agg(i.snapshot), '[]'::json) "
        "FROM requisition_insurance i WHERE i.requisition_id = r.id)"
    )
    volumes = (
        "(SELECT coalesce(json_object_agg(c.name, c.volume_ml::text), '{}'::json) "
        "FROM containers c)"
    )
    # The subquery sorts, so that orders get their ids in the order of the requisitions.
    return (
        f"SELECT json_build_object('volumes', {volumes}, 'requisitions', "
        "coalesce(json_agg(json_build_object("
        f"'requisition', {build_row_json(Requisition, 'r')}, "
        f"'has_diagnosis', {has_diagnosis}, 'insurance', {insurance}, "
        f"'order_id', nextval('orders_id_seq'), 'tests', {tests})), '[]'::json)) "
        f"FROM (SELECT r.* {_select_requisitions(kind)} ORDER BY r.id) r"
    )
