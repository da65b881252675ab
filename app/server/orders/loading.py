"""Loads an order for its page, by one statement (ADR 42)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultKind, ScopeKind
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.audit.service import build_audit_insert, build_audit_parameters
from app.server.clients.models import Client
from app.server.database.records import Columns, build_decoder, build_rows_type
from app.server.lists.spec import quote_texts
from app.server.orders.models import Order, OrderTest
from app.server.orders.repository import ADDITION, ADDITIONS, Addition, CanceledTest
from app.server.patients.models import Patient
from app.server.requisitions.models import Requisition, RequisitionSignature

_ORDER = Columns(
    Order,
    (
        "id",
        "code",
        "version",
        "status",
        "has_critical",
        "critical_kinds",
        "has_unexpected_positive",
        "collection_date",
        "received_at",
        "reported_at",
        "specimen_condition",
        "awaits_collection",
        "collection_sites",
        "entry_alert",
        "lacks_info",
        "report_comment",
        "comment_changed_at",
        "comment_changed_by",
        "requisition_id",
        "acknowledged_by_name",
        "acknowledged_at",
        "is_unread",
        "is_unread_by_physician",
        "patient_id",
        "patient_first_name",
        "patient_middle_name",
        "patient_last_name",
        "patient_birth_date",
        "patient_gender",
        "room_name",
        "unit_name",
        "bed",
    ),
)
_CANCELED_COLUMNS = Columns(
    OrderTest,
    ("order_id", "name", "cancel_reason", "cancel_words", "canceled_by", "canceled_at"),
)
_REQUISITION = Columns(Requisition, ("code", "status", "has_signature"))
_SIGNATURE = Columns(RequisitionSignature, ("user_id",))
_SETTINGS = ("result-entry", "toxicology")
_DECODER = build_decoder(
    order=_ORDER.row,
    requisition=_REQUISITION.row | None,
    signature=_SIGNATURE.row | None,
    physician=Any,
    client=Any,
    patient=Any,
    patient_code=str | None,
    settings=dict[str, Any],
    acknowledgment=tuple[datetime, datetime | None, str | None] | None,
    canceled=build_rows_type(_CANCELED_COLUMNS.row, str | None, str | None, str | None) | None,
    additions=list[list[Any]] | None,
)
_KINDS_DECODER = build_decoder(kinds=list[str])
Parts = tuple[tuple[str, str], ...]
"""SQL expressions by name, which may read the columns of the order ``o``."""


@dataclass(frozen=True)
class OpenedOrder:
    """An order with the other data of its page, without its results.

    Attributes:
        requisition, client, patient: None if outside the actor's scope. The fields of clients,
            patients, and physicians have their names on the wire.
        patient_code: the patient's code, which is known even outside the scope.
        acknowledged_at: the time of the actor's own last acknowledgment.
        reopened_at: the time at which that acknowledgment ended.
        reopened_by: why it ended.
        reason_words: the lab's words for the reasons of cancellation.
        user_names: the names of people who canceled or added tests; empty if the actor sees no
            names.
    """

    order: Order
    requisition: Requisition | None
    signature: RequisitionSignature | None
    physician: Mapping[str, Any] | None
    client: Mapping[str, Any] | None
    patient: Mapping[str, Any] | None
    patient_code: str | None
    settings: Mapping[str, Mapping[str, Any]]
    acknowledged_at: datetime | None
    reopened_at: datetime | None
    reopened_by: str | None
    canceled_tests: Sequence[CanceledTest]
    reason_words: Mapping[str, str]
    additions: Sequence[Addition]
    user_names: Mapping[UUID, str]


async def open_order(reader: Reader, order_id: int) -> OpenedOrder:
    """Load an order for its page, or raise NotFound."""
    statement = _build_page_statement(reader.actor.kind)
    return _build_opened_order(await fetch_parts(reader, order_id, statement, _DECODER))


async def reopen_order(work: Work, order_id: int) -> OpenedOrder:
    """Load an order for its page after a write, in the write's transaction, or raise NotFound."""
    values = {"order": order_id, **build_audit_parameters(work.actor, work.request_id)}
    row = await work.statements.fetch(_build_page_statement(work.actor.kind), values)
    return _build_opened_order(_decode_parts(row[0] if row else None, _DECODER))


async def fetch_result_kinds(reader: Reader, order_id: int) -> list[str]:
    """Fetch the kinds of result of an order's tests, or raise NotFound. Panels have no result."""
    statement = _build_kinds_statement(reader.actor.kind)
    parts = await fetch_parts(reader, order_id, statement, _KINDS_DECODER)
    kinds: list[str] = parts.kinds
    return kinds


async def fetch_parts(
    reader: Reader, order_id: int, statement: str, decoder: msgspec.json.Decoder[Any]
) -> Any:
    """Fetch the parts of a ``build_parts_statement``, or raise NotFound."""
    (text,) = await reader.fetch_row(statement, {"order": order_id}, is_record=True)
    return _decode_parts(text, decoder)


def build_parts_statement(kind: ScopeKind, audited_kind: str, parts: Parts) -> str:
    """Build the statement that returns these parts of an order as JSON text; null out of scope.

    It also audits the read of a record of the kind ``audited_kind``, unless that is empty. Its
    parameters are order, and those of the request.
    """
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in parts)
    audit_part = ""
    if audited_kind:
        insert = build_audit_insert("read", audited_kind, "ARRAY[o.id]", of="FROM chosen o")
        audit_part = f", logged AS ({insert})"
    return (
        "WITH chosen AS MATERIALIZED (SELECT o.* FROM orders o WHERE o.id = %(order)s::bigint "
        f"AND {Order.__scope__.build_predicate(kind, 'o')}){audit_part} "
        f"SELECT (SELECT json_build_object({pairs})::text FROM chosen o)"
    )


def build_tests_json(
    kind: ResultKind,
    row: Columns,
    test: Columns,
    *parts: str,
    has_panels: bool = True,
) -> str:
    """Return SQL for a JSON array of the order's tests with this kind of result, by position.

    Each item is an array: the columns ``row`` of the order's test ``t``, the columns ``test`` of
    the catalog's test ``l``, and the other parts.
    """
    columns = (row.build_json("t"), test.build_json("l"), *parts)
    panels = "" if has_panels else " AND NOT t.is_panel"
    return (
        f"(SELECT coalesce(json_agg(json_build_array({', '.join(columns)}) ORDER BY t.position), "
        "'[]'::json) FROM order_tests t JOIN lab_tests l ON l.id = t.test_id "
        f"WHERE t.order_id = o.id AND t.kind = '{kind}'{panels})"
    )


def _decode_parts(text: str | None, decoder: msgspec.json.Decoder[Any]) -> Any:
    if text is None:
        raise NotFound(messages.NOT_FOUND)
    return decoder.decode(text)


@lru_cache(maxsize=8)
def _build_page_statement(kind: ScopeKind) -> str:
    sees_names = kind is not ScopeKind.PATIENT
    requisitions = Requisition.__scope__.build_predicate(kind, "r")
    clients = Client.__scope__.build_predicate(kind, "c")
    patients = Patient.__scope__.build_predicate(kind, "p")
    patient = (
        "(SELECT json_build_object('code', p.code, 'address', p.address, 'phone', p.phone, "
        f"'zipCode', {_select_zip_code('p')}, "
        f"'primaryPhysician', {_select_physician('p.primary_physician_id')}) "
        f"FROM patients p WHERE p.id = o.patient_id AND {patients})"
    )
    client = (
        "(SELECT json_build_object('code', c.code, 'name', c.name, 'address', c.address, "
        f"'zipCode', {_select_zip_code('c')}, 'phone', c.phone, 'fax', c.fax) "
        f"FROM clients c WHERE c.id = o.client_id AND {clients})"
    )
    parts = {
        "order": _ORDER.build_json("o"),
        "requisition": (
            f"(SELECT {_REQUISITION.build_json('r')} FROM requisitions r "
            f"WHERE r.id = o.requisition_id AND {requisitions})"
        ),
        "signature": (
            f"(SELECT {_SIGNATURE.build_json('s')} FROM requisition_signatures s "
            "WHERE s.requisition_id = o.requisition_id AND s.removed_at IS NULL)"
        ),
        "physician": _select_physician("o.physician_id"),
        "client": client,
        "patient": patient,
        "patient_code": (
            "CASE WHEN NOT EXISTS (SELECT FROM patients p WHERE p.id = o.patient_id "
            f"AND {patients}) THEN code_of_patient(o.patient_id) END"
        ),
        "settings": (
            "(SELECT coalesce(json_object_agg(s.name, s.value), '{}'::json) FROM lab_settings s "
            f"WHERE s.name IN ({quote_texts(_SETTINGS)}))"
        ),
        "acknowledgment": _ACKNOWLEDGMENT if _may_acknowledge(kind) else "NULL",
        "canceled": _build_canceled_tests(sees_names=sees_names),
        "additions": _build_additions(sees_names=sees_names),
    }
    return build_parts_statement(kind, "order", tuple(parts.items()))


@lru_cache(maxsize=8)
def _build_kinds_statement(kind: ScopeKind) -> str:
    kinds = (
        "(SELECT coalesce(json_agg(DISTINCT t.kind), '[]'::json) FROM order_tests t "
        "WHERE t.order_id = o.id AND NOT t.is_panel)"
    )
    return build_parts_statement(kind, "", (("kinds", kinds),))


_ACKNOWLEDGMENT = (
    "(SELECT json_build_array(a.acknowledged_at, a.reopened_at, a.reopened_by) "
    "FROM order_acknowledgments a WHERE a.order_id = o.id "
    "AND a.user_id = nullif(%(user)s, '')::uuid ORDER BY a.id DESC LIMIT 1)"
)


def _may_acknowledge(kind: ScopeKind) -> bool:
    """Whether users of this kind may acknowledge; patients may not even read the table."""
    return kind in (ScopeKind.CLIENT, ScopeKind.PHYSICIAN)


def _select_zip_code(alias: str) -> str:
    return (
        "(SELECT json_build_object('id', z.id, 'code', z.code, 'city', z.city, 'state', z.state) "
        f"FROM zip_codes z WHERE z.id = {alias}.zip_code_id)"
    )


def _select_physician(physician_id: str) -> str:
    return (
        "(SELECT json_build_object('id', d.id, 'firstName', d.first_name, "
        f"'lastName', d.last_name, 'npi', d.npi) FROM physicians d WHERE d.id = {physician_id})"
    )


def _name_user(user_id: str, *, sees_names: bool) -> str:
    return f"name_of_user({user_id})" if sees_names else "NULL"


def _build_canceled_tests(*, sees_names: bool) -> str:
    """Return SQL of the canceled tests with their reasons, who canceled them, and their panels.

    The panel is only named if another row of the test is not canceled.
    """
    return (
        f"(SELECT json_agg(json_build_array({_CANCELED_COLUMNS.build_json('t')}, "
        f"(SELECT s.words FROM reasons s WHERE s.kind = '{ReasonKind.CANCELLATION}' "
        "AND s.code = t.cancel_reason), "
        f"{_name_user('t.canceled_by', sees_names=sees_names)}, "
        "(SELECT p.name FROM order_tests p WHERE p.id = t.parent_id AND EXISTS "
        "(SELECT 1 FROM order_tests x WHERE x.order_id = t.order_id AND x.test_id = t.test_id "
        "AND x.canceled_at IS NULL))) ORDER BY t.position) "
        "FROM order_tests t WHERE t.order_id = o.id AND t.canceled_at IS NOT NULL)"
    )


def _build_additions(*, sees_names: bool) -> str:
    return (
        f"(SELECT json_agg(json_build_array({ADDITION}, "
        f"{_name_user('a.added_by', sees_names=sees_names)}) "
        f"ORDER BY a.added_at, t.position) {ADDITIONS} WHERE a.order_id = o.id)"
    )


def _build_opened_order(parts: Any) -> OpenedOrder:
    canceled_rows = parts.canceled or ()
    additions = parts.additions or ()
    acknowledged_at, reopened_at, reopened_by = parts.acknowledgment or (None, None, None)
    user_names = {
        test.canceled_by: name for test, _, name, _ in canceled_rows if test.canceled_by and name
    }
    user_names |= {UUID(added_by): name for *_, added_by, name in additions if name}
    return OpenedOrder(
        order=parts.order,
        requisition=parts.requisition,
        signature=parts.signature,
        physician=parts.physician,
        client=parts.client,
        patient=parts.patient,
        patient_code=parts.patient_code,
        settings=parts.settings,
        acknowledged_at=acknowledged_at,
        reopened_at=reopened_at,
        reopened_by=reopened_by,
        reason_words={
            test.cancel_reason: words
            for test, words, _, _ in canceled_rows
            if test.cancel_reason and words
        },
        user_names=user_names,
        canceled_tests=[CanceledTest(test, panel) for test, *_, panel in canceled_rows],
        additions=[_build_addition(row) for row in additions],
    )


def _build_addition(values: list[Any]) -> Addition:
    *facts, added_at, added_by, _name = values
    facts += [datetime.fromisoformat(added_at), UUID(added_by) if added_by else None]
    return Addition(*facts)
