"""Loads an order for result entry, by one statement (ADR 22)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.contract.enumerations import ReasonKind, ScopeKind
from app.server.access.work import Work
from app.server.catalog.models import LabTest
from app.server.database.records import build_row_json, build_rows_json, parse_record
from app.server.database.scope import ENTER_RESULTS
from app.server.lab_settings.rules import (
    judge_result_entry,
    judge_result_release,
    judge_result_screen,
)
from app.server.orders.models import Order, OrderTest
from app.server.orders.rules import judge_entering, judge_releasing
from app.server.orders.service.status import build_state
from app.server.results.entry.models import CONCERNS_ORDER, Releasable, ResultHold
from app.server.results.entry.repository import lock_holds
from app.server.results.performing import LAB_NAME
from app.server.specimens.models import Specimen

Version = TypeVar("Version", bound=Releasable)
_SEARCH_TEXT = frozenset({"search_text"})
_OPEN_HOLDS = (
    "WHERE h.lifted_at IS NULL AND h.test_id IN "
    "(SELECT t.test_id FROM order_tests t JOIN chosen o ON o.id = t.order_id) "
    "AND (h.order_id IS NULL OR h.order_id = (SELECT o.id FROM chosen o))"
)
_HOLDS = build_rows_json(ResultHold, "h", _OPEN_HOLDS, order="h.id")
_LIFTED_HOLDS = (
    "WHERE h.lifted_at IS NOT NULL AND EXISTS (SELECT 1 FROM chosen o "
    "JOIN order_tests t ON t.order_id = o.id AND t.test_id = h.test_id "
    f"WHERE {CONCERNS_ORDER})"
)
_LIFTED = build_rows_json(ResultHold, "h", _LIFTED_HOLDS, order="h.id")
_TUBES = build_rows_json(Specimen, "s", "WHERE s.order_id = (SELECT o.id FROM chosen o)")
_HOLD_PLACERS = f"SELECT h.placed_by FROM result_holds h {_OPEN_HOLDS}"
_HOLD_LIFTERS = (
    f"SELECT unnest(ARRAY[h.placed_by, h.lifted_by]) FROM result_holds h {_LIFTED_HOLDS}"
)


@dataclass(frozen=True)
class EntryQuery:
    """The data that a family's result entry reads in addition to the order.

    Attributes:
        parts: SQL expressions by name, which may read the order from the CTE ``chosen o``.
        users: a statement that selects the ids of the users whose names the screen shows.
    """

    parts: tuple[tuple[str, str], ...]
    users: str


@dataclass(frozen=True)
class OrderedTest:
    """A test of an order with its catalog row."""

    row: OrderTest
    test: LabTest


@dataclass
class OrderEntry:
    """An order with the data that every family's result entry needs.

    Attributes:
        is_lab: whether the actor is lab staff; only they see withheld results.
        tests: all tests of the order, of every family, by position.
        user_names: the names of the actor and of the users that the query selects.
        flags: the lab's settings of result entry.
        lab_name: the name of the lab, which performs the tests that are entered now.
        parts: the values of the query's parts.
        holds: the open holds on the tests, which only the lab sees.
        lifted_holds: the former holds that kept this order from being released; empty if many
            orders are loaded, since only the screen of one order shows them.
        hold_reasons: the lab's words for the reasons of holds.
        ended_reasons: the codes that the lab no longer uses, by the kind of reason.
        tubes: empty for orders from before tubes were received one by one, and for people outside
            the lab, who release nothing.
    """

    order: Order
    client_name: str
    patient_code: str | None
    is_lab: bool
    tests: list[OrderedTest]
    user_names: Mapping[UUID, str]
    flags: Mapping[str, Any]
    lab_name: str | None
    parts: Mapping[str, Any]
    holds: list[ResultHold]
    lifted_holds: list[ResultHold]
    hold_reasons: Mapping[str, str]
    ended_reasons: Mapping[str, Collection[str]]
    tubes: list[Specimen]

    def hide_withheld(self, version: Version | None) -> Version | None:
        """Return a version of a result, or None if it is withheld from the actor (ADR 55)."""
        is_hidden = version is not None and version.withheld is not None and not self.is_lab
        return None if is_hidden else version

    def get_ended_reasons(self, kind: ReasonKind) -> Collection[str]:
        """Return the codes of a kind that the lab no longer uses."""
        return self.ended_reasons.get(kind, ())


async def load_for_reading(work: Work, order_id: int, query: EntryQuery) -> OrderEntry:
    """Load an order for showing its result entry.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    flags, entry = await _load_order(work, order_id, query)
    require_allowed(judge_result_screen(work.actor, flags))
    return _require_order(entry)


async def load_many_for_reading(
    work: Work, order_ids: Sequence[int], query: EntryQuery
) -> dict[int, OrderEntry]:
    """Load orders for showing their result entry, with one statement, by order id.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound: one does not exist or is out of scope.
    """
    work.statements.add(ENTER_RESULTS, {})
    statement = _build_load_many_statement(work.actor.kind, query)
    row = await work.statements.fetch(statement, {"orders": list(order_ids)})
    assert row is not None
    entries = {}
    for order_id, parts in zip(order_ids, row[0], strict=True):
        flags = parts["flags"] or {}
        require_allowed(judge_result_screen(work.actor, flags))
        entries[order_id] = _require_order(
            _build_entry(work, parts, flags, query) if parts["order"] else None
        )
    return entries


async def load_for_entering(work: Work, order_id: int, query: EntryQuery) -> OrderEntry:
    """Lock and load an order for entering results.

    Raises:
        Forbidden: the lab does not allow the actor's role to enter results.
        NotFound, StaleVersion.
        OrderReadOnly: the order is canceled.
    """
    flags, loaded_entry = await _load_order(work, order_id, query, lock=True)
    require_allowed(judge_result_entry(work.actor, flags))
    entry = _require_order(loaded_entry)
    work.require_version(entry.order)
    require_allowed(judge_entering(work.actor, flags, build_state(entry.order)))
    return entry


async def load_for_release(work: Work, order_id: int, query: EntryQuery) -> OrderEntry:
    """Lock and load an order for releasing results.

    Raises:
        Forbidden: the actor's role may not release results.
        NotFound, StaleVersion.
        OrderReadOnly: the order is canceled.
    """
    require_allowed(judge_result_release(work.actor))
    _, loaded_entry = await _load_order(work, order_id, query, lock=True)
    entry = _require_order(loaded_entry)
    work.require_version(entry.order)
    require_allowed(judge_releasing(work.actor, build_state(entry.order)))
    return entry


async def load_for_holding(work: Work, order_id: int, query: EntryQuery) -> OrderEntry:
    """Lock and load an order for placing or lifting holds, one transaction at a time.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly: as ``load_for_release``.
    """
    lock_holds(work)
    return await load_for_release(work, order_id, query)


async def load_locked_order(work: Work, order_id: int, query: EntryQuery) -> OrderEntry:
    """Load an order that this transaction has locked, judged, and changed, or raise NotFound."""
    _, entry = await _load_order(work, order_id, query)
    return _require_order(entry)


def _require_order(entry: OrderEntry | None) -> OrderEntry:
    if entry is None:
        raise NotFound(messages.NOT_FOUND)
    return entry


async def _load_order(
    work: Work, order_id: int, query: EntryQuery, *, lock: bool = False
) -> tuple[Mapping[str, Any], OrderEntry | None]:
    """Load the lab's settings of result entry, and the order, or None when out of scope.

    ``lock`` locks the order until the commit.
    """
    kind, values = work.actor.kind, {"order": order_id}
    # Declared before the permission is judged, which is safe: an actor without the permission gets
    # an error instead of the rows.
    work.statements.add(ENTER_RESULTS, {})
    if lock:
        # The lock has its own statement: a statement that waits for a lock still reads the rows
        # from before the wait.
        work.statements.add(_build_lock_statement(kind), values)
    row = await work.statements.fetch(_build_load_statement(kind, query), values)
    assert row is not None
    parts = row[0]
    flags = parts["flags"] or {}
    return flags, _build_entry(work, parts, flags, query) if parts["order"] else None


def _build_entry(
    work: Work, parts: Mapping[str, Any], flags: Mapping[str, Any], query: EntryQuery
) -> OrderEntry:
    return OrderEntry(
        order=parse_record(Order, parts["order"]),
        client_name=parts["client_name"],
        patient_code=parts["patient_code"],
        is_lab=work.actor.kind is ScopeKind.STAFF,
        tests=[
            OrderedTest(parse_record(OrderTest, row), parse_record(LabTest, test))
            for row, test in parts["tests"]
        ],
        user_names={UUID(user_id): name for user_id, name in parts["users"].items() if name},
        flags=flags,
        lab_name=parts["lab_name"],
        parts={name: parts[name] for name, _ in query.parts},
        holds=[parse_record(ResultHold, row) for row in parts["holds"]],
        lifted_holds=[parse_record(ResultHold, row) for row in parts["lifted_holds"]],
        hold_reasons=parts["hold_reasons"],
        ended_reasons=parts["ended_reasons"],
        tubes=[parse_record(Specimen, row) for row in parts["tubes"]],
    )


@lru_cache(maxsize=8)
def _build_lock_statement(kind: ScopeKind) -> str:
    return f"SELECT 1 {_select_order(kind)} FOR NO KEY UPDATE"


def _select_order(kind: ScopeKind, order_id: str = "%(order)s") -> str:
    return f"FROM orders o WHERE o.id = {order_id} AND {Order.__scope__.build_predicate(kind, 'o')}"


@lru_cache(maxsize=8)
def _build_load_many_statement(kind: ScopeKind, query: EntryQuery) -> str:
    statement = _build_load_statement(kind, query, "requested.id", has_lifted_holds=False)
    return (
        "SELECT coalesce(json_agg(loaded.entry ORDER BY requested.position), '[]'::json) "
        "FROM unnest(%(orders)s::bigint[]) WITH ORDINALITY AS requested(id, position) "
        f"CROSS JOIN LATERAL ({statement}) loaded(entry)"
    )


@lru_cache(maxsize=64)
def _build_load_statement(
    kind: ScopeKind,
    query: EntryQuery,
    order_id: str = "%(order)s",
    *,
    has_lifted_holds: bool = True,
) -> str:
    is_lab = kind is ScopeKind.STAFF
    has_lifted_holds = has_lifted_holds and is_lab
    users = query.users
    if is_lab:
        users += f" UNION {_HOLD_PLACERS}"
    if has_lifted_holds:
        users += f" UNION {_HOLD_LIFTERS}"
    parts = {
        "holds": _HOLDS if is_lab else "'[]'::json",
        "lifted_holds": _LIFTED if has_lifted_holds else "'[]'::json",
        "tubes": _TUBES if is_lab else "'[]'::json",
        "hold_reasons": (
            "(SELECT coalesce(json_object_agg(s.code, s.words), '{}'::json) FROM reasons s "
            f"WHERE s.kind = '{ReasonKind.HOLD}')"
        ),
        "ended_reasons": (
            "(SELECT coalesce(json_object_agg(e.kind, e.codes), '{}'::json) FROM "
            "(SELECT s.kind, json_agg(s.code) AS codes FROM reasons s WHERE NOT s.active "
            "GROUP BY s.kind) e)"
        ),
        "flags": "(SELECT s.value FROM lab_settings s WHERE s.name = 'result-entry')",
        "lab_name": LAB_NAME,
        "order": f"(SELECT {build_row_json(Order, 'o')} FROM chosen o)",
        "client_name": "(SELECT c.name FROM chosen o JOIN clients c ON c.id = o.client_id)",
        "patient_code": "(SELECT code_of_patient(o.patient_id) FROM chosen o)",
        "tests": (
            f"(SELECT coalesce(json_agg(json_build_array({build_row_json(OrderTest, 't')}, "
            f"{build_row_json(LabTest, 'l', without=_SEARCH_TEXT)}) "
            "ORDER BY t.position), '[]'::json) "
            "FROM chosen o JOIN order_tests t ON t.order_id = o.id "
            "JOIN lab_tests l ON l.id = t.test_id)"
        ),
        "users": (
            "(SELECT coalesce(json_object_agg(u.id, name_of_user(u.id)), '{}'::json) "
            f"FROM (SELECT x.id FROM ({users}) x(id) "
            "UNION SELECT nullif(%(user)s, '')::uuid) u WHERE u.id IS NOT NULL)"
        ),
        **dict(query.parts),
    }
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in parts.items())
    return (
        f"WITH chosen AS MATERIALIZED (SELECT o.* {_select_order(kind, order_id)}) "
        f"SELECT json_build_object({pairs})"
    )
