"""The demo lab's acknowledgments: which results were read, and which are still unread."""

from datetime import date, timedelta

from app.server.seeding.copying import Connection

_UNREAD_DAYS = 4
_LISTED_DAYS = 90

_UNREAD = """
UPDATE orders SET is_unread = true, is_unread_by_physician = true
WHERE reported_at::date > %(unread_from)s
"""
# Each person reads their own orders an hour after the report.
_READ = """
INSERT INTO order_acknowledgments
    (order_id, user_id, user_name, by_physician, version, acknowledged_at)
SELECT o.id, u.id, u.first_name || ' ' || u.last_name, {by_physician}, o.version,
    o.reported_at + interval '1 hour'
FROM orders o, users u
WHERE u.email = %(email)s AND {is_own}
    AND o.reported_at::date > %(listed_from)s AND o.reported_at::date <= %(unread_from)s
"""
_BY_CLIENT = _READ.format(by_physician="false", is_own="o.client_id = ANY(u.client_ids)")
_BY_PHYSICIAN = _READ.format(by_physician="true", is_own="o.physician_id = ANY(u.physician_ids)")


def load(connection: Connection, as_of: date) -> None:
    """Mark the newest results as unread, and those of the last months as acknowledged."""
    values = {
        "unread_from": as_of - timedelta(days=_UNREAD_DAYS),
        "listed_from": as_of - timedelta(days=_LISTED_DAYS),
    }
    connection.execute(_UNREAD, values)
    connection.execute(_BY_CLIENT, {**values, "email": "clientbasic@demo.lab"})
    connection.execute(_BY_PHYSICIAN, {**values, "email": "physician@demo.lab"})
