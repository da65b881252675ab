"""SQL of a patient's timeline, one statement over requisitions, orders and results.

Each table is limited to the actor's scope, so that a physician sees only their own requisitions.
Changes come from the audit events: everybody may read the history of the records in their scope
(``audit.models``).
"""

from functools import lru_cache

from app.contract.enumerations import ScopeKind
from app.server.audit.service import build_audit_insert
from app.server.orders.models import Order
from app.server.patients.models import Patient
from app.server.requisitions.models import Requisition

_EVENTS = """
    SELECT 'registered' AS kind, patient.id, 0 AS rank, patient.created_at AS at,
        patient.created_by AS by_user, NULL::text AS by_name, NULL::text AS detail,
        NULL::bigint AS record_id, NULL::text AS code
    FROM patient
    UNION ALL
    SELECT 'changed', e.id, 1, e.at, e.user_id, NULL,
        (SELECT string_agg(coalesce(%(labels)s::jsonb ->> f.name, f.name), ', ' ORDER BY f.position)
         FROM jsonb_array_elements_text(e.detail -> 'fields') WITH ORDINALITY f (name, position)),
        NULL, NULL
    FROM patient JOIN audit_events e
        ON e.record_ids[1] = patient.id AND e.kind = 'patient' AND e.action = 'change'
    UNION ALL
    SELECT 'requisition', r.id, 2, r.created_at, r.created_by, NULL,
        (SELECT string_agg(x.name, ', ' ORDER BY t.position)
         FROM requisition_tests t JOIN lab_tests x ON x.id = t.test_id
         WHERE t.requisition_id = r.id AND t.parent_id IS NULL),
        r.id, r.code
    FROM ordered r
    UNION ALL
    SELECT 'signed', s.id, 3, s.signed_at AT TIME ZONE %(zone)s, NULL, s.user_name, NULL,
        r.id, r.code
    FROM ordered r JOIN requisition_signatures s ON s.requisition_id = r.id
    UNION ALL
    SELECT 'unsigned', s.id, 4, s.removed_at, NULL, s.user_name, NULL, r.id, r.code
    FROM ordered r JOIN requisition_signatures s ON s.requisition_id = r.id
    WHERE s.removed_at IS NOT NULL
    UNION ALL
    SELECT 'canceled', e.id, 5, e.at, e.user_id, NULL, r.cancel_comment, r.id, r.code
    FROM ordered r JOIN audit_events e
        ON e.record_ids[1] = r.id AND e.kind = 'requisition' AND e.action = 'cancel'
    UNION ALL
    SELECT 'order', o.id, 6, o.received_at AT TIME ZONE %(zone)s, o.received_by, NULL, NULL,
        o.id, o.code
    FROM received o
    UNION ALL
    SELECT 'released', max(x.id), 7, x.released_at AT TIME ZONE %(zone)s, x.released_by,
        CASE WHEN bool_and(x.autoverified_version IS NOT NULL) THEN %(autoverification)s::text END,
        string_agg(t.name, ', ' ORDER BY t.position), o.id, o.code
    FROM received o
    JOIN results x ON x.order_id = o.id AND x.released_at IS NOT NULL
    JOIN order_tests t ON t.id = x.order_test_id
    GROUP BY o.id, o.code, x.released_at, x.released_by
"""
_STATEMENT = """
WITH patient AS MATERIALIZED (
    SELECT p.id, p.created_at, p.created_by FROM patients p
    WHERE p.id = %(patient)s AND {patients}
), ordered AS MATERIALIZED (
    SELECT r.id, r.code, r.created_at, r.created_by, r.cancel_comment
    FROM patient JOIN requisitions r ON r.patient_id = patient.id AND {requisitions}
), received AS MATERIALIZED (
    SELECT o.id, o.code, o.received_at, o.received_by
    FROM patient JOIN orders o ON o.patient_id = patient.id AND {orders}
), audited AS (
    {audited}
), events AS MATERIALIZED ({events}), page AS MATERIALIZED (
    SELECT * FROM events ORDER BY at DESC, rank DESC, id DESC
    LIMIT %(take)s OFFSET %(skip)s
)
SELECT CASE WHEN EXISTS (SELECT 1 FROM patient) THEN json_build_object(
    'data', coalesce((SELECT json_agg(json_build_object(
        'id', page.kind || '-' || page.id, 'kind', page.kind, 'at', page.at,
        'by', {by}, 'title', %(titles)s::jsonb ->> page.kind, 'detail', page.detail,
        'recordId', page.record_id, 'code', page.code
    ) ORDER BY page.at DESC, page.rank DESC, page.id DESC) FROM page), '[]'::json),
    'totalCount', (SELECT count(*) FROM events), 'totalIsCapped', false, 'next', null)::text END
"""


@lru_cache(maxsize=8)
def build_timeline_statement(kind: ScopeKind) -> str:
    """Return the statement of a page as JSON, which is null for a patient out of scope.

    Parameters: patient, ids, user, role_name, request_id, take, skip, zone (the lab's), titles
    (by kind of event) and labels (by field name).
    """
    # Patients see the names of signers, but not of staff.
    by = "page.by_name" if kind is ScopeKind.PATIENT else _NAME_OF_USER
    return _STATEMENT.format(
        patients=Patient.__scope__.build_predicate(kind, "p"),
        requisitions=Requisition.__scope__.build_predicate(kind, "r"),
        orders=Order.__scope__.build_predicate(kind, "o"),
        audited=build_audit_insert(
            "read", "patient-timeline", "ARRAY[patient.id]", of="FROM patient"
        ),
        events=_EVENTS,
        by=by,
    )


_NAME_OF_USER = "coalesce(page.by_name, name_of_user(page.by_user))"
