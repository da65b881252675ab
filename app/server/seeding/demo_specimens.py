"""The demo lab's recent tubes: received, rejected, and awaited; and tests that it canceled."""

from datetime import date, timedelta

from app.contract.enumerations import OrderStatus, ResultStatus, SpecimenState
from app.server.seeding.copying import Connection

_LISTED_DAYS = 365

_TUBES = """
INSERT INTO specimens
    (order_id, number, container, specimen, state, conditions, received_at, received_by)
SELECT s.order_id, row_number() OVER (PARTITION BY s.order_id ORDER BY s.first_position),
    s.container, s.specimen, %(received)s, '{}', s.received_at, u.id
FROM (
    SELECT o.id AS order_id, o.received_at, l.container, coalesce(l.specimen, '') AS specimen,
        min(t.position) AS first_position
    FROM orders o JOIN order_tests t ON t.order_id = o.id JOIN lab_tests l ON l.id = t.test_id
    WHERE o.received_at >= %(listed_from)s AND l.container <> ''
    GROUP BY o.id, o.received_at, l.container, l.specimen
) s, users u
WHERE u.email = 'laboratory@demo.lab'
"""
# The newest order without results of each client has a rejected tube, the next one canceled tests.
_CHOOSE = """
SELECT n.id, n.rank FROM (
    SELECT o.id, row_number() OVER (PARTITION BY o.client_id ORDER BY o.received_at DESC, o.id)
        AS rank
    FROM orders o
    WHERE o.status = %(pending)s AND o.received_at >= %(listed_from)s AND (
        SELECT count(*) FROM order_tests t WHERE t.order_id = o.id AND NOT t.is_panel
    ) > 1
) n WHERE n.rank <= 2
"""
_REJECT = """
UPDATE specimens s SET state = %(rejected)s, reason = 'HEMOLYZED',
    rejected_at = s.received_at + interval '20 minutes', rejected_by = s.received_by
WHERE s.number = 1 AND s.order_id = ANY(%(orders)s)
"""
_REPLACE = """
INSERT INTO specimens (order_id, number, container, specimen, state, conditions, replaces_id)
SELECT order_id, number, container, specimen, %(expected)s, '{}', id FROM specimens
WHERE state = %(rejected)s
"""
_MARK_TESTS = """
UPDATE order_tests t SET awaits_collection = true FROM lab_tests l, specimens s
WHERE l.id = t.test_id AND s.order_id = t.order_id AND s.state = %(rejected)s
AND (l.container, coalesce(l.specimen, '')) = (s.container, s.specimen)
"""
_MARK_ORDERS = """
UPDATE orders o SET awaits_collection = true, specimen_condition =
    upper(s.container) || ': REJECTED (HEMOLYZED), NEW COLLECTION REQUESTED'
FROM specimens s WHERE s.order_id = o.id AND s.state = %(rejected)s
"""
_CANCEL = """
UPDATE order_tests t SET status = %(canceled)s, canceled_status = t.status,
    cancel_reason = 'NOT-COLLECTED', canceled_by = u.id,
    canceled_at = o.received_at + interval '30 minutes'
FROM orders o, users u
WHERE o.id = t.order_id AND u.email = 'laboratory@demo.lab' AND t.id IN (
    SELECT DISTINCT ON (x.order_id) x.id FROM order_tests x
    WHERE x.order_id = ANY(%(orders)s) AND NOT x.is_panel
    ORDER BY x.order_id, x.position DESC
)
"""
# Orders that were canceled as a whole, each with one of two reasons.
_EXPLAIN = """
UPDATE order_tests t SET canceled_status = %(test_pending)s,
    cancel_reason = CASE o.id %% 2 WHEN 0 THEN 'CLIENT' ELSE 'DUPLICATE' END,
    canceled_by = u.id, canceled_at = o.received_at + interval '30 minutes'
FROM orders o, users u
WHERE o.id = t.order_id AND o.status = %(order_canceled)s AND u.email = 'laboratory@demo.lab'
AND NOT t.is_panel AND t.status = %(canceled)s AND t.canceled_at IS NULL
"""


def insert_specimens(connection: Connection, as_of: date) -> None:
    """Insert the tubes of the last months' orders, with rejections and cancellations."""
    values = {
        "listed_from": as_of - timedelta(_LISTED_DAYS),
        "pending": int(OrderStatus.PENDING),
        "order_canceled": int(OrderStatus.CANCELED),
        "canceled": int(ResultStatus.CANCELED),
        "test_pending": int(ResultStatus.PENDING),
        "received": str(SpecimenState.RECEIVED),
        "expected": str(SpecimenState.EXPECTED),
        "rejected": str(SpecimenState.REJECTED),
    }
    connection.execute(_TUBES, values)
    rows = connection.execute(_CHOOSE, values).fetchall()
    rejected_orders = [order for order, rank in rows if rank == 1]
    connection.execute(_REJECT, {**values, "orders": rejected_orders})
    for statement in (_REPLACE, _MARK_TESTS, _MARK_ORDERS):
        connection.execute(statement, values)
    canceled_orders = [order for order, rank in rows if rank == 2]
    connection.execute(_CANCEL, {**values, "orders": canceled_orders})
    connection.execute(_EXPLAIN, values)
