"""The demo lab's critical results: the people to notify, alerts, calls, and open notices."""

from datetime import date

from app.contract.enumerations import CRITICAL_FLAGS
from app.contract.limits import CRITICAL_MINUTES_DEFAULT
from app.server.seeding.copying import Connection

_CONTACTS = (
    (1, "CHARGE NURSE", "Nursing station", "charge.nurse"),
    (2, "DIRECTOR OF NURSING", "Administration", "nursing.director"),
    (3, "ON-CALL PHYSICIAN", "After hours", "on.call"),
)
_OPEN_COUNT = 6
_LISTED_DAYS = 90
_LAB_ZONE = "America/Chicago"

# Each release of critical results opens a notice, as it does in the portal.
_NOTICES = """
WITH released AS (
    SELECT DISTINCT o.id, r.released_at FROM orders o JOIN results r ON r.order_id = o.id
    WHERE o.reported_at::date > %(listed_from)s AND r.is_current
        AND r.released_at IS NOT NULL AND r.flag = ANY(%(flags)s)
), placed AS (
    SELECT id, released_at, row_number() OVER (
        PARTITION BY id ORDER BY released_at DESC) = 1 AS is_last
    FROM released
), listed AS (
    -- An order has one open notice at most.
    SELECT id, released_at AT TIME ZONE %(zone)s AS at, is_last AND row_number() OVER (
        PARTITION BY is_last ORDER BY released_at DESC, id DESC) <= %(open)s AS is_open
    FROM placed
)
INSERT INTO critical_notices
    (order_id, opened_at, due_at, level, told_at, closed_at, closed_by_name, closing_note)
SELECT id, at, at + interval '30 minutes', 1,
    CASE WHEN NOT is_open THEN at + interval '12 minutes' END,
    CASE WHEN NOT is_open THEN at + interval '14 minutes' END,
    CASE WHEN NOT is_open THEN 'Lab Staff' END,
    CASE WHEN NOT is_open THEN 'Physician informed by the ward' END
FROM listed
"""
_ITEMS = """
INSERT INTO critical_items (notice_id, order_test_id, name, result, flag, released_at)
SELECT n.id, t.id, t.name, concat_ws(' ', r.value, r.unit), r.flag, r.released_at
FROM critical_notices n JOIN results r ON r.order_id = n.order_id
    AND r.released_at = n.opened_at AT TIME ZONE %(zone)s
JOIN order_tests t ON t.id = r.order_test_id
WHERE r.is_current AND r.released_at IS NOT NULL AND r.flag = ANY(%(flags)s)
"""
_CALLS = """
INSERT INTO critical_calls
    (notice_id, told_name, method, is_told, has_read_back, made_by, made_by_name, made_at)
SELECT n.id, 'CHARGE NURSE', 'phone', true, true, u.id, 'Lab Staff', n.told_at
FROM critical_notices n, users u
WHERE n.told_at IS NOT NULL AND u.email = 'laboratory@demo.lab'
"""
# The portal alerts the first contact immediately and the next one after each limit, until somebody
# reads the results back. The worker continues with notices whose last contact is not due yet.
_ALERTS = """
INSERT INTO critical_alerts (notice_id, key, position, name, email, created_at, attempts, sent_at)
SELECT n.id, gen_random_uuid(), c.position, c.name, c.email, due.at, 1, due.at
FROM critical_notices n
JOIN orders o ON o.id = n.order_id
JOIN critical_contacts c ON c.client_id = o.client_id
CROSS JOIN LATERAL (
    SELECT n.opened_at + make_interval(mins => %(minutes)s * (c.position - 1)) AS at
) due
WHERE due.at < coalesce(n.told_at, now())
"""
_LEVELS = """
UPDATE critical_notices n SET level = a.level, escalate_at = CASE
    WHEN n.told_at IS NULL AND a.level < %(contacts)s
    THEN n.opened_at + make_interval(mins => %(minutes)s * a.level) END
FROM (SELECT notice_id, max(position) AS level FROM critical_alerts GROUP BY notice_id) a
WHERE a.notice_id = n.id
"""
# The comments of critical orders say that the client was called, which is not yet true of these.
_NOT_CALLED = """
UPDATE orders SET report_comment = NULL
FROM critical_notices n WHERE n.order_id = orders.id AND n.told_at IS NULL
"""


def insert_critical_results(connection: Connection, as_of: date) -> None:
    """Insert contacts of each client, and notices of the last months' critical results."""
    for position, name, duty, mailbox in _CONTACTS:
        connection.execute(
            "INSERT INTO critical_contacts (client_id, position, name, duty, phone, email)"
            " SELECT id, %s, %s, %s, phone, %s || lower(code) || '.example' FROM clients",
            (position, name, duty, f"{mailbox}@"),
        )
    flags = [str(flag) for flag in CRITICAL_FLAGS]
    values = {
        "flags": flags,
        "zone": _LAB_ZONE,
        "open": _OPEN_COUNT,
        "listed_from": date.fromordinal(as_of.toordinal() - _LISTED_DAYS),
    }
    connection.execute(_NOTICES, values)
    connection.execute(_ITEMS, {"flags": flags, "zone": _LAB_ZONE})
    connection.execute(_CALLS)
    limits = {"minutes": CRITICAL_MINUTES_DEFAULT, "contacts": len(_CONTACTS)}
    connection.execute(_ALERTS, limits)
    connection.execute(_LEVELS, limits)
    connection.execute(_NOT_CALLED)
