"""SQL of a patient's timeline: one statement over the patient, requisitions, orders and results.

Each of them is confined to the actor, so that a physician finds their own requisitions in it and
nobody else's. Changes come from the journal, of which everyone may read what belongs to the
history of records they see (``audit.models``).
"""

from functools import lru_cache

from app.contract.enumerations import ScopeKind
from app.server.audit.service import audit_insert
from app.server.orders.models import Order
from app.server.patients.models import Patient
from app.server.requisitions.models import Requisition

_EVENTS = """
    SELECT 'registered' AS kind, seen.id, 0 AS place, seen.created_at AS at,
        seen.created_by AS by_user, NULL::text AS by_name, NULL::text AS detail,
        NULL::bigint AS record_id, NULL::text AS code
    FROM seen
    UNION ALL
    SELECT 'changed', e.id, 1, e.at, e.user_id, NULL,
        (SELECT string_agg(coalesce(%(labels)s::jsonb ->> f.name, f.name), ', ' ORDER BY f.place)
         FROM jsonb_array_elements_text(e.detail -> 'fields') WITH ORDINALITY f (name, place)),
        NULL, NULL
    FROM seen JOIN audit_events e
        ON e.record_ids[1] = seen.id AND e.kind = 'patient' AND e.action = 'change'
    UNION ALL
    SELECT 'requisition', r.id, 2, r.created_at, r.created_by, NULL,
        (SELECT string_agg(x.name, ', ' ORDER BY t.position)
         FROM requisition_tests t JOIN lab_tests x ON x.id = t.test_id
         WHERE t.requisition_id = r.id AND t.parent_id IS NULL),
        r.id, r.code
    FROM made r
    UNION ALL
    SELECT 'signed', s.id, 3, s.signed_at AT TIME ZONE %(zone)s, NULL, s.user_name, NULL,
        r.id, r.code
    FROM made r JOIN requisition_signatures s ON s.requisition_id = r.id
    UNION ALL
    SELECT 'unsigned', s.id, 4, s.removed_at, NULL, s.user_name, NULL, r.id, r.code
    FROM made r JOIN requisition_signatures s ON s.requisition_id = r.id
    WHERE s.removed_at IS NOT NULL
    UNION ALL
    SELECT 'canceled', e.id, 5, e.at, e.user_id, NULL, r.cancel_comment, r.id, r.code
    FROM made r JOIN audit_events e
        ON e.record_ids[1] = r.id AND e.kind = 'requisition' AND e.action = 'cancel'
    UNION ALL
    SELECT 'order', o.id, 6, o.received_at AT TIME ZONE %(zone)s, o.received_by, NULL, NULL,
        o.id, o.code
    FROM received o
    UNION ALL
    SELECT 'released', max(x.id), 7, x.released_at AT TIME ZONE %(zone)s, x.released_by, NULL,
        string_agg(t.name, ', ' ORDER BY t.position), o.id, o.code
    FROM received o
    JOIN results x ON x.order_id = o.id AND x.released_at IS NOT NULL
    JOIN order_tests t ON t.id = x.order_test_id
    GROUP BY o.id, o.code, x.released_at, x.released_by
"""
_STATEMENT = """
WITH seen AS MATERIALIZED (
    SELECT p.id, p.created_at, p.created_by FROM patients p
    WHERE p.id = %(patient)s AND {patients}
), made AS MATERIALIZED (
    SELECT r.id, r.code, r.created_at, r.created_by, r.cancel_comment
    FROM seen JOIN requisitions r ON r.patient_id = seen.id AND {requisitions}
), received AS MATERIALIZED (
    SELECT o.id, o.code, o.received_at, o.received_by
    FROM seen JOIN orders o ON o.patient_id = seen.id AND {orders}
), noted AS (
    {noted}
), events AS MATERIALIZED ({events}), page AS MATERIALIZED (
    SELECT * FROM events ORDER BY at DESC, place DESC, id DESC
    LIMIT %(take)s OFFSET %(skip)s
)
SELECT CASE WHEN EXISTS (SELECT 1 FROM seen) THEN json_build_object(
    'data', coalesce((SELECT json_agg(json_build_object(
        'id', page.kind || '-' || page.id, 'kind', page.kind, 'at', page.at,
        'by', {by}, 'title', %(titles)s::jsonb ->> page.kind, 'detail', page.detail,
        'recordId', page.record_id, 'code', page.code
    ) ORDER BY page.at DESC, page.place DESC, page.id DESC) FROM page), '[]'::json),
    'totalCount', (SELECT count(*) FROM events), 'totalIsCapped', false, 'next', null)::text END
"""


@lru_cache(maxsize=8)
def statement(kind: ScopeKind) -> str:
    """The SQL text; it answers the page as JSON, or null for a patient out of scope.

    Parameters: patient, ids, user, role_name, request_id, take, skip, zone (the lab's), titles
    (kind -> words) and labels (field -> words).
    """
    # Patients read who signed for them; who works at the desks is not their business.
    by = "page.by_name" if kind is ScopeKind.PATIENT else _WHO
    return _STATEMENT.format(
        patients=Patient.__scope__.predicate(kind, "p"),
        requisitions=Requisition.__scope__.predicate(kind, "r"),
        orders=Order.__scope__.predicate(kind, "o"),
        noted=audit_insert("read", "patient-timeline", "ARRAY[seen.id]", of="FROM seen"),
        events=_EVENTS,
        by=by,
    )


_WHO = "coalesce(page.by_name, name_of_user(page.by_user))"
