"""The demo lab's acknowledgments: which results were read, and which are still unread."""

from datetime import date, timedelta

from app.server.seeding.copying import Connection

_UNREAD_COUNT, _UNREAD_ALERTS = 6, 2
_LISTED_DAYS = 90

# The newest results and the newest alerts of each client and each physician, even if they are old.
_UNREAD = """
UPDATE orders o SET {mark} = true
FROM (
    SELECT id, alert, row_number() OVER (
        PARTITION BY {owner}, alert ORDER BY reported_at DESC, id DESC) AS position
    FROM orders, LATERAL (SELECT has_critical OR has_unexpected_positive AS alert) a
    WHERE reported_at IS NOT NULL
) n
WHERE n.id = o.id AND n.position <= CASE WHEN alert THEN %(alerts)s ELSE %(others)s END
"""
# Each person reads their own orders an hour after the report.
_READ = """
INSERT INTO order_acknowledgments
    (order_id, user_id, user_name, by_physician, version, acknowledged_at)
SELECT o.id, u.id, u.first_name || ' ' || u.last_name, {by_physician}, o.version,
    o.reported_at + interval '1 hour'
FROM orders o, users u
WHERE u.email = %(email)s AND {is_own} AND NOT {mark}
    AND o.reported_at::date > %(listed_from)s
"""
_BY_CLIENT = _READ.format(
    by_physician="false", is_own="o.client_id = ANY(u.client_ids)", mark="o.is_unread"
)
_BY_PHYSICIAN = _READ.format(
    by_physician="true",
    is_own="o.physician_id = ANY(u.physician_ids)",
    mark="o.is_unread_by_physician",
)


def insert_acknowledgments(connection: Connection, as_of: date) -> None:
    """Mark the newest results as unread, and those of the last months as acknowledged."""
    values = {
        "listed_from": as_of - timedelta(days=_LISTED_DAYS),
        "alerts": _UNREAD_ALERTS,
        "others": _UNREAD_COUNT,
    }
    for mark, owner in (("is_unread", "client_id"), ("is_unread_by_physician", "physician_id")):
        connection.execute(_UNREAD.format(mark=mark, owner=owner), values)
    connection.execute(_BY_CLIENT, {**values, "email": "clientbasic@demo.lab"})
    connection.execute(_BY_PHYSICIAN, {**values, "email": "physician@demo.lab"})
