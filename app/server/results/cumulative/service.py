"""Reads a patient's results over time, beginning at one of the patient's orders (R 2.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import ResultKind
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.results.cumulative.repository import (
    KINDS,
    build_clients_statement,
    build_days_statement,
    build_info_statement,
    build_selection_statement,
)
from app.server.results.cumulative.rules import (
    Period,
    choose_client_count,
    choose_record_count,
)
from app.server.results.cumulative.schemas import (
    CumulativeClinicalResult,
    CumulativeMicrobiologyResult,
    CumulativeOrder,
    CumulativeToxicologyResult,
)

SelectedOrders = Mapping[ResultKind, Sequence[CumulativeOrder[Any]]]
"""Chosen results by kind, with their orders, newest first."""

_SHAPES: Mapping[ResultKind, type[CumulativeOrder[Any]]] = {
    ResultKind.CLINICAL: CumulativeOrder[CumulativeClinicalResult],
    ResultKind.MICROBIOLOGY: CumulativeOrder[CumulativeMicrobiologyResult],
    ResultKind.TOXICOLOGY: CumulativeOrder[CumulativeToxicologyResult],
}


@dataclass(frozen=True)
class CumulativeQuery:
    """The results to read, of the newest orders of a period.

    Attributes:
        records: the limit of orders; 0 means as many as the portal allows.
        client_id, physician_ids: narrow the actor's scope unless they are None.
    """

    period: Period
    records: int
    client_id: int | None = None
    physician_ids: Sequence[int] | None = None

    def build_values(self) -> dict[str, Any]:
        """Build the values of the statements."""
        return {
            "first": self.period.first,
            "last": self.period.last,
            "client": self.client_id,
            "physicians": list(self.physician_ids) if self.physician_ids else None,
            "records": choose_record_count(self.records),
        }


async def load_info(reader: Reader, order_id: int) -> bytes:
    """Load the patient of an order as JSON, or raise NotFound."""
    return await _fetch_json(reader, build_info_statement(reader.actor.kind), {"order": order_id})


async def load_days(
    reader: Reader, order_id: int, kind: ResultKind, query: CumulativeQuery
) -> bytes:
    """Load the released results of an order's patient as JSON, newest day first.

    Raises:
        NotFound: the order does not exist or is out of scope.
    """
    values = {"order": order_id, **query.build_values()}
    return await _fetch_json(reader, build_days_statement(kind, reader.actor.kind), values)


async def load_clients(reader: Reader, order_id: int, query: CumulativeQuery, limit: int) -> bytes:
    """Load the clients through which the patient has results in the period, by name.

    Raises:
        NotFound: the order does not exist or is out of scope.
    """
    values = {"order": order_id, **query.build_values(), "limit": choose_client_count(limit)}
    return await _fetch_json(reader, build_clients_statement(reader.actor.kind), values)


async def load_selected_orders(work: Work, ids: Sequence[int]) -> SelectedOrders:
    """Load chosen results by the ids of the orders' tests.

    Raises:
        NotFound: one of them does not exist, is out of scope, not released, or withheld.
    """
    for kind in KINDS:
        work.statements.add(build_selection_statement(kind, work.actor.kind), {"chosen": list(ids)})
    rows = (await work.statements.send())[-len(KINDS) :]
    selected_orders = {
        kind: [_SHAPES[kind].model_validate(order) for order in row[0]]
        for kind, row in zip(KINDS, rows, strict=True)
        if row is not None
    }
    result_ids: set[int] = set()
    for orders in selected_orders.values():
        for order in orders:
            result_ids.update(result.id for result in order.results)
    if result_ids != set(ids):
        raise NotFound(messages.NOT_FOUND)
    return selected_orders


async def _fetch_json(reader: Reader, statement: str, values: dict[str, Any]) -> bytes:
    (body,) = await reader.fetch_row(statement, values)
    if body is None:
        raise NotFound(messages.NOT_FOUND)
    text: str = body
    return text.encode()
