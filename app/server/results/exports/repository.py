"""SQL of exported results: batches of orders with their rows, and their number."""

from functools import lru_cache

from app.contract.enumerations import LABELS, OrderStatus, ScopeKind
from app.server.audit.service import build_audit_insert
from app.server.clients.models import Client
from app.server.orders.models import Order
from app.server.requisitions.models import Requisition
from app.server.results.exports.columns import ORDER_COLUMNS
from app.server.results.exports.families import build_results

_CHOSEN_TESTS = """
chosen_tests AS MATERIALIZED (
    SELECT unnest(%(tests)s::bigint[]) AS id
    UNION SELECT m.test_id FROM panel_members m WHERE m.panel_id = ANY(%(tests)s::bigint[])
    UNION SELECT n.test_id FROM panel_members m JOIN panel_members n ON n.panel_id = m.test_id
        WHERE m.panel_id = ANY(%(tests)s::bigint[])
),
"""
# The rows are in the order of collection date and id; every scope has an index in this order.
_CHOSEN_ORDERS = """
chosen AS MATERIALIZED (
    SELECT o.* FROM orders o
    WHERE {scope} {conditions}
        AND o.collection_date >= %(first)s::date AND o.collection_date < %(last)s::date + 1
        AND (o.collection_date, o.id) > (%(after_date)s::timestamp, %(after_id)s::bigint)
    ORDER BY o.collection_date, o.id LIMIT %(batch)s::bigint
)
"""
_BATCH = """
WITH {tests} {chosen}, filled AS MATERIALIZED (
    SELECT c.id, c.collection_date, {head} AS head, r.cells
    FROM chosen c CROSS JOIN LATERAL (
        SELECT json_agg(x.cells
            ORDER BY x.position, x.part, x.item_position, x.inner_position) AS cells
        FROM ({results}) x
    ) r
    LEFT JOIN requisitions q ON q.id = c.requisition_id AND {requisitions}
    LEFT JOIN clients k ON k.id = c.client_id AND {clients}
    LEFT JOIN physicians d ON d.id = c.physician_id
    WHERE r.cells IS NOT NULL
), audited AS ({audited})
SELECT
    (SELECT coalesce(json_agg(json_build_array(f.head, f.cells)
        ORDER BY f.collection_date, f.id), '[]'::json) FROM filled f)::text,
    (SELECT json_build_array(z.collection_date, z.id)
        FROM chosen z ORDER BY z.collection_date DESC, z.id DESC LIMIT 1)::text,
    (SELECT count(*) FROM chosen)
"""
_COUNT = """
WITH {tests} {chosen}, counted AS (
    SELECT r.rows FROM chosen c CROSS JOIN LATERAL (SELECT count(*) AS rows FROM ({results}) x) r
)
SELECT
    (SELECT coalesce(sum(n.rows), 0)::bigint FROM counted n),
    (SELECT count(*) FROM counted n WHERE n.rows > 0),
    (SELECT json_build_array(z.collection_date, z.id)
        FROM chosen z ORDER BY z.collection_date DESC, z.id DESC LIMIT 1)::text,
    (SELECT count(*) FROM chosen)
"""
_STATUSES = " ".join(
    f"WHEN {status:d} THEN '{LABELS[OrderStatus][status]}'"
    for status in OrderStatus
    if status not in (OrderStatus.NONE, OrderStatus.ALL)
)
_HEAD = {
    "order": "c.code",
    "requisition": "q.code",
    "orderStatus": f"CASE c.status {_STATUSES} END",
    "clientCode": "k.code",
    "client": "k.name",
    "patientId": "code_of_patient(c.patient_id)",
    "lastName": "c.patient_last_name",
    "firstName": "c.patient_first_name",
    "middleName": "c.patient_middle_name",
    "birthDate": "c.patient_birth_date",
    "gender": "c.patient_gender",
    "physician": "d.last_name || ', ' || d.first_name",
    "npi": "d.npi",
    "collected": "c.collection_date",
    "received": "c.received_at",
    "reported": "c.reported_at",
}


def _build_conditions(*, has_clients: bool, has_statuses: bool) -> str:
    conditions = ""
    if has_clients:
        conditions += " AND o.client_id = ANY(%(clients)s::bigint[])"
    if has_statuses:
        conditions += " AND o.status = ANY(%(statuses)s::smallint[])"
    return conditions


def _build_chosen_orders(scope: ScopeKind, *, has_clients: bool, has_statuses: bool) -> str:
    return _CHOSEN_ORDERS.format(
        scope=Order.__scope__.build_predicate(scope, "o"),
        conditions=_build_conditions(has_clients=has_clients, has_statuses=has_statuses),
    )


@lru_cache(maxsize=64)
def build_batch_statement(
    scope: ScopeKind, action: str, *, has_clients: bool, has_tests: bool, has_statuses: bool
) -> str:
    """Return the statement of a batch of orders with their rows, audited as ``action``.

    It answers the rows by order as JSON text, where the batch ended (null without orders), and the
    number of orders. Parameters: first, last, clients, tests, statuses, after_date, after_id,
    batch, and those of the request.
    """
    assert list(_HEAD) == [column.name for column in ORDER_COLUMNS]
    return _BATCH.format(
        tests=_CHOSEN_TESTS if has_tests else "",
        chosen=_build_chosen_orders(scope, has_clients=has_clients, has_statuses=has_statuses),
        head=f"json_build_array({', '.join(_HEAD.values())})",
        results=build_results(has_tests=has_tests),
        requisitions=Requisition.__scope__.build_predicate(scope, "q"),
        clients=Client.__scope__.build_predicate(scope, "k"),
        audited=build_audit_insert(
            action,
            "order-results",
            "a.ids",
            detail="json_build_object('export', true)",
            of="FROM (SELECT array_agg(f.id ORDER BY f.id) AS ids FROM filled f) a "
            "WHERE a.ids IS NOT NULL",
        ),
    )


@lru_cache(maxsize=32)
def build_count_statement(
    scope: ScopeKind, *, has_clients: bool, has_tests: bool, has_statuses: bool
) -> str:
    """Return the statement that counts the rows and orders of a batch of orders.

    It answers the rows, the orders that have some, where the batch ended, and the number of all
    orders. The parameters are those of ``build_batch_statement``.
    """
    return _COUNT.format(
        tests=_CHOSEN_TESTS if has_tests else "",
        chosen=_build_chosen_orders(scope, has_clients=has_clients, has_statuses=has_statuses),
        results=build_results(has_tests=has_tests),
    )
